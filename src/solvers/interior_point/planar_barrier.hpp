// ConeBarrier of planar cones |p_t| <= p_n. With the edges (1, 1) and (1, -1) of the cone,
//
//   p = x_1 (1, 1) + x_2 (1, -1),   z_k = u_n +- u_t,   x_k z_k = mu,
//
// two products of non-negative numbers.
#pragma once

#include <array>
#include <vector>

#include "solvers/interior_point/cone_barrier.hpp"

namespace stickslip {

class PlanarBarrier final : public ConeBarrier {
 public:
  void select(const ConvexProblem& problem) override;
  int degree() const override { return 2 * static_cast<int>(cones_.size()); }
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
  using Pair = std::array<double, 2>;
  struct Item {
    std::size_t first = 0;
    std::size_t block = 0;
    Pair x{};
    Pair z{};
    Pair softness{};  ///< x / (z + delta x)
    Pair target{};    ///< of the products x z
    Pair last_target{};
    Pair push{};  ///< d_x where d_u is zero
    Pair d_x{};
    Pair d_z{};
  };
  /// Fills r for the targets.
  void aimAtTargets(std::span<const double> u, std::span<double> r);

  std::vector<Item> cones_;
  double delta_ = 0;
};

}  // namespace stickslip
