// An iterate of the relaxed law with normal velocities shifted by constants:
//
//   pi in K,  omega in K*,  pi.omega = 0,   omega = W pi + q + shift.
#pragma once

#include <span>
#include <vector>

#include "contact/contact_island.hpp"

namespace stickslip {

/// The problem: items, W, and free velocities with the shift in them.
struct ConvexProblem {
  std::span<const ContactItem> items;
  ImpulseOperator& W;
  std::span<const double> q;
  /// Where residuals get the units of the problem; without it they are those of the scaled rows.
  const ContactIsland* island = nullptr;

  void velocity(std::span<const double> pi, std::span<double> omega) const {
    W.apply(pi, omega);
    for (std::size_t k = 0; k < q.size(); ++k) omega[k] += q[k];
  }
  double residual(std::span<const double> pi, std::span<const double> omega) const;
};

struct ConvexPoint {
  std::vector<double> pi;
  std::vector<double> omega;
  double residual = 0;

  void resize(std::size_t rows) {
    pi.resize(rows);
    omega.resize(rows);
  }
  /// Computes omega and the residual from pi.
  void evaluate(const ConvexProblem& problem) {
    problem.velocity(pi, omega);
    residual = problem.residual(pi, omega);
  }
};

}  // namespace stickslip
