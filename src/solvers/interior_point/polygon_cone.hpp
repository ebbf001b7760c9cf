// ConeBarrier of cones over a hull with the edges e_k = (1, d_k): a planar cone, d_k = +-1, a
// regular polygon, d_k = (cos a_k, sin a_k), or directions that a user gives:
//
//   p = sum_k x_k e_k,   z_k = e_k.u,   x_k z_k = mu,   k = 1 ... m.
//
// The m weights x_k stay inside the contact: S = sum_k x_k / z_k e_k e_k' has two or three rows, or
// up to six. For the relaxed law only.
#pragma once

#include <array>
#include <vector>

#include "solvers/interior_point/cone_barrier.hpp"

namespace stickslip {

/// Those of N rows.
template <std::size_t N>
class PolygonCones final : public ConeBarrier {
 public:
  void select(const ConvexProblem& problem) override;
  bool isEmpty() const override { return contacts_.empty(); }
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
    std::array<double, N - 1> d{};
    double x = 0;
    double z = 0;
    double softness = 0;  ///< x / (z + delta x)
    double target = 0;    ///< of the product x z
    double last_target = 0;
    double push = 0;  ///< d_x where d_u is zero
    double d_x = 0;
    double d_z = 0;

    double along(const double* u) const {
      double sum = u[0];
      for (std::size_t k = 1; k < N; ++k) sum += d[k - 1] * u[k];
      return sum;
    }
  };
  struct Contact {
    std::size_t first = 0;
    std::size_t block = 0;
    std::size_t first_edge = 0;
    std::size_t edges = 0;
    bool is_hull = false;  ///< of directions that a user gives
  };
  /// Known to the compiler where the cone is planar.
  static std::size_t countOf(const Contact& contact) { return N == 2 ? 2 : contact.edges; }
  std::span<const Edge> edgesOf(const Contact& contact) const {
    return {edges_.data() + contact.first_edge, countOf(contact)};
  }
  std::span<Edge> edgesOf(const Contact& contact) {
    return {edges_.data() + contact.first_edge, countOf(contact)};
  }
  /// Weights with the sum p of an impulse inside the cone.
  void spread(const Contact& contact, const double* p);
  /// out = sum over the edges of `weight` of them times e_k.
  template <class Weight>
  void combine(const Contact& contact, Weight weight, double* out);

  /// Fills r for the targets.
  void aimAtTargets(std::span<const double> u, std::span<double> r);

  std::vector<Contact> contacts_;
  std::vector<Edge> edges_;
  double delta_ = 0;
};

extern template class PolygonCones<2>;
extern template class PolygonCones<3>;
extern template class PolygonCones<4>;
extern template class PolygonCones<5>;
extern template class PolygonCones<6>;

}  // namespace stickslip
