#include "solvers/fixed_point/fixed_point_solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

// Tolerances are parts of the target of Coulomb's law, or of its residual at hand; none has a unit.
struct FixedPointSettings {
  /// Convex problems of a sequence where the user gives no budget. What contracts ends long before;
  /// the rest is stopped by its pace.
  std::int64_t most_iterations = 200;
  /// Iterations by which the pace is judged: fewer give up sequences that fall in steps, more let
  /// hopeless ones go on.
  int window = 20;
  /// A convex problem is solved to this part of what its sequence is asked for,
  double inner = 0.2;
  /// those with bounds better, as their velocities follow from bounds that nearly meet.
  double inner_bounded = 0.01;
  /// On the way they are solved to this part of the residual of Coulomb's law: P_1 by that of the
  /// iterate before, unless its sliding speeds become bounds, which might not meet;
  double on_the_way = 0.01;
  /// P_2 by that at hand.
  double on_the_way_bounded = 1e-6;
  /// Factorizations after which a convex problem is left as it is: a bound for those that stall.
  std::int64_t inner_budget = 400;
  /// What is left of an unfinished P_1 must not spoil the iterate: relative to the residual of
  /// Coulomb's law,
  double spoilt = 0.1;
  /// and for P_2 by itself.
  double spoilt_bounded = 1e-6;
  /// Convex problems that may fail: the sequence goes on from the sliding speeds of P_1 as far as
  /// it came, whose problem may be one that can be solved.
  int most_failures = 2;
  /// Multiple of the target that still counts as solved when the sequence has come to its end.
  double good = 5;
  /// Changes of sliding speeds below this part of the first say nothing about contraction.
  double rounding = 1e-9;
};
constexpr FixedPointSettings kFixedPoint{};

double largestChange(std::span<const double> a, std::span<const double> b) {
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(a[k] - b[k]));
  return most;
}

// The mean factor of a sequence of changes, as far as they are more than rounding.
class Contraction {
 public:
  void add(double change) {
    if (count_ == 0) first_ = change;
    if (change < kFixedPoint.rounding * first_) return;
    last_ = change;
    ++count_;
  }
  double factor() const {
    if (count_ < 2 || !(first_ > 0)) return 0;
    return math::pow(last_ / first_, 1.0 / (count_ - 1));
  }

 private:
  int count_ = 0;
  double first_ = 0;
  double last_ = 0;
};

// The least residual so far, now and a window of iterations ago.
class Pace {
 public:
  void add(double residual) {
    const double least = count_ == 0 ? residual : std::min(residual, now());
    least_[++count_ % kKept] = least;
  }
  /// Whether the residual stays above `target` for `left` more iterations at this pace.
  bool isTooSlow(double target, std::int64_t left) const {
    if (count_ <= kFixedPoint.window) return false;
    const double before = least_[(count_ + 1) % kKept];
    const double factor = before > 0 ? now() / before : 0;
    double residual = now();
    for (std::int64_t k = 0; k < left && residual > target; k += kFixedPoint.window)
      residual *= factor;
    return residual > target;
  }

 private:
  static constexpr int kKept = kFixedPoint.window + 1;
  double now() const { return least_[count_ % kKept]; }
  int count_ = 0;
  std::array<double, kKept> least_{};
};

SolveStatus failureOf(const ConvexReport& report) {
  return report.status == SolveStatus::ray ? SolveStatus::ray : SolveStatus::inaccurate;
}

}  // namespace

FixedPointSolver::FixedPointSolver(Map map, Length length, const Method& method)
    : IslandSolver(method), map_(map), length_(length) {}

std::string_view FixedPointSolver::name() const {
  if (length_ == Length::once) return map_ == Map::first ? "one-step" : "one-step-2";
  return map_ == Map::first ? "fixed-point-1" : "fixed-point-2";
}

std::int64_t FixedPointSolver::usualBudget() const {
  return kFixedPoint.most_iterations;
}

void FixedPointSolver::measureSlip(const ScaledIsland& island, std::span<const double> u) {
  slip_.clear();
  for (const Cone& cone : island.cones())
    slip_.push_back(slipOf(cone, island.law(), u.subspan(cone.first, cone.rows)));
}

void FixedPointSolver::slipAtStart(const ScaledIsland& island) {
  slip_.assign(island.cones().size(), 0.0);
  if (method().initial_slip != InitialSlip::previous || oldVelocities().empty()) return;
  island.fromVelocities(oldVelocities(), iterate_.u);
  measureSlip(island, iterate_.u);
}

ConvexReport FixedPointSolver::solveShifted(ScaledIsland& island, double target) {
  const ConvexReport report =
      convex_.solve(island, slip_, iterate_.p, target, kFixedPoint.inner_budget);
  iterate_.evaluate(island);
  measureSlip(island, iterate_.u);
  return report;
}

// Starts at the impulses of the iteration before.
ConvexReport FixedPointSolver::solveBounded(ScaledIsland& island, bool is_last) {
  split_.freeVelocities(iterate_.u, split_q_);
  const double full = kFixedPoint.inner_bounded * target();
  const double goal =
      is_last ? full : std::max(full, kFixedPoint.on_the_way_bounded * iterate_.residual);
  const ConvexReport report =
      convex_.solve({split_.cones(), split_, split_q_}, split_p_, goal, kFixedPoint.inner_budget);
  split_.fromSplit(split_p_, bounded_.p);
  bounded_.evaluate(island);
  return report;
}

void FixedPointSolver::startBounded(ScaledIsland& island) {
  bounded_.resize(island.rowCount());
  split_.build(island);
  split_p_.resize(split_.rowCount());
  split_q_.resize(split_p_.size());
  split_.toSplit(iterate_.p, split_p_);
}

// Takes an iterate if it is the best so far by `error`.
void FixedPointSolver::offer(const Iterate& candidate, double error, Iterate& point) {
  if (error >= least_error_) return;
  least_error_ = error;
  point = candidate;
}

IslandReport FixedPointSolver::solveIsland(ScaledIsland& island, Iterate& point,
                                           std::int64_t budget) {
  constexpr double kNothingYet = std::numeric_limits<double>::infinity();
  const bool bounds_slip = map_ == Map::second;
  const std::int64_t most = length_ == Length::once ? 1 : budget;
  IslandReport report;
  report.status = SolveStatus::iteration_limit;
  Contraction contraction;
  Pace pace;
  iterate_ = point;
  least_error_ = kNothingYet;
  slipAtStart(island);
  if (bounds_slip) startBounded(island);
  double inner_target = kFixedPoint.inner * target();
  int failures = 0;
  const auto progress = [&] {
    return StageLog::Progress{
        report.iterations, iterate_.residual,
        report.outer_iterations > 0 && iterate_.residual <= kFixedPoint.good * target()};
  };
  while (report.outer_iterations < most) {
    ++report.outer_iterations;
    last_slip_ = slip_;
    const bool is_last = report.outer_iterations == most;
    if (is_last) inner_target = kFixedPoint.inner * target();
    ConvexReport shifted;
    stages().run("convex problem", progress, [&] {
      shifted = solveShifted(island, inner_target);
      report.iterations += shifted.iterations;
    });
    const bool shifted_failed = shifted.status != SolveStatus::solved &&
                                shifted.residual > kFixedPoint.spoilt * iterate_.residual;
    if (shifted_failed && (++failures > kFixedPoint.most_failures || is_last)) {
      if (least_error_ == kNothingYet) offer(iterate_, iterate_.residual, point);
      report.status = failureOf(shifted);
      break;
    }
    if (shifted_failed) continue;
    if (bounds_slip && iterate_.residual > target()) {
      ConvexReport bounded;
      stages().run("bounded problem", progress, [&] {
        bounded = solveBounded(island, is_last);
        report.iterations += bounded.iterations;
      });
      if (bounded.status == SolveStatus::solved || bounded.residual <= kFixedPoint.spoilt_bounded) {
        // Impulses of P_2 are outside the friction cone until the end: velocities are compared.
        measureSlip(island, bounded_.u);
        offer(bounded_, largestChange(slip_, last_slip_), point);
      } else if (++failures > kFixedPoint.most_failures || is_last) {
        if (least_error_ == kNothingYet) offer(iterate_, iterate_.residual, point);
        report.status = failureOf(bounded);
        break;
      }
    } else {
      offer(iterate_, iterate_.residual, point);
    }
    contraction.add(largestChange(slip_, last_slip_));
    if (iterate_.residual <= target()) break;
    pace.add(iterate_.residual);
    if (pace.isTooSlow(target(), most - report.outer_iterations)) {
      report.status = SolveStatus::diverged;
      break;
    }
    if (!bounds_slip)
      inner_target =
          std::max(kFixedPoint.inner * target(), kFixedPoint.on_the_way * iterate_.residual);
  }
  if (bounds_slip && iterate_.residual <= kFixedPoint.good * target()) point = iterate_;
  report.contraction = contraction.factor();
  if (point.residual <= kFixedPoint.good * target()) report.status = SolveStatus::solved;
  return report;
}

}  // namespace stickslip
