#include "convergence/convergence.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

// Rounding, relative to the largest number of the motion.
constexpr double kRounding = 1e-12;

double aboveRounding(double error, const std::vector<double>& of_a,
                     const std::vector<double>& of_b) {
  double largest = 0;
  for (const double value : of_a) largest = std::max(largest, std::abs(value));
  for (const double value : of_b) largest = std::max(largest, std::abs(value));
  return error > kRounding * largest ? error : 0;
}

// Where a trajectory is at rising times: the step that holds t is (step - 1, step].
struct Cursor {
  const Trajectory& motion;
  std::size_t step = 1;

  void moveTo(double t) {
    while (step + 1 < motion.count() && motion.times[step] < t) ++step;
  }
  double position(double t, std::size_t k) const {
    const double from = motion.times[step - 1], length = motion.times[step] - from;
    const double share = length > 0 ? std::clamp((t - from) / length, 0.0, 1.0) : 1;
    return (1 - share) * motion.position(step - 1, k) + share * motion.position(step, k);
  }
};

std::vector<double> commonTimes(const Trajectory& a, const Trajectory& b) {
  std::vector<double> times = a.times;
  times.insert(times.end(), b.times.begin(), b.times.end());
  std::sort(times.begin(), times.end());
  const double end = std::min(a.times.back(), b.times.back());
  // Times that differ by rounding are one: steps of no length would only cost.
  std::vector<double> out;
  for (const double t : times)
    if (t <= end && (out.empty() || t - out.back() > 1e-12 * end)) out.push_back(t);
  return out;
}

double rate(double coarse_step, double coarse, double step, double error) {
  if (!(coarse > 0) || !(error > 0)) return kNotKnown;
  return math::log(coarse / error) / math::log(coarse_step / step);
}

}  // namespace

double positionError(const Trajectory& a, const Trajectory& b) {
  assert(a.positions == b.positions && a.count() > 1 && b.count() > 1);
  Cursor in_a{a}, in_b{b};
  double most = 0;
  for (const double t : commonTimes(a, b)) {
    in_a.moveTo(t);
    in_b.moveTo(t);
    for (std::size_t k = 0; k < a.positions; ++k)
      most = std::max(most, std::abs(in_a.position(t, k) - in_b.position(t, k)));
  }
  return aboveRounding(most, a.q, b.q);
}

double velocityError(const Trajectory& a, const Trajectory& b) {
  assert(a.velocities == b.velocities && a.count() > 1 && b.count() > 1);
  Cursor in_a{a}, in_b{b};
  const std::vector<double> times = commonTimes(a, b);
  double sum = 0;
  for (std::size_t i = 1; i < times.size(); ++i) {
    const double middle = (times[i - 1] + times[i]) / 2;
    in_a.moveTo(middle);
    in_b.moveTo(middle);
    double most = 0;
    for (std::size_t k = 0; k < a.velocities; ++k)
      most = std::max(most, std::abs(a.velocity(in_a.step, k) - b.velocity(in_b.step, k)));
    sum += (times[i] - times[i - 1]) * most;
  }
  return aboveRounding(sum / (times.back() - times.front()), a.u, b.u);
}

double velocityVariation(const Trajectory& a) {
  double sum = 0;
  for (std::size_t step = 1; step < a.count(); ++step) {
    double most = 0;
    for (std::size_t k = 0; k < a.velocities; ++k)
      most = std::max(most, std::abs(a.velocity(step, k) - a.velocity(step - 1, k)));
    sum += most;
  }
  return sum;
}

std::vector<ConvergenceRow> convergenceRows(std::span<const double> steps,
                                            std::span<const Trajectory> runs,
                                            const Trajectory& reference) {
  std::vector<ConvergenceRow> rows;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    ConvergenceRow row{steps[k],
                       positionError(runs[k], reference),
                       velocityError(runs[k], reference),
                       velocityVariation(runs[k]),
                       kNotKnown,
                       kNotKnown};
    if (k > 0) {
      const ConvergenceRow& before = rows.back();
      row.position_rate = rate(before.step, before.position_error, row.step, row.position_error);
      row.velocity_rate = rate(before.step, before.velocity_error, row.step, row.velocity_error);
    }
    rows.push_back(row);
  }
  return rows;
}

double fittedRate(std::span<const double> steps, std::span<const double> errors) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    if (!(errors[k] > 0)) continue;
    const double x = math::log(steps[k]), y = math::log(errors[k]);
    n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  const double spread = n * sxx - sx * sx;
  return n >= 2 && spread > 0 ? (n * sxy - sx * sy) / spread : kNotKnown;
}

}  // namespace stickslip
