#include "solvers/cone_interior_point.hpp"

#include <algorithm>
#include <cmath>

#ifdef CX_TRACE
#include <cstdio>
static double trace_reach, trace_length;
#endif
namespace stickslip {
namespace {

// The part of the way to the boundary that is gone.
constexpr double kFraction = 0.99;
// A shorter step than this is no progress.
constexpr double kShortest = 1e-3;
// Residuals this much above the best one mean that rounding has taken over.
constexpr double kWorse = 3;

// Proximal weight: a constant one stalls, none leaves redundant contacts undetermined.
double proximalWeight(double mu) {
  return std::clamp(1e-4 * mu, 1e-15, 1e-8);
}

}  // namespace

void ConeInteriorPoint::select(const ContactIsland& island) {
  used_.clear();
  degree_ = 0;
  for (Barrier* barrier : std::initializer_list<Barrier*>{&rows_, &planar_, &polygons_, &cones3_,
                                                          &cones4_, &cones5_, &cones6_}) {
    barrier->select(island);
    degree_ += barrier->degree();
    used_.push_back(barrier);
  }
  const auto rows = static_cast<std::size_t>(island.rowCount());
  point_.resize(rows);
  for (auto* x : {&r_, &d_pi_, &d_omega_}) x->resize(rows);
  zero_.assign(rows, 0.0);
  S_.assign(island.W().blockEntries(), 0.0);
}

double ConeInteriorPoint::meanProduct() const {
  double sum = 0;
  for (const Barrier* barrier : used_) sum += barrier->gap(point_.pi);
  return degree_ > 0 ? sum / degree_ : 0;
}

bool ConeInteriorPoint::startCold(const ConvexProblem& problem) {
  static const double c = getenv("C") ? atof(getenv("C")) : 0;
  static const double f = getenv("F") ? atof(getenv("F")) : 1;
  static const double g = getenv("G") ? atof(getenv("G")) : 1;
  static const int keep = getenv("K") ? atoi(getenv("K")) : 0;
  std::fill(point_.pi.begin(), point_.pi.end(), 0.0);
  std::copy(problem.q.begin(), problem.q.end(), point_.omega.begin());
  double impulse = f;
  if (c > 0) {
    std::fill(S_.begin(), S_.end(), 0.0);
    for (int i = 0; i < problem.island.W().itemCount(); ++i)
      for (int k = 0; k < problem.island.W().rowsOf(i); ++k)
        S_[problem.island.W().firstOfBlock(i) +
           std::size_t(k * (problem.island.W().rowsOf(i) + 1))] = c;
    problem.island.W().factor(S_, ImpulseOperator::Symmetry::symmetric);
    problem.island.W().solve(zero_, problem.q, point_.pi, point_.omega);
    double largest = 0;
    double mean = 0;
    for (double x : point_.pi) largest = std::max(largest, std::abs(x)), mean += std::abs(x);
    impulse = f * mean / double(point_.pi.size());
    if (f < 0) impulse = -f * largest;
    if (!keep) {
      std::fill(point_.pi.begin(), point_.pi.end(), 0.0);
      std::copy(problem.q.begin(), problem.q.end(), point_.omega.begin());
    }
    if (keep == 2) std::copy(problem.q.begin(), problem.q.end(), point_.omega.begin());
  }
  for (Barrier* barrier : used_) barrier->enter(impulse, g, point_.pi, point_.omega);
  point_.evaluate(problem);
  return true;
}

void ConeInteriorPoint::startWarm(const ConvexPoint& point) {
  std::copy(point.pi.begin(), point.pi.end(), point_.pi.begin());
  const double margin = std::clamp(point.residual, 1e-7, 1.0);
  for (Barrier* barrier : used_) barrier->enter(margin, margin, point_.pi, point.omega);
}

long ConeInteriorPoint::run(const ConvexProblem& problem, bool warm, double target, long budget,
                            ConvexPoint& best) {
  select(problem.island);
  if (warm)
    startWarm(best);
  else
    startCold(problem);
  point_.evaluate(problem);
  long iterations = 0;
  while (iterations < budget) {
    ++iterations;
    if (!step(problem)) break;
    point_.evaluate(problem);
#ifdef CX_TRACE
    double big = 0;
    for (double v : point_.pi) big = std::max(big, std::abs(v));
    fprintf(stderr, "  ipm %ld mu %.2e res %.2e |pi| %.1e reach %.3f length %.3f\n", iterations,
            meanProduct(), point_.residual, big, trace_reach, trace_length);
#endif
    if (point_.residual < best.residual) {
      best.pi = point_.pi;
      best.omega = point_.omega;
      best.residual = point_.residual;
    }
    if (best.residual <= target) break;
  }
  return iterations;
}

double ConeInteriorPoint::solveTowards(const ConvexProblem& problem, double mu, double correction) {
  for (Barrier* barrier : used_) barrier->aim(mu, correction, point_.pi, point_.omega, r_);
  problem.island.W().solveOnce(r_, zero_, d_pi_, d_omega_);
  double step = 1;
  for (Barrier* barrier : used_)
    step = std::min(step, barrier->direct(point_.pi, point_.omega, d_pi_, d_omega_));
  return step;
}

bool ConeInteriorPoint::step(const ConvexProblem& problem) {
  const double mu = meanProduct();
  for (Barrier* barrier : used_) barrier->scale(proximalWeight(mu), point_.pi, S_);
  if (!problem.island.W().factor(S_, ImpulseOperator::Symmetry::symmetric)) return false;
  static const double pw = getenv("P") ? atof(getenv("P")) : 0,
                      sg = getenv("SG") ? atof(getenv("SG")) : 0;
  const double reach = solveTowards(problem, 0, 0);
  const double centring = (1 - reach) * (1 - reach) * (1 - reach);
  const double length =
      kFraction *
      solveTowards(problem, std::max(centring, sg) * mu,
                   pw < 0 ? (reach > -pw ? 1.0 : std::pow(reach / -pw, 2)) : std::pow(reach, pw));
#ifdef CX_TRACE
  trace_reach = reach;
  trace_length = length;
#endif
  if (!(length > kShortest)) return false;
  for (Barrier* barrier : used_) barrier->move(length, point_.pi, d_pi_);
  return true;
}

}  // namespace stickslip
