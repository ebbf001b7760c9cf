// Barrier of Lorentz cones |pi_t| <= pi_n of N rows, with the scaling of Nesterov and Todd (1997):
// the symmetric map H with pi = H^2 z,
//
//   H^2 = eta^2 (2 w w' - J),   J = diag(1, -1, ...),   w_n^2 - |w_t|^2 = 1,
//
// and the centre lambda = H z = H^-1 pi. H^2 is kept by its eigenvalues eta^2 (w_n +- |w_t|)^2 and
// eta^2, which stay positive where the entries of the matrix lose it to rounding.
#pragma once

#include <array>
#include <vector>

#include "solvers/barrier.hpp"

namespace stickslip {

template <int N>
class LorentzBarrier final : public Barrier {
 public:
  void select(const ConvexProblem& problem) override;
  int degree() const override { return static_cast<int>(items_.size()); }
  void enter(double impulse, double velocity, std::span<double> pi,
             std::span<const double> omega) override;
  double gap(std::span<const double> pi) const override;
  void scale(double delta, std::span<const double> pi, std::span<double> S) override;
  void aim(double mu, double correction, std::span<const double> pi, std::span<const double> omega,
           std::span<double> r) override;
  void recentre(double step, double mu, std::span<const double> omega,
                std::span<double> r) override;
  void aimAsBefore(std::span<const double> omega, std::span<double> r) override;
  double direct(std::span<const double> pi, std::span<const double> omega,
                std::span<const double> d_pi, std::span<const double> d_omega) override;
  void move(double step, std::span<double> pi, std::span<const double> d_pi) override;

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
    Vector target{};  ///< of the product of pi and z, scaled
    Vector last_target{};
    Vector second{};  ///< product of the scaled directions
  };
  /// The function of H^2 with these values at the eigenvalues along (1, axis), (1, -axis) and
  /// across, times x.
  static Vector spectral(const Item& item, double plus, double minus, double across,
                         const Vector& x);
  /// Values of l / (1 + delta l), or of 1 / (1 + delta l), at the three eigenvalues l.
  std::array<double, 3> softened(const Item& item) const;
  std::array<double, 3> damping(const Item& item) const;
  static Vector timesScaling(const Item& item, const Vector& x);
  static Vector timesInverse(const Item& item, const Vector& x);
  /// Fills r for the targets.
  void aimAtTargets(std::span<const double> omega, std::span<double> r) const;
  void scaleItem(Item& item, const Vector& pi) const;

  std::vector<Item> items_;
  double delta_ = 0;
};

extern template class LorentzBarrier<3>;
extern template class LorentzBarrier<4>;
extern template class LorentzBarrier<5>;
extern template class LorentzBarrier<6>;

}  // namespace stickslip
