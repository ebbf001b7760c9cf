// Energy bounds of [AP97] and [A06], measured on bodies that are thrown about at random.
//
// * [AP97] Theorem 2.3: T(v_new) <= T(v + h M^-1 k). At every contact problem of the scheme
// `velocity`,
//   those of collisions included, which have the same form (3.2), (3.5).
// * [AP97] Theorem 5.1 b), bounded forces: sqrt(2 T(t)) <= sqrt(2 T(0)) + c t + 1 with c = 2 c_1
// and
//   h c_1 <= 1, (B.25), in the plane; impacts by v+ = v_c + e (v_c - v-).
//   a), springs and drag too: 2 T(t) <= (2 T(0) + |q(0)|^2 + 2 c t) e^{2 c t}.
// * [A06] Lemma 9.1: T + V does not grow in the limit h -> 0. Where no overlap is pushed out, and V
// is
//   that of gravity, it does not for any h: T + V falls by |v_new - v|^2_M / 2 at least. What
//   pushes add must vanish with h, as far as the friction cone is uniformly pointed (assumption
//   A5). It is not in a corner of 90 degrees as mu comes near 1: what the relaxed law makes of a
//   push there grows as 1/(1 - mu).
//
// T is the kinetic energy, c_1 = |M^-1/2 k| of gravity. A bound is violated if it is by more than
// rounding and the tolerance of the solver, both relative to the energies at hand.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "papers/experiment.hpp"

namespace stickslip {

inline constexpr double kEnergyRounding = 1e-9;

/// A bound, over all scenes: margins are relative to what bounds.
struct EnergyBound {
  std::string statement;
  std::string setting;
  std::int64_t scenes = 0, checked = 0, violations = 0;
  std::int64_t left_out = 0;  ///< not what the statement is about, or without a certificate
  double margin = std::numeric_limits<double>::infinity();
  std::vector<double> quotients{};  ///< value / size

  /// value <= limit; `size` is what differences are compared with.
  void check(double value, double limit, double size) {
    ++checked;
    quotients.push_back(value / size);
    margin = std::min(margin, (limit - value) / size);
    violations += value > limit + kEnergyRounding * size ? 1 : 0;
  }
};

/// Bodies with random velocities.
struct ThrownBodies {
  Scene scene;
  BlockDiagonal M;           ///< constant
  double twice_kinetic = 0;  ///< at the start

  double twiceKinetic(std::span<const double> u) const;
};

struct ThrowRange {
  double friction = 1.2;
  double restitution = 0.9;
};

/// Scene number `seed` of its kind: places, velocities, friction and restitution are random.
ThrownBodies throwBodies(std::string_view scene, std::int64_t seed, const ThrowRange& most,
                         std::vector<std::string> overrides = {});
/// Overrides that add what Theorem 5.1 a) is about to the scene energy-plane.
std::vector<std::string> springsAndDrag();

/// [AP97] Theorem 2.3 at every contact problem with load.
void checkContactProblems(const ThrownBodies& thrown, EnergyBound& bound);
/// [AP97] (5.4) at the end of every step.
void checkBoundedForces(const ThrownBodies& thrown, EnergyBound& bound);
/// [AP97] (5.3) at the end of every step, c the largest of 2 c_1 ... 2 c_5 of the proof.
void checkGrowingForces(const ThrownBodies& thrown, EnergyBound& bound);
/// [A06] Lemma 9.1: every step without pushes. Returns the most that T + V gains from any time to a
/// later one, relative to T at the start.
double checkDissipation(const ThrownBodies& thrown, EnergyBound& bound);

}  // namespace stickslip
