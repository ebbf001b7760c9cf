#include "solvers/interior_point/cone_interior_point.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace stickslip {
namespace {

// The part of the way to the boundary that is gone.
constexpr double kFraction = 0.99;
// A shorter step than this is no progress.
constexpr double kShortest = 1e-2;
// Steps shorter than kSlow while the mean product is above kEarly ask for another start.
constexpr double kSlow = 0.15;
constexpr double kEarly = 1e-2;
// Stiffness with which the impulses of that start hold the contacts.
constexpr double kHolding = 1e5;
// How far inside the cones a warm start begins, relative to its residual: nearer to the boundary
// steps are short.
constexpr double kInside = 10;
// A predictor that reaches this far is trusted in full.
constexpr double kTrusted = 0.2;
// Directions that are made better: how many times at most, how much farther each has to go, what is
// far enough, and how much farther one looks than the last one went.
constexpr int kCorrections = 2;
constexpr double kWorthwhile = 1.05;
constexpr double kFarEnough = 0.95;
constexpr double kAhead = 0.3;
// Products are aimed at this part of what the predictor suggests.
constexpr double kCentring = 0.25;
// Residuals this much above the best one, so many times, mean that rounding has taken over.
constexpr double kWorse = 3;
constexpr int kSetbacks = 5;
// The residual from which on velocities are computed anew, and the part of it that is the fault of
// an unrefined solution from which on solutions are refined.
constexpr double kNearEnd = 1e-2;
constexpr double kSloppy = 0.1;

// Proximal weight: a constant one stalls, none leaves redundant contacts undetermined.
double proximalWeight(double mu) {
  return std::clamp(1e-4 * mu, 1e-15, 1e-8);
}

}  // namespace

void ConeInteriorPoint::select(const ConvexProblem& problem) {
  used_.clear();
  degree_ = 0;
  for (ConeBarrier* barrier : std::initializer_list<ConeBarrier*>{
           &rows_, &planar_, &polygons_, &cones3_, &cones4_, &cones5_, &cones6_, &sections_}) {
    barrier->select(problem);
    degree_ += barrier->degree();
    used_.push_back(barrier);
  }
  const auto rows = static_cast<std::size_t>(problem.W.rowCount());
  point_.resize(rows);
  for (auto* x : {&r_, &d_p_, &d_u_, &last_d_p_, &last_d_u_}) x->resize(rows);
  zero_.assign(rows, 0.0);
  S_.assign(problem.W.blockEntries(), 0.0);
}

double ConeInteriorPoint::meanProduct() const {
  double sum = 0;
  for (const ConeBarrier* barrier : used_) sum += barrier->gap(point_.p);
  return degree_ > 0 ? sum / degree_ : 0;
}

void ConeInteriorPoint::start(const ConvexProblem& problem, double impulse) {
  std::fill(point_.p.begin(), point_.p.end(), 0.0);
  for (ConeBarrier* barrier : used_) barrier->enter(impulse, 1, point_.p, problem.q);
  point_.evaluate(problem);
}

// The size of the impulses that would hold all contacts as they are.
double ConeInteriorPoint::holdingImpulse(const ConvexProblem& problem) {
  Delassus& W = problem.W;
  std::fill(S_.begin(), S_.end(), 0.0);
  for (int cone = 0; cone < W.itemCount(); ++cone)
    for (int k = 0; k < W.rowsOf(cone); ++k)
      S_[W.firstOfBlock(cone) + static_cast<std::size_t>(k * (W.rowsOf(cone) + 1))] = kHolding;
  if (!W.factor(S_, Delassus::Symmetry::symmetric)) return 1;
  W.solveOnce(zero_, problem.q, d_p_, d_u_);
  double largest = 0;
  for (const double x : d_p_) largest = std::max(largest, std::abs(x));
  return largest;
}

void ConeInteriorPoint::startWarm(const ConvexProblem& problem, const ConvexIterate& point) {
  std::copy(point.p.begin(), point.p.end(), point_.p.begin());
  const double margin = std::clamp(kInside * point.residual, 1e-7, 1.0);
  for (ConeBarrier* barrier : used_) barrier->enter(margin, margin, point_.p, point.u);
  point_.evaluate(problem);
}

std::int64_t ConeInteriorPoint::run(const ConvexProblem& problem, bool warm, double target,
                                    std::int64_t budget, ConvexIterate& best) {
  select(problem);
  if (warm)
    startWarm(problem, best);
  else
    start(problem, 1);
  refined_ = false;
  exact_ = true;
  int setbacks = 0;
  bool restarted = false;
  double least = point_.residual;
  std::int64_t iterations = 0;
  while (iterations < budget && best.residual > target) {
    ++iterations;
    const bool usable = step(problem);
    // Short steps at the beginning: impulses are orders of magnitude larger than expected.
    if (length_ < kSlow && !restarted && meanProduct() > kEarly && iterations < budget) {
      ++iterations;
      restarted = true;
      start(problem, holdingImpulse(problem));
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
    if (point_.residual > kWorse * least && ++setbacks > kSetbacks) break;
    least = std::min(least, point_.residual);
  }
  if (!exact_) best.evaluate(problem);
  return iterations;
}

// Far from the end u follows from the steps; near it W p + q tells how good they were.
void ConeInteriorPoint::measure(const ConvexProblem& problem) {
  for (std::size_t k = 0; k < d_u_.size(); ++k) point_.u[k] += length_ * d_u_[k];
  point_.residual = problem.residual(point_.p, point_.u);
  exact_ = point_.residual < kNearEnd;
  if (!exact_) return;
  r_.assign(point_.u.begin(), point_.u.end());
  point_.evaluate(problem);
  double error = 0;
  for (std::size_t k = 0; k < r_.size(); ++k)
    error = std::max(error, std::abs(r_[k] - point_.u[k]));
  refined_ = refined_ || error > kSloppy * point_.residual;
}

double ConeInteriorPoint::solveTowards(const ConvexProblem& problem, double mu, double correction) {
  for (ConeBarrier* barrier : used_) barrier->aim(mu, correction, point_.p, point_.u, r_);
  return solveAimed(problem);
}

double ConeInteriorPoint::solveAimed(const ConvexProblem& problem) {
  if (refined_)
    problem.W.solve(r_, zero_, d_p_, d_u_);
  else
    problem.W.solveOnce(r_, zero_, d_p_, d_u_);
  return reachOfDirection();
}

double ConeInteriorPoint::reachOfDirection() {
  double step = 1;
  for (ConeBarrier* barrier : used_)
    step = std::min(step, barrier->direct(point_.p, point_.u, d_p_, d_u_));
  return step;
}

double ConeInteriorPoint::recentre(const ConvexProblem& problem, double mu, double reach) {
  for (int k = 0; k < kCorrections && reach < kFarEnough; ++k) {
    std::swap(d_p_, last_d_p_);
    std::swap(d_u_, last_d_u_);
    for (ConeBarrier* barrier : used_)
      barrier->recentre(std::min(1.0, reach + kAhead), mu, point_.u, r_);
    const double next = solveAimed(problem);
    if (next < reach) {
      for (ConeBarrier* barrier : used_) barrier->aimAsBefore(point_.u, r_);
      std::swap(d_p_, last_d_p_);
      std::swap(d_u_, last_d_u_);
      return reachOfDirection();
    }
    if (next < kWorthwhile * reach) return next;
    reach = next;
  }
  return reach;
}

bool ConeInteriorPoint::step(const ConvexProblem& problem) {
  const double mu = meanProduct();
  for (ConeBarrier* barrier : used_) barrier->scale(proximalWeight(mu), point_.p, S_);
  if (!problem.W.factor(S_, Delassus::Symmetry::symmetric)) return false;
  const double reach = solveTowards(problem, 0, 0);
  const double centring = kCentring * (1 - reach) * (1 - reach) * (1 - reach);
  // Second-order terms of a direction that leads nowhere mislead.
  const double trust = std::min(1.0, reach / kTrusted);
  const double aimed = solveTowards(problem, centring * mu, trust * trust);
  length_ = kFraction * recentre(problem, centring * mu, aimed);
  if (!(length_ > kShortest)) return false;
  for (ConeBarrier* barrier : used_) barrier->move(length_, point_.p, d_p_);
  return true;
}

}  // namespace stickslip
