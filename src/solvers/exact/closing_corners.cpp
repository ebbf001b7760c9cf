#include "solvers/exact/closing_corners.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "math/dense/cholesky.hpp"
#include "stickslip/elementary.hpp"

namespace stickslip {
void DenseIsland::reserve(int rows, int joint_rows) {
  const std::size_t n = rows, m = joint_rows;
  cones_.reserve(n);
  rows_.reserve(n);
  joints_.reserve(m);
  W_.reserve(n * n);
  q_.reserve(n);
  joint_W_.reserve(n * m);
  joint_q_.reserve(m);
  joint_p_.reserve(m);
  unit_.reserve(n + m);
  column_.reserve(n + m);
}

void DenseIsland::build(const ScaledIsland& island) {
  split(island);
  fillColumns(island);
  if (!joints_.empty()) eliminateJoints();
}

void DenseIsland::split(const ScaledIsland& island) {
  cones_.clear();
  rows_.clear();
  joints_.clear();
  for (const Cone& cone : island.cones()) {
    std::vector<int>& rows = cone.kind == Cone::Kind::joint ? joints_ : rows_;
    if (cone.kind != Cone::Kind::joint) {
      cones_.push_back(cone);
      cones_.back().first = static_cast<int>(rows_.size());
    }
    for (int k = 0; k < cone.rows; ++k) rows.push_back(cone.first + k);
  }
}

// W by its products with unit vectors.
void DenseIsland::fillColumns(const ScaledIsland& island) {
  const std::size_t n = rows_.size(), m = joints_.size();
  W_.resize(n * n);
  q_.resize(n);
  joint_L_.resize(std::array{static_cast<int>(m)});
  joint_W_.resize(n * m);
  joint_q_.resize(m);
  unit_.assign(island.rowCount(), 0.0);
  column_.resize(island.rowCount());
  const auto columnOf = [&](int row) {
    unit_[row] = 1;
    island.W().apply(unit_, column_);
    unit_[row] = 0;
  };
  for (std::size_t j = 0; j < n; ++j) {
    columnOf(rows_[j]);
    for (std::size_t i = 0; i < n; ++i) W_[i * n + j] = column_[rows_[i]];
    for (std::size_t i = 0; i < m; ++i) joint_W_[j * m + i] = column_[joints_[i]];
    q_[j] = island.q()[rows_[j]];
  }
  for (std::size_t j = 0; j < m; ++j) {
    columnOf(joints_[j]);
    const MatrixView L = joint_L_.block(0);
    const int k = static_cast<int>(j);
    for (int i = 0; i < L.rows; ++i) L(i, k) = column_[joints_[i]];
    L(k, k) += kJointSoftness;
    joint_q_[j] = island.q()[joints_[j]];
  }
}

void DenseIsland::eliminateJoints() {
  const std::size_t n = rows_.size(), m = joints_.size();
  factorizeCholesky(joint_L_);
  solveLower(joint_L_, joint_q_);
  for (std::size_t j = 0; j < n; ++j) solveLower(joint_L_, std::span(joint_W_).subspan(j * m, m));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < m; ++k) q_[i] -= joint_W_[i * m + k] * joint_q_[k];
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < m; ++k)
        W_[i * n + j] -= joint_W_[i * m + k] * joint_W_[j * m + k];
  }
}

void DenseIsland::velocity(std::span<const double> p, std::span<double> u) const {
  for (int i = 0; i < size(); ++i) {
    const std::span<const double> row = W().row(i);
    double sum = q_[i];
    for (std::size_t k = 0; k < row.size(); ++k) sum += row[k] * p[k];
    u[i] = sum;
  }
}

void DenseIsland::toIsland(std::span<const double> p, std::span<double> island_pi) const {
  const std::size_t n = rows_.size(), m = joints_.size();
  for (std::size_t k = 0; k < n; ++k) island_pi[rows_[k]] = p[k];
  if (m == 0) return;
  // L L' c = -(q + W p), of the joints.
  joint_p_.resize(m);
  for (std::size_t k = 0; k < m; ++k) {
    joint_p_[k] = -joint_q_[k];
    for (std::size_t j = 0; j < n; ++j) joint_p_[k] -= joint_W_[j * m + k] * p[j];
  }
  solveLowerTransposed(joint_L_, joint_p_);
  for (std::size_t k = 0; k < m; ++k) island_pi[joints_[k]] = joint_p_[k];
}

void DenseIsland::fromIsland(std::span<const double> island_pi, std::span<double> p) const {
  for (std::size_t k = 0; k < rows_.size(); ++k) p[k] = island_pi[rows_[k]];
}

namespace {

// x in other axes, and back. `stride` is from one row to the next.
void turnRows(std::span<const FrictionVector> axes, double* x, std::size_t stride) {
  FrictionVector turned{};
  for (std::size_t i = 0; i < axes.size(); ++i)
    for (std::size_t k = 0; k < axes.size(); ++k) turned[i] += axes[i][k] * x[k * stride];
  for (std::size_t i = 0; i < axes.size(); ++i) x[i * stride] = turned[i];
}

void turnBack(std::span<const FrictionVector> axes, double* x) {
  FrictionVector turned{};
  for (std::size_t i = 0; i < axes.size(); ++i)
    for (std::size_t k = 0; k < axes.size(); ++k) turned[k] += axes[i][k] * x[i];
  std::copy_n(turned.begin(), axes.size(), x);
}

// Two axes, or three, of which d is the first.
void completeAxes(const FrictionVector& d, std::size_t rows,
                  std::array<FrictionVector, kMostFrictionRows>& axes) {
  axes[0] = d;
  if (rows == 2) {
    axes[1] = {-d[1], d[0], 0};
    return;
  }
  // Across the axis that d is farthest from.
  std::size_t least = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (std::abs(d[k]) < std::abs(d[least])) least = k;
  const std::size_t a = (least + 1) % 3, b = (least + 2) % 3;
  const double length = math::hypot(d[a], d[b]);
  FrictionVector& second = axes[1];
  second[least] = 0;
  second[a] = -d[b] / length;
  second[b] = d[a] / length;
  axes[2] = {d[1] * second[2] - d[2] * second[1], d[2] * second[0] - d[0] * second[2],
             d[0] * second[1] - d[1] * second[0]};
}

// A set of the unit sizes of a cone; 0 directions where it is round.
ImpulseSet frictionSet(int tangents, bool spins, bool rolls, int directions) {
  ImpulseSet set;
  if (tangents == 0) return set;
  set.kind = tangents == 1 ? ImpulseSet::Kind::planar : ImpulseSet::Kind::polyhedral;
  set.mu = set.mu_2 = 1;
  set.directions = directions;
  set.torsion = spins ? 1 : 0;
  set.rolling = rolls ? 1 : 0;
  return set;
}

// Two sections must be of the same kind, one tangent each or two; the first may spin, too.
bool hasForm(const Cone& cone) {
  const FrictionShape &first = cone.shapes[0], &second = cone.shapes[1];
  if (cone.isPlain()) return cone.rows <= 1 + static_cast<int>(kMostFrictionRows);
  if (cone.kind != Cone::Kind::sections) return false;
  if (second.rows == 0) return true;
  if (first.given != nullptr) return second.rows == 2;
  return first.directions == second.directions && second.rows == std::min(first.rows, 2);
}

}  // namespace

bool ClosingCorners::covers(const DenseIsland& problem) {
  return std::all_of(problem.cones().begin(), problem.cones().end(), hasForm);
}

void ClosingCorners::reserve(int contacts, int rows) {
  const int most = std::min(contacts, settings_.reserved_contacts);
  const std::size_t n = std::min(rows, 3 * most);
  turns_.reserve(most);
  corners_.reserve(settings_.corners);
  sets_.reserve(most);
  groups_.reserve(most, 0, 0);
  W_.reserve(n * n);
  q_.reserve(n);
  lcp_.reserve(most, settings_.corners);
  lemke_.reserve((2 + settings_.corners) * most);
  z_.reserve((2 + settings_.corners) * most);
}

void ClosingCorners::start(const DenseIsland& problem, Expect expect, std::span<const double> p,
                           std::span<const double> u) {
  expect_ = expect;
  chooseTurns(problem, p, u);
}

SolveStatus ClosingCorners::solve(const DenseIsland& problem, double spacing,
                                  std::int64_t pivot_limit, std::span<double> p,
                                  std::span<double> u, std::int64_t& pivots) {
  turnProblem(problem);
  chooseCorners(std::max(spacing, settings_.least_spacing));
  describeSets(problem);
  lcp_.build(FrictionLcp::Form::cone, {W_.data(), problem.size(), problem.size()}, q_, groups_,
             sets_, corners_);
  const SolveStatus status = solveLcp(pivot_limit, p, pivots);
  for (const Turn& turn : turns_)
    turnBack(std::span(turn.axes).first(turn.rows), p.data() + turn.first);
  problem.velocity(p, u);
  chooseTurns(problem, p, u);
  return status;
}

SolveStatus ClosingCorners::solveLcp(std::int64_t pivot_limit, std::span<double> p,
                                     std::int64_t& pivots) {
  lemke_.setPivotLimit(pivot_limit);
  z_.resize(lcp_.lcp().size());
  const LcpReport report = lemke_.solve(lcp_.lcp(), z_);
  pivots += report.pivots;
  lcp_.impulses(z_, p);
  return report.status;
}

SolveStatus ClosingCorners::solvePolygons(const DenseIsland& problem, std::int64_t pivot_limit,
                                          std::span<double> p, std::int64_t& pivots) {
  describeSets(problem);
  lcp_.build(FrictionLcp::Form::cone, problem.W(), problem.q(), groups_, sets_);
  return solveLcp(pivot_limit, p, pivots);
}

// Sets with one row have but one direction, and corners stay where they are.
void ClosingCorners::addTurns(const Cone& cone) {
  auto first = static_cast<std::size_t>(cone.first) + 1;
  const auto add = [&](int rows, bool round) {
    if (rows > 1 && round) turns_.push_back({first, static_cast<std::size_t>(rows)});
    first += static_cast<std::size_t>(rows);
  };
  if (cone.kind == Cone::Kind::sections)
    for (const FrictionShape& shape : cone.shapes) add(shape.rows, shape.directions == 0);
  else
    add(cone.rows - 1, cone.kind == Cone::Kind::lorentz);
}

void ClosingCorners::turnTowards(Turn& turn, std::span<const double> p,
                                 std::span<const double> u) const {
  FrictionVector direction{};
  double slip = 0, load = 0, length = 0;
  for (std::size_t k = 0; k < turn.rows; ++k) {
    slip = math::hypot(slip, u[turn.first + k]);
    load = math::hypot(load, p[turn.first + k]);
  }
  const bool against = expect_ == Expect::against_sliding && slip > settings_.no_slip * load;
  for (std::size_t k = 0; k < turn.rows; ++k) {
    direction[k] = (against ? 0 : p[turn.first + k]) - u[turn.first + k];
    length = math::hypot(length, direction[k]);
  }
  if (!(length > 0)) return;
  for (double& x : direction) x /= length;
  completeAxes(direction, turn.rows, turn.axes);
}

void ClosingCorners::chooseTurns(const DenseIsland& problem, std::span<const double> p,
                                 std::span<const double> u) {
  turns_.clear();
  for (const Cone& cone : problem.cones()) addTurns(cone);
  for (Turn& turn : turns_) turnTowards(turn, p, u);
}

void ClosingCorners::chooseCorners(double spacing) {
  corners_.assign({0.0, std::numbers::pi, settings_.far_side, -settings_.far_side});
  for (double angle = spacing; angle < settings_.most_of_side; angle *= settings_.growth) {
    corners_.push_back(angle);
    corners_.push_back(-angle);
  }
}

void ClosingCorners::turnProblem(const DenseIsland& problem) {
  const std::size_t n = problem.size();
  const ConstMatrixView W = problem.W();
  W_.assign(W.data, W.data + n * n);
  q_.assign(problem.q().begin(), problem.q().end());
  for (const Turn& turn : turns_) {
    const std::span axes = std::span(turn.axes).first(turn.rows);
    turnRows(axes, q_.data() + turn.first, 1);
    for (std::size_t k = 0; k < n; ++k) turnRows(axes, W_.data() + turn.first * n + k, n);
    for (std::size_t k = 0; k < n; ++k) turnRows(axes, W_.data() + k * n + turn.first, 1);
  }
}

void ClosingCorners::describeSets(const DenseIsland& problem) {
  groups_.clear();
  sets_.clear();
  for (const Cone& cone : problem.cones()) {
    groups_.addGroup(cone.rows);
    ImpulseSet set;
    if (cone.kind == Cone::Kind::interval) {
      set.kind = ImpulseSet::Kind::interval;
      set.lower = cone.lower;
      set.upper = cone.upper;
    } else {
      const bool sections = cone.kind == Cone::Kind::sections;
      const int friction = sections ? cone.shapes[0].rows : cone.rows - 1;
      const int own = sections ? cone.shapes[0].directions : cone.directions;
      const FrictionDirections* given = cone.shapes[0].given;
      const bool rolls = sections && cone.shapes[1].rows > 0;
      if (sections && given != nullptr) {
        set = frictionSet(2, given->spins(), given->rolls() || rolls, cone.shapes[1].directions);
        set.given = given->shared_from_this();
      } else {
        set = frictionSet(std::min(friction, 2), friction > 2, rolls, own);
      }
    }
    sets_.push_back(set);
  }
}

}  // namespace stickslip
