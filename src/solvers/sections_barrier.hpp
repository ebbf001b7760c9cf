// Barrier of items with several cones, or one of a fixed bound (item_barrier.hpp), for the relaxed
// law. With the residual e of the velocities, d_omega + e is what an item's cones see:
//
//   d_pi = (r - S e) - S d_omega.
#pragma once

#include <array>
#include <vector>

#include "solvers/barrier.hpp"
#include "solvers/item_barrier.hpp"

namespace stickslip {

class SectionsBarrier final : public Barrier {
 public:
  void select(const ConvexProblem& problem) override;
  int degree() const override { return degree_; }
  void enter(double impulse, double velocity, std::span<double> pi,
             std::span<const double> omega) override;
  double gap(std::span<const double> pi) const override;
  void scale(double delta, std::span<const double> pi, std::span<double> S) override;
  void aim(double mu, double correction, std::span<const double> pi, std::span<const double> omega,
           std::span<double> r) override;
  double direct(std::span<const double> pi, std::span<const double> omega,
                std::span<const double> d_pi, std::span<const double> d_omega) override;
  void move(double step, std::span<double> pi, std::span<const double> d_pi) override;

 private:
  struct Item {
    ContactItem source;
    std::size_t block = 0;
    ItemBarrier barrier;
    std::array<double, kMostRows * kMostRows> S{};
    std::array<double, kMostRows> residual{};
  };
  std::vector<Item> items_;
  int degree_ = 0;
};

}  // namespace stickslip
