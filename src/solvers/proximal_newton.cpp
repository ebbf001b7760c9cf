#include "solvers/proximal_newton.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "math/block_products.hpp"
#include "solvers/convex_ray.hpp"
#include "solvers/item_projection.hpp"

namespace stickslip {
namespace {

constexpr double kLargestWeight = 1e12;
// The exact solution of a proximal step has a residual of at most its length: the next one is due
// when this is nearly so.
constexpr double kInnerAccuracy = 2;
// An error of velocities that is rounding; the largest of q is about one.
constexpr double kRounding = 1e-15;
// Proximal steps that do not shrink by this factor ask for a larger weight.
constexpr double kGoodRate = 0.1;
// Newton steps without a better point, or an error this much smaller, after which there is none to
// be had.
constexpr int kPatience = 12;
constexpr double kProgress = 0.95;

// Proximal steps shrink by 1 / (1 + weight w), w the least of the eigenvalues of W that matter: a
// factor that makes weight w about ten.
double growthFor(double rate) {
  return rate < 1 ? std::clamp(10 * rate / (1 - rate), 10.0, 1000.0) : 1000.0;
}

double largestDifference(std::span<const double> a, std::span<const double> b) {
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(a[k] - b[k]));
  return most;
}

void projectOnItems(const ConvexProblem& problem, std::span<double> x) {
  for (const ContactItem& item : problem.items)
    projectOnItem(
        item, x.subspan(static_cast<std::size_t>(item.first), static_cast<std::size_t>(item.rows)));
}

}  // namespace

void ProximalNewton::project(const ConvexProblem& problem, std::span<const double> omega) {
  for (std::size_t k = 0; k < omega.size(); ++k) pushed_[k] = centre_[k] - weight_ * omega[k];
  projectOnItems(problem, pushed_);
}

void ProximalNewton::projectWithSlopes(const ConvexProblem& problem) {
  for (std::size_t k = 0; k < omega_.size(); ++k) trial_[k] = centre_[k] - weight_ * omega_[k];
  const std::span<const ContactItem> items = problem.items;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const int first = items[i].first;
    projectWithDerivative(items[i], trial_.data() + first, pushed_.data() + first,
                          S_.data() + problem.W.firstOfBlock(static_cast<int>(i)));
  }
  for (double& entry : S_) entry *= weight_;
}

double ProximalNewton::slopeAt(const ConvexProblem& problem, double length) {
  for (std::size_t k = 0; k < omega_.size(); ++k) trial_[k] = omega_[k] + length * d_omega_[k];
  project(problem, trial_);
  double slope = 0;
  for (std::size_t k = 0; k < omega_.size(); ++k)
    slope += d_omega_[k] * (source_[k] + length * d_pi_[k] - pushed_[k]);
  return slope;
}

// A full step unless it goes too far; else the root of the slope, by regula falsi (Illinois).
double ProximalNewton::lineSearch(const ConvexProblem& problem) {
  constexpr int kTrials = 12;
  constexpr double kMargin = 0.05;
  double low = 0, high = 1, at_low = slopeAt(problem, 0), at_high = slopeAt(problem, 1);
  const double enough = 0.3 * std::abs(at_low);
  if (at_high <= enough) return 1;
  double length = 1;
  for (int trial = 0; trial < kTrials; ++trial) {
    // Slopes may differ by orders of magnitude: no trial is left too close to an end.
    const double margin = kMargin * (high - low);
    length = (low * at_high - high * at_low) / (at_high - at_low);
    length = std::clamp(length, low + margin, high - margin);
    const double slope = slopeAt(problem, length);
    if (std::abs(slope) <= enough) break;
    if (slope < 0) {
      low = length;
      at_low = slope;
      at_high /= 2;
    } else {
      high = length;
      at_high = slope;
      at_low /= 2;
    }
  }
  return length;
}

bool ProximalNewton::newtonStep(const ConvexProblem& problem) {
  projectWithSlopes(problem);
  if (!problem.W.factor(S_, ImpulseOperator::Symmetry::symmetric)) return false;
  for (std::size_t k = 0; k < omega_.size(); ++k) pushed_[k] -= source_[k];
  problem.W.solve(pushed_, zero_, d_pi_, d_omega_);
  const double length = lineSearch(problem);
  for (std::size_t k = 0; k < omega_.size(); ++k) {
    omega_[k] += length * d_omega_[k];
    source_[k] += length * d_pi_[k];
  }
  return true;
}

// Proximal steps of a problem without a solution go on and on in one direction: each is as long as
// the whole way before it, and nothing moves.
bool ProximalNewton::isRay(const ConvexProblem& problem) {
  double length = 0, way = 0;
  for (std::size_t k = 0; k < centre_.size(); ++k) {
    trial_[k] = point_.pi[k] - centre_[k];
    d_omega_[k] = point_.omega[k] - centre_omega_[k];
    length = std::max(length, std::abs(trial_[k]));
    way = std::max(way, std::abs(centre_[k]));
  }
  const bool goes_on = length >= way && provesInfeasible(problem, trial_, d_omega_);
  ray_steps_ = goes_on ? ray_steps_ + 1 : 0;
  return foundRay();
}

std::int64_t ProximalNewton::run(const ConvexProblem& problem, double weight, Goal goal,
                                 std::int64_t budget, ConvexPoint& best) {
  const std::size_t rows = best.pi.size();
  point_.resize(rows);
  for (auto* x : {&pushed_, &d_pi_, &d_omega_, &trial_}) x->resize(rows);
  zero_.assign(rows, 0.0);
  S_.resize(problem.W.blockEntries());
  centre_ = best.pi;
  source_ = best.pi;
  omega_ = best.omega;
  centre_omega_ = best.omega;
  ray_steps_ = 0;
  weight_ = weight;
  double last_move = HUGE_VAL, least_error = HUGE_VAL;
  int fruitless = 0;
  std::int64_t steps = 0;
  while (steps < budget && best.residual > goal.target && fruitless < kPatience) {
    ++steps;
    if (!newtonStep(problem)) break;
    point_.pi = source_;
    projectOnItems(problem, point_.pi);
    point_.evaluate(problem);
    ++fruitless;
    if (point_.residual < best.residual) {
      std::swap(best, point_);
      point_.pi = best.pi;
      point_.omega = best.omega;
      fruitless = 0;
    }
    const double error =
        ConvexProblem{problem.items, problem.W, problem.q}.residual(point_.pi, point_.omega);
    const double move = largestDifference(source_, centre_) / weight_;
    if (error < kProgress * least_error) {
      least_error = error;
      fruitless = 0;
    }
    if (error > std::max(kInnerAccuracy * move, kRounding)) continue;
    if (isRay(problem)) break;
    const bool slow = move > kGoodRate * last_move;
    if (slow && best.residual <= goal.enough) break;
    centre_ = point_.pi;
    centre_omega_ = point_.omega;
    source_ = point_.pi;
    omega_ = point_.omega;
    if (slow)
      weight_ =
          std::min(growthFor(ray_steps_ > 0 ? 0 : move / last_move) * weight_, kLargestWeight);
    last_move = move;
    least_error = HUGE_VAL;
  }
  return steps;
}

}  // namespace stickslip
