// [ST00] Figure 1 and (1): a block on a ramp, m dv/dt in m g sin(theta) + F(t) - mu m g cos(theta)
// Sgn v.
//
// Where slope and force together stay below friction the block stops in finite time t_s and stays,
// exactly; v = 0 is no solution of the equation with sgn, and is one of the inclusion. The force of
// the scene is a triangular wave, whose integral is known, hence v(t) and t_s:
//
//   v(t) = v_0 + g (sin theta - mu cos theta) t + (1/m) int_0^t F
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

#include "convergence/trajectory.hpp"
#include "papers/experiments.hpp"
#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

constexpr double kRampFriction = 0.5, kRampSpeed = 2, kRampEnd = 3;
// The force of the scene: kForce, -kForce, kForce, ... at multiples of half a period, m = 1.
constexpr double kForce = 0.5, kHalfPeriod = 0.5;
constexpr double kRest = 1e-10 * kRampSpeed;
constexpr double kFrictionAngle = 26.565;  // degrees, atan 0.5

struct Ramp {
  double degrees;
  double angle() const { return degrees * std::numbers::pi / 180; }
  double drift() const {
    return kGravity * (math::sin(angle()) - kRampFriction * math::cos(angle()));
  }
  /// Velocity of a block that has not stopped before t.
  double velocity(double t) const {
    const double halves = std::floor(t / kHalfPeriod), rest = t - halves * kHalfPeriod;
    const double sign = std::fmod(halves, 2) == 0 ? 1 : -1;
    // Every half period ends with an integral of 0.
    return kRampSpeed + drift() * t + sign * kForce * rest * (1 - rest / kHalfPeriod);
  }
  /// Where that is zero first; kRampEnd if it is not.
  double stop() const {
    double low = 0, high = kRampEnd;
    if (velocity(high) > 0) return kRampEnd;
    for (int k = 0; k < 100; ++k) {
      const double middle = (low + high) / 2;
      (velocity(middle) > 0 ? low : high) = middle;
    }
    return high;
  }
};

struct Slide {
  Trajectory motion;
  double stop = kRampEnd;     ///< end of the first step that ends at rest
  double speed_after = 0;     ///< largest |v| of all later steps
  double velocity_error = 0;  ///< largest, against the closed form, until the stop
  bool certified = false;
};

Slide slide(const Ramp& ramp, double h) {
  const FinishedMotion finished =
      runAndKeep(paperScene("incline", {fmt::format("time.step={}", h),
                                        fmt::format("system.gravity=[{:.17g},{:.17g}]",
                                                    kGravity * math::sin(ramp.angle()),
                                                    -kGravity * math::cos(ramp.angle()))}));
  Slide out{finished.motion, kRampEnd, 0, 0, finished.summary.certified()};
  for (std::size_t step = 1; step < out.motion.count(); ++step) {
    const double t = out.motion.times[step], v = out.motion.velocity(step, 0);
    if (out.stop < kRampEnd) {
      out.speed_after = std::max(out.speed_after, std::abs(v));
    } else if (std::abs(v) <= kRest) {
      out.stop = t;
    } else {
      out.velocity_error = std::max(out.velocity_error, std::abs(v - ramp.velocity(t)));
    }
  }
  return out;
}

void addInclineRow(Outcome& outcome, Table& table, const Ramp& ramp, double h, const Slide& seen) {
  const bool stops = ramp.stop() < kRampEnd;
  outcome.rows.push_back({{"degrees", ramp.degrees},
                          {"h", h},
                          {"stop_time", stops ? Json(seen.stop) : Json()},
                          {"stop_time_exact", stops ? Json(ramp.stop()) : Json()},
                          {"speed_after_stop", seen.speed_after},
                          {"velocity_error", seen.velocity_error}});
  table.rows.push_back({fmt::format("{:g}", ramp.degrees), fmt::format("{:g}", h),
                        stops ? fmt::format("{:.4f}", seen.stop) : "never",
                        stops ? fmt::format("{:.4f}", ramp.stop()) : "never",
                        stops ? fmt::format("{:.1e}", seen.speed_after) : "",
                        fmt::format("{:.1e}", seen.velocity_error)});
}

}  // namespace

Outcome reproduceIncline(const Effort& effort) {
  Outcome outcome;
  Checks checks;
  double speed_after = 0;
  Table table{
      "When the block stops, here and by integration of (1), and how fast it is afterwards",
      {"slope [deg]", "h [s]", "stops at [s]", "exact [s]", "speed after", "error of v before"},
      {}};
  Plot plot{
      "Velocity along the ramp: below the friction angle of 26.57 degrees it ends in finite time",
      {"t [s]"},
      {"v [m/s]"},
      {}};
  for (const Ramp ramp : {Ramp{5}, Ramp{15}, Ramp{22}, Ramp{30}}) {
    sayProgress(fmt::format("incline: {} degrees", ramp.degrees));
    for (const double h : effort.quick ? std::vector{0.005} : std::vector{0.01, 0.001}) {
      const Slide seen = slide(ramp, h);
      addInclineRow(outcome, table, ramp, h, seen);
      const std::string where = fmt::format("{:g} degrees, h = {:g}: ", ramp.degrees, h);
      checks.expect(seen.certified, where + "a step is not certified");
      const bool should_stop = ramp.degrees < kFrictionAngle;
      checks.expect((seen.stop < kRampEnd) == should_stop,
                    where + (seen.stop < kRampEnd ? "stops" : "does not stop"));
      checks.expect(
          !should_stop || std::abs(seen.stop - ramp.stop()) <= 2 * h,
          where + fmt::format("stops at {:.4f} s, {:.4f} expected", seen.stop, ramp.stop()));
      checks.expect(
          !should_stop || seen.speed_after <= kRest,
          where + fmt::format("moves with {:.1e} m/s after it stopped", seen.speed_after));
      speed_after = std::max(speed_after, seen.speed_after);
      if (h < 0.01)
        plot.series.push_back({fmt::format("{:g} degrees", ramp.degrees), seen.motion.times,
                               seen.motion.velocitiesOf(0)});
    }
  }
  checks.decide(
      outcome, Verdict::agrees_in_kind,
      fmt::format(
          "Below the friction angle of 26.57 degrees the block stops within two steps of the "
          "exact time, and moves by no more than {:.0e} m/s ever after; above it slides on.",
          speed_after));
  outcome.parameters = {
      {"scene", "scenes/papers/incline.json"},
      {"chosen", "all: mu 0.5, m 1, v_0 2 m/s, force a triangular wave of 0.5 N and period 1 s"},
      {"scheme", "position ([ST00] (3)), exact friction"}};
  outcome.blocks = {table, plot};
  return outcome;
}

}  // namespace stickslip
