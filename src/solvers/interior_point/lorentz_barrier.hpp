// ConeBarrier of Lorentz cones |p_t| <= p_n of N rows, with the scaling of Nesterov and Todd
// (1997): the symmetric map H with p = H^2 z,
//
//   H^2 = eta^2 (2 w w' - J),   J = diag(1, -1, ...),   w_n^2 - |w_t|^2 = 1,
//
// and the centre lambda = H z = H^-1 p. H^2 is kept by its eigenvalues eta^2 (w_n +- |w_t|)^2 and
// eta^2, which stay positive where the entries of the matrix lose it to rounding.
#pragma once

#include <array>
#include <vector>

#include "solvers/interior_point/cone_barrier.hpp"

namespace stickslip {

template <int N>
class LorentzBarrier final : public ConeBarrier {
 public:
  void select(const ConvexProblem& problem) override;
  int degree() const override { return static_cast<int>(cones_.size()); }
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
  using Vector = std::array<double, N>;
  struct Item {
    std::size_t first = 0;
    std::size_t block = 0;
    Vector z{};
    double eta = 1;
    Vector w{};
    Vector axis{};       ///< unit vector along w_t, in the places 1 ... N - 1
    double stretch = 1;  ///< w_n + |w_t|
    Vector lambda{};
    Vector d_z{};
    Vector target{};  ///< of the product of p and z, scaled
    Vector last_target{};
    Vector second{};  ///< product of the scaled directions
  };
  /// The function of H^2 with these values at the eigenvalues along (1, axis), (1, -axis) and
  /// across, times x.
  static Vector spectral(const Item& cone, double plus, double minus, double across,
                         const Vector& x);
  /// Values of l / (1 + delta l), or of 1 / (1 + delta l), at the three eigenvalues l.
  std::array<double, 3> softened(const Item& cone) const;
  std::array<double, 3> damping(const Item& cone) const;
  static Vector timesScaling(const Item& cone, const Vector& x);
  static Vector timesInverse(const Item& cone, const Vector& x);
  /// Fills r for the targets.
  void aimAtTargets(std::span<const double> u, std::span<double> r) const;
  void scaleItem(Item& cone, const Vector& p) const;

  std::vector<Item> cones_;
  double delta_ = 0;
};

extern template class LorentzBarrier<3>;
extern template class LorentzBarrier<4>;
extern template class LorentzBarrier<5>;
extern template class LorentzBarrier<6>;

}  // namespace stickslip
