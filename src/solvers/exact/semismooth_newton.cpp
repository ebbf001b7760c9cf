#include "solvers/exact/semismooth_newton.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stickslip {
void SemismoothNewton::reserve(int rows) {
  const std::size_t n = rows;
  for (Iterate* point : {&now_, &trial_}) {
    point->p.reserve(n);
    point->u.reserve(n);
  }
  for (auto* x : {&rhs_, &zero_, &d_p_, &d_u_}) x->reserve(n);
  S_.reserve(3 * n);
}

void SemismoothNewton::run(Search& search, IslandSweeps& sweeps, std::span<const double> p,
                           int steps) {
  ScaledIsland& island = search.island();
  now_.p.assign(p.begin(), p.end());
  now_.u.resize(p.size());
  now_.evaluate(island);
  search.offer(now_);
  if (now_.residual <= settings_.rounding) return;
  merit_ = meritOf(island, now_);
  trial_.resize(island.rowCount());
  for (auto* x : {&rhs_, &zero_, &d_p_, &d_u_}) x->assign(p.size(), 0.0);
  S_.resize(island.W().blockEntries());
  form_ = {settings_.forecast,
           std::min(settings_.first_proximal, std::max(now_.residual, settings_.least_proximal))};
  bool quick = false;
  double earlier = search.best().residual;
  for (int k = 0; (k < steps || quick) && search.left() > 0; ++k) {
    const double before = search.best().residual;
    if (!tryStep(search) && search.left() > 0) {
      search.count();
      trial_.p = now_.p;
      sweeps.sweep(island, 1, trial_.p);
      trial_.evaluate(island);
      const double merit = meritOf(island, trial_);
      if (merit < merit_) {
        std::swap(now_, trial_);
        merit_ = merit;
      }
    }
    search.offer(now_);
    const double after = search.best().residual;
    quick = after < before / settings_.quick;
    if (k % settings_.patience == settings_.patience - 1) {
      if (!(after <= earlier / 2)) return;
      earlier = after;
    }
    if (after <= settings_.rounding || (search.solved() && !quick)) return;
  }
}

bool SemismoothNewton::direction(ScaledIsland& island) {
  Delassus& W = island.W();
  for (int i = 0; i < W.coneCount(); ++i) {
    const std::size_t first = W.firstRow(i);
    const std::size_t rows = W.rowsOf(i);
    linearizeLaw(island.cones()[i], form_, std::span(now_.p).subspan(first, rows),
                 std::span(now_.u).subspan(first, rows),
                 {S_.data() + W.firstOfBlock(i), W.rowsOf(i), W.rowsOf(i)},
                 std::span(rhs_).subspan(first, rows));
  }
  if (!W.factor(S_, Delassus::Symmetry::general)) return false;
  W.solve(rhs_, zero_, d_p_, d_u_);
  return true;
}

bool SemismoothNewton::tryStep(Search& search) {
  ScaledIsland& island = search.island();
  search.count();
  if (direction(island)) {
    double share = 1;
    for (int halving = 0; halving < settings_.halvings; ++halving, share /= 2) {
      for (std::size_t k = 0; k < d_p_.size(); ++k) trial_.p[k] = now_.p[k] + share * d_p_[k];
      trial_.evaluate(island);
      const double merit = meritOf(island, trial_);
      if (!(merit < (1 - settings_.decrease * share) * merit_)) continue;
      std::swap(now_, trial_);
      merit_ = merit;
      form_.eps = share == 1 ? std::max(form_.eps / 10, settings_.least_proximal)
                             : std::min(2 * form_.eps, settings_.most_proximal);
      return true;
    }
  }
  form_.eps = std::min(10 * form_.eps, settings_.most_proximal);
  return false;
}

}  // namespace stickslip
