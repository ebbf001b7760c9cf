// Coulomb friction and bounded impulses (friction_variables) as linear complementarity problems in
// standard form, from u = W p + q.
#pragma once

#include <span>
#include <vector>

#include "solvers/lemke/friction_variables.hpp"
#include "stickslip/lcp.hpp"

namespace stickslip {

class FrictionLcp {
 public:
  using Form = FrictionVariables::Form;

  /// Room for `contacts` contacts with up to `directions` directions of friction.
  void reserve(int contacts, int directions);
  /// Sets and angles as friction_variables has them.
  void build(Form form, ConstMatrixView W, std::span<const double> q, const BlockRows& J,
             const ImpulseSets& sets, std::span<const double> angles = {});

  Lcp lcp() const { return {{N_.data(), variables_.size(), variables_.size()}, rhs_}; }
  /// The scale of contact i.
  double scale(int i) const { return variables_.cones()[i].scale; }
  VelocityError velocityError(std::span<const double> z) const;
  /// Contact impulses, row by row of J, from a solution z of lcp().
  void impulses(std::span<const double> z, std::span<double> p) const {
    variables_.impulses(z, 1, p);
  }

 private:
  void fillImpulseColumns(ConstMatrixView W);
  void fillConstants(ConstMatrixView W, std::span<const double> q);
  MatrixView matrix() { return {N_.data(), variables_.size(), variables_.size()}; }

  FrictionVariables variables_;
  std::vector<double> W_column_;  ///< W times the column of one variable
  std::vector<double> N_;
  std::vector<double> rhs_;
};

}  // namespace stickslip
