// Friction that depends on the sliding speed s (named in [A06] section 5.1, which leaves it open).
//
//   mu(s) = mu_k + (mu_s - mu_k) f(s / v_s)
//   smooth     f(x) = 1 / (1 + x^2)          flat at rest, slow tail
//   stribeck   f(x) = exp(-x^exponent)       Stribeck's curve without its viscous part
//
// mu_s is the coefficient at rest, mu_k the one that fast sliding tends to; both tangents, and all
// coefficients of a contact, have the same factor mu(s) / mu_s.
#pragma once

namespace stickslip {

/// How friction changes with the sliding speed.
struct FrictionCurve {
  enum class Transition { none, smooth, stribeck };

  Transition transition = Transition::none;
  double kinetic_ratio = 1;  ///< mu_k / mu_s, >= 0; above 1 friction grows with the speed
  double speed = 0;          ///< v_s [velocity], > 0 unless there is no transition
  double exponent = 1;       ///< of Stribeck's curve, > 0

  bool isConstant() const { return transition == Transition::none || kinetic_ratio == 1; }
  /// mu(s) / mu_s for a sliding speed s >= 0.
  double factor(double s) const;
  /// The integral of mu(s') / mu_s - x over the speeds s' from 0 to the one at which it is zero:
  /// what the integral of the factor has more than its product with the speed.
  double excess(double x) const;

  bool operator==(const FrictionCurve&) const = default;
};

}  // namespace stickslip
