// Barrier of planar cones |pi_t| <= pi_n. With the edges (1, 1) and (1, -1) of the cone,
//
//   pi = x_1 (1, 1) + x_2 (1, -1),   z_k = omega_n +- omega_t,   x_k z_k = mu,
//
// two products of non-negative numbers.
#pragma once

#include <array>
#include <vector>

#include "solvers/barrier.hpp"

namespace stickslip {

class PlanarBarrier final : public Barrier {
 public:
  void select(const ConvexProblem& problem) override;
  int degree() const override { return 2 * static_cast<int>(items_.size()); }
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
  using Pair = std::array<double, 2>;
  struct Item {
    std::size_t first = 0;
    std::size_t block = 0;
    Pair x{};
    Pair z{};
    Pair softness{};  ///< x / (z + delta x)
    Pair target{};    ///< of the products x z
    Pair last_target{};
    Pair push{};  ///< d_x where d_omega is zero
    Pair d_x{};
    Pair d_z{};
  };
  /// Fills r for the targets.
  void aimAtTargets(std::span<const double> omega, std::span<double> r);

  std::vector<Item> items_;
  double delta_ = 0;
};

}  // namespace stickslip
