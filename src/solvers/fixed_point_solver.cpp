#include "solvers/fixed_point_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

// Outer iterations without a smaller residual after which there is no contraction to hope for.
constexpr int kPatience = 10;
constexpr int kMostIterations = 200;
// Convex problems are solved better than what their sequence is asked for; those with bounds best,
// as their velocities follow from bounds that nearly meet.
constexpr double kInner = 0.2;
constexpr double kInnerBounded = 0.01;
// What the tolerance leaves room for when the sequence has come to its end.
constexpr double kGood = 5;

// Changes of sliding velocities that say nothing any more, relative to the first.
constexpr double kRounding = 1e-9;

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
    if (change < kRounding * first_) return;
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

}  // namespace

FixedPointSolver::FixedPointSolver(Variant variant, const Method& method)
    : IslandSolver(method), variant_(variant) {}

std::string_view FixedPointSolver::name() const {
  switch (variant_) {
    case Variant::velocity:
      return "fixed-point-1";
    case Variant::geometry:
      return "fixed-point-2";
    default:
      return "one-step";
  }
}

// Every island has a limit of its own.
long FixedPointSolver::usualBudget() const {
  return std::numeric_limits<long>::max() / 2;
}

void FixedPointSolver::measureSlip(const ContactIsland& island, std::span<const double> omega) {
  slip_.clear();
  for (const ContactItem& item : island.items())
    slip_.push_back(slipOf(
        item, island.law(),
        omega.subspan(static_cast<std::size_t>(item.first), static_cast<std::size_t>(item.rows))));
}

void FixedPointSolver::slipAtStart(const ContactIsland& island) {
  slip_.assign(island.items().size(), 0.0);
  if (variant_ != Variant::once || oldVelocities().empty()) return;
  island.fromVelocities(oldVelocities(), iterate_.omega);
  measureSlip(island, iterate_.omega);
}

ConvexReport FixedPointSolver::solveShifted(ContactIsland& island, long budget) {
  const ConvexReport report = convex_.solve(island, slip_, iterate_.pi, kInner * target(), budget);
  iterate_.evaluate(island);
  return report;
}

// Starts at the impulses of the iteration before.
ConvexReport FixedPointSolver::solveBounded(ContactIsland& island, long budget) {
  split_.freeVelocities(iterate_.omega, split_q_);
  const ConvexReport report = convex_.solve({split_.items(), split_, split_q_}, split_pi_,
                                            kInnerBounded * target(), budget);
  split_.fromSplit(split_pi_, bounded_.pi);
  bounded_.evaluate(island);
  return report;
}

void FixedPointSolver::startBounded(ContactIsland& island) {
  bounded_.resize(island.rowCount());
  split_.build(island);
  split_pi_.resize(static_cast<std::size_t>(split_.rowCount()));
  split_q_.resize(split_pi_.size());
  split_.toSplit(iterate_.pi, split_pi_);
}

// Takes an iterate if it is the best so far by `error`.
bool FixedPointSolver::offer(const IslandPoint& candidate, double error, IslandPoint& point) {
  if (error >= least_error_) return false;
  least_error_ = error;
  point = candidate;
  return true;
}

SolveReport FixedPointSolver::solveIsland(ContactIsland& island, IslandPoint& point, long budget) {
  SolveReport report;
  Contraction contraction;
  iterate_ = point;
  least_error_ = std::numeric_limits<double>::infinity();
  slipAtStart(island);
  if (variant_ == Variant::geometry) startBounded(island);
  int fruitless = 0;
  SolveStatus inner = SolveStatus::solved;
  while (report.outer_iterations < kMostIterations && fruitless < kPatience) {
    ++report.outer_iterations;
    ++fruitless;
    last_slip_ = slip_;
    // Half of the budget is kept for P_2, which keeps contacts apart.
    const long left = budget - report.iterations;
    const ConvexReport shifted =
        solveShifted(island, variant_ == Variant::geometry ? left / 2 : left);
    report.iterations += shifted.iterations;
    inner = shifted.status;
    measureSlip(island, iterate_.omega);
    if (variant_ == Variant::geometry && iterate_.residual > target()) {
      const ConvexReport bounded = solveBounded(island, budget - report.iterations);
      report.iterations += bounded.iterations;
      measureSlip(island, bounded_.omega);
      // Impulses of P_2 are outside the friction cone until the end: velocities are compared. One
      // that the budget cut short need not keep contacts apart.
      const double change = bounded.status == SolveStatus::solved
                                ? largestChange(slip_, last_slip_)
                                : std::numeric_limits<double>::max();
      if (offer(bounded_, change, point)) fruitless = 0;
    } else if (offer(iterate_, iterate_.residual, point)) {
      fruitless = 0;
    }
    contraction.add(largestChange(slip_, last_slip_));
    if (iterate_.residual <= target() || variant_ == Variant::once || report.iterations >= budget)
      break;
  }
  if (variant_ == Variant::geometry && iterate_.residual <= kGood * target()) point = iterate_;
  report.contraction = contraction.factor();
  if (point.residual > kGood * target())
    report.status = inner == SolveStatus::ray     ? SolveStatus::ray
                    : report.iterations >= budget ? SolveStatus::iteration_limit
                                                  : SolveStatus::inaccurate;
  return report;
}

}  // namespace stickslip
