// The parts of the certificate that are about friction beyond the contact law: coefficients that
// depend on the speed, and what the relaxed law lifts.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include "base/parallel_for.hpp"
#include "certificate/workspace.hpp"
#include "stickslip/elementary.hpp"

namespace stickslip {

using namespace certificate;

namespace {

// The natural map tells how far a velocity may be off up to a factor near one, and rounding adds
// this part of the velocities at hand.
constexpr double kSpeedError = 4;
constexpr double kSpeedRounding = 1e-12;

// The integral of f(s') - f(s) over 0 <= s' <= s, by Gauss's rule with five points on pieces that
// grow by a quarter from far below the curve's own speed, where f may be steep, up to s.
double excessAt(const FrictionCurve& curve, double s) {
  constexpr double kFirst = 0x1p-30;
  constexpr std::array<double, 5> kPlaces{-0.906179845938664, -0.5384693101056831, 0,
                                          0.5384693101056831, 0.906179845938664};
  constexpr std::array<double, 5> kWeights{0.23692688505618908, 0.47862867049936647,
                                           0.5688888888888889, 0.47862867049936647,
                                           0.23692688505618908};
  const double at_end = curve.factor(s);
  double sum = 0;
  for (double low = 0, high = kFirst * curve.speed; low < s; low = high, high *= 1.25) {
    const double end = std::min(high, s), half = (end - low) / 2;
    for (std::size_t k = 0; k < kPlaces.size(); ++k)
      sum += kWeights[k] * half * (curve.factor(low + half * (1 + kPlaces[k])) - at_end);
  }
  return sum;
}

}  // namespace

// Do the friction and the lift that were used fit the speeds? Where a contact has no load, and its
// friction and lift none without one, any coefficient does.
void Certifier::Workspace::checkCoefficients(const ContactProblem& problem,
                                             const ContactSolution& s, Certificate& out) const {
  for (int i = 0; i < problem.contactCount(); ++i) {
    const SpeedFriction& friction = problem.speed_friction[i];
    const ImpulseSet& set = problem.sets[i];
    const double at_rest = std::max(friction.mu, friction.mu_2);
    const std::size_t first = problem.J.firstRow(i);
    if (friction.curve.isConstant() || set.tangents() == 0 || !(at_rest > 0)) continue;
    if (problem.law == Law::coulomb && !set.load_independent && s.p[first] == 0) continue;
    const double error = (kSpeedError * errors[i] + kSpeedRounding) * velocity_scale;
    const ImpulseVector u = velocityOf(problem, i, s.v);
    const double slip = math::hypot(u[1], set.tangents() == 2 ? u[2] : 0.0);
    // Curves are monotone: mu(s) for the speeds that s may stand for is between these two.
    const auto [least, most] = std::minmax(
        {friction.curve.factor(std::max(0.0, slip - error)), friction.curve.factor(slip + error)});
    const double used = std::max(set.mu, set.mu_2) / at_rest;
    const double difference = std::max({0.0, least - used, used - most});
    out.friction_residual =
        std::isfinite(difference) ? std::max(out.friction_residual, difference) : difference;
    if (!friction.integral_lift) continue;
    const auto [low, high] = std::minmax({excessAt(friction.curve, std::max(0.0, slip - error)),
                                          excessAt(friction.curve, slip + error)});
    const double lift = friction.extra_lift / at_rest;
    const double off = std::max({0.0, low - lift, lift - high}) * at_rest / velocity_scale;
    out.friction_residual = std::isfinite(off) ? std::max(out.friction_residual, off) : off;
  }
}

namespace {

double extraLift(const ContactProblem& problem, int i) {
  return problem.speed_friction.empty() ? 0 : problem.speed_friction[i].extra_lift;
}

}  // namespace

double Certifier::Workspace::liftOf(const ContactProblem& problem, const ContactSolution& s,
                                    int i) {
  const ImpulseSet& given = problem.sets[i];
  if (isCircularCone(given)) return lifts[i];
  ScaledSet scaled;
  const ImpulseSet& set = setOf(problem, i, scaled);
  const ImpulseVector u = inNormalUnits(scaled.length, velocityOf(problem, i, s.v));
  return correctedVelocity(set, Law::coulomb, u)[0] - u[0];
}

// A contact is loaded if its impulse alone would change its velocity by more than rounding. Asked
// only of contacts that would lift faster than those before.
void Certifier::Workspace::measureLift(const ContactProblem& problem, const ContactSolution& s,
                                       Certificate& out) {
  std::atomic<double> most = 0;
  parallelFor(problem.contactCount(), kContactGrain, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const double p = s.p[problem.J.firstRow(i)];
      if (!(p > 0)) continue;
      const double lift = liftOf(problem, s, i) + extraLift(problem, i);
      double before = most.load(std::memory_order_relaxed);
      if (!(lift > before)) continue;
      const double mobility = roots.squareNorm(problem.J, i, 0, partOf(i).scratch);
      if (!(p * mobility > kNoise * velocity_scale)) continue;
      while (lift > before && !most.compare_exchange_weak(before, lift)) {
      }
    }
  });
  out.lift = most.load();
}

}  // namespace stickslip
