#include "model/gyroscope.hpp"

#include <cmath>

namespace stickslip {
namespace {

// Largest turn of a substep [rad].
constexpr double kLargestTurn = 0.25;
// A body that turns further than this many substeps is beyond all resolution: its gyroscopic torque
// is left out, which keeps its energy too.
constexpr double kMostSubsteps = 1000;
constexpr int kMostIterations = 12;

Mat3 crossMatrix(Vec3 a) {
  return {{0, a.z, -a.y}, {-a.z, 0, a.x}, {a.y, -a.x, 0}};
}

Vec3 midpointStep(const Mat3& inertia, Vec3 w0, double h) {
  Vec3 w1 = w0;
  double last_change = INFINITY;
  for (int k = 0; k < kMostIterations; ++k) {
    const Vec3 wm = 0.5 * (w0 + w1), momentum = inertia * wm;
    const Vec3 residual = inertia * (w1 - w0) + h * cross(wm, momentum);
    const Mat3 slope =
        inertia + (h / 2) * (crossMatrix(wm) * inertia + -1.0 * crossMatrix(momentum));
    const Vec3 step = solve(slope, residual);
    w1 -= step;
    const double change = norm(step);
    // Quadratic convergence: once steps stop shrinking they are rounding.
    if (change == 0 || (k > 1 && change >= last_change / 2)) break;
    last_change = change;
  }
  return w1;
}

}  // namespace

Vec3 spinAfter(const Mat3& inertia, Vec3 w, double dt) {
  const double substeps = std::ceil(dt * norm(w) / kLargestTurn);
  if (!(substeps <= kMostSubsteps)) return w;
  for (int k = 0; k < static_cast<int>(substeps); ++k) w = midpointStep(inertia, w, dt / substeps);
  return w;
}

}  // namespace stickslip
