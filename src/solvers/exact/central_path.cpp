#include "solvers/exact/central_path.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

using Kind = Cone::Kind;
// Impulses without bounds have no barrier; they are held by their velocity alone.
constexpr double kFreeSoftness = 1e-8;
// No step changes a spectral value by more than this power of e.
constexpr double kLongest = 40;

}  // namespace

bool CentralPoint::isFree() const {
  return cone_.kind == Kind::joint || (cone_.kind == Kind::interval &&
                                       !std::isfinite(cone_.lower) && !std::isfinite(cone_.upper));
}

void CentralPoint::start(const Cone& cone, std::span<const double> p, double inside) {
  cone_ = cone;
  rows_ = p.size();
  if (isFree()) {
    plus_ = p[0];
  } else if (cone.kind == Kind::interval) {
    const double range = cone.upper - cone.lower;
    const double margin = std::min(inside, std::isfinite(range) ? range / 4 : inside);
    plus_ = std::max(p[0] - cone.lower, margin);
    if (std::isfinite(range)) plus_ = std::min(plus_, range - margin);
    minus_ = std::max(cone.upper - p[0], margin);
    if (std::isfinite(range)) minus_ = range - plus_;
  } else {
    double side = 0;
    for (std::size_t k = 1; k < rows_; ++k) side += p[k] * p[k];
    side = std::sqrt(side);
    axis_.fill(0);
    for (std::size_t k = 1; k < rows_; ++k) axis_[k] = side > 0 ? p[k] / side : (k == 1 ? 1 : 0);
    double low = p[0] - side, high = p[0] + side;
    if (rows_ == 1) low = high;
    minus_ = std::max(low, inside);
    plus_ = std::max(high, minus_);
  }
}

void CentralPoint::impulse(std::span<double> p) const {
  if (isFree()) {
    p[0] = plus_;
  } else if (cone_.kind == Kind::interval) {
    p[0] = std::isfinite(cone_.lower) ? cone_.lower + plus_ : cone_.upper - minus_;
  } else {
    p[0] = (plus_ + minus_) / 2;
    for (std::size_t k = 1; k < rows_; ++k) p[k] = (plus_ - minus_) / 2 * axis_[k];
  }
}

CentralPoint::Vector CentralPoint::dual(double c) const {
  Vector z{};
  const double high = c / minus_, low = c / plus_;
  z[0] = (high + low) / 2;
  for (std::size_t k = 1; k < rows_; ++k) z[k] = (low - high) / 2 * axis_[k];
  return z;
}

void CentralPoint::velocity(double c, std::span<double> u) const {
  if (isFree()) {
    u[0] = 0;
  } else if (cone_.kind == Kind::interval) {
    u[0] = (std::isfinite(cone_.lower) ? c / plus_ : 0) -
           (std::isfinite(cone_.upper) ? c / minus_ : 0);
  } else {
    const Vector z = dual(c);
    for (std::size_t k = 0; k < rows_; ++k) u[k] = z[k];
    if (rows_ > 1) {
      const double side = (c / minus_ - c / plus_) / 2;
      u[0] -= side * side / z[0];
    }
  }
}

// c / a^2 + c / b^2 of an interval.
double CentralPoint::rowStiffness(double c) const {
  return (std::isfinite(cone_.lower) ? c / (plus_ * plus_) : 0) +
         (std::isfinite(cone_.upper) ? c / (minus_ * minus_) : 0);
}

// d z_n = own d u_n + tangential . d u_t.
void CentralPoint::normalSlopes(double c, double& own, Vector& tangential) const {
  const Vector z = dual(c);
  double square = 0;
  for (std::size_t k = 1; k < rows_; ++k) square += z[k] * z[k];
  own = 1 / (1 + square / (z[0] * z[0]));
  for (std::size_t k = 1; k < rows_; ++k) tangential[k] = own * 2 * z[k] / z[0];
}

void CentralPoint::linearize(double c, double eps, MatrixView S) const {
  if (isFree()) {
    S(0, 0) = 1 / kFreeSoftness;
    return;
  }
  if (cone_.kind == Kind::interval) {
    S(0, 0) = 1 / (rowStiffness(c) + eps);
    return;
  }
  const auto softened = [&](double g) { return g / (1 + eps * g); };
  const double high = softened(plus_ * plus_ / c), low = softened(minus_ * minus_ / c);
  if (rows_ == 1) {
    S(0, 0) = high;
    return;
  }
  const double across = softened(plus_ * minus_ / c);
  const double mean = (high + low) / 2, half = (high - low) / 2;
  double own = 1;
  Vector slope{};
  normalSlopes(c, own, slope);
  S(0, 0) = mean * own;
  for (int i = 1; i < S.rows; ++i) {
    const double a_i = axis_[i];
    S(0, i) = half * a_i + mean * slope[i];
    S(i, 0) = half * a_i * own;
    for (int j = 1; j < S.rows; ++j) {
      const std::size_t k = j;
      S(i, j) = (i == j ? across : 0) + (mean - across) * a_i * axis_[k] + half * a_i * slope[k];
    }
  }
}

void CentralPoint::growth(double c, double eps, std::span<double> out) const {
  if (isFree()) {
    out[0] = 0;
  } else if (cone_.kind == Kind::interval) {
    out[0] = ((std::isfinite(cone_.lower) ? c / plus_ : 0) -
              (std::isfinite(cone_.upper) ? c / minus_ : 0)) /
             (rowStiffness(c) + eps);
  } else {
    const double high = plus_ / (1 + eps * plus_ * plus_ / c);
    const double low = minus_ / (1 + eps * minus_ * minus_ / c);
    out[0] = (high + low) / 2;
    for (std::size_t k = 1; k < rows_; ++k) out[k] = (high - low) / 2 * axis_[k];
  }
}

double CentralPoint::relativeNorm(double c, double eps, std::span<const double> v) const {
  if (isFree()) return std::abs(v[0]) / std::sqrt(c);
  if (cone_.kind == Kind::interval) return std::abs(v[0]) / std::sqrt((rowStiffness(c) + eps) * c);
  double along = 0;
  for (std::size_t k = 1; k < rows_; ++k) along += axis_[k] * v[k];
  // The square root of the softened G.
  const auto weight = [&](double square) { return std::sqrt(square / (c + eps * square) / c); };
  const double high = (v[0] + along) * weight(plus_ * plus_);
  const double low = (v[0] - along) * weight(minus_ * minus_);
  double square = rows_ == 1 ? high * high : (high * high + low * low) / 2;
  const double across_weight = weight(plus_ * minus_);
  for (std::size_t k = 1; k < rows_; ++k) {
    const double across = (v[k] - along * axis_[k]) * across_weight;
    square += across * across;
  }
  return std::sqrt(square);
}

void CentralPoint::direct(double c, double d_log_c, std::span<const double> d_p,
                          std::span<const double> d_u, std::span<double> u) const {
  if (!isCone()) {
    u[0] = d_p[0];
    return;
  }
  // A spectral value changes by what is seen on the side where it is large: p, or z.
  const auto relative = [&](double p, double d, double d_z) {
    return p * p >= c ? d / p : d_log_c - d_z * p / c;
  };
  if (rows_ == 1) {
    u[0] = relative(plus_, d_p[0], d_u[0]);
    return;
  }
  double own = 1;
  Vector slope{};
  normalSlopes(c, own, slope);
  double d_z = own * d_u[0], along_p = 0, along_z = 0;
  for (std::size_t k = 1; k < rows_; ++k) {
    d_z += slope[k] * d_u[k];
    along_p += axis_[k] * d_p[k];
    along_z += axis_[k] * d_u[k];
  }
  const double high = relative(plus_, d_p[0] + along_p, d_z + along_z);
  const double low = relative(minus_, d_p[0] - along_p, d_z - along_z);
  const double root = std::sqrt(plus_ * minus_);
  const double scale = nearBoundary() ? (plus_ - minus_) / 2 : root;
  u[0] = (high + low) / 2;
  for (std::size_t k = 1; k < rows_; ++k) {
    const double p_part = d_p[k] - along_p * axis_[k];
    const double z_part = d_u[k] - along_z * axis_[k];
    u[k] = (high - low) / 2 * axis_[k] +
           (root * root >= c ? p_part : -z_part * root * root / c) / scale;
  }
}

void CentralPoint::move(std::span<const double> u) {
  if (isFree()) {
    plus_ += u[0];
    return;
  }
  if (cone_.kind == Kind::interval) {
    const bool below = std::isfinite(cone_.lower), above = std::isfinite(cone_.upper);
    if (below && above) {
      const double range = cone_.upper - cone_.lower;
      const double turn = std::clamp(u[0] * (1 / plus_ + 1 / minus_), -kLongest, kLongest);
      const double ratio = plus_ / minus_ * math::exp(turn);
      plus_ = range * ratio / (1 + ratio);
      minus_ = range / (1 + ratio);
    } else if (below) {
      plus_ *= math::exp(std::clamp(u[0] / plus_, -kLongest, kLongest));
    } else {
      minus_ *= math::exp(std::clamp(-u[0] / minus_, -kLongest, kLongest));
    }
    return;
  }
  if (rows_ == 1) {
    plus_ *= math::exp(std::clamp(u[0], -kLongest, kLongest));
    minus_ = plus_;
    return;
  }
  if (nearBoundary())
    turn(u);
  else
    moveInside(u);
}

// Spectral values by the parts of u along the axis, the axis by an angle.
void CentralPoint::turn(std::span<const double> u) {
  double along = 0, square = 0;
  for (std::size_t k = 1; k < rows_; ++k) along += u[k] * axis_[k];
  Vector across{};
  for (std::size_t k = 1; k < rows_; ++k) {
    across[k] = u[k] - along * axis_[k];
    square += across[k] * across[k];
  }
  const double angle = std::sqrt(square);
  const auto [sine, cosine] = math::sinCos(angle);
  double length = 0;
  for (std::size_t k = 1; k < rows_; ++k) {
    axis_[k] = cosine * axis_[k] + (angle > 0 ? sine * across[k] / angle : 0);
    length += axis_[k] * axis_[k];
  }
  length = std::sqrt(length);
  for (std::size_t k = 1; k < rows_; ++k) axis_[k] /= length;
  plus_ *= math::exp(std::clamp(u[0] + along, -kLongest, kLongest));
  minus_ *= math::exp(std::clamp(u[0] - along, -kLongest, kLongest));
  if (minus_ > plus_) {
    std::swap(minus_, plus_);
    for (std::size_t k = 1; k < rows_; ++k) axis_[k] = -axis_[k];
  }
}

// exp(u) = e^u_n (cosh |u_t|, sinh |u_t| u_t / |u_t|).
void CentralPoint::moveInside(std::span<const double> u) {
  double side = 0;
  for (std::size_t k = 1; k < rows_; ++k) side += u[k] * u[k];
  side = std::sqrt(side);
  const double factor = math::exp(std::clamp(u[0], -kLongest, kLongest));
  const double angle = std::min(side, kLongest);
  const double sinh = math::sinh(angle), cosh = math::cosh(angle);
  Vector e{};
  double along = 0;
  for (std::size_t k = 1; k < rows_; ++k) {
    e[k] = side > 0 ? sinh * u[k] / side : 0;
    along += e[k] * axis_[k];
  }
  const double determinant = plus_ * minus_ * factor * factor;
  const double high = plus_ * factor * (cosh + along), low = minus_ * factor * (cosh - along);
  const double root = std::sqrt(plus_ * minus_) * factor;
  Vector tangent{};
  double square = 0;
  for (std::size_t k = 1; k < rows_; ++k) {
    tangent[k] = (high - low) / 2 * axis_[k] + root * (e[k] - along * axis_[k]);
    square += tangent[k] * tangent[k];
  }
  const double length = std::sqrt(square);
  if (length > 0)
    for (std::size_t k = 1; k < rows_; ++k) axis_[k] = tangent[k] / length;
  plus_ = (high + low) / 2 + length;
  minus_ = determinant / plus_;
}

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
