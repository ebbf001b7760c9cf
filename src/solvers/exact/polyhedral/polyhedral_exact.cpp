#include "solvers/exact/polyhedral/polyhedral_exact.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace stickslip {
namespace {

// Factorizations: of one path, of the flow after two of them, and of the flow from the last step.
constexpr std::int64_t kLongestPath = 500;
constexpr std::int64_t kFlowSlice = 150;
constexpr std::int64_t kWarmFlow = 150;
constexpr int kMostPaths = 60;
// Paths are of different kinds in turn, since they get lost or long in different problems. Their
// lengths have heavy tails: half of them end after one to three hundred steps, whatever the kind.
// Those that end early most often come first.
constexpr PairPath::Kind pathKind(double sigma, double eps, double cover_side) {
  PairPath::Kind kind;
  kind.sigma = sigma;
  kind.eps = eps;
  kind.cover_side = cover_side;
  return kind;
}
constexpr PairPath::Kind relaxedKind() {
  PairPath::Kind kind;
  kind.sigma = 1;
  kind.cover_main = 0;
  kind.bend = true;
  return kind;
}
constexpr std::array kPathKinds{pathKind(30, 0.1, 1), pathKind(30, 0.3, 0.3), pathKind(3, 0.1, 0),
                                pathKind(30, 1, 1),   pathKind(300, 1, 1),    pathKind(30, 0.1, 0),
                                pathKind(3, 0.3, 1),  pathKind(300, 0.1, 0),  relaxedKind()};
constexpr double kFirstFinish = 3e-4;  // sigma at which a path may be near its end
constexpr double kNextFinish = 0.05;   // and when to try again, relative to that
constexpr double kPolishProx = 1e-6;
constexpr double kFlowProx = 1e-2;
constexpr double kInteriorProx = 1e-5;
constexpr double kInteriorSigma = 1e-9;  // where an interior point is near enough to polish
constexpr std::int64_t kPolishSteps = 10;
// Sweeps lead on from relaxed solutions with residuals up to this, where little slides. They come
// in rounds of so many there and back, with a polish after each; a round takes the time of so many
// factorizations.
constexpr double kNearlyExact = 0.07;
constexpr int kRounds = 24, kSweepsOfRound = 50;
constexpr std::int64_t kCostOfRound = 8;
constexpr std::int64_t kWarmPolish = 6;

}  // namespace

SolveStatus PolyhedralExact::solve(ScaledIsland& island, Iterate& best, double target,
                                   std::int64_t budget, std::int64_t& iterations,
                                   ExactStages left_out, StageLog* log) {
  left_out_ = left_out;
  log_ = log;
  island_ = &island;
  best_ = &best;
  target_ = target;
  budget_ = budget;
  used_ = 0;
  pairs_.build(island);
  polish_.build(pairs_, island);
  flow_.build(pairs_, island);
  point_.resize(island.rowCount());
  const bool warm = isWarm();
  swept_.residual = std::numeric_limits<double>::infinity();
  flow_.startFlow(best, kFlowProx);
  const bool solved =
      best.residual <= target ||
      (warm && run(ExactStage::last_states, [&] { return fromLastStates(); })) ||
      run(ExactStage::pair_interior_point, [&] { return byInteriorPoint(); }) ||
      (warm && run(ExactStage::last_impulses, [&] { return fromLastImpulses(); })) ||
      run(ExactStage::pair_relaxed_law, [&] { return byRelaxedLaw(); }) ||
      run(ExactStage::wandering_sweeps, [&] { return bySweeps(); }) ||
      run(ExactStage::pair_paths, [&] { return byPaths(); });
  iterations += used_;
  if (solved) return SolveStatus::solved;
  return spent() ? SolveStatus::iteration_limit : SolveStatus::inaccurate;
}

template <class Action>
bool PolyhedralExact::run(ExactStage stage, Action action) {
  if (left_out_.has(stage)) return false;
  bool solved = false;
  const auto progress = [&] {
    return StageLog::Progress{used_, best_->residual, best_->residual <= target_};
  };
  const auto act = [&] { solved = action(); };
  if (log_)
    log_->run(toString(stage), progress, act);
  else
    act();
  return solved;
}

void PolyhedralExact::toPoint(std::span<const double> z) {
  pairs_.impulses(z, point_.p);
  point_.evaluate(*island_);
}

// From where interior_ has been started.
bool PolyhedralExact::interior(double theta, std::int64_t most, double sigma, double prox) {
  const bool close = interior_.run(theta, {left(most), sigma, prox});
  used_ += interior_.factorizations();
  return close;
}

// From point_.
bool PolyhedralExact::polish(std::int64_t most) {
  return polish_.polish(point_, *best_, target_, kPolishProx, left(most), used_);
}

bool PolyhedralExact::isWarm() const {
  return std::any_of(best_->p.begin(), best_->p.end(), [](double x) { return x != 0; });
}

bool PolyhedralExact::fromLastStates() {
  point_ = *best_;
  return polish(kWarmPolish);
}

// flow_ has been started at the last impulses.
bool PolyhedralExact::fromLastImpulses() {
  return flow_.flow(*best_, target_, left(kWarmFlow), used_);
}

bool PolyhedralExact::byInteriorPoint() {
  interior_.startCold(pairs_, *island_);
  if (!interior(0, 20, kInteriorSigma, kInteriorProx)) return false;
  toPoint(interior_.z());
  return polish(kPolishSteps);
}

bool PolyhedralExact::byRelaxedLaw() {
  interior_.startCold(pairs_, *island_);
  interior(1, 30, kInteriorSigma, kInteriorProx);
  toPoint(interior_.z());
  flow_.startFlow(point_, kFlowProx);
  swept_ = point_;
  return polish(kPolishSteps);
}

// Sweeps wander from the relaxed solution through states of which the polish tries some. In the
// plane a round is cheap: Coulomb's law at one contact has a closed form.
bool PolyhedralExact::bySweeps() {
  if (swept_.residual > kNearlyExact) return false;
  sweeps_.prepare(*island_);
  for (int round = 0; round < kRounds && !spent(); ++round) {
    sweeps_.sweepThereAndBack(*island_, kSweepsOfRound, swept_.p);
    used_ += left(kCostOfRound);
    swept_.evaluate(*island_);
    point_ = swept_;
    if (polish(kPolishSteps)) return true;
  }
  return false;
}

// The flow from the relaxed solution goes on between the paths.
bool PolyhedralExact::byPaths() {
  for (int number = 0; number < kMostPaths && !spent(); ++number) {
    bool alive = startPath(number);
    const std::int64_t path_ends = used_ + left(kLongestPath);
    while (alive && used_ < path_ends) {
      alive = advancePath();
      if (best_->residual <= target_) return true;
    }
    if (number % 2 == 0 || flow_.stuck()) continue;
    if (flow_.flow(*best_, target_, left(kFlowSlice), used_)) return true;
  }
  return false;
}

bool PolyhedralExact::startPath(int number) {
  PairPath::Kind kind = kPathKinds[static_cast<std::size_t>(number) % kPathKinds.size()];
  kind.seed = static_cast<std::uint32_t>(number);
  finish_below_ = kFirstFinish;
  const std::int64_t before = path_.factorizations();
  bool found = false;
  if (kind.bend) {
    interior_.startCold(pairs_, *island_);
    interior(1, 30, 1, kInteriorProx);
    path_.allow(left(kLongestPath));
    found = path_.start(pairs_, *island_, kind, interior_.z(), interior_.sigma());
  } else {
    path_.allow(left(kLongestPath));
    found = path_.start(pairs_, *island_, kind);
  }
  used_ += path_.factorizations() - before;
  return found;
}

// A step of the path, with an endgame where it is due. False if the path is lost.
bool PolyhedralExact::advancePath() {
  const std::int64_t before = path_.factorizations();
  path_.allow(left(kLongestPath));
  const bool found = path_.advance();
  used_ += path_.factorizations() - before;
  if (path_.sigma() >= finish_below_) return found;
  finish_below_ = kNextFinish * path_.sigma();
  finish(path_.z(), path_.w());
  return found;
}

bool PolyhedralExact::finish(std::span<const double> z, std::span<const double> w) {
  interior_.startAt(pairs_, *island_, z, w);
  interior(0, 14, 1e-10, 1e-6);
  toPoint(interior_.z());
  return polish(12);
}

}  // namespace stickslip
