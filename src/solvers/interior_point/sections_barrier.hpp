// ConeBarrier of cones with several cones, or one of a fixed bound (item_barrier.hpp), for the
// relaxed law. With the residual e of the velocities, d_u + e is what a cone's cones see:
//
//   d_p = (r - S e) - S d_u.
#pragma once

#include <array>
#include <vector>

#include "solvers/interior_point/cone_barrier.hpp"
#include "solvers/interior_point/item_barrier.hpp"

namespace stickslip {

class SectionsBarrier final : public ConeBarrier {
 public:
  void select(const ConvexProblem& problem) override;
  int degree() const override { return degree_; }
  void enter(double impulse, double velocity, std::span<double> p,
             std::span<const double> u) override;
  double gap(std::span<const double> p) const override;
  void scale(double delta, std::span<const double> p, std::span<double> S) override;
  void aim(double mu, double correction, std::span<const double> p, std::span<const double> u,
           std::span<double> r) override;
  double direct(std::span<const double> p, std::span<const double> u, std::span<const double> d_p,
                std::span<const double> d_u) override;
  void move(double step, std::span<double> p, std::span<const double> d_p) override;

 private:
  struct Item {
    Cone source;
    std::size_t block = 0;
    ItemBarrier barrier;
    std::array<double, kMostRows * kMostRows> S{};
    std::array<double, kMostRows> residual{};
  };
  std::vector<Item> cones_;
  int degree_ = 0;
};

}  // namespace stickslip
