// What the parts of the solver `gradient` take of a contact problem.
#pragma once

#include <span>

#include "solvers/ball_contact.hpp"
#include "stickslip/contact_problem.hpp"

namespace stickslip {

/// The problem as islands take it, with what they have in common.
struct GradientInput {
  const ContactProblem& problem;
  const BlockDiagonal& L;
  const BlockDiagonal& inverse_L;  ///< lower triangles
  const BallMasses& masses;
  std::span<const int> block_of_column;
  std::span<const double> q;        ///< J v_free + b
  std::span<const double> joint_q;  ///< G v_free + g
  std::span<const double> y_free;   ///< L' v_free
  double velocity_scale;            ///< the largest velocity of a contact without impulses

  bool isOfBalls(int contact) const {
    return isBallContact(problem, L, masses, block_of_column, contact);
  }
  BallContact ballsAt(int contact) const {
    return ballContact(problem, masses, block_of_column, contact);
  }
};

}  // namespace stickslip
