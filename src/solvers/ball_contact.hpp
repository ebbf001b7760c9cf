// Contacts of balls: what turns a ball is a multiple of its tangents, the normal turns nothing, and
// with velocities w = L' v, M = L L',
//
//   u_n = n.x,  u_1 = t_1.x + t_2.y,  u_2 = t_2.x - t_1.y,
//   x = sum of share w_linear, y = sum of turn w_angular over the bodies.
//
// So W is diagonal, and the rows are nine numbers and two for each body.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "stickslip/contact_problem.hpp"

namespace stickslip {

/// Which blocks of M are those of balls, with one mass and one inertia.
class BallMasses {
 public:
  /// `L` has the Cholesky factors of M.
  void build(const BlockDiagonal& L);

  bool isBall(int block) const { return masses_[static_cast<std::size_t>(block)].share > 0; }
  double share(int block) const { return masses_[static_cast<std::size_t>(block)].share; }
  double turn(int block) const { return masses_[static_cast<std::size_t>(block)].turn; }

 private:
  struct Mass {
    double share = 0;  ///< 1 / sqrt(mass); 0: no ball
    double turn = 0;   ///< 1 / sqrt(inertia)
  };
  std::vector<Mass> masses_;
};

struct BallContact {
  int count = 0;  ///< of balls
  std::array<int, 2> blocks{};
  double axes[3][3] = {};  ///< n, t_1, t_2
  double share[2] = {};
  double turn[2] = {};

  double normalMobility() const;   ///< W of the normal
  double tangentMobility() const;  ///< W of either tangent
};

/// True if a contact has the rows of balls (BallRows), masses of balls, and a round cone with
/// friction.
/// `block_of_column` has the block of each velocity.
bool isBallContact(const ContactProblem& problem, const BlockDiagonal& L, const BallMasses& masses,
                   std::span<const int> block_of_column, int contact);

/// What is known to be a contact of balls.
BallContact ballContact(const ContactProblem& problem, const BallMasses& masses,
                        std::span<const int> block_of_column, int contact);

}  // namespace stickslip
