#include "solvers/interior_point/interior_point.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <utility>

namespace stickslip {

// Coulomb's law is not monotone: steps may be short for a while, and corrections that lengthen them
// lead away from solutions as often as not.
InteriorPoint::Settings InteriorPoint::settingsFor(Law law) {
  Settings settings;
  if (law == Law::relaxed) return settings;
  settings.centring = 1;
  settings.corrections = 0;
  settings.short_steps = 4;
  return settings;
}

void InteriorPoint::reserve(int rows) {
  for (auto* x : {&point_.p, &point_.u, &r_, &zero_, &d_p_, &d_u_, &last_d_p_, &last_d_u_})
    x->reserve(rows);
  S_.reserve(3 * rows);
}

void InteriorPoint::select(const ConvexProblem& problem) {
  settings_ = settingsFor(problem.law);
  used_.clear();
  degree_ = 0;
  for (ConeBarrier* barrier : std::initializer_list<ConeBarrier*>{
           &intervals_, &polygons2_, &polygons3_, &polygons4_, &polygons5_, &polygons6_, &cones2_,
           &cones3_, &cones4_, &cones5_, &cones6_, &sections_}) {
    barrier->select(problem);
    degree_ += barrier->degree();
    if (!barrier->isEmpty()) used_.push_back(barrier);
  }
  const std::size_t rows = problem.W.rowCount();
  point_.resize(rows);
  for (auto* x : {&r_, &d_p_, &d_u_, &last_d_p_, &last_d_u_}) x->resize(rows);
  zero_.assign(rows, 0.0);
  S_.assign(problem.W.blockEntries(), 0.0);
}

double InteriorPoint::meanProduct() const {
  double sum = 0;
  for (const ConeBarrier* barrier : used_) sum += barrier->gap(point_.p);
  return degree_ > 0 ? sum / degree_ : 0;
}

void InteriorPoint::enter(const ConvexProblem& problem, double impulse, double velocity,
                          std::span<const double> u) {
  for (ConeBarrier* barrier : used_) barrier->enter(impulse, velocity, point_.p, u);
  point_.evaluate(problem);
}

// (W + 1 / holding) d_p = -q: tells how large impulses are.
bool InteriorPoint::hold(const ConvexProblem& problem) {
  Delassus& W = problem.W;
  std::fill(S_.begin(), S_.end(), 0.0);
  for (int cone = 0; cone < W.coneCount(); ++cone)
    for (int k = 0; k < W.rowsOf(cone); ++k)
      S_[W.firstOfBlock(cone) + k * (W.rowsOf(cone) + 1)] = settings_.holding;
  if (!W.factor(S_, Delassus::Symmetry::symmetric)) return false;
  W.solveOnce(zero_, problem.q, d_p_, d_u_);
  return true;
}

namespace {

double largestOf(std::span<const double> x) {
  double largest = 0;
  for (const double part : x) largest = std::max(largest, std::abs(part));
  return largest;
}

}  // namespace

void InteriorPoint::start(const ConvexProblem& problem, Start from, const ConvexIterate& point) {
  select(problem);
  restarts_ = from != Start::holding;
  refined_ = false;
  exact_ = true;
  short_steps_ = setbacks_ = 0;
  if (from == Start::warm) {
    std::copy(point.p.begin(), point.p.end(), point_.p.begin());
    const double margin = std::clamp(settings_.inside * point.residual, 1e-7, 1.0);
    enter(problem, margin, margin, point.u);
  } else {
    std::fill(point_.p.begin(), point_.p.end(), 0.0);
    if (from == Start::cold) {
      enter(problem, 1, 1, problem.q);
    } else {
      if (hold(problem)) point_.p = d_p_;
      point_.evaluate(problem);
      last_d_u_ = point_.u;
      enter(problem, std::max(1.0, largestOf(point_.p)), 1, last_d_u_);
    }
  }
  least_ = point_.residual;
}

std::int64_t InteriorPoint::run(const ConvexProblem& problem, double target, std::int64_t budget,
                                ConvexIterate& best) {
  std::int64_t iterations = 0;
  while (iterations < budget && best.residual > target) {
    ++iterations;
    const bool usable = step(problem);
    // Short steps at the beginning: impulses are orders of magnitude larger than expected.
    if (length_ < settings_.slow && restarts_ && meanProduct() > settings_.early &&
        iterations < budget) {
      ++iterations;
      restarts_ = false;
      const double impulse = hold(problem) ? largestOf(d_p_) : 1;
      std::fill(point_.p.begin(), point_.p.end(), 0.0);
      enter(problem, impulse, 1, problem.q);
      continue;
    }
    if (!usable) break;
    measure(problem);
    if (!std::isfinite(point_.residual)) break;
    if (point_.residual < best.residual) {
      best.p = point_.p;
      best.u = point_.u;
      best.residual = point_.residual;
    }
    if (point_.residual > settings_.worse * least_ && ++setbacks_ > settings_.setbacks) break;
    least_ = std::min(least_, point_.residual);
  }
  if (!exact_) best.evaluate(problem);
  return iterations;
}

// Far from the end u follows from the steps; near it W p + q tells how good they were.
void InteriorPoint::measure(const ConvexProblem& problem) {
  for (std::size_t k = 0; k < d_u_.size(); ++k) point_.u[k] += length_ * d_u_[k];
  point_.residual = problem.residual(point_.p, point_.u);
  exact_ = point_.residual < settings_.near_end;
  if (!exact_) return;
  r_.assign(point_.u.begin(), point_.u.end());
  point_.evaluate(problem);
  double error = 0;
  for (std::size_t k = 0; k < r_.size(); ++k)
    error = std::max(error, std::abs(r_[k] - point_.u[k]));
  refined_ = refined_ || error > settings_.sloppy * point_.residual;
}

double InteriorPoint::solveTowards(const ConvexProblem& problem, double mu, double correction) {
  for (ConeBarrier* barrier : used_) barrier->aim(mu, correction, point_.p, point_.u, r_);
  return solveAimed(problem);
}

double InteriorPoint::solveAimed(const ConvexProblem& problem) {
  if (refined_)
    problem.W.solve(r_, zero_, d_p_, d_u_);
  else
    problem.W.solveOnce(r_, zero_, d_p_, d_u_);
  return reachOfDirection();
}

double InteriorPoint::reachOfDirection() {
  double step = 1;
  for (ConeBarrier* barrier : used_)
    step = std::min(step, barrier->direct(point_.p, point_.u, d_p_, d_u_));
  return step;
}

double InteriorPoint::recentre(const ConvexProblem& problem, double mu, double reach) {
  for (int k = 0; k < settings_.corrections && reach < settings_.far_enough; ++k) {
    std::swap(d_p_, last_d_p_);
    std::swap(d_u_, last_d_u_);
    for (ConeBarrier* barrier : used_)
      barrier->recentre(std::min(1.0, reach + settings_.ahead), mu, point_.u, r_);
    const double next = solveAimed(problem);
    if (next < reach) {
      for (ConeBarrier* barrier : used_) barrier->aimAsBefore(point_.u, r_);
      std::swap(d_p_, last_d_p_);
      std::swap(d_u_, last_d_u_);
      return reachOfDirection();
    }
    if (next < settings_.worthwhile * reach) return next;
    reach = next;
  }
  return reach;
}

bool InteriorPoint::step(const ConvexProblem& problem) {
  const double mu = meanProduct();
  const double delta =
      std::clamp(settings_.softness * mu, settings_.least_softness, settings_.most_softness);
  for (ConeBarrier* barrier : used_) barrier->scale(delta, point_.p, S_);
  const bool symmetric = problem.law == Law::relaxed;
  if (!problem.W.factor(S_,
                        symmetric ? Delassus::Symmetry::symmetric : Delassus::Symmetry::general))
    return false;
  const double reach = solveTowards(problem, 0, 0);
  const double left = 1 - reach, centring = settings_.centring * left * left * left;
  // Second-order terms of a direction that leads nowhere mislead.
  const double trust = std::min(1.0, reach / settings_.trusted);
  const double aimed = solveTowards(problem, centring * mu, trust * trust);
  length_ = settings_.fraction * recentre(problem, centring * mu, aimed);
  short_steps_ = length_ > settings_.shortest ? 0 : short_steps_ + 1;
  if (short_steps_ >= settings_.short_steps) return false;
  for (ConeBarrier* barrier : used_) barrier->move(length_, point_.p, d_p_);
  return true;
}

void CoulombInteriorPoint::reserve(int, int rows) {
  interior_.reserve(rows);
  for (auto* x : {&best_.p, &best_.u}) x->reserve(rows);
}

void CoulombInteriorPoint::start(ScaledIsland& island) {
  interior_.start(problemOf(island), InteriorPoint::Start::holding);
  best_ = interior_.point();
}

bool CoulombInteriorPoint::run(Search& search, double enough, int limit) {
  const std::int64_t budget = std::min<std::int64_t>(limit, search.left());
  search.count(interior_.run(problemOf(search.island()), enough, budget, best_));
  search.offer(best_);
  return best_.residual <= enough;
}

}  // namespace stickslip
