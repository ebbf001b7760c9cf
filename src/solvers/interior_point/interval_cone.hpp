// ConeBarrier of rows with bounds: joints (none), contacts without friction (one), motors and joint
// limits (two). With x = p - lower and y = upper - p the conditions are
//
//   u = z_x - z_y,   x z_x = mu,   y z_y = mu.
#pragma once

#include <vector>

#include "solvers/interior_point/cone_barrier.hpp"

namespace stickslip {

class IntervalCones final : public ConeBarrier {
 public:
  void select(const ConvexProblem& problem) override;
  bool isEmpty() const override { return rows_.empty(); }
  int degree() const override { return degree_; }
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
  /// Distance to one bound and its velocity; second-order term of the last direction.
  struct Side {
    bool bounded = false;
    double bound = 0;
    double distance = 0;
    double z = 0;
    double target = 0;  ///< of the product
    double last_target = 0;
    double d_z = 0;
    double second = 0;
  };
  struct Row {
    std::size_t row = 0;
    std::size_t block = 0;
    Side lower;
    Side upper;
    double softness = 0;  ///< S~
  };
  /// Fills r for the targets.
  void aimAtTargets(std::span<const double> u, std::span<double> r) const;

  std::vector<Row> rows_;
  int degree_ = 0;
};

}  // namespace stickslip
