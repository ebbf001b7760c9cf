#include "solvers/planar_exact.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstdio>

namespace stickslip {
namespace {

constexpr long kSlice = 60;             // factorizations of an attempt at a time
constexpr long kLongestPath = 1200;     // factorizations
constexpr double kFirstFinish = 3e-4;   // sigma at which a path may be near its end
constexpr double kNextFinish = 0.05;    // and when to try again, relative to that
constexpr double kPolishProx = 1e-6;
constexpr double kFlowProx = 1e-2;
constexpr double kInteriorSigma = 1e-9;  // where an interior point is near enough to polish
constexpr long kPolishSteps = 10;

}  // namespace

SolveStatus PlanarExact::solve(ContactIsland& island, IslandPoint& best, double target,
                               long budget, long& iterations) {
  island_ = &island;
  best_ = &best;
  target_ = target;
  budget_ = budget;
  used_ = 0;
  drawn_ = 0;
  pairs_.build(island);
  polish_.build(pairs_, island);
  flow_.build(pairs_, island);
  point_.resize(island.rowCount());
  const bool solved = best.residual <= target || fromLastStep() || byInteriorPoint() ||
                      byRelaxedLaw() || byPaths();
  iterations += used_;
  return solved ? SolveStatus::solved : SolveStatus::iteration_limit;
}

void PlanarExact::toPoint(std::span<const double> z) {
  pairs_.impulses(z, point_.pi);
  point_.evaluate(*island_);
}

// From where interior_ has been started.
bool PlanarExact::interior(double theta, long most, double sigma, double prox) {
  const bool close = interior_.run(theta, {left(most), sigma, prox});
  used_ += interior_.factorizations();
  return close;
}

// From point_.
bool PlanarExact::polish(long most) {
  return polish_.polish(point_, *best_, target_, kPolishProx, left(most), used_);
}

bool PlanarExact::fromLastStep() {
  point_ = *best_;
  return polish(kPolishSteps);
}

bool PlanarExact::byInteriorPoint() {
  interior_.startCold(pairs_, *island_);
  if (!interior(0, 20, kInteriorSigma, 1e-5)) return false;
  toPoint(interior_.z());
  return polish(kPolishSteps);
}

bool PlanarExact::byRelaxedLaw() {
  interior_.startCold(pairs_, *island_);
  interior(1, 30, kInteriorSigma, 1e-5);
  toPoint(interior_.z());
  flow_.startFlow(point_, kFlowProx);
  return polish(kPolishSteps);
}

bool PlanarExact::byPaths() {
  for (Attempt& attempt : attempts_) startAttempt(attempt, drawn_++);
  while (!spent()) {
    if (!flow_.stuck() && flow_.flow(*best_, target_, left(kSlice), used_)) { if(getenv("PV")) printf("[flow]"); return true; }
    for (Attempt& attempt : attempts_) {
      if (!attempt.alive) startAttempt(attempt, drawn_++);
      if (attempt.alive && advance(attempt)) { if(getenv("PV")) printf("[path %ld]",&attempt-&attempts_[0]); return true; }
    }
  }
  return false;
}

void PlanarExact::startAttempt(Attempt& attempt, int kind) {
  PairPath::Kind path;
  path.seed = static_cast<std::uint32_t>(kind);
  attempt.finish_below = kFirstFinish;
  attempt.path.allow(left(kLongestPath));
  const long before = attempt.path.factorizations();
  if (kind % 4 == 1) {
    path.sigma = 1;
    path.bend = true;
    path.cover_main = 0;
    interior_.startCold(pairs_, *island_);
    interior(1, 30, 1, 1e-5);
    attempt.path.allow(left(kLongestPath));
    attempt.alive = attempt.path.start(pairs_, *island_, path, interior_.z(), interior_.sigma());
  } else {
    if (kind % 4 == 0) path.eps = 0.1;
    if (kind % 4 == 2) path.sigma = 3, path.cover_side = 1;
    attempt.alive = attempt.path.start(pairs_, *island_, path);
  }
  used_ += attempt.path.factorizations() - before;
}

// A slice of a path, with endgames where they are due.
bool PlanarExact::advance(Attempt& attempt) {
  const long end = used_ + left(kSlice);
  while (attempt.alive && used_ < end) {
    const long before = attempt.path.factorizations();
    attempt.path.allow(left(kLongestPath));
    attempt.alive = attempt.path.advance();
    used_ += attempt.path.factorizations() - before;
    if (attempt.path.sigma() >= attempt.finish_below) continue;
    attempt.finish_below = kNextFinish * attempt.path.sigma();
    if (finish(attempt.path.z(), attempt.path.w())) return true;
  }
  return false;
}

bool PlanarExact::finish(std::span<const double> z, std::span<const double> w) {
  interior_.startAt(pairs_, *island_, z, w);
  interior(0, 14, 1e-10, 1e-6);
  toPoint(interior_.z());
  return polish(12);
}

}  // namespace stickslip
