#include "solvers/coulomb_interior_point.hpp"

#include <algorithm>
#include <cmath>

#include "math/index.hpp"

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

void CoulombInteriorPoint::reserve(int items, int rows) {
  items_.reserve(at(items));
  for (IslandPoint* point : {&now_, &best_}) {
    point->pi.reserve(at(rows));
    point->omega.reserve(at(rows));
  }
  for (auto* x : {&r_, &residual_, &d_pi_, &d_omega_}) x->reserve(at(rows));
  S_.reserve(at(3 * rows));
}

// (W + kHold) pi = -q: tells how large impulses are.
void CoulombInteriorPoint::holdStill(ContactIsland& island) {
  ImpulseOperator& W = island.W();
  std::fill(S_.begin(), S_.end(), 0.0);
  for (int i = 0; i < W.itemCount(); ++i)
    for (int k = 0; k < W.rowsOf(i); ++k)
      S_[W.firstOfBlock(i) + at(k * (W.rowsOf(i) + 1))] = 1 / kHold;
  std::fill(r_.begin(), r_.end(), 0.0);
  now_.resize(island.rowCount());
  if (!W.factor(S_, ImpulseOperator::Symmetry::symmetric)) {
    std::fill(now_.pi.begin(), now_.pi.end(), 0.0);
    return;
  }
  W.solve(r_, island.q(), now_.pi, d_omega_);
}

void CoulombInteriorPoint::start(ContactIsland& island) {
  const std::size_t rows = at(island.rowCount());
  for (auto* x : {&r_, &residual_, &d_pi_, &d_omega_}) x->resize(rows);
  S_.resize(island.W().blockEntries());
  holdStill(island);
  now_.evaluate(island);
  double largest = 0;
  for (const double pi : now_.pi) largest = std::max(largest, std::abs(pi));
  items_.resize(island.items().size());
  degree_ = 0;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const ContactItem& item = island.items()[i];
    const std::span<double> part = std::span(now_.pi).subspan(at(item.first), at(item.rows));
    items_[i].enter(item, island.law(), part,
                    std::span(now_.omega).subspan(at(item.first), at(item.rows)),
                    std::max(1.0, largest), 1);
    items_[i].impulse(part);
    degree_ += items_[i].degree();
  }
  now_.evaluate(island);
  best_ = now_;
}

double CoulombInteriorPoint::gap() const {
  double sum = 0;
  for (const ItemBarrier& item : items_) sum += item.gap();
  return degree_ > 0 ? sum / degree_ : 0;
}

// The direction towards mu; how far it goes before something leaves its cone, at most 1.
double CoulombInteriorPoint::solveFor(ContactIsland& island, double mu, bool corrected) {
  ImpulseOperator& W = island.W();
  for (int i = 0; i < W.itemCount(); ++i) {
    const std::size_t first = at(W.firstRow(i)), rows = at(W.rowsOf(i));
    items_[at(i)].aim(mu, corrected ? 1 : 0, std::span(now_.omega).subspan(first, rows),
                      std::span(r_).subspan(first, rows),
                      std::span(residual_).subspan(first, rows));
  }
  W.solveOnce(r_, residual_, d_pi_, d_omega_);
  double most = 0;
  for (int i = 0; i < W.itemCount(); ++i) {
    const std::size_t first = at(W.firstRow(i)), rows = at(W.rowsOf(i));
    most = std::max(most, items_[at(i)].direct(std::span(d_pi_).subspan(first, rows),
                                               std::span(d_omega_).subspan(first, rows)));
  }
  return 1 / std::max(1.0, most / kToBoundary);
}

bool CoulombInteriorPoint::stepOnce(ContactIsland& island, double& length) {
  ImpulseOperator& W = island.W();
  const double mu = gap();
  const double delta = std::clamp(kSoftness * mu, kLeastSoftness, kMostSoftness);
  for (int i = 0; i < W.itemCount(); ++i)
    items_[at(i)].scale(delta, {S_.data() + W.firstOfBlock(i), W.rowsOf(i), W.rowsOf(i)});
  if (!W.factor(S_, ImpulseOperator::Symmetry::general)) return false;
  const double left = 1 - solveFor(island, 0, false);
  const double sigma = left * left * left;
  length = solveFor(island, sigma * mu, true);
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const ContactItem& item = island.items()[i];
    items_[i].move(length);
    items_[i].impulse(std::span(now_.pi).subspan(at(item.first), at(item.rows)));
  }
  now_.evaluate(island);
  return std::isfinite(now_.residual);
}

bool CoulombInteriorPoint::run(ContactSearch& search, double enough, int limit) {
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
