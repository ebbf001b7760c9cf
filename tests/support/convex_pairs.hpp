// Random pairs of convex shapes, and their signed distance by brute force.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "collision/collision_shape.hpp"
#include "support/random.hpp"

namespace stickslip::testing {

/// The names of the convex shapes of space: "sphere", "capsule", "cylinder", "box", "hull".
std::span<const std::string> convexKinds();

/// A rotation by Rodrigues' formula.
Mat3 rotationAbout(Vec3 axis, double angle);
Vec3 randomDirection(Random& random);
Pose randomPose(Random& random, double reach);

/// A shape with sizes between 0.4 and 2 times `scale`; hulls have 12 vertices.
Shape randomShape(const std::string& kind, Random& random, double scale = 1);
/// As makeCollisionShape(), but with hulls whose faces are found by trying all triples of points,
/// no four of which lie in a plane.
std::shared_ptr<const CollisionShape> prepared(const Shape& shape);

struct PlacedConvex {
  Shape shape;
  std::shared_ptr<const CollisionShape> prepared;
  Pose pose;
};
PlacedConvex randomConvex(const std::string& kind, Random& random, double reach, double scale = 1);

/// max over points x of the shape of n.x, from the shape's definition.
double height(const PlacedConvex& body, Vec3 n);
/// min over y in b of n.y - max over x in a of n.x.
double gapAlong(const PlacedConvex& a, const PlacedConvex& b, Vec3 n);
/// max over unit vectors n of gapAlong(): a grid over the sphere, then local search from its best
/// points. Never too large, since every n gives a lower bound.
double bruteForceDistance(const PlacedConvex& a, const PlacedConvex& b);

/// Points of collide(), and the one with the smallest gap.
ContactPoints contactsOf(const PlacedConvex& a, const PlacedConvex& b, double margin);
const ContactPoint& deepestOf(const ContactPoints& points);

}  // namespace stickslip::testing
