#include "solvers/convex/convex_solver.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace stickslip {

IslandReport ConvexSolver::solveIsland(ScaledIsland& island, Iterate& point, std::int64_t budget) {
  const ConvexReport report = convex_.solve(island, {}, point.p, target(), budget);
  point.evaluate(island);
  return {report.status, report.iterations};
}

// Every island has a limit of its own.
std::int64_t ConvexSolver::usualBudget() const {
  return std::numeric_limits<std::int64_t>::max() / 2;
}

// By the energy of the convex problem, 1/2 p.W p + q.p, which is 0 at zero. The residual is that
// of the worst contact, and one that came or went spoils it while all others are nearly right.
bool ConvexSolver::isBetterStart(const ScaledIsland& island, const Iterate& last,
                                 const Iterate&) const {
  double energy = 0;
  for (std::size_t k = 0; k < last.p.size(); ++k)
    energy += last.p[k] * (last.u[k] + island.q()[k]) / 2;
  return energy < 0;
}

ConvexReport ConvexIsland::solve(ScaledIsland& island, std::span<const double> normal_shift,
                                 std::span<double> p, double target, std::int64_t budget) {
  q_.assign(island.q().begin(), island.q().end());
  for (std::size_t i = 0; i < normal_shift.size(); ++i)
    q_[island.cones()[i].first] += normal_shift[i];
  return solve({island.cones(), island.W(), q_, &island}, p, target, budget);
}

ConvexReport ConvexIsland::solve(const ConvexProblem& problem, std::span<double> p, double target,
                                 std::int64_t budget) {
  point_.resize(p.size());
  other_.resize(p.size());
  std::copy(p.begin(), p.end(), point_.p.begin());
  point_.evaluate(problem);
  left_ = budget;
  target_ = target;
  ray_ = false;
  improve(problem);
  ConvexReport report;
  report.iterations = budget - left_;
  report.residual = point_.residual;
  if (report.residual > settings_.good * target)
    report.status = ray_         ? SolveStatus::ray
                    : left_ <= 0 ? SolveStatus::iteration_limit
                                 : SolveStatus::inaccurate;
  std::copy(point_.p.begin(), point_.p.end(), p.begin());
  return report;
}

template <typename Attempt>
void ConvexIsland::fromZero(const ConvexProblem& problem, Attempt attempt) {
  std::fill(other_.p.begin(), other_.p.end(), 0.0);
  other_.evaluate(problem);
  attempt();
  if (other_.residual < point_.residual) std::swap(point_, other_);
}

template <typename Action>
void ConvexIsland::run(std::string_view stage, Action action) {
  if (!log_) {
    action();
    return;
  }
  log_->run(
      stage,
      [&] {
        return StageLog::Progress{-left_, point_.residual,
                                  point_.residual <= settings_.good * target_};
      },
      action);
}

// From the cheapest way to the safest.
void ConvexIsland::improve(const ConvexProblem& problem) {
  const bool from_last_step = anyImpulse();
  run("start", [] {});
  if (point_.residual > settings_.nearly_right && from_last_step)
    run("sweeps", [&] { sweeps_.run(problem, settings_.sweeps, point_); });
  if (point_.residual <= settings_.nearly_right)
    run("newton", [&] { polish(problem, settings_.large_weight, settings_.warm_steps, point_); });
  if (point_.residual > target_)
    run("interior point", [&] { followPath(problem, point_.residual <= settings_.warm, point_); });
  if (from_last_step) {
    // A start that led nowhere says nothing about the problem.
    ray_ = false;
    for (const bool warm : {false, true})
      if (open())
        run("interior point from zero",
            [&] { fromZero(problem, [&] { followPath(problem, warm, other_); }); });
  }
  if (open())
    run("proximal newton", [&] {
      fromZero(problem,
               [&] { polish(problem, settings_.small_weight, settings_.newton_steps, other_); });
    });
  // Sets whose sides Newton's method gets lost between: slow sweeps come nearer whatever happens.
  if (open()) run("slow sweeps", [&] { sweepSlowly(problem); });
}

void ConvexIsland::sweepSlowly(const ConvexProblem& problem) {
  other_ = point_;
  for (int round = 0; round < settings_.rescues && open(); ++round) {
    sweeps_.runAll(problem, settings_.rescue_sweeps, other_);
    left_ -= settings_.rescue_sweeps / settings_.sweeps_per_step;
    if (other_.residual < point_.residual) point_ = other_;
    polish(problem, round % 2 == 0 ? settings_.small_weight : settings_.large_weight,
           settings_.newton_steps, point_);
  }
}

bool ConvexIsland::anyImpulse() const {
  return std::any_of(point_.p.begin(), point_.p.end(), [](double x) { return x != 0; });
}

bool ConvexIsland::open() const {
  return point_.residual > settings_.good * target_ && !ray_ && left_ > 0;
}

// Interior point method, then Newton steps.
void ConvexIsland::followPath(const ConvexProblem& problem, bool warm, ConvexIterate& point) {
  using Start = InteriorPoint::Start;
  interior_.start(problem, warm ? Start::warm : Start::cold, point);
  left_ -= interior_.run(problem, std::max(target_, settings_.hand_over),
                         std::min(left_, settings_.interior_steps), point);
  polish(problem, settings_.large_weight, settings_.newton_steps, point);
}

void ConvexIsland::polish(const ConvexProblem& problem, double weight, std::int64_t most,
                          ConvexIterate& point) {
  if (point.residual <= target_ || left_ <= 0) return;
  left_ -= newton_.run(problem, weight, {target_, settings_.good * target_}, std::min(left_, most),
                       point);
  ray_ = newton_.foundRay();
}

}  // namespace stickslip
