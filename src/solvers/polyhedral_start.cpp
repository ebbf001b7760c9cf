#include "solvers/polyhedral_start.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stickslip {
namespace {

// Most corners, at the least spacing. Closer ones would drown in rounding: a side is apart from its
// arc by the square of the spacing.
constexpr int kCorners = 16;
constexpr double kLeastSpacing = 2e-4;
// The angles of corners on either side grow by this factor,
constexpr double kGrowth = 5;
// up to here; what is left of the circle has three more.
constexpr double kMostOfSide = 1.8, kFarSide = 2.2;
// Problems with more contacts find room when they first come.
constexpr int kReservedContacts = 32;
// A slip of less than this part of the impulse, both in units of the problem, says nothing.
constexpr double kNoSlip = 1e-14;

// (x_1, x_2) in axes turned by the angle.
void turn(double& x_1, double& x_2, double cosine, double sine) {
  const double first = cosine * x_1 + sine * x_2;
  x_2 = -sine * x_1 + cosine * x_2;
  x_1 = first;
}

}  // namespace

bool PolyhedralStart::covers(const DenseIsland& problem) {
  return std::all_of(problem.items().begin(), problem.items().end(),
                     [](const ContactItem& item) { return item.isPlain() && item.rows <= 3; });
}

void PolyhedralStart::reserve(int contacts, int rows) {
  const int most = std::min(contacts, kReservedContacts);
  const auto n = static_cast<std::size_t>(std::min(rows, 3 * most));
  turns_.reserve(static_cast<std::size_t>(most));
  corners_.reserve(kCorners);
  sets_.reserve(static_cast<std::size_t>(most));
  groups_.reserve(most, 0, 0);
  W_.reserve(n * n);
  q_.reserve(n);
  lcp_.reserve(most, kCorners);
  lemke_.reserve((2 + kCorners) * most);
  z_.reserve(static_cast<std::size_t>((2 + kCorners) * most));
}

void PolyhedralStart::start(const DenseIsland& problem, Expect expect, std::span<const double> pi,
                            std::span<const double> omega) {
  expect_ = expect;
  chooseTurns(problem, pi, omega);
}

SolveStatus PolyhedralStart::solve(const DenseIsland& problem, double spacing, long pivot_limit,
                                   std::span<double> pi, std::span<double> omega, long& pivots) {
  turnProblem(problem);
  chooseCorners(std::max(spacing, kLeastSpacing));
  describeSets(problem);
  lcp_.build(FrictionLcp::Form::cone, {W_.data(), problem.size(), problem.size()}, q_, groups_,
             sets_, corners_);
  const SolveStatus status = solveLcp(pivot_limit, pi, pivots);
  for (std::size_t i = 0; i < turns_.size(); ++i) {
    const ContactItem& item = problem.items()[i];
    const auto tangent = static_cast<std::size_t>(item.first + 1);
    if (item.rows == 3) turn(pi[tangent], pi[tangent + 1], turns_[i].cosine, -turns_[i].sine);
  }
  problem.velocity(pi, omega);
  chooseTurns(problem, pi, omega);
  return status;
}

SolveStatus PolyhedralStart::solveLcp(long pivot_limit, std::span<double> pi, long& pivots) {
  lemke_.setPivotLimit(pivot_limit);
  z_.resize(static_cast<std::size_t>(lcp_.lcp().size()));
  const LcpReport report = lemke_.solve(lcp_.lcp(), z_);
  pivots += report.pivots;
  lcp_.impulses(z_, pi);
  return report.status;
}

SolveStatus PolyhedralStart::solvePolygons(const DenseIsland& problem, long pivot_limit,
                                           std::span<double> pi, long& pivots) {
  describeSets(problem);
  lcp_.build(FrictionLcp::Form::cone, problem.W(), problem.q(), groups_, sets_);
  return solveLcp(pivot_limit, pi, pivots);
}

void PolyhedralStart::chooseTurns(const DenseIsland& problem, std::span<const double> pi,
                                  std::span<const double> omega) {
  turns_.clear();
  for (const ContactItem& item : problem.items()) {
    turns_.emplace_back();
    if (item.rows < 3) continue;
    const auto a = static_cast<std::size_t>(item.first + 1), b = a + 1;
    double x = pi[a] - omega[a], y = pi[b] - omega[b];
    const bool slides = std::hypot(omega[a], omega[b]) > kNoSlip * std::hypot(pi[a], pi[b]);
    if (expect_ == Expect::against_sliding && slides) x = -omega[a], y = -omega[b];
    const double length = std::hypot(x, y);
    if (length > 0) turns_.back() = {x / length, y / length};
  }
}

void PolyhedralStart::chooseCorners(double spacing) {
  corners_.assign({0.0, std::numbers::pi, kFarSide, -kFarSide});
  for (double angle = spacing; angle < kMostOfSide; angle *= kGrowth) {
    corners_.push_back(angle);
    corners_.push_back(-angle);
  }
}

void PolyhedralStart::turnProblem(const DenseIsland& problem) {
  const auto n = static_cast<std::size_t>(problem.size());
  const ConstMatrixView W = problem.W();
  W_.assign(W.data, W.data + n * n);
  q_.assign(problem.q().begin(), problem.q().end());
  for (std::size_t i = 0; i < turns_.size(); ++i) {
    const ContactItem& item = problem.items()[i];
    if (item.rows < 3) continue;
    const auto [cosine, sine] = turns_[i];
    const auto a = static_cast<std::size_t>(item.first + 1), b = a + 1;
    turn(q_[a], q_[b], cosine, sine);
    for (std::size_t k = 0; k < n; ++k) turn(W_[a * n + k], W_[b * n + k], cosine, sine);
    for (std::size_t k = 0; k < n; ++k) turn(W_[k * n + a], W_[k * n + b], cosine, sine);
  }
}

void PolyhedralStart::describeSets(const DenseIsland& problem) {
  groups_.clear();
  sets_.clear();
  for (const ContactItem& item : problem.items()) {
    groups_.addGroup(item.rows);
    ImpulseSet set;
    set.mu = set.mu_2 = 1;
    set.directions = item.kind == ContactItem::Kind::polygon ? item.directions
                                                             : static_cast<int>(corners_.size());
    if (item.kind == ContactItem::Kind::interval) {
      set.kind = ImpulseSet::Kind::interval;
      set.lower = item.lower;
      set.upper = item.upper;
    } else if (item.rows > 1) {
      set.kind = item.rows == 2 ? ImpulseSet::Kind::planar : ImpulseSet::Kind::polyhedral;
    }
    sets_.push_back(set);
  }
}

}  // namespace stickslip
