#include "solvers/convex_island.hpp"

#include <algorithm>
#include <cstdint>

namespace stickslip {
namespace {

// Below this residual a point is worth starting from.
constexpr double kWarm = 0.5;
// Sweeps over the impulses of an earlier step at first.
constexpr int kSweeps = 40;
// What is left to do where all else has failed; a sweep costs that part of a Newton step.
constexpr int kRescues = 6;
constexpr int kRescueSweeps = 400;
constexpr int kSweepsPerStep = 20;
// Here the interior point method hands over: much earlier, and redundant contacts cost Newton's
// method tens of steps. A point that is nearly as good is left to so many Newton steps.
constexpr double kHandOver = 1e-6;
constexpr double kNearlyRight = 1e-5;
constexpr std::int64_t kWarmSteps = 12;
constexpr std::int64_t kInteriorSteps = 60;
constexpr std::int64_t kNewtonSteps = 100;
// The target leaves that much room: what rounding keeps above it still counts as solved.
constexpr double kGood = 5;
// Weights of proximal steps from a point that is nearly right, and from anywhere.
constexpr double kLargeWeight = 1e5;
constexpr double kSmallWeight = 10;

}  // namespace

ConvexReport ConvexIsland::solve(ContactIsland& island, std::span<const double> normal_shift,
                                 std::span<double> pi, double target, std::int64_t budget) {
  q_.assign(island.q().begin(), island.q().end());
  for (std::size_t i = 0; i < normal_shift.size(); ++i)
    q_[static_cast<std::size_t>(island.items()[i].first)] += normal_shift[i];
  return solve({island.items(), island.W(), q_, &island}, pi, target, budget);
}

ConvexReport ConvexIsland::solve(const ConvexProblem& problem, std::span<double> pi, double target,
                                 std::int64_t budget) {
  point_.resize(pi.size());
  other_.resize(pi.size());
  std::copy(pi.begin(), pi.end(), point_.pi.begin());
  point_.evaluate(problem);
  left_ = budget;
  target_ = target;
  ray_ = false;
  improve(problem);
  ConvexReport report;
  report.iterations = budget - left_;
  report.residual = point_.residual;
  if (report.residual > kGood * target)
    report.status = ray_         ? SolveStatus::ray
                    : left_ <= 0 ? SolveStatus::iteration_limit
                                 : SolveStatus::inaccurate;
  std::copy(point_.pi.begin(), point_.pi.end(), pi.begin());
  return report;
}

template <typename Attempt>
void ConvexIsland::fromZero(const ConvexProblem& problem, Attempt attempt) {
  std::fill(other_.pi.begin(), other_.pi.end(), 0.0);
  other_.evaluate(problem);
  attempt();
  if (other_.residual < point_.residual) std::swap(point_, other_);
}

// From the cheapest way to the safest.
void ConvexIsland::improve(const ConvexProblem& problem) {
  const bool from_last_step = anyImpulse();
  if (point_.residual > kNearlyRight && from_last_step) sweeps_.run(problem, kSweeps, point_);
  if (point_.residual <= kNearlyRight) polish(problem, kLargeWeight, kWarmSteps, point_);
  if (point_.residual > target_) followPath(problem, point_.residual <= kWarm, point_);
  if (from_last_step) {
    // A start that led nowhere says nothing about the problem.
    ray_ = false;
    for (const bool warm : {false, true})
      if (open()) fromZero(problem, [&] { followPath(problem, warm, other_); });
  }
  if (open()) fromZero(problem, [&] { polish(problem, kSmallWeight, kNewtonSteps, other_); });
  // Sets whose sides Newton's method gets lost between: slow sweeps come nearer whatever happens.
  if (!open()) return;
  other_ = point_;
  for (int round = 0; round < kRescues && open(); ++round) {
    sweeps_.runAll(problem, kRescueSweeps, other_);
    left_ -= kRescueSweeps / kSweepsPerStep;
    if (other_.residual < point_.residual) point_ = other_;
    polish(problem, round % 2 == 0 ? kSmallWeight : kLargeWeight, kNewtonSteps, point_);
  }
}

bool ConvexIsland::anyImpulse() const {
  return std::any_of(point_.pi.begin(), point_.pi.end(), [](double x) { return x != 0; });
}

bool ConvexIsland::open() const {
  return point_.residual > kGood * target_ && !ray_ && left_ > 0;
}

// Interior point method, then Newton steps.
void ConvexIsland::followPath(const ConvexProblem& problem, bool warm, ConvexPoint& point) {
  left_ -= interior_.run(problem, warm, std::max(target_, kHandOver),
                         std::min(left_, kInteriorSteps), point);
  polish(problem, kLargeWeight, kNewtonSteps, point);
}

void ConvexIsland::polish(const ConvexProblem& problem, double weight, std::int64_t most,
                          ConvexPoint& point) {
  if (point.residual <= target_ || left_ <= 0) return;
  left_ -= newton_.run(problem, weight, {target_, kGood * target_}, std::min(left_, most), point);
  ray_ = newton_.foundRay();
}

}  // namespace stickslip
