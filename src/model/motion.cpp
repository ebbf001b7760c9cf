#include "stickslip/motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

// Displacement and rotation vector from the start, with their rates.
struct Excursion {
  Vec3 displacement, velocity;
  Vec3 rotation, rotation_rate;
};

Excursion excursionOf(const ConstantMotion& m, double t) {
  return {t * m.velocity, m.velocity, t * m.angular_velocity, m.angular_velocity};
}

Excursion excursionOf(const SinusoidalMotion& m, double t) {
  const double omega = 2 * std::numbers::pi * m.frequency;
  const auto [sine, cosine] = math::sinCos(omega * t + m.phase);
  const double rate = omega * cosine;
  return {sine * m.amplitude, rate * m.amplitude, sine * m.rotation_amplitude,
          rate * m.rotation_amplitude};
}

// Where t is in ascending times: between rows `before` and before + 1, at `share` of the way.
struct Place {
  std::size_t before = 0;
  double share = 0;
  double duration = 0;  ///< of the piece; 0 outside of the table
};

Place placeOf(const std::vector<double>& times, double t) {
  if (t < times.front()) return {};
  const auto after = std::upper_bound(times.begin(), times.end(), t);
  if (after == times.end()) return {times.size() - 1, 0, 0};
  const auto before = static_cast<std::size_t>(after - times.begin()) - 1;
  const double duration = times[before + 1] - times[before];
  return {before, (t - times[before]) / duration, duration};
}

Vec3 valueAt(const std::vector<Vec3>& values, const Place& place) {
  if (place.duration == 0) return values[place.before];
  return values[place.before] + place.share * (values[place.before + 1] - values[place.before]);
}

Vec3 rateAt(const std::vector<Vec3>& values, const Place& place) {
  if (place.duration == 0) return {};
  return (1 / place.duration) * (values[place.before + 1] - values[place.before]);
}

Excursion excursionOf(const TabledMotion& m, double t) {
  const Place place = placeOf(m.times, t);
  return {valueAt(m.displacements, place), rateAt(m.displacements, place),
          valueAt(m.rotations, place), rateAt(m.rotations, place)};
}

// Angular velocity (world) of R(t) = exp(r(t)): the derivative of the exponential map,
// omega = r' + (1 - cos a)/a^2 r x r' + (a - sin a)/a^3 r x (r x r').
Vec3 angularVelocity(Vec3 r, Vec3 rate) {
  const double a = norm(r);
  const bool is_small = a < 1e-4;
  const auto [sine, cosine] = math::sinCos(a);
  const double first = is_small ? 0.5 - a * a / 24 : (1 - cosine) / (a * a);
  const double second = is_small ? 1.0 / 6 - a * a / 120 : (a - sine) / (a * a * a);
  const Vec3 turn = cross(r, rate);
  return rate + first * turn + second * cross(r, turn);
}

}  // namespace

const Motion::Form& Motion::form() const {
  static const Form at_rest;
  return form_ ? *form_ : at_rest;
}

FrameMotion evaluate(const Motion& motion, const Pose& start, double t) {
  const Excursion e = std::visit([t](const auto& m) { return excursionOf(m, t); }, motion.form());
  return {{start.position + e.displacement, matrixOf(rotationBy(e.rotation)) * start.rotation},
          e.velocity,
          angularVelocity(e.rotation, e.rotation_rate),
          e.rotation};
}

Vec3 VectorTable::at(double t) const {
  return values.empty() ? Vec3{} : valueAt(values, placeOf(times, t));
}

Vec3 VectorTable::rateAt(double t) const {
  return values.empty() ? Vec3{} : stickslip::rateAt(values, placeOf(times, t));
}

}  // namespace stickslip
