#include "solvers/convex/proximal_newton.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "cones/cone.hpp"
#include "math/blocks/block_products.hpp"

namespace stickslip {
namespace {

double largestDifference(std::span<const double> a, std::span<const double> b) {
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(a[k] - b[k]));
  return most;
}

void projectOnCones(const ConvexProblem& problem, std::span<double> x) {
  for (const Cone& cone : problem.cones) project(cone, x.subspan(cone.first, cone.rows));
}

}  // namespace

void ProximalNewton::project(const ConvexProblem& problem, std::span<const double> u) {
  for (std::size_t k = 0; k < u.size(); ++k) pushed_[k] = centre_[k] - weight_ * u[k];
  projectOnCones(problem, pushed_);
}

void ProximalNewton::projectWithSlopes(const ConvexProblem& problem) {
  for (std::size_t k = 0; k < u_.size(); ++k) trial_[k] = centre_[k] - weight_ * u_[k];
  const std::span<const Cone> cones = problem.cones;
  for (std::size_t i = 0; i < cones.size(); ++i) {
    const int first = cones[i].first;
    projectWithDerivative(cones[i], trial_.data() + first, pushed_.data() + first,
                          S_.data() + problem.W.firstOfBlock(static_cast<int>(i)));
  }
  for (double& entry : S_) entry *= weight_;
}

// Proximal steps shrink by 1 / (1 + weight w), w the least of the eigenvalues of W that matter: a
// factor that makes weight w about ten.
double ProximalNewton::growthFor(double rate) const {
  const double least = settings_.least_growth, most = settings_.most_growth;
  return rate < 1 ? std::clamp(10 * rate / (1 - rate), least, most) : most;
}

double ProximalNewton::slopeAt(const ConvexProblem& problem, double length) {
  for (std::size_t k = 0; k < u_.size(); ++k) trial_[k] = u_[k] + length * d_u_[k];
  project(problem, trial_);
  double slope = 0;
  for (std::size_t k = 0; k < u_.size(); ++k)
    slope += d_u_[k] * (source_[k] + length * d_p_[k] - pushed_[k]);
  return slope;
}

// A full step unless it goes too far; else the root of the slope, by regula falsi (Illinois).
double ProximalNewton::lineSearch(const ConvexProblem& problem) {
  double low = 0, high = 1, at_low = slopeAt(problem, 0), at_high = slopeAt(problem, 1);
  const double enough = settings_.flat * std::abs(at_low);
  if (at_high <= enough) return 1;
  double length = 1;
  for (int trial = 0; trial < settings_.trials; ++trial) {
    // Slopes may differ by orders of magnitude: no trial is left too close to an end.
    const double margin = settings_.margin * (high - low);
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
  if (!problem.W.factor(S_, Delassus::Symmetry::symmetric)) return false;
  for (std::size_t k = 0; k < u_.size(); ++k) pushed_[k] -= source_[k];
  problem.W.solve(pushed_, zero_, d_p_, d_u_);
  const double length = lineSearch(problem);
  for (std::size_t k = 0; k < u_.size(); ++k) {
    u_[k] += length * d_u_[k];
    source_[k] += length * d_p_[k];
  }
  return true;
}

// Proximal steps of a problem without a solution go on and on in one direction: each is as long as
// the whole way before it, and nothing moves.
bool ProximalNewton::isRay(const ConvexProblem& problem) {
  double length = 0, way = 0;
  for (std::size_t k = 0; k < centre_.size(); ++k) {
    trial_[k] = point_.p[k] - centre_[k];
    d_u_[k] = point_.u[k] - centre_u_[k];
    length = std::max(length, std::abs(trial_[k]));
    way = std::max(way, std::abs(centre_[k]));
  }
  const bool goes_on = length >= way && provesInfeasible(problem, trial_, d_u_);
  ray_steps_ = goes_on ? ray_steps_ + 1 : 0;
  return foundRay();
}

std::int64_t ProximalNewton::run(const ConvexProblem& problem, double weight, Goal goal,
                                 std::int64_t budget, ConvexIterate& best) {
  const std::size_t rows = best.p.size();
  point_.resize(rows);
  for (auto* x : {&pushed_, &d_p_, &d_u_, &trial_}) x->resize(rows);
  zero_.assign(rows, 0.0);
  S_.resize(problem.W.blockEntries());
  centre_ = best.p;
  source_ = best.p;
  u_ = best.u;
  centre_u_ = best.u;
  ray_steps_ = 0;
  weight_ = weight;
  double last_move = HUGE_VAL, least_error = HUGE_VAL;
  int fruitless = 0;
  std::int64_t steps = 0;
  while (steps < budget && best.residual > goal.target && fruitless < settings_.patience) {
    ++steps;
    if (!newtonStep(problem)) break;
    point_.p = source_;
    projectOnCones(problem, point_.p);
    point_.evaluate(problem);
    ++fruitless;
    if (point_.residual < best.residual) {
      std::swap(best, point_);
      point_.p = best.p;
      point_.u = best.u;
      fruitless = 0;
    }
    const double error =
        ConvexProblem{problem.cones, problem.W, problem.q}.residual(point_.p, point_.u);
    const double move = largestDifference(source_, centre_) / weight_;
    if (error < settings_.progress * least_error) {
      least_error = error;
      fruitless = 0;
    }
    if (error > std::max(settings_.inner_accuracy * move, settings_.rounding)) continue;
    if (isRay(problem)) break;
    const bool slow = move > settings_.good_rate * last_move;
    if (slow && best.residual <= goal.enough) break;
    centre_ = point_.p;
    centre_u_ = point_.u;
    source_ = point_.p;
    u_ = point_.u;
    if (slow)
      weight_ = std::min(growthFor(ray_steps_ > 0 ? 0 : move / last_move) * weight_,
                         settings_.largest_weight);
    last_move = move;
    least_error = HUGE_VAL;
  }
  return steps;
}

namespace {

Cone recessionCone(const Cone& cone) {
  Cone out = cone;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  out.lower = std::isfinite(cone.lower) ? 0 : -kInfinity;
  out.upper = std::isfinite(cone.upper) ? 0 : kInfinity;
  return out;
}

}  // namespace

bool provesInfeasible(const ConvexProblem& problem, std::span<double> d,
                      std::span<const double> W_d, const InfeasibilityProof& proof) {
  double size = 0, outside = 0, power = 0, motion = 0;
  for (const Cone& cone : problem.cones) {
    const std::span<double> part = d.subspan(cone.first, cone.rows);
    std::array<double, kMostRows> before{};
    std::copy(part.begin(), part.end(), before.begin());
    project(recessionCone(cone), part);
    for (std::size_t k = 0; k < part.size(); ++k) {
      const std::size_t row = static_cast<std::size_t>(cone.first) + k;
      size += std::abs(part[k]);
      outside = std::max(outside, std::abs(part[k] - before[k]));
      power += part[k] * problem.q[row];
      motion = std::max(motion, std::abs(W_d[row]));
    }
  }
  return power < 0 && outside <= proof.outside * size && motion <= proof.still * -power / size;
}

}  // namespace stickslip
