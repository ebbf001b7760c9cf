// ConeBarrier of cones over a hull with the edges e_k = (1, d_k): a regular polygon, d_k = (cos
// a_k, sin a_k), or directions that a user gives:
//
//   p = sum_k x_k e_k,   z_k = e_k.u,   x_k z_k = mu,   k = 1 ... m.
//
// The m weights x_k stay inside the contact: S = sum_k x_k / z_k e_k e_k' has three rows, or up to
// six.
#pragma once

#include <vector>

#include "solvers/interior_point/cone_barrier.hpp"

namespace stickslip {

class PolygonBarrier final : public ConeBarrier {
 public:
  void select(const ConvexProblem& problem) override;
  int degree() const override { return static_cast<int>(edges_.size()); }
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
  struct Edge {
    FrictionVector d{};
    double x = 0;
    double z = 0;
    double softness = 0;  ///< x / (z + delta x)
    double target = 0;    ///< of the product x z
    double last_target = 0;
    double push = 0;  ///< d_x where d_u is zero
    double d_x = 0;
    double d_z = 0;

    double along(const double* u, std::size_t rows) const {
      double sum = u[0];
      for (std::size_t k = 1; k < rows; ++k) sum += d[k - 1] * u[k];
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
  std::span<Edge> edgesOf(const Item& cone) {
    return std::span(edges_).subspan(cone.first_edge, cone.edges);
  }
  /// Weights with the sum p of an impulse inside the cone.
  void spread(const Item& cone, const double* p);
  void spreadOnPolygon(const Item& cone, const double* p);
  /// out = sum over the edges of `weight` of them times e_k.
  template <class Weight>
  void combine(const Item& cone, Weight weight, double* out);

  /// Fills r for the targets.
  void aimAtTargets(std::span<const double> u, std::span<double> r);

  std::vector<Item> cones_;
  std::vector<Edge> edges_;
  double delta_ = 0;
};

}  // namespace stickslip
