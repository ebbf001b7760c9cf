// Barrier of cones over a hull with the edges e_k = (1, d_k): a regular polygon, d_k = (cos a_k,
// sin a_k), or directions that a user gives:
//
//   pi = sum_k x_k e_k,   z_k = e_k.omega,   x_k z_k = mu,   k = 1 ... m.
//
// The m weights x_k stay inside the contact: S = sum_k x_k / z_k e_k e_k' has three rows, or up to
// six.
#pragma once

#include <vector>

#include "solvers/barrier.hpp"

namespace stickslip {

class PolygonBarrier final : public Barrier {
 public:
  void select(const ConvexProblem& problem) override;
  int degree() const override { return static_cast<int>(edges_.size()); }
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
  struct Edge {
    FrictionVector d{};
    double x = 0;
    double z = 0;
    double softness = 0;  ///< x / (z + delta x)
    double target = 0;    ///< of the product x z
    double last_target = 0;
    double push = 0;  ///< d_x where d_omega is zero
    double d_x = 0;
    double d_z = 0;

    double along(const double* omega, std::size_t rows) const {
      double sum = omega[0];
      for (std::size_t k = 1; k < rows; ++k) sum += d[k - 1] * omega[k];
      return sum;
    }
  };
  struct Item {
    std::size_t first = 0;
    std::size_t rows = 3;
    std::size_t block = 0;
    std::size_t first_edge = 0;
    std::size_t edges = 0;
    bool regular = true;
  };
  std::span<Edge> edgesOf(const Item& item) {
    return std::span(edges_).subspan(item.first_edge, item.edges);
  }
  /// Weights with the sum pi of an impulse inside the cone.
  void spread(const Item& item, const double* pi);
  void spreadOnPolygon(const Item& item, const double* pi);
  /// out = sum over the edges of `weight` of them times e_k.
  template <class Weight>
  void combine(const Item& item, Weight weight, double* out);

  /// Fills r for the targets.
  void aimAtTargets(std::span<const double> omega, std::span<double> r);

  std::vector<Item> items_;
  std::vector<Edge> edges_;
  double delta_ = 0;
};

}  // namespace stickslip
