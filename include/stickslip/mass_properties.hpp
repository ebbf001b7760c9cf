// Mass, centre of mass and inertia, given or computed from shapes and a density.
#pragma once

#include <span>
#include <string>

#include "stickslip/material.hpp"
#include "stickslip/shape.hpp"

namespace stickslip {

/// In the axes of the body's frame. Planar bodies use mass, center.x, center.y and inertia(2, 2).
struct MassProperties {
  double mass = 0;
  Vec3 center{};   ///< centre of mass
  Mat3 inertia{};  ///< about the centre of mass
};

/// Principal moments, ascending, and the axes that belong to them (right-handed).
struct PrincipalInertia {
  Vec3 moments{};
  Mat3 axes{};  ///< columns
};
PrincipalInertia principalInertia(const Mat3& inertia);

/// Of one shape of the given density (mass per volume; per area in the plane), in its own frame.
/// The shape must be sound and have a volume.
MassProperties massProperties(const Shape& shape, double density);
/// Of placed shapes; overlaps count twice. `densities[i]` belongs to shapes[i].
MassProperties massProperties(std::span<const PlacedShape> shapes,
                              std::span<const double> densities);
/// The same with the shapes' own densities, or those of their materials.
MassProperties massProperties(std::span<const PlacedShape> shapes,
                              std::span<const Material> materials);

/// What is wrong with a mass and an inertia matrix, empty if nothing is: mass not positive, matrix
/// not symmetric or not positive definite, principal moments that violate the triangle inequality.
std::string problemOf(const MassProperties& properties, int dimension);

}  // namespace stickslip
