#include "problem/scaled_island.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace stickslip {
namespace {

// Velocities that disappear in the rounding of an impulse are counted as violations from here on:
// beside an impulse that runs off to infinity everything would seem to be in order.
constexpr double kBlind = 1e-11;
// Joints can move contacts that would not move by themselves: beside joints, residuals are relative
// to at least this part of the motion of bodies.
constexpr double kCarried = 1e-3;

double powerOfTwoNextTo(double x) {
  return x > 0 && std::isfinite(x) ? std::ldexp(1.0, std::ilogb(x)) : 1.0;
}

}  // namespace

void ScaledIsland::reserve(int blocks, int cones, int rows) {
  velocity_.reserve(blocks, cones, rows);
  cones_.reserve(cones);
  rows_.reserve(rows);
  q_.reserve(rows);
  blocks_.reserve(2 * cones);
  block_sizes_.reserve(2 * cones);
}

void ScaledIsland::start(Law law, double velocity_scale) {
  law_ = law;
  velocity_scale_ = velocity_scale;
  speed_ = 0;
  carried_ = 0;
  cones_.clear();
  rows_.clear();
  q_.clear();
}

void ScaledIsland::build(const ContactProblem& problem, const BlockDiagonal& L,
                         std::span<const int> contacts, std::span<const int> joints,
                         double velocity_scale) {
  start(problem.law, velocity_scale);
  useBlocks(problem, contacts, joints);
  velocity_.start(block_sizes_);
  for (const int contact : contacts) addContact(problem, L, contact);
  for (const int joint : joints) addJoint(problem, L, joint);
  carried_ = joints.empty() ? 0 : kCarried;
  velocity_.finish();
  local_form_ = false;
  measureSpeed(problem, L);
  chooseUnit();
}

void ScaledIsland::useBlocks(const ContactProblem& problem, std::span<const int> contacts,
                             std::span<const int> joints) {
  blocks_.clear();
  const auto use = [&](const BlockRows& rows, int group) {
    for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
      const int last = problem.M.blockOf(strip.first_column + strip.columns - 1);
      for (int block = problem.M.blockOf(strip.first_column); block <= last; ++block)
        blocks_.push_back(block);
    }
  };
  for (const int contact : contacts) use(problem.J, contact);
  for (const int joint : joints) use(problem.G, joint);
  std::sort(blocks_.begin(), blocks_.end());
  blocks_.erase(std::unique(blocks_.begin(), blocks_.end()), blocks_.end());
  block_sizes_.clear();
  for (const int block : blocks_) block_sizes_.push_back(problem.M.block(block).rows);
}

// The rows of a group that are kept, times L^-T, as the last cone of the operator.
void ScaledIsland::addRows(const BlockDiagonal& L, const BlockRows& rows, int group,
                           std::span<const int> kept) {
  velocity_.add(L, rows, group, kept, [&](int block) {
    const auto place = std::lower_bound(blocks_.begin(), blocks_.end(), block);
    const int number = static_cast<int>(place - blocks_.begin());
    return std::pair(number, velocity_.firstOfVelocityBlock(number));
  });
}

void ScaledIsland::addContact(const ContactProblem& problem, const BlockDiagonal& L, int contact) {
  const SetLayout layout = layoutOf(problem.sets[contact]);
  for (const ConeLayout& part : layout.cones()) addPart(problem, L, contact, part);
}

void ScaledIsland::addPart(const ContactProblem& problem, const BlockDiagonal& L, int contact,
                           const ConeLayout& part) {
  const int count = part.cone.rows;
  addRows(L, problem.J, contact, part.rows());
  std::array<double, kMostRows * kMostRows> block{};
  velocity_.diagonalBlock(velocity_.coneCount() - 1, {block.data(), count, count});
  std::array<double, kMostRows> diagonal{};
  for (int i = 0; i < count; ++i) diagonal[part.kept[i]] = block[i * (count + 1)];
  const double scale = addCone(problem.sets[contact], part, diagonal);
  for (int i = 0; i < count; ++i) {
    const int k = part.kept[i], row = problem.J.firstRow(contact) + k;
    rows_.push_back({row, false, scale * part.factor[i], lengths_[k]});
    velocity_.scaleLastRow(i, rows_.back().scale);
    q_.push_back(rows_.back().scale *
                 (freeVelocity(problem.J, contact, k, problem.v_free) + problem.b[row]));
  }
}

// Bounds of intervals get their unit in chooseUnit(). Returns the scale of the cone.
double ScaledIsland::addCone(const ImpulseSet& set, const ConeLayout& part,
                             const std::array<double, kMostRows>& diagonal) {
  cones_.push_back(part.cone);
  cones_.back().first = static_cast<int>(rows_.size());
  lengths_ = rowLengths(set, [&](int k) { return diagonal[k]; });
  double trace = 0;
  for (int i = 0; i < part.cone.rows; ++i) {
    const double factor = part.factor[i];
    trace += factor * factor * diagonal[part.kept[i]];
  }
  return trace > 0 ? 1 / std::sqrt(trace / part.cone.rows) : 1;
}

void ScaledIsland::addJoint(const ContactProblem& problem, const BlockDiagonal& L, int joint) {
  const int rows = problem.G.rowsOf(joint);
  for (int k = 0; k < rows; ++k) {
    addRows(L, problem.G, joint, std::array{k});
    const int row = problem.G.firstRow(joint) + k;
    double mobility = problem.compliance[row];
    double diagonal = 0;
    velocity_.diagonalBlock(velocity_.coneCount() - 1, {&diagonal, 1, 1});
    mobility += diagonal;
    Cone cone;
    cone.kind = Cone::Kind::joint;
    cone.first = static_cast<int>(rows_.size());
    cone.rows = 1;
    cones_.push_back(cone);
    const double scale = mobility > 0 ? 1 / std::sqrt(mobility) : 1;
    rows_.push_back({row, true, scale, 1});
    velocity_.scaleLastRow(0, scale);
    velocity_.setCompliance(cone.first, scale * scale * problem.compliance[row]);
    q_.push_back(scale * (freeVelocity(problem.G, joint, k, problem.v_free) + problem.g[row]));
  }
}

double ScaledIsland::freeVelocity(const BlockRows& rows, int group, int row,
                                  std::span<const double> v) const {
  double sum = 0;
  for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
    const StripValues entries = rows.values(group, strip);
    const std::span<const double> values = entries.row(row);
    for (std::size_t k = 0; k < values.size(); ++k) sum += values[k] * v[strip.first_column + k];
  }
  return sum;
}

void ScaledIsland::measureSpeed(const ContactProblem& problem, const BlockDiagonal& L) {
  for (const int b : blocks_) {
    const ConstMatrixView block = L.block(b);
    double square = 0;
    for (int j = 0; j < block.rows; ++j) {
      double sum = 0;
      for (int i = j; i < block.rows; ++i) sum += block(i, j) * problem.v_free[L.firstRow(b) + i];
      square += sum * sum;
    }
    speed_ = std::max(speed_, std::sqrt(square));
  }
}

// Divides by the unit.
void ScaledIsland::chooseUnit() {
  double largest = 0;
  for (const double q : q_) largest = std::max(largest, std::abs(q));
  speed_ = std::max(speed_, largest);
  unit_ = powerOfTwoNextTo(largest);
  for (double& q : q_) q /= unit_;
  for (Cone& cone : cones_)
    if (cone.kind == Cone::Kind::interval || cone.kind == Cone::Kind::load_independent) {
      double scale = 0;
      for (int k = cone.first; k < cone.first + cone.rows; ++k)
        scale = std::max(scale, rows_[k].scale);
      const double impulse = unit_ * scale;
      cone.lower /= impulse;
      cone.upper /= impulse;
      cone.radius /= impulse;
    }
}

void ScaledIsland::velocity(std::span<const double> scaled_p, std::span<double> scaled_u) const {
  W().apply(scaled_p, scaled_u);
  for (std::size_t k = 0; k < q_.size(); ++k) scaled_u[k] += q_[k];
}

double ScaledIsland::residual(std::span<const double> scaled_p, std::span<const double> scaled_u,
                              Law law) const {
  double worst = 0;
  std::array<double, kMostRows> F;
  for (const Cone& cone : cones_) {
    const std::size_t first = cone.first, rows = cone.rows;
    const std::span<double> map = std::span(F).first(rows);
    naturalMap(cone, law, scaled_p.subspan(first, rows), scaled_u.subspan(first, rows), map);
    const bool joint = cone.kind == Cone::Kind::joint;
    const double reference =
        (joint ? speed_ : std::max(velocity_scale_, carried_ * speed_ / rows_[first].scale)) /
        unit_;
    double square = 0;
    for (std::size_t k = 0; k < rows; ++k) {
      const Row& row = rows_[first + k];
      const double violation = joint ? scaled_u[first + k] : row.length * map[k] / row.scale;
      square += violation * violation;
    }
    const double error = std::sqrt(square);
    const double blind = joint ? 0
                               : std::numeric_limits<double>::epsilon() *
                                     std::abs(scaled_p[first]) / rows_[first].scale;
    const double counted = blind > kBlind * reference ? std::max(error, blind) : error;
    if (!std::isfinite(counted)) return std::numeric_limits<double>::infinity();
    if (counted > 0) worst = std::max(worst, counted / reference);
  }
  return worst;
}

void ScaledIsland::toImpulses(std::span<const double> scaled_p, std::span<double> p,
                              std::span<double> c) const {
  for (std::size_t k = 0; k < rows_.size(); ++k)
    (rows_[k].joint ? c : p)[rows_[k].source] = unit_ * rows_[k].scale * scaled_p[k];
}

void ScaledIsland::fromImpulses(std::span<const double> p, std::span<const double> c,
                                std::span<double> scaled_p) const {
  for (std::size_t k = 0; k < rows_.size(); ++k)
    scaled_p[k] = (rows_[k].joint ? c : p)[rows_[k].source] / (unit_ * rows_[k].scale);
}

void ScaledIsland::fromVelocities(std::span<const double> u, std::span<double> scaled_u) const {
  for (std::size_t k = 0; k < rows_.size(); ++k)
    scaled_u[k] = rows_[k].joint ? 0 : rows_[k].scale * u[rows_[k].source] / unit_;
}

// Islands of problems whose W is given as a sparse matrix.

void ScaledIsland::build(const LocalProblem& problem, std::span<const int> contacts,
                         double velocity_scale) {
  start(problem.law, velocity_scale);
  local_.start();
  findFirstRows(problem);
  row_of_.assign(problem.W.rows, -1);
  for (const int contact : contacts) addLocalContact(problem, contact);
  for (int cone = 0; cone < static_cast<int>(cones_.size()); ++cone) addLocalBlocks(problem, cone);
  local_.finish();
  local_form_ = true;
  chooseUnit();
}

void ScaledIsland::findFirstRows(const LocalProblem& problem) {
  first_rows_.clear();
  int row = 0;
  for (const ImpulseSet& set : problem.sets) {
    first_rows_.push_back(row);
    row += set.dimension();
  }
}

void ScaledIsland::addLocalContact(const LocalProblem& problem, int contact) {
  const SetLayout layout = layoutOf(problem.sets[contact]);
  for (const ConeLayout& part : layout.cones()) addLocalPart(problem, contact, part);
}

void ScaledIsland::addLocalPart(const LocalProblem& problem, int contact, const ConeLayout& part) {
  const int first = first_rows_[contact];
  std::array<double, kMostRows> diagonal{};
  for (const int k : part.rows()) diagonal[k] = problem.W.entry(first + k, first + k);
  const double scale = addCone(problem.sets[contact], part, diagonal);
  local_.startCone(part.cone.rows);
  for (int i = 0; i < part.cone.rows; ++i) {
    const int k = part.kept[i];
    row_of_[first + k] = static_cast<int>(rows_.size());
    cone_of_row_.resize(rows_.size() + 1);
    cone_of_row_.back() = static_cast<int>(cones_.size()) - 1;
    rows_.push_back({first + k, false, scale * part.factor[i], lengths_[k]});
    q_.push_back(rows_.back().scale * problem.q[first + k]);
  }
}

void ScaledIsland::addLocalBlocks(const LocalProblem& problem, int cone) {
  const Cone& row_cone = cones_[cone];
  const SparseRows& W = problem.W;
  neighbours_.assign(1, cone);
  const auto forEntries = [&](auto&& visit) {
    for (int i = row_cone.first; i < row_cone.first + row_cone.rows; ++i) {
      const int source = rows_[i].source;
      for (std::size_t k = W.start[source]; k < W.start[source + 1]; ++k) {
        const int j = row_of_[W.column[k]];
        if (j >= 0) visit(i, j, W.value[k]);
      }
    }
  };
  forEntries([&](int, int j, double) { neighbours_.push_back(cone_of_row_[j]); });
  std::sort(neighbours_.begin(), neighbours_.end());
  neighbours_.erase(std::unique(neighbours_.begin(), neighbours_.end()), neighbours_.end());
  for (const int column_cone : neighbours_) {
    const MatrixView block = local_.addBlock(cone, column_cone);
    const int first_column = cones_[column_cone].first;
    forEntries([&](int i, int j, double value) {
      if (cone_of_row_[j] == column_cone)
        block(i - row_cone.first, j - first_column) = rows_[i].scale * rows_[j].scale * value;
    });
  }
}

}  // namespace stickslip
