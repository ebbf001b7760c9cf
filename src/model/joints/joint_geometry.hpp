// Joints as equations: what a joint holds, and the coordinates that it leaves free.
//
// With the frames A and B of the joint (axes x, y, z of either) and p_A, p_B their origins:
//   a point held along d:          d.(p_B - p_A)
//   an axis e of A across f of B:  e.f
// The rate of the first, with d fixed to body a, is d.v_B(p_B) - d.v_A(p_B): body a is asked for
// the velocity of its point at p_B. The rate of the second is (e x f).(omega_A - omega_B).
#pragma once

#include <array>
#include <span>

#include "model/bodies/kinematics.hpp"

namespace stickslip {

/// A scalar function of the configuration with its rate.
struct BodyFunction {
  double value = 0;
  BodyForm rate;
};

/// At most six functions.
struct BodyFunctions {
  std::array<BodyFunction, 6> functions;
  std::size_t count = 0;

  void add(const BodyFunction& function) { functions[count++] = function; }
  std::span<const BodyFunction> all() const& { return {functions.data(), count}; }
  std::span<const BodyFunction> all() const&& = delete;  // would outlive what it looks at
};

/// The functions that the joint keeps at zero; gears excepted.
BodyFunctions heldFunctions(const Joint& joint, const Kinematics& frames, int dimension);
/// The largest of them relative to what they are made of: lengths to the distances in the joint,
/// cosines to 1.
double relativeMisfit(const Joint& joint, const Kinematics& frames, int dimension);
/// How many they are.
int heldCount(const Joint& joint, int dimension);

/// Coordinate k of a joint. An angle in space comes out within half a turn.
BodyFunction coordinateOf(const Joint& joint, int k, const Kinematics& frames, int dimension);
/// True if coordinate k is an angle whose turns have to be counted beside it.
bool needsTurns(const Joint& joint, int k, int dimension);
/// angle + a multiple of 2 pi, next to `near`.
double nearestTurn(double angle, double near);

/// The distance from a point of one body to a point of another (in their frames about the centres
/// of mass), with its rate. Points that coincide are moved apart along x.
BodyFunction distanceBetween(int body_a, Vec3 point_a, int body_b, Vec3 point_b,
                             const Kinematics& frames);
/// Component of that difference along a fixed direction.
BodyFunction differenceAlong(Vec3 direction, int body_a, Vec3 point_a, int body_b, Vec3 point_b,
                             const Kinematics& frames);

}  // namespace stickslip
