#include "solvers/interior_point/coulomb_interior_point.hpp"

#include <algorithm>
#include <cmath>

#include "base/index.hpp"

namespace stickslip {
namespace {

// Proximal weight: this part of the mean product, within bounds.
constexpr double kSoftness = 1e-4, kLeastSoftness = 1e-14, kMostSoftness = 1e-8;
// Proximal weight of the start.
constexpr double kHold = 1e-8;
constexpr double kToBoundary = 0.99;
// Tiny steps in a row, and growth of the residual, that end a run.
constexpr double kTinyStep = 0.03;
constexpr int kMostTinySteps = 4;
constexpr double kGrowth = 1e3;

}  // namespace

void CoulombInteriorPoint::reserve(int cones, int rows) {
  cones_.reserve(cones);
  for (Iterate* point : {&now_, &best_}) {
    point->p.reserve(rows);
    point->u.reserve(rows);
  }
  for (auto* x : {&r_, &residual_, &d_p_, &d_u_}) x->reserve(rows);
  S_.reserve(3 * rows);
}

// (W + kHold) p = -q: tells how large impulses are.
void CoulombInteriorPoint::holdStill(ScaledIsland& island) {
  Delassus& W = island.W();
  std::fill(S_.begin(), S_.end(), 0.0);
  for (int i = 0; i < W.itemCount(); ++i)
    for (int k = 0; k < W.rowsOf(i); ++k)
      S_[W.firstOfBlock(i) + at(k * (W.rowsOf(i) + 1))] = 1 / kHold;
  std::fill(r_.begin(), r_.end(), 0.0);
  now_.resize(island.rowCount());
  if (!W.factor(S_, Delassus::Symmetry::symmetric)) {
    std::fill(now_.p.begin(), now_.p.end(), 0.0);
    return;
  }
  W.solve(r_, island.q(), now_.p, d_u_);
}

void CoulombInteriorPoint::start(ScaledIsland& island) {
  const std::size_t rows = at(island.rowCount());
  for (auto* x : {&r_, &residual_, &d_p_, &d_u_}) x->resize(rows);
  S_.resize(island.W().blockEntries());
  holdStill(island);
  now_.evaluate(island);
  double largest = 0;
  for (const double p : now_.p) largest = std::max(largest, std::abs(p));
  cones_.resize(island.cones().size());
  degree_ = 0;
  for (std::size_t i = 0; i < cones_.size(); ++i) {
    const Cone& cone = island.cones()[i];
    const std::span<double> part = std::span(now_.p).subspan(at(cone.first), at(cone.rows));
    cones_[i].enter(cone, island.law(), part,
                    std::span(now_.u).subspan(at(cone.first), at(cone.rows)),
                    std::max(1.0, largest), 1);
    cones_[i].impulse(part);
    degree_ += cones_[i].degree();
  }
  now_.evaluate(island);
  best_ = now_;
}

double CoulombInteriorPoint::gap() const {
  double sum = 0;
  for (const ItemBarrier& cone : cones_) sum += cone.gap();
  return degree_ > 0 ? sum / degree_ : 0;
}

// The direction towards mu; how far it goes before something leaves its cone, at most 1.
double CoulombInteriorPoint::solveFor(ScaledIsland& island, double mu, bool corrected) {
  Delassus& W = island.W();
  for (int i = 0; i < W.itemCount(); ++i) {
    const std::size_t first = at(W.firstRow(i)), rows = at(W.rowsOf(i));
    cones_[i].aim(mu, corrected ? 1 : 0, std::span(now_.u).subspan(first, rows),
                  std::span(r_).subspan(first, rows), std::span(residual_).subspan(first, rows));
  }
  W.solveOnce(r_, residual_, d_p_, d_u_);
  double most = 0;
  for (int i = 0; i < W.itemCount(); ++i) {
    const std::size_t first = at(W.firstRow(i)), rows = at(W.rowsOf(i));
    most = std::max(most, cones_[i].direct(std::span(d_p_).subspan(first, rows),
                                           std::span(d_u_).subspan(first, rows)));
  }
  return 1 / std::max(1.0, most / kToBoundary);
}

bool CoulombInteriorPoint::stepOnce(ScaledIsland& island, double& length) {
  Delassus& W = island.W();
  const double mu = gap();
  const double delta = std::clamp(kSoftness * mu, kLeastSoftness, kMostSoftness);
  for (int i = 0; i < W.itemCount(); ++i)
    cones_[i].scale(delta, {S_.data() + W.firstOfBlock(i), W.rowsOf(i), W.rowsOf(i)});
  if (!W.factor(S_, Delassus::Symmetry::general)) return false;
  const double left = 1 - solveFor(island, 0, false);
  const double sigma = left * left * left;
  length = solveFor(island, sigma * mu, true);
  for (std::size_t i = 0; i < cones_.size(); ++i) {
    const Cone& cone = island.cones()[i];
    cones_[i].move(length);
    cones_[i].impulse(std::span(now_.p).subspan(at(cone.first), at(cone.rows)));
  }
  now_.evaluate(island);
  return std::isfinite(now_.residual);
}

bool CoulombInteriorPoint::run(Search& search, double enough, int limit) {
  int tiny = 0;
  for (int k = 0; k < limit && search.left() > 0; ++k) {
    search.count();
    double length = 0;
    if (!stepOnce(search.island(), length)) return false;
    if (now_.residual < best_.residual) best_ = now_;
    search.offer(now_);
    if (now_.residual <= enough) return true;
    tiny = length < kTinyStep ? tiny + 1 : 0;
    if (tiny >= kMostTinySteps || now_.residual > kGrowth * best_.residual) return false;
  }
  return false;
}

}  // namespace stickslip
