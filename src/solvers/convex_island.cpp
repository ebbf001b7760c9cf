#include "solvers/convex_island.hpp"

#include <algorithm>

namespace stickslip {
namespace {

// Below this residual a point is near enough to begin with Newton steps, and so many of them.
constexpr double kNear = 1e-2;
constexpr long kWarmSteps = 12;
// The interior point method hands over here.
constexpr double kHandOver = 1e-5;
constexpr long kInteriorSteps = 60;
constexpr long kNewtonSteps = 100;
// The target leaves that much room: what rounding keeps above it still counts as solved.
constexpr double kGood = 5;
// Weights of proximal steps from a point that is nearly right, and from anywhere.
constexpr double kLargeWeight = 1e4;
constexpr double kSmallWeight = 10;

}  // namespace

ConvexReport ConvexIsland::solve(ContactIsland& island, std::span<const double> normal_shift,
                                 std::span<double> pi, double target, long budget) {
  q_.assign(island.q().begin(), island.q().end());
  for (std::size_t i = 0; i < normal_shift.size(); ++i)
    q_[static_cast<std::size_t>(island.items()[i].first)] += normal_shift[i];
  return solve({island.items(), island.W(), q_, &island}, pi, target, budget);
}

ConvexReport ConvexIsland::solve(const ConvexProblem& problem, std::span<double> pi, double target,
                                 long budget) {
  point_.resize(pi.size());
  std::copy(pi.begin(), pi.end(), point_.pi.begin());
  point_.evaluate(problem);
  ConvexReport report;
  const auto left = [&](long most) { return std::min(most, budget - report.iterations); };
  if (point_.residual > target && point_.residual <= kNear)
    report.iterations += newton_.run(problem, kLargeWeight, target, left(kWarmSteps), point_);
  if (point_.residual > target)
    report.iterations +=
        interior_.run(problem, false, std::max(target, kHandOver), left(kInteriorSteps), point_);
  if (point_.residual > target)
    report.iterations += newton_.run(problem, kLargeWeight, target, left(kNewtonSteps), point_);
  if (point_.residual > kGood * target && !newton_.foundRay() && left(1) > 0) {
    other_.resize(pi.size());
    std::fill(other_.pi.begin(), other_.pi.end(), 0.0);
    other_.evaluate(problem);
    report.iterations += newton_.run(problem, kSmallWeight, target, left(kNewtonSteps), other_);
    if (other_.residual < point_.residual) std::swap(point_, other_);
  }
  report.residual = point_.residual;
  if (report.residual > kGood * target)
    report.status = newton_.foundRay()            ? SolveStatus::ray
                    : report.iterations >= budget ? SolveStatus::iteration_limit
                                                  : SolveStatus::inaccurate;
  std::copy(point_.pi.begin(), point_.pi.end(), pi.begin());
  return report;
}

}  // namespace stickslip
