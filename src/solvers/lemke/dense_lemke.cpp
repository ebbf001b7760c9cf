// Lemke's method: follow a path, settle its end point, try another path if the answer is not
// good.
//
// The path (dense_path) runs on scaled data (scaled_lcp). At its end the basis is solved again
// from the scaled data by LU with one refinement step, since the path has gathered rounding
// errors (on the woodpecker this is worth two digits of the motion); the better of the two points
// counts. `solved` means that its scaled residual is at most options.tolerance, whatever the path
// says: at a degenerate solution z0 may stay in the basis with a value of rounding size, and the
// path then runs off into a ray. Otherwise another covering vector gives another path, since a ray
// or a loss of digits may be due to rounding; a ray that proves infeasibility is believed at once.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "math/dense/lu.hpp"
#include "solvers/lemke/dense_path.hpp"
#include "solvers/lemke/lemke_settings.hpp"
#include "solvers/lemke/scaled_lcp.hpp"
#include "stickslip/lcp.hpp"

namespace stickslip {
namespace {

// y >= 0 with N'y <= 0 and q.y < 0: then no z >= 0 has N z + q >= 0, as y.(N z + q) < 0.
bool provesInfeasible(const Lcp& lcp, std::span<const double> y) {
  double q_y = 0, q_size = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    q_y += lcp.q[i] * y[i];
    q_size += std::abs(lcp.q[i] * y[i]);
  }
  const double noise = kLemke.proof_noise * lcp.size();
  if (!(q_y < -noise * q_size)) return false;
  for (int j = 0; j < lcp.size(); ++j) {
    double column = 0, size = 0;
    for (int i = 0; i < lcp.size(); ++i) {
      column += lcp.N(i, j) * y[i];
      size += std::abs(lcp.N(i, j) * y[i]);
    }
    if (column > noise * size) return false;
  }
  return true;
}

// The covering vector of an attempt is generic, so that ties are exceptional in the first place.
// Odd attempts weigh it with |q|, so that rows with a small q keep their digits beside a large one.
void fillCover(const ScaledLcp& lcp, int attempt, std::span<double> cover) {
  for (int i = 0; i < lcp.size(); ++i) {
    const double weight = attempt % 2 == 1 && lcp.q(i) != 0 ? std::abs(lcp.q(i)) : 1.0;
    cover[i] = weight * genericCover(i, attempt);
  }
}

SolveStatus toStatus(DensePath::End end) {
  switch (end) {
    case DensePath::End::ray:
      return SolveStatus::ray;
    case DensePath::End::limit:
      return SolveStatus::iteration_limit;
    case DensePath::End::solution:  // one that did not pass its test
    case DensePath::End::cycle:
      break;
  }
  return SolveStatus::inaccurate;
}

}  // namespace

struct DenseLemke::Workspace {
  ScaledLcp scaled;
  DensePath path;
  std::vector<double> cover;
  std::vector<double> point;
  std::vector<double> resolved;
  std::vector<double> best;
  std::vector<double> ray;
  std::vector<int> support;
  std::vector<double> basis;
  std::vector<double> rhs;
  std::vector<int> exchanges;

  void resize(std::size_t n);
  double settle(double tolerance);
  bool solveBasis();
  void storeRay();
};

void DenseLemke::Workspace::resize(std::size_t n) {
  cover.resize(n);
  point.resize(n);
  resolved.resize(n);
  best.assign(n, 0.0);
  ray.clear();
}

// Leaves the best z of the path's end in `point` and returns its residual. The path's own point
// only matters where the basis is singular or refuses to give a good answer.
double DenseLemke::Workspace::settle(double tolerance) {
  path.readPoint(point, support);
  const double refined =
      solveBasis() ? scaled.residual(resolved) : std::numeric_limits<double>::infinity();
  if (!(refined <= tolerance)) {
    const double residual = scaled.residual(point);
    if (!(refined < residual)) return residual;
  }
  point.swap(resolved);
  return refined;
}

// N z = -q on the support into `resolved`; false if the basis is singular to rounding.
bool DenseLemke::Workspace::solveBasis() {
  const std::size_t m = support.size();
  basis.resize(m * m);
  exchanges.resize(m);
  rhs.resize(m);
  for (std::size_t a = 0; a < m; ++a) {
    const std::span<const double> row = scaled.row(support[a]);
    for (std::size_t b = 0; b < m; ++b) basis[a * m + b] = row[support[b]];
  }
  if (!factorizeLu(basis, exchanges)) return false;
  std::fill(resolved.begin(), resolved.end(), 0.0);
  for (std::size_t a = 0; a < m; ++a) rhs[a] = -scaled.q(support[a]);
  for (int pass = 0; pass < 2; ++pass) {  // the second pass refines the first
    if (pass > 0)
      for (std::size_t a = 0; a < m; ++a) rhs[a] = -scaled.slack(support[a], resolved, support);
    solveLu(basis, exchanges, rhs);
    for (std::size_t a = 0; a < m; ++a) resolved[support[a]] += rhs[a];
  }
  for (double& z : resolved) z = std::max(z, 0.0);
  return true;
}

void DenseLemke::Workspace::storeRay() {
  ray.resize(point.size());
  path.readRay(resolved);
  scaled.unscale(resolved, ray);
  const double largest = *std::max_element(ray.begin(), ray.end());
  if (largest > 0)
    for (double& y : ray) y /= largest;
}

DenseLemke::DenseLemke() : DenseLemke(Options{}) {}
DenseLemke::DenseLemke(const Options& options)
    : options_(options), work_(std::make_unique<Workspace>()) {}
DenseLemke::~DenseLemke() = default;
DenseLemke::DenseLemke(DenseLemke&&) noexcept = default;
DenseLemke& DenseLemke::operator=(DenseLemke&&) noexcept = default;

void DenseLemke::reserve(int n) {
  const std::size_t size = n;
  work_->scaled.reserve(n);
  work_->path.reserve(n);
  for (auto* v :
       {&work_->cover, &work_->point, &work_->resolved, &work_->best, &work_->ray, &work_->rhs})
    v->reserve(size);
  work_->support.reserve(size);
  work_->exchanges.reserve(size);
  work_->basis.reserve(size * size);
}

std::span<const double> DenseLemke::ray() const {
  return work_->ray;
}

LcpReport DenseLemke::solve(const Lcp& lcp, std::span<double> z) {
  Workspace& work = *work_;
  work.resize(z.size());
  std::fill(z.begin(), z.end(), 0.0);
  LcpReport report;
  if (std::all_of(lcp.q.begin(), lcp.q.end(), [](double q) { return q >= 0; })) return report;

  work.scaled.scale(lcp);
  const std::int64_t limit =
      options_.pivot_limit > 0 ? options_.pivot_limit
                               : kLemke.least_dense_limit + kLemke.dense_limit_per_row * lcp.size();
  double best = std::numeric_limits<double>::infinity();
  for (int attempt = 0; attempt < kLemke.dense_attempts && report.pivots < limit; ++attempt) {
    fillCover(work.scaled, attempt, work.cover);
    work.path.start(work.scaled, work.cover);
    const DensePath::End end = work.path.follow(limit, report.pivots);
    const double residual = work.settle(options_.tolerance);
    if (residual <= options_.tolerance) {
      work.ray.clear();
      work.scaled.unscale(work.point, z);
      report.status = SolveStatus::solved;
      report.residual = work.scaled.unscaledResidual(lcp, z);
      return report;
    }
    if (residual < best) {
      best = residual;
      work.best = work.point;
    }
    // Of several failures the ray says most, and the first one counts.
    if (attempt == 0 || report.status != SolveStatus::ray)
      report.status = withBudget(toStatus(end), options_.pivot_limit);
    if (end != DensePath::End::ray || !work.ray.empty()) continue;
    work.storeRay();
    report.infeasible = provesInfeasible(lcp, work.ray);
    if (report.infeasible) break;
  }
  if (report.status != SolveStatus::ray) work.ray.clear();
  work.scaled.unscale(work.best, z);
  report.residual = lcpResidual(lcp, z);
  return report;
}

// |min(z, w)| relative to |q|; a problem with q = 0 is solved by z = 0, so that any other residual
// is infinitely bad.
double lcpResidual(const Lcp& lcp, std::span<const double> z) {
  double worst = 0, scale = 0;
  for (int i = 0; i < lcp.size(); ++i) {
    const std::size_t k = i;
    const std::span<const double> row = lcp.N.row(i);
    double w = lcp.q[k];
    for (std::size_t j = 0; j < row.size(); ++j) w += row[j] * z[j];
    if (!std::isfinite(z[k]) || !std::isfinite(w)) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, std::abs(std::min(z[k], w)));
    scale = std::max(scale, std::abs(lcp.q[k]));
  }
  return worst == 0 ? 0 : worst / scale;
}

}  // namespace stickslip
