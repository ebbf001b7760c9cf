// ConeBarrier of Lorentz cones |p_t| <= p_n of N rows, with the scaling of Nesterov and Todd
// (1997): the symmetric map H with p = H^2 z,
//
//   H^2 = eta^2 (2 w w' - J),   J = diag(1, -1, ...),   w_n^2 - |w_t|^2 = 1,
//
// and the centre lambda = H z = H^-1 p. H^2 is kept by its eigenvalues eta^2 (w_n +- |w_t|)^2 and
// eta^2, which stay positive where the entries of the matrix lose it to rounding.
//
// With Coulomb's law z approaches u + |u_t| e_n, linearized at z: T u with T = 1 + e_n slope',
// slope = z_t / |z_t|. T u and T d_u stand where u and d_u are with the relaxed law, whose T is 1.
//
// The algebra of these cones is that of Alizadeh & Goldfarb, "Second-order cone programming"
// (2003).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "solvers/interior_point/cone_barrier.hpp"

namespace stickslip {

template <std::size_t N>
using LorentzVector = std::array<double, N>;

template <std::size_t N>
double tangentialDot(const LorentzVector<N>& a, const LorentzVector<N>& b) {
  double sum = 0;
  for (std::size_t k = 1; k < N; ++k) sum += a[k] * b[k];
  return sum;
}

template <std::size_t N>
double tangentialNorm(const LorentzVector<N>& a) {
  return std::sqrt(tangentialDot(a, a));
}

template <std::size_t N>
LorentzVector<N> load(std::span<const double> x, std::size_t first) {
  LorentzVector<N> out;
  for (std::size_t k = 0; k < N; ++k) out[k] = x[first + k];
  return out;
}

// The root of x'J x of a point inside; of one that rounding has put on the boundary, nearly zero.
template <std::size_t N>
double hyperbolicNorm(const LorentzVector<N>& x) {
  const double side = tangentialNorm(x);
  const double least = std::numeric_limits<double>::epsilon() * x[0];
  return std::sqrt(std::max(x[0] - side, least) * (x[0] + side));
}

// a o b of the Jordan algebra.
template <std::size_t N>
LorentzVector<N> jordanProduct(const LorentzVector<N>& a, const LorentzVector<N>& b) {
  LorentzVector<N> out;
  out[0] = a[0] * b[0] + tangentialDot(a, b);
  for (std::size_t k = 1; k < N; ++k) out[k] = a[0] * b[k] + b[0] * a[k];
  return out;
}

// x with a o x = b, for a inside the cone.
template <std::size_t N>
LorentzVector<N> jordanQuotient(const LorentzVector<N>& b, const LorentzVector<N>& a) {
  const double norm = hyperbolicNorm(a);
  const double across = tangentialDot(a, b);
  LorentzVector<N> out;
  out[0] = (a[0] * b[0] - across) / (norm * norm);
  for (std::size_t k = 1; k < N; ++k) out[k] = (b[k] - a[k] * out[0]) / a[0];
  return out;
}

// How many times the way to the boundary x + d goes, seen from x inside the cone: <= 1 inside.
template <std::size_t N>
double boundaryRatio(const LorentzVector<N>& x, const LorentzVector<N>& d) {
  const double norm = hyperbolicNorm(x);
  const double along = (x[0] * d[0] - tangentialDot(x, d)) / norm;
  const double factor = (along + d[0]) / (x[0] / norm + 1);
  double square = 0;
  for (std::size_t k = 1; k < N; ++k) {
    const double part = d[k] - factor * x[k] / norm;
    square += part * part;
  }
  return (std::sqrt(square) - along) / norm;
}

template <std::size_t N>
void pushInside(LorentzVector<N>& x, double margin) {
  const double side = tangentialNorm(x);
  // The nearest point of the cone, then up.
  if (side > x[0]) {
    const double n = std::max(0.0, (x[0] + side) / 2);
    for (std::size_t k = 1; k < N; ++k) x[k] *= side > 0 ? n / side : 0;
    x[0] = n;
  }
  x[0] = std::max(x[0], tangentialNorm(x) + margin);
}

/// One cone of an interior point method: its z, the scaling, and the direction. p is the caller's.
template <std::size_t N>
class LorentzCone {
 public:
  using Vector = LorentzVector<N>;

  /// p, and z next to u_hat, inside, the least spectral values at least so large.
  void enter(Law law, double impulse, double velocity, Vector& p, const Vector& u);
  const Vector& z() const { return z_; }
  /// The normal velocity that belongs to z.
  double normalVelocity() const { return z_[0] - slip(); }
  /// Finds H.
  void scale(double delta, const Vector& p);
  /// S of the first `rows` rows, row-major.
  void fill(std::size_t rows, double* S) const;
  /// The product of p and z to aim at.
  void aim(double mu, double correction);
  void recentre(double step, double mu);
  void aimAsBefore() { target_ = last_target_; }
  /// r: d_p where d_u is zero.
  Vector push(const Vector& u) const;
  /// Takes a direction: how many times the way to the boundary it goes.
  double direct(const Vector& d_p, const Vector& u, const Vector& d_u);
  void move(double step) {
    for (std::size_t k = 0; k < N; ++k) z_[k] += step * d_z_[k];
  }

 private:
  /// The function of H^2 with these values at the eigenvalues along (1, axis), (1, -axis) and
  /// across, times x.
  Vector spectral(double plus, double minus, double across, const Vector& x) const;
  /// Values of l / (1 + delta l) at the three eigenvalues l.
  std::array<double, 3> softened() const;
  Vector timesScaling(const Vector& x) const;
  double slip() const { return slips_ ? tangentialNorm(z_) : 0; }
  /// T x.
  Vector withSlope(const Vector& x) const;

  bool slips_ = false;  ///< Coulomb's law
  double delta_ = 0;
  double eta_ = 1;
  double stretch_ = 1;  ///< w_n + |w_t|
  Vector z_{};
  Vector axis_{};   ///< unit vector along w_t, in the places 1 ... N - 1
  Vector slope_{};  ///< likewise along z_t
  Vector lambda_{};
  Vector d_z_{};
  Vector target_{};  ///< of the product of p and z, scaled
  Vector last_target_{};
  Vector second_{};  ///< product of the scaled directions
};

extern template class LorentzCone<2>;
extern template class LorentzCone<3>;
extern template class LorentzCone<4>;
extern template class LorentzCone<5>;
extern template class LorentzCone<6>;

/// All cones of N rows; with Coulomb's law also the circles about the corners of polygons, which
/// are near enough for a start.
template <std::size_t N>
class LorentzCones final : public ConeBarrier {
 public:
  void select(const ConvexProblem& problem) override;
  bool isEmpty() const override { return contacts_.empty(); }
  int degree() const override { return static_cast<int>(contacts_.size()); }
  void enter(double impulse, double velocity, std::span<double> p,
             std::span<const double> u) override;
  double gap(std::span<const double> p) const override;
  void scale(double delta, std::span<const double> p, std::span<double> S) override;
  void aim(double mu, double correction, std::span<const double> p, std::span<const double> u,
           std::span<double> r) override;
  void recentre(double step, double mu, std::span<const double> u, std::span<double> r) override;
  void aimAsBefore(std::span<const double> u, std::span<double> r) override;
  double direct(std::span<const double> p, std::span<const double> u, std::span<const double> d_p,
                std::span<const double> d_u) override;
  void move(double step, std::span<double> p, std::span<const double> d_p) override;

 private:
  struct Contact {
    std::size_t first = 0;
    std::size_t block = 0;
    LorentzCone<N> cone;
  };
  /// Fills r for the targets.
  void aimAtTargets(std::span<const double> u, std::span<double> r) const;

  std::vector<Contact> contacts_;
  Law law_ = Law::relaxed;
};

extern template class LorentzCones<2>;
extern template class LorentzCones<3>;
extern template class LorentzCones<4>;
extern template class LorentzCones<5>;
extern template class LorentzCones<6>;

}  // namespace stickslip
