#include "stepping/friction_iteration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "math/blocks/block_products.hpp"
#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

// Most contact problems that each way of iterating solves.
constexpr int kSecantSolves = 16;
constexpr int kMixedSolves = 40;
// Speeds below this part of the velocities at hand are what rounding leaves of a contact at rest.
constexpr double kRounding = 1e-12;
// Slopes of the residual that a secant step believes; the slope is -1 where speeds do not feel x.
constexpr double kSteepest = -50;
constexpr double kFlattest = -0.1;
constexpr double kStride = 4;  // by which steps grow between solutions
constexpr int kManyHops = 3;
constexpr double kLeastTorsion = 1e-9;

struct Range {
  double low;
  double high;
};

// All values that the factor of a curve can have.
Range rangeOf(const FrictionCurve& curve) {
  if (curve.isConstant()) return {1, 1};
  return {std::min(1.0, curve.kinetic_ratio), std::max(1.0, curve.kinetic_ratio)};
}

// Largest component of the contact velocities; those of spin and rolling are in another unit.
double largestVelocity(const ContactProblem& problem, std::span<const double> u) {
  double most = 0;
  for (std::size_t i = 0; i < problem.sets.size(); ++i) {
    const std::size_t first = problem.J.firstRow(static_cast<int>(i));
    for (int k = 0; k < problem.sets[i].linearRows(); ++k)
      most = std::max(most, std::abs(u[first + k]));
  }
  return most;
}

double& normalOffset(ContactProblem& problem, std::size_t contact) {
  return problem.b[problem.J.firstRow(static_cast<int>(contact))];
}

}  // namespace

void FrictionIteration::reserve(int velocities, int contacts, int tangents, int joint_rows) {
  const std::size_t rows = contacts * (1 + tangents);
  factors_.reserve(contacts);
  u_.reserve(rows);
  mixing_.reserve(contacts);
  x_.reserve(contacts);
  r_.reserve(contacts);
  best_.p.reserve(rows);
  best_.c.reserve(joint_rows);
  best_.v.reserve(velocities);
}

SolveReport FrictionIteration::solve(Solver& solver, ContactProblem& problem,
                                     ContactSolution& solution) {
  report_ = {};
  best_residual_ = std::numeric_limits<double>::infinity();
  bool converged = false;
  for (const Start from : {Start::old_speeds, Start::at_rest, Start::fast}) {
    start(from, problem);
    for (const Way way : {Way::secant, Way::mixing, Way::secant}) {
      converged = iterate(way, solver, problem, solution);
      if (converged) break;
      for (Factor& factor : factors_) factor.x = factor.best;
    }
    if (converged) break;
  }
  if (!converged) {
    std::swap(solution, best_);
    apply(problem);
  }
  report_.status = best_report_.status;
  report_.solved_by = best_report_.solved_by;
  return report_;
}

void FrictionIteration::start(Start from, const ContactProblem& problem) {
  u_.resize(problem.b.size());
  multiply(problem.J, problem.v_free, u_);
  addScaled(1, problem.b, u_);
  at_rest_ = largestVelocity(problem, u_);
  multiply(problem.J, problem.v_old, u_);
  addScaled(1, problem.drive, u_);
  at_rest_ = kRounding * std::max(at_rest_, largestVelocity(problem, u_));

  factors_.resize(problem.sets.size());
  for (std::size_t i = 0; i < factors_.size(); ++i) {
    const FrictionCurve& curve = problem.speed_friction[i].curve;
    double& x = factors_[i].x;
    x = 1;
    if (from == Start::old_speeds) x = curve.factor(sliding(problem, i));
    if (from == Start::fast && !curve.isConstant()) x = curve.kinetic_ratio;
  }
}

// The sliding speed of a contact in u_.
double FrictionIteration::sliding(const ContactProblem& problem, std::size_t contact) const {
  const int tangents = problem.sets[contact].tangents();
  if (tangents == 0) return 0;
  const double* u = u_.data() + problem.J.firstRow(static_cast<int>(contact));
  const double speed = tangents == 1 ? std::abs(u[1]) : math::hypot(u[1], u[2]);
  return speed > at_rest_ ? speed : 0;
}

bool FrictionIteration::iterate(Way way, Solver& solver, ContactProblem& problem,
                                ContactSolution& solution) {
  mixing_.restart(factors_.size());
  const int most = way == Way::mixing ? kMixedSolves : kSecantSolves;
  for (int k = 0; k < most; ++k) {
    apply(problem);
    const SolveReport solve = solver.solve(problem, solution);
    report_.add(solve);
    ++report_.friction_iterations;
    const double residual = measure(problem, solution);
    if (residual < best_residual_) {
      best_residual_ = residual;
      best_report_ = solve;
      for (Factor& factor : factors_) factor.best = factor.x;
      if (residual <= tolerance_) return true;
      best_ = solution;
    }
    if (way == Way::mixing)
      mix(problem);
    else
      for (std::size_t i = 0; i < factors_.size(); ++i)
        improve(problem.speed_friction[i].curve, k == 0, factors_[i]);
  }
  return false;
}

double FrictionIteration::measure(const ContactProblem& problem, const ContactSolution& solution) {
  multiply(problem.J, solution.v, u_);
  addScaled(1, problem.b, u_);
  double worst = 0;
  for (std::size_t i = 0; i < factors_.size(); ++i) {
    const FrictionCurve& curve = problem.speed_friction[i].curve;
    Factor& factor = factors_[i];
    const std::size_t normal = problem.J.firstRow(static_cast<int>(i));
    // Any friction fits a contact without load, unless the law lifts it or it needs none.
    const bool matters =
        problem.law == Law::relaxed || problem.sets[i].load_independent || solution.p[normal] != 0;
    factor.residual = matters ? curve.factor(sliding(problem, i)) - factor.x : 0;
    worst = std::max(worst, std::abs(factor.residual));
  }
  return worst;
}

void FrictionIteration::improve(const FrictionCurve& curve, bool is_first, Factor& factor) const {
  const double r = factor.residual, x = factor.x, change = x - factor.last_x;
  double slope = -1;
  if (is_first) {
    factor.low = -INFINITY;
    factor.high = INFINITY;
    factor.hops = 0;
  } else {
    factor.hops = r * factor.last_residual < 0 ? factor.hops + 1 : 0;
    if (change != 0) slope = (r - factor.last_residual) / change;
  }
  double step = -r / std::clamp(slope, kSteepest, kFlattest);
  // Between solutions, on the way from one to the other, the residual hardly falls or grows.
  if (!is_first && slope > kFlattest && r * change > 0)
    step = std::copysign(std::max(std::abs(r), kStride * std::abs(change)), r);
  factor.last_x = x;
  factor.last_residual = r;
  if (r == 0) return;

  (r > 0 ? factor.low : factor.high) = x;
  // Residuals at the ends were measured beside other factors of the other contacts.
  const bool is_stale = !(factor.high - factor.low > tolerance_ / 10);
  if (is_stale) (r > 0 ? factor.high : factor.low) = std::copysign(INFINITY, r);
  const Range range = rangeOf(curve);
  const double next = std::clamp(x + step, range.low, range.high);
  const bool is_inside = next > factor.low && next < factor.high;
  if (is_inside && factor.hops < kManyHops)
    factor.x = next;
  else
    factor.x = (std::max(factor.low, range.low) + std::min(factor.high, range.high)) / 2;
}

// All contacts together.
void FrictionIteration::mix(const ContactProblem& problem) {
  x_.resize(factors_.size());
  r_.resize(factors_.size());
  for (std::size_t i = 0; i < factors_.size(); ++i) {
    x_[i] = factors_[i].x;
    r_[i] = factors_[i].residual;
  }
  mixing_.advance(x_, r_);
  for (std::size_t i = 0; i < factors_.size(); ++i) {
    const Range range = rangeOf(problem.speed_friction[i].curve);
    factors_[i].x = std::clamp(x_[i], range.low, range.high);
  }
}

void FrictionIteration::apply(ContactProblem& problem) const {
  for (std::size_t i = 0; i < factors_.size(); ++i) {
    SpeedFriction& friction = problem.speed_friction[i];
    ImpulseSet& set = problem.sets.own(i);
    // Never to nothing, which would take the row of spin away, or flatten directions.
    const double least = std::max(factors_[i].x, kLeastTorsion);
    set.mu = (set.given ? least : factors_[i].x) * friction.mu;
    set.mu_2 = (set.given ? least : factors_[i].x) * friction.mu_2;
    set.torsion = least * friction.torsion;
    if (set.given && set.given->rolls()) set.rolling = least * friction.rolling;
    if (!friction.integral_lift) continue;
    const double lift = friction.mu * friction.curve.excess(factors_[i].x);
    normalOffset(problem, i) += friction.extra_lift - lift;
    friction.extra_lift = lift;
  }
}

void FrictionIteration::withdrawLift(ContactProblem& problem) {
  for (std::size_t i = 0; i < problem.speed_friction.size(); ++i)
    normalOffset(problem, i) += problem.speed_friction[i].extra_lift;
}

void FrictionIteration::returnLift(ContactProblem& problem) {
  for (std::size_t i = 0; i < problem.speed_friction.size(); ++i)
    normalOffset(problem, i) -= problem.speed_friction[i].extra_lift;
}

}  // namespace stickslip
