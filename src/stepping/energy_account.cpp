#include "stepping/energy_account.hpp"

#include <algorithm>
#include <cmath>

namespace stickslip {
namespace {

constexpr double kPushByForces = 3;
constexpr double kPart = 0.01;
constexpr std::int64_t kOpening = 3;

double kineticEnergyOf(const Certificate& c) {
  return std::max({c.kinetic_energy_start, c.kinetic_energy_free, c.kinetic_energy_end});
}

}  // namespace

// What contacts and joints put in that neither the law nor overlaps explain.
double EnergyAccount::unexplainedGain(const Certificate& c) const {
  const double gain = c.contact_work - c.forced_energy / 2;
  const double push = 2 * kPushByForces * std::sqrt(c.forced_energy * kineticEnergyOf(c));
  return std::max(0.0, gain - (full_push_ ? c.overlap_work : std::min(c.overlap_work, push)));
}

double EnergyAccount::excess(const Certificate& c) const {
  const bool opens = steps_ == 0 ? c.joint_drift > 0 : starts_open_;
  if (opens && steps_ < kOpening) return 0;
  const double beyond = unexplainedGain(c) - balance_;
  return beyond > 0 ? beyond / kineticEnergyOf(c) : 0;
}

double EnergyAccount::settle(const Certificate& c) {
  const double residual = excess(c), gain = unexplainedGain(c);
  if (steps_++ == 0) starts_open_ = c.joint_drift > 0;
  balance_ -= gain > 0 ? gain : std::min(0.0, c.contact_work);
  balance_ = std::clamp(balance_, 0.0, kPart * kineticEnergyOf(c));
  return residual;
}

}  // namespace stickslip
