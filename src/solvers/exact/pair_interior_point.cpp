#include "solvers/exact/pair_interior_point.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace stickslip {
void PairInteriorPoint::prepare(const LawPairs& pairs, ScaledIsland& island) {
  pairs_ = &pairs;
  island_ = &island;
  factorizations_ = 0;
  const std::size_t size = pairs.size();
  for (auto* x : {&gap_, &a_, &rho_, &dz_, &dw_, &last_dz_, &last_dw_, &R_}) x->assign(size, 0.0);
  for (auto* x : {&p_, &u_}) x->resize(island.rowCount());
}

void PairInteriorPoint::startCold(const LawPairs& pairs, ScaledIsland& island) {
  prepare(pairs, island);
  z_.assign(pairs.size(), 0.0);
  w_.assign(pairs.size(), 0.0);
  for (std::size_t k = 0; k < this->pairs(); ++k) {
    z_[k] = std::sqrt(pairs.weight()[k] / pairs.E()[k]);
    w_[k] = std::sqrt(pairs.weight()[k] * pairs.E()[k]);
  }
}

void PairInteriorPoint::startAt(const LawPairs& pairs, ScaledIsland& island,
                                std::span<const double> z, std::span<const double> w) {
  prepare(pairs, island);
  z_.assign(z.begin(), z.end());
  w_.assign(w.begin(), w.end());
}

double PairInteriorPoint::sigmaAfter(double step) const {
  double sum = 0;
  for (std::size_t k = 0; k < pairs(); ++k)
    sum += (z_[k] + step * dz_[k]) * (w_[k] + step * dw_[k]) / pairs_->weight()[k];
  return sum / static_cast<double>(std::max<std::size_t>(pairs(), 1));
}

void PairInteriorPoint::evaluate(double prox) {
  pairs_->impulses(z_, p_);
  island_->velocity(p_, u_);
  pairs_->velocities(u_, z_, gap_);
  for (std::size_t k = 0; k < z_.size(); ++k) {
    const bool free = k >= pairs();
    gap_[k] = free ? -gap_[k] : w_[k] - gap_[k];
    a_[k] =
        free ? settings_.joint_softness * pairs_->E()[k] : w_[k] / z_[k] + prox * pairs_->E()[k];
  }
}

// Solves z dw + w dz = R together with the linear equations.
double PairInteriorPoint::direction(std::span<double> dz, std::span<double> dw) {
  for (std::size_t k = 0; k < z_.size(); ++k) rho_[k] = gap_[k] + (k < pairs() ? R_[k] / z_[k] : 0);
  const double error = system_.solve(rho_, dz);
  for (std::size_t k = 0; k < pairs(); ++k) dw[k] = (R_[k] - w_[k] * dz[k]) / z_[k];
  return error;
}

// To the boundary, at most 1.
double PairInteriorPoint::longestStep() const {
  double inverse = settings_.to_boundary;
  for (std::size_t k = 0; k < pairs(); ++k)
    inverse = std::max({inverse, -dz_[k] / z_[k], -dw_[k] / w_[k]});
  return std::min(1.0, settings_.to_boundary / inverse);
}

double PairInteriorPoint::recentre(double centre, double step) {
  for (int c = 0; c < settings_.corrections && step < settings_.far_enough; ++c) {
    last_dz_ = dz_;
    last_dw_ = dw_;
    const double ahead = std::min(1.0, step + settings_.ahead);
    for (std::size_t i = 0; i < pairs(); ++i) {
      const double aim = centre * pairs_->weight()[i];
      const double product = (z_[i] + ahead * dz_[i]) * (w_[i] + ahead * dw_[i]);
      R_[i] += std::max(std::clamp(product, aim / settings_.far, aim * settings_.far) - product,
                        -aim * settings_.far);
    }
    const bool accurate = direction(dz_, dw_) <= settings_.accurate;
    const double next = longestStep();
    if (!accurate || !(next >= step)) {
      std::swap(dz_, last_dz_);
      std::swap(dw_, last_dw_);
      return step;
    }
    if (next < settings_.worthwhile * step) return next;
    step = next;
  }
  return step;
}

bool PairInteriorPoint::run(const Limits& limits) {
  int short_steps = 0;
  for (std::int64_t k = 0; k < limits.iterations; ++k) {
    std::fill(dz_.begin(), dz_.end(), 0.0);
    std::fill(dw_.begin(), dw_.end(), 0.0);
    const double now = sigmaAfter(0);
    if (now <= limits.sigma) return true;
    evaluate(limits.prox);
    ++factorizations_;
    if (!system_.factor(*pairs_, island_->W(), a_)) return false;
    for (std::size_t i = 0; i < pairs(); ++i) R_[i] = -z_[i] * w_[i];
    if (!(direction(dz_, dw_) <= settings_.accurate)) return false;
    const double after = sigmaAfter(longestStep());
    const double ratio = std::clamp(after / now, 0.0, 1.0);
    const double centre = settings_.centring * ratio * ratio * ratio * now;
    for (std::size_t i = 0; i < pairs(); ++i)
      R_[i] = centre * pairs_->weight()[i] - z_[i] * w_[i] - dz_[i] * dw_[i];
    if (!(direction(dz_, dw_) <= settings_.accurate)) return false;
    const double step = recentre(centre, longestStep());
    for (std::size_t i = 0; i < pairs(); ++i) {
      z_[i] += step * dz_[i];
      w_[i] += step * dw_[i];
    }
    for (std::size_t i = pairs(); i < z_.size(); ++i) z_[i] += step * dz_[i];
    short_steps = step < settings_.short_step ? short_steps + 1 : 0;
    if (short_steps >= settings_.most_short_steps) return false;
  }
  return sigmaAfter(0) <= limits.sigma;
}

}  // namespace stickslip
