#include "solvers/exact/central_path.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

// In [1, 2): the golden ratio's multiples are spread evenly.
double spread(std::uint64_t k) {
  return 1 + static_cast<double>((k * 0x9E3779B97F4A7C15u) >> 11) * 0x1p-53;
}

double largest(std::span<const double> x) {
  double most = 0;
  for (const double value : x) most = std::abs(value) <= most ? most : std::abs(value);
  return most;
}

std::span<double> part(std::vector<double>& x, const Cone& cone) {
  return std::span(x).subspan(cone.first, cone.rows);
}

}  // namespace

bool CentralPath::start(Search& search, double kappa, std::uint64_t seed) {
  const ScaledIsland& island = search.island();
  const std::size_t rows = island.rowCount();
  for (auto* x : {&d_, &p_, &velocity_, &residual_, &ahead_, &tangent_, &correction_, &r_, &s_, &u_,
                  &d_p_, &d_velocity_})
    x->assign(rows, 0.0);
  S_.resize(island.W().blockEntries());
  kappa_ = kappa;
  placePoints(island, seed);
  island.velocity(p_, residual_);
  t_ = settings_.far_away * std::max(1.0, largest(residual_));
  eps_ = settings_.first_eps;
  step_ = settings_.first_step;
  orientation_ = 0;
  evaluate(island);
  return reachPath(search);
}

// p = kappa / d.
void CentralPath::placePoints(const ScaledIsland& island, std::uint64_t seed) {
  points_.resize(island.cones().size());
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const Cone& cone = island.cones()[i];
    if (cone.kind == Cone::Kind::lorentz) {
      d_[cone.first] = spread(seed * points_.size() + i + 1);
      p_[cone.first] = kappa_ / d_[cone.first];
    }
    points_[i].start(cone, part(p_, cone), kappa_);
  }
}

void CentralPath::evaluate(const ScaledIsland& island) {
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const Cone& cone = island.cones()[i];
    points_[i].impulse(part(p_, cone));
    points_[i].velocity(c(), part(velocity_, cone));
  }
  island.velocity(p_, residual_);
  for (std::size_t k = 0; k < p_.size(); ++k) residual_[k] += t_ * d_[k] - velocity_[k];
  norm_ = 0;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const double norm = points_[i].relativeNorm(c(), eps_, part(residual_, island.cones()[i]));
    norm_ = norm <= norm_ ? norm_ : norm;
  }
}

bool CentralPath::linearize(Search& search) {
  search.count();
  Delassus& W = search.island().W();
  for (int i = 0; i < W.coneCount(); ++i)
    points_[i].linearize(c(), eps_, {S_.data() + W.firstOfBlock(i), W.rowsOf(i), W.rowsOf(i)});
  return W.factor(S_, Delassus::Symmetry::general);
}

void CentralPath::solveFor(ScaledIsland& island, std::span<const double> r,
                           std::span<const double> s, double d_log_c, std::span<double> u) {
  island.W().solve(r, s, d_p_, d_velocity_);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const Cone& cone = island.cones()[i];
    points_[i].direct(c(), d_log_c, part(d_p_, cone), part(d_velocity_, cone),
                      u.subspan(cone.first, cone.rows));
  }
}

void CentralPath::lookAhead(ScaledIsland& island) {
  for (std::size_t i = 0; i < points_.size(); ++i)
    points_[i].growth(c(), eps_, part(r_, island.cones()[i]));
  for (std::size_t k = 0; k < s_.size(); ++k) s_[k] = t_ * d_[k];
  solveFor(island, r_, s_, 1, ahead_);
}

void CentralPath::move(const ScaledIsland& island, double step, std::span<const double> u,
                       double d_log_t) {
  for (std::size_t k = 0; k < u_.size(); ++k) u_[k] = step * u[k];
  for (std::size_t i = 0; i < points_.size(); ++i) points_[i].move(part(u_, island.cones()[i]));
  t_ *= math::exp(step * d_log_t);
  evaluate(island);
}

// At constant t, or across the tangent; returns the size of the step.
double CentralPath::newtonStep(ScaledIsland& island, bool across) {
  std::fill(r_.begin(), r_.end(), 0.0);
  solveFor(island, r_, residual_, 0, correction_);
  double d_log_t = 0;
  if (across) {
    lookAhead(island);
    double back = 0, along = tangent_t_;
    for (std::size_t k = 0; k < ahead_.size(); ++k) {
      back += tangent_[k] * correction_[k];
      along += tangent_[k] * ahead_[k];
    }
    d_log_t = -back / along;
    for (std::size_t k = 0; k < ahead_.size(); ++k) correction_[k] += d_log_t * ahead_[k];
  }
  const double size = std::max(largest(correction_), std::abs(d_log_t));
  const double most = across ? settings_.largest : 1;
  if (!(across && size > most)) move(island, std::min(1.0, most / size), correction_, d_log_t);
  return size;
}

bool CentralPath::reachPath(Search& search) {
  current_ = false;
  for (int k = 0; k < settings_.first_steps && search.left() > 0; ++k) {
    if (norm_ <= settings_.near_enough) return true;
    if (!linearize(search) || !std::isfinite(newtonStep(search.island(), false))) return false;
  }
  return norm_ <= settings_.near_enough;
}

bool CentralPath::correct(Search& search) {
  moved_ = 0;
  current_ = false;
  for (int k = 0; k < settings_.corrections && search.left() > 0; ++k) {
    if (norm_ <= settings_.on_path) return true;
    if (!linearize(search)) return false;
    const double size = newtonStep(search.island(), true);
    if (!(size <= settings_.largest)) return false;
    moved_ += size;
    current_ = size <= settings_.small;
    if (current_ && (norm_ <= 1 || size <= settings_.tiny)) return true;
  }
  return norm_ <= settings_.on_path;
}

bool CentralPath::turnTangent(Search& search) {
  if (!current_) {
    if (!linearize(search)) return false;
    lookAhead(search.island());
  }
  const int sign = search.island().W().determinantSign();
  if (orientation_ == 0) orientation_ = sign;
  const double size = std::max(1.0, largest(ahead_));
  if (!std::isfinite(size)) return false;
  tangent_t_ = (sign == orientation_ ? -1 : 1) / size;
  for (std::size_t k = 0; k < tangent_.size(); ++k) tangent_[k] = tangent_t_ * ahead_[k];
  return true;
}

// One step, as long as the corrections allow.
bool CentralPath::advance(Search& search) {
  ScaledIsland& island = search.island();
  before_ = points_;
  const double t_before = t_;
  for (int tries = 0;
       tries < settings_.tries && step_ >= settings_.shortest_step && search.left() > 0; ++tries) {
    move(island, step_, tangent_, tangent_t_);
    if (correct(search) && moved_ <= settings_.share * step_ + settings_.allowance) {
      if (moved_ < 0.15 * step_) step_ = std::min(settings_.longer * step_, settings_.longest_step);
      if (moved_ > 0.4 * step_) step_ *= settings_.shorter;
      return true;
    }
    points_ = before_;
    t_ = t_before;
    step_ *= settings_.rejected;
  }
  evaluate(island);
  return false;
}

CentralPath::Outcome CentralPath::follow(Search& search, double end, std::int64_t limit) {
  const std::int64_t last = search.iterations() + limit;
  while (search.iterations() < last && search.left() > 0) {
    if (!turnTangent(search)) return Outcome::lost;
    if (!advance(search)) {
      if (!(eps_ < settings_.most_eps)) return Outcome::lost;
      eps_ *= 10;
      step_ = settings_.first_step / 10;
      current_ = false;
    }
    if (c() <= end) return Outcome::arrived;
  }
  return Outcome::limit;
}

}  // namespace stickslip
