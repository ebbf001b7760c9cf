// Planar Coulomb friction as linear complementarity problems in standard form, from u = W p + q.
//
// Two forms, for contacts with one tangent each (or none):
//
// * Relay form, 002 (33), of size 3k: z = (Lambda_N, Lambda_R, xi_L), w = (xi_N, xi_R, Lambda_L)
//   with Lambda_R = mu Lambda_N + Lambda_T, Lambda_L = mu Lambda_N - Lambda_T and
//   xi_T = xi_R - xi_L. The smaller one; its matrix need not be copositive, so that pivoting may
//   end in a ray although there is a solution.
//
// * Cone form, 003 (2.13) with two directions, of size 4k: z = (c_n, beta_1, beta_2, lambda) with
//   p_t = beta_1 - beta_2. Copositive, so that Lemke's method always finds a solution (003
//   Thm 2.2).
//
// Contacts without friction contribute their normal row only, in both forms.
//
// Every contact has its own scale s, the power of two next to 1/sqrt(W_nn): the LCP is in s u and
// p / s, in which W_nn is near 1 for every contact. Neither units nor mass ratios can then push an
// entry of W below the constants 1 and mu beside it.
#pragma once

#include <span>
#include <vector>

#include "stickslip/contact_problem.hpp"
#include "stickslip/lcp.hpp"

namespace stickslip {

class PlanarLcp {
 public:
  enum class Form { relay, cone };

  void reserve(int contacts);
  void build(Form form, ConstMatrixView W, std::span<const double> q, const BlockRows& J,
             std::span<const ImpulseSet> cones);

  Lcp lcp() const { return {{N_.data(), size_, size_}, rhs_}; }
  /// The scale of contact i.
  double scale(int i) const { return items_[static_cast<std::size_t>(i)].scale; }
  /// How far z is from a solution, as a velocity: the largest violation of a contact in its own
  /// scale, relative to the largest contact velocity without impulses. The LCP solver weighs
  /// contacts by their masses; this does not, and neither does the certificate.
  double velocityResidual(std::span<const double> z) const;
  /// Contact impulses, row by row of J, from a solution z of lcp().
  void impulses(std::span<const double> z, std::span<double> p) const;

 private:
  /// A contact with its rows in W and its place among the contacts with friction (-1: none).
  struct Item {
    int normal;
    int tangent;
    int friction;
    double mu;
    double scale;
  };

  void buildRelay(ConstMatrixView W, std::span<const double> q);
  void buildCone(ConstMatrixView W, std::span<const double> q);
  MatrixView matrix() { return {N_.data(), size_, size_}; }

  Form form_ = Form::relay;
  int size_ = 0;
  int frictional_ = 0;
  std::vector<Item> items_;
  std::vector<double> N_;
  std::vector<double> rhs_;
};

}  // namespace stickslip
