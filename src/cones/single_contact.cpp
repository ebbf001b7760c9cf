#include "cones/single_contact.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "stickslip/elementary.hpp"

namespace stickslip {

struct SingleContact::Slide {
  Tangents p{};
  double p_n = 0;
  double excess = 0;  ///< |p_t| - p_n
  double slope = 0;   ///< of the excess in t
};

void SingleContact::prepare(ConstMatrixView A) {
  tangents_ = static_cast<std::size_t>(A.rows) - 1;
  mobility_ = A(0, 0);
  if (tangents_ == 0 || !(mobility_ > 0)) return;
  std::array<Tangents, kMostTangents> a{};
  for (int i = 1; i < A.rows; ++i) {
    column_[i - 1] = A(i, 0) / mobility_;
    for (int j = 1; j < A.rows; ++j) a[i - 1][j - 1] = A(i, j) - A(i, 0) * A(j, 0) / mobility_;
  }
  diagonalize(a);
  kappa_0_ = 0;
  for (std::size_t i = 0; i < tangents_; ++i) {
    lambda_[i] = std::max(a[i][i], 0.0);
    kappa_0_ = std::max(kappa_0_, lambda_[i]);
    n_[i] = 0;
    for (std::size_t k = 0; k < tangents_; ++k) n_[i] -= axes_[i][k] * column_[k];
  }
}

// Jacobi's rotations, in sweeps until nothing is left beside the diagonal; two rows need one.
void SingleContact::diagonalize(std::array<Tangents, kMostTangents>& a) {
  for (std::size_t i = 0; i < tangents_; ++i) {
    axes_[i].fill(0);
    axes_[i][i] = 1;
  }
  for (int sweep = 0; sweep < 12; ++sweep) {
    bool changed = false;
    for (std::size_t i = 0; i < tangents_; ++i)
      for (std::size_t j = i + 1; j < tangents_; ++j) {
        if (!(a[i][i] + std::abs(a[i][j]) != a[i][i] || a[j][j] + std::abs(a[i][j]) != a[j][j]))
          continue;
        changed = true;
        const double theta = (a[j][j] - a[i][i]) / (2 * a[i][j]);
        const double tangent =
            std::copysign(1 / (std::abs(theta) + math::hypot(theta, 1.0)), theta);
        const double cosine = 1 / math::hypot(tangent, 1.0), sine = tangent * cosine;
        const auto turn = [&](double& x, double& y) {
          const double first = cosine * x - sine * y;
          y = sine * x + cosine * y;
          x = first;
        };
        for (std::size_t k = 0; k < tangents_; ++k) turn(a[k][i], a[k][j]);
        for (std::size_t k = 0; k < tangents_; ++k) turn(a[i][k], a[j][k]);
        for (std::size_t k = 0; k < tangents_; ++k) turn(axes_[i][k], axes_[j][k]);
        a[i][j] = a[j][i] = 0;
      }
    if (!changed) return;
  }
}

// At kappa = kappa_0 t / (1 - t); t = 0 is sticking, t = 1 no friction.
SingleContact::Slide SingleContact::slideAt(const Tangents& b, double n_0, double t) const {
  Slide out;
  out.p_n = n_0;
  double square = 0, half_slope = 0, slope_n = 0;
  for (std::size_t i = 0; i < tangents_; ++i) {
    if (b[i] == 0) continue;
    const double d = lambda_[i] * (1 - t) + kappa_0_ * t;
    out.p[i] = -b[i] * (1 - t) / d;
    const double derivative = b[i] * kappa_0_ / (d * d);
    out.p_n += n_[i] * out.p[i];
    slope_n += n_[i] * derivative;
    square += out.p[i] * out.p[i];
    half_slope += out.p[i] * derivative;
  }
  const double length = std::sqrt(square);
  out.excess = length - out.p_n;
  out.slope = (length > 0 ? half_slope / length : 0) - slope_n;
  return out;
}

// The excess is positive at t = 0 (sticking would need too much friction) and negative at t = 1.
SingleContact::Slide SingleContact::findSlide(const Tangents& b, double n_0) const {
  double low = 0, high = 1, t = 0.5;
  Slide slide = slideAt(b, n_0, t);
  for (int pass = 0; pass < 100; ++pass) {
    (slide.excess > 0 ? low : high) = t;
    double next = t - slide.excess / slide.slope;
    if (!(next > low && next < high)) next = low + (high - low) / 2;
    if (next == t || !(next > low && next < high)) break;
    t = next;
    slide = slideAt(b, n_0, t);
  }
  return slide;
}

void SingleContact::solve(std::span<const double> b, std::span<double> p) const {
  std::fill(p.begin(), p.end(), 0.0);
  if (b[0] >= 0 || !(mobility_ > 0)) return;
  const double n_0 = -b[0] / mobility_;
  p[0] = n_0;
  if (tangents_ == 0 || !(kappa_0_ > 0)) return;
  if (tangents_ == 1) return solveInPlane(b[1] - column_[0] * b[0], n_0, p);
  Tangents turned{};
  for (std::size_t i = 0; i < tangents_; ++i)
    for (std::size_t k = 0; k < tangents_; ++k)
      turned[i] += axes_[i][k] * (b[k + 1] - column_[k] * b[0]);
  Slide slide = slideAt(turned, n_0, 0);
  if (!(slide.excess <= 0)) slide = findSlide(turned, n_0);
  p[0] = slide.p_n;
  for (std::size_t i = 0; i < tangents_; ++i)
    for (std::size_t k = 0; k < tangents_; ++k) p[k + 1] += axes_[i][k] * slide.p[i];
}

// With one tangent p_n = n_0 + n p_t, where p_t = -b / lambda if it sticks and else +-p_n.
void SingleContact::solveInPlane(double b, double n_0, std::span<double> p) const {
  p[1] = -b / lambda_[0];
  p[0] = n_0 + n_[0] * p[1];
  if (std::abs(p[1]) <= p[0]) return;
  const double way = std::copysign(1.0, -b);
  p[0] = n_0 / (1 - way * n_[0]);
  p[1] = way * p[0];
}

namespace {

constexpr int kProjectedSteps = 6;

}  // namespace

void ConeSolves::reserve(int cones, int rows) {
  contacts_.reserve(cones);
  first_.reserve(cones);
  rows_.reserve(cones);
  blocks_.reserve(3 * rows);
}

void ConeSolves::clear() {
  contacts_.clear();
  blocks_.clear();
  first_.clear();
  rows_.clear();
}

int ConeSolves::add(const Cone& cone, ConstMatrixView A) {
  contacts_.emplace_back();
  if (cone.kind == Cone::Kind::lorentz) contacts_.back().prepare(A);
  first_.push_back(blocks_.size());
  rows_.push_back(A.rows);
  blocks_.insert(blocks_.end(), A.data, A.data + A.rows * A.rows);
  return static_cast<int>(rows_.size()) - 1;
}

ConstMatrixView ConeSolves::block(int index) const {
  return {blocks_.data() + first_[index], rows_[index], rows_[index]};
}

void ConeSolves::solve(int index, const Cone& cone, Law law, std::span<const double> b,
                       std::span<double> p) const {
  const double mobility = block(index)(0, 0);
  switch (cone.kind) {
    case Cone::Kind::lorentz:
      if (law == Law::coulomb) return contacts_[index].solve(b, p);
      return projectedSteps(index, cone, law, b, p);
    case Cone::Kind::polygon:
    case Cone::Kind::sections:
    case Cone::Kind::load_independent:
      return projectedSteps(index, cone, law, b, p);
    case Cone::Kind::interval:
      if (mobility > 0) p[0] = std::clamp(-b[0] / mobility, cone.lower, cone.upper);
      return;
    case Cone::Kind::joint:
      if (mobility > 0) p[0] = -b[0] / mobility;
      return;
  }
}

void ConeSolves::projectedSteps(int index, const Cone& cone, Law law, std::span<const double> b,
                                std::span<double> p) const {
  const ConstMatrixView A = block(index);
  double trace = 0;
  for (int k = 0; k < A.rows; ++k) trace += A(k, k);
  if (!(trace > 0)) return;
  std::array<double, kMostRows> u{};
  const std::span<double> part = std::span(u).first(p.size());
  for (int step = 0; step < kProjectedSteps; ++step) {
    for (std::size_t k = 0; k < p.size(); ++k) {
      const std::span<const double> row = A.row(static_cast<int>(k));
      part[k] = b[k];
      for (std::size_t j = 0; j < p.size(); ++j) part[k] += row[j] * p[j];
    }
    part[0] += slipOf(cone, law, part);
    for (std::size_t k = 0; k < p.size(); ++k) p[k] -= part[k] / trace;
    project(cone, p);
  }
}

}  // namespace stickslip
