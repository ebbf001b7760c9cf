// Contact problems of one rigid body, contact by contact, for tests with answers on paper.
#pragma once

#include <cmath>
#include <cstdint>

#include "stickslip/contact_problem.hpp"
#include "stickslip/vector.hpp"

namespace stickslip::testing {

/// One body of the plane, velocities (vx, vy, u), centre of mass at the origin.
inline ContactProblem planarBodyProblem(double mass, double inertia) {
  ContactProblem problem;
  const int sizes[] = {3};
  problem.M.resize(sizes);
  problem.M.block(0)(0, 0) = problem.M.block(0)(1, 1) = mass;
  problem.M.block(0)(2, 2) = inertia;
  problem.v_free.assign(3, 0.0);
  problem.v_old = problem.v_free;
  return problem;
}

inline void finishContact(ContactProblem& problem, const ImpulseSet& set) {
  problem.sets.push_back(set);
  problem.contact_id.push_back(static_cast<std::uint64_t>(problem.sets.size()));
  problem.b.resize(problem.J.rowCount(), 0.0);
  problem.drive = problem.b;
  problem.gap.push_back(0);
}

/// The body touches something fixed at `point`; `normal` points into the body.
inline void touchPlanar(ContactProblem& problem, Vec2 point, Vec2 normal, double mu) {
  const double length = std::hypot(normal.x, normal.y);
  const Vec2 n{normal.x / length, normal.y / length}, t{n.y, -n.x};
  problem.J.addGroup(2);
  const MatrixView w = problem.J.addStrip(0, 3);
  int row = 0;
  for (const Vec2& d : {n, t}) {
    w(row, 0) = d.x;
    w(row, 1) = d.y;
    w(row, 2) = point.x * d.y - point.y * d.x;
    ++row;
  }
  finishContact(problem, {.kind = ImpulseSet::Kind::planar, .mu = mu, .mu_2 = mu});
}

/// One body of space, velocities of the centre of mass at the origin and of rotation.
inline ContactProblem spatialBodyProblem(double mass, Vec3 inertia) {
  ContactProblem problem;
  const int sizes[] = {6};
  problem.M.resize(sizes);
  const double diagonal[] = {mass, mass, mass, inertia.x, inertia.y, inertia.z};
  for (int k = 0; k < 6; ++k) problem.M.block(0)(k, k) = diagonal[k];
  problem.v_free.assign(6, 0.0);
  problem.v_old = problem.v_free;
  return problem;
}

/// The same in space; the first tangent is next to `along`.
inline void touchSpatial(ContactProblem& problem, Vec3 point, Vec3 normal, Vec3 along,
                         const ImpulseSet& set) {
  const Vec3 n = normalized(normal);
  const Vec3 across = normalized(cross(n, along));
  problem.J.addGroup(3);
  const MatrixView w = problem.J.addStrip(0, 6);
  int row = 0;
  for (const Vec3& d : {n, cross(across, n), across}) {
    const Vec3 arm = cross(point, d);
    const double entries[] = {d.x, d.y, d.z, arm.x, arm.y, arm.z};
    for (int k = 0; k < 6; ++k) w(row, k) = entries[k];
    ++row;
  }
  finishContact(problem, set);
}

inline ImpulseSet circularCone(double mu) {
  return {.kind = ImpulseSet::Kind::elliptic, .mu = mu, .mu_2 = mu};
}

inline ImpulseSet polyhedralCone(double mu, int directions) {
  return {.kind = ImpulseSet::Kind::polyhedral, .mu = mu, .mu_2 = mu, .directions = directions};
}

}  // namespace stickslip::testing
