#include "model/gyroscope.hpp"

#include <cmath>

namespace stickslip {
namespace {

// Largest turn of a substep [rad].
constexpr double kLargestTurn = 0.25;
// A body that turns further than this many substeps in one step is beyond all resolution: its
// gyroscopic torque is left out, which keeps its energy too.
constexpr double kMostSubsteps = 1000;
constexpr int kMostIterations = 12;

Mat3 crossMatrix(Vec3 a) {
  return {{0, a.z, -a.y}, {-a.z, 0, a.x}, {a.y, -a.x, 0}};
}

// A^-1 b by Cramer's rule, for 3 x 3 matrices near a definite one.
Vec3 solve(const Mat3& A, Vec3 b) {
  const double determinant = dot(A.x, cross(A.y, A.z));
  return (1 / determinant) *
         Vec3{dot(b, cross(A.y, A.z)), dot(A.x, cross(b, A.z)), dot(A.x, cross(A.y, b))};
}

Vec3 midpointStep(const Mat3& inertia, Vec3 w0, Vec3 torque, double h) {
  Vec3 w1 = w0;
  double last_change = INFINITY;
  for (int k = 0; k < kMostIterations; ++k) {
    const Vec3 wm = 0.5 * (w0 + w1), momentum = inertia * wm;
    const Vec3 residual = inertia * (w1 - w0) + h * (cross(wm, momentum) - torque);
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

Vec3 effectiveTorque(const Mat3& inertia, Vec3 w0, Vec3 torque, double h) {
  const Vec3 free_change = solve(inertia, h * torque);
  const double turn = h * (norm(w0) + norm(free_change));
  const double substeps = std::ceil(turn / kLargestTurn);
  if (!(substeps <= kMostSubsteps)) return torque;
  if (substeps == 0) return torque;
  Vec3 w = w0;
  for (int k = 0; k < static_cast<int>(substeps); ++k)
    w = midpointStep(inertia, w, torque, h / substeps);
  return (1 / h) * (inertia * (w - w0));
}

}  // namespace stickslip
