// Takes back what rigid joints have drifted apart, without touching velocities: the positions are
// projected on the joints after a step (coordinate projection; Eich, SIAM J. Numer. Anal. 30,
// 1993).
//
//   q <- q (+) d,   d the least in d'M d/2 with G d = -gap:   d = -M^-1 G' (G M^-1 G')^-1 gap
//
// Newton's method on gap(q (+) d) = 0: a step is halved as long as it does not make the gaps
// smaller, gaps of lengths and angles taken together by sum gap_i^2 / (G M^-1 G')_ii. The linear
// systems are solved by conjugate gradients with that diagonal; joints may be redundant, since
// systems are consistent up to second order. Gaps within `touching` are closed. Springs stay as
// they are. Where joints cannot be closed they are left as far apart as the best step has them: the
// certificate of the next step has their drift.
#pragma once

#include <span>
#include <vector>

#include "stickslip/problem_builder.hpp"
#include "stickslip/system.hpp"

namespace stickslip {

class JointProjection {
 public:
  void reserve(const System& system);
  /// Moves q at time t. `masses` has set up a free motion before; `touching` are ways of each
  /// velocity that count as nothing.
  void project(const System& system, double t, ProblemBuilder& masses,
               std::span<const double> touching, std::vector<double>& q);

 private:
  void look(const System& system, double t, std::span<const double> q);
  void weigh(ProblemBuilder& masses);
  bool isClosed(std::span<const double> touching) const;
  double size() const;
  void solve(const ProblemBuilder& masses);
  bool advance(const System& system, double t, std::vector<double>& q);
  /// out = M^-1 G' x.
  void spread(std::span<const double> x, const ProblemBuilder& masses, std::span<double> out) const;

  JointSet joints_;
  std::vector<double> weight_;  ///< of each row: 1 / (G M^-1 G')_ii; 0 for springs
  std::vector<double> x_;
  std::vector<double> residual_;
  std::vector<double> direction_;
  std::vector<double> product_;
  std::vector<double> motion_;  ///< d
  std::vector<double> part_;    ///< of d
  std::vector<double> q_trial_;
};

}  // namespace stickslip
