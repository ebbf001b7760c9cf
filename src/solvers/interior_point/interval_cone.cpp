#include "solvers/interior_point/interval_cone.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stickslip {
namespace {

using Kind = Cone::Kind;

// Proximal weight of rows without bounds, which have no barrier: the mean diagonal entry of W is 1.
constexpr double kJointWeight = 1e-8;

}  // namespace

void IntervalCones::select(const ConvexProblem& problem) {
  rows_.clear();
  degree_ = 0;
  for (std::size_t i = 0; i < problem.cones.size(); ++i) {
    const Cone& cone = problem.cones[i];
    if (cone.rows != 1) continue;
    Row row;
    row.row = static_cast<std::size_t>(cone.first);
    row.block = problem.W.firstOfBlock(static_cast<int>(i));
    if (cone.kind == Kind::lorentz) row.lower.bounded = true;
    if (cone.kind == Kind::interval) {
      row.lower.bounded = std::isfinite(cone.lower);
      row.lower.bound = cone.lower;
      row.upper.bounded = std::isfinite(cone.upper);
      row.upper.bound = cone.upper;
    }
    degree_ += int{row.lower.bounded} + int{row.upper.bounded};
    rows_.push_back(row);
  }
}

void IntervalCones::enter(double impulse, double velocity, std::span<double> p,
                          std::span<const double> u) {
  for (Row& row : rows_) {
    double& x = p[row.row];
    Side &lower = row.lower, &upper = row.upper;
    const double width = lower.bounded && upper.bounded ? upper.bound - lower.bound
                                                        : std::numeric_limits<double>::infinity();
    const double margin = std::min(impulse, width / 4);
    if (lower.bounded) x = std::max(x, lower.bound + margin);
    if (upper.bounded) x = std::min(x, upper.bound - margin);
    lower.distance = x - lower.bound;
    upper.distance = upper.bound - x;
    if (lower.bounded) lower.z = std::max(u[row.row], velocity);
    if (upper.bounded) upper.z = std::max(-u[row.row], velocity);
  }
}

double IntervalCones::gap(std::span<const double>) const {
  double sum = 0;
  for (const Row& row : rows_)
    for (const Side* side : {&row.lower, &row.upper})
      if (side->bounded) sum += side->distance * side->z;
  return sum;
}

void IntervalCones::scale(double delta, std::span<const double>, std::span<double> S) {
  for (Row& row : rows_) {
    double stiffness = delta;
    for (const Side* side : {&row.lower, &row.upper})
      if (side->bounded && side->distance > 0) stiffness += side->z / side->distance;
    if (!row.lower.bounded && !row.upper.bounded) stiffness = kJointWeight;
    // Bounds that meet leave no freedom.
    const bool fixed = row.lower.bounded && row.upper.bounded &&
                       !(row.lower.distance > 0 && row.upper.distance > 0);
    row.softness = fixed ? 0 : 1 / stiffness;
    S[row.block] = row.softness;
  }
}

void IntervalCones::aim(double mu, double correction, std::span<const double>,
                        std::span<const double> u, std::span<double> r) {
  for (Row& row : rows_)
    for (Side* side : {&row.lower, &row.upper})
      side->target = mu - (correction > 0 ? correction * side->second : 0);
  aimAtTargets(u, r);
}

void IntervalCones::recentre(double step, double mu, std::span<const double> u,
                             std::span<double> r) {
  for (Row& row : rows_)
    for (Side* side : {&row.lower, &row.upper}) {
      const double now = side->distance * side->z;
      side->last_target = side->target;
      if (side->bounded)
        side->target += recentring(productAfter(step, now, side->target, side->second), mu);
    }
  aimAtTargets(u, r);
}

void IntervalCones::aimAsBefore(std::span<const double> u, std::span<double> r) {
  for (Row& row : rows_)
    for (Side* side : {&row.lower, &row.upper}) side->target = side->last_target;
  aimAtTargets(u, r);
}

void IntervalCones::aimAtTargets(std::span<const double> u, std::span<double> r) const {
  for (const Row& row : rows_) {
    double push = -u[row.row];
    double sign = 1;
    for (const Side* side : {&row.lower, &row.upper}) {
      if (side->bounded && row.softness > 0) push += sign * side->target / side->distance;
      sign = -1;
    }
    r[row.row] = row.softness * push;
  }
}

double IntervalCones::direct(std::span<const double>, std::span<const double>,
                             std::span<const double> d_p, std::span<const double>) {
  double step = 1;
  for (Row& row : rows_) {
    if (!(row.softness > 0)) continue;
    double d_distance = d_p[row.row];
    for (Side* side : {&row.lower, &row.upper}) {
      if (side->bounded) {
        side->d_z = (side->target - side->z * d_distance) / side->distance - side->z;
        side->second = d_distance * side->d_z;
        if (side->distance + step * d_distance < 0) step = -side->distance / d_distance;
        if (side->z + step * side->d_z < 0) step = -side->z / side->d_z;
      }
      d_distance = -d_distance;
    }
  }
  return step;
}

void IntervalCones::move(double step, std::span<double> p, std::span<const double> d_p) {
  for (Row& row : rows_) {
    if (!(row.softness > 0)) continue;
    const double change = step * d_p[row.row];
    p[row.row] += change;
    row.lower.distance += change;
    row.upper.distance -= change;
    for (Side* side : {&row.lower, &row.upper}) side->z += step * side->d_z;
  }
}

}  // namespace stickslip
