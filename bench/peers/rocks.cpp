#include "peers/rocks.hpp"

#include <algorithm>
#include <vector>

#include "stickslip/mass_properties.hpp"
#include "support/random_rotation.hpp"

namespace stickslip::peers {
namespace {

std::vector<Vec3> randomPoints(testing::Random& random) {
  std::vector<Vec3> points(static_cast<std::size_t>(random.integer(12, 20)));
  for (Vec3& x : points) x = random.uniform(0.8, 1) * testing::randomDirection(random);
  return points;
}

}  // namespace

void makeRock(double mass, double radius, testing::Random& random, Body& body) {
  std::vector<Vec3> points = randomPoints(random);
  const MassProperties raw = massProperties(ConvexHull{points}, 1);
  const Mat3 axes = principalInertia(raw.inertia).axes;
  double farthest = 0;
  for (Vec3& x : points) {
    x = transposedTimes(axes, x - raw.center);
    farthest = std::max(farthest, norm(x));
  }
  for (Vec3& x : points) x = (radius / farthest) * x;
  const MassProperties unit = massProperties(ConvexHull{points}, 1);
  const double density = mass / unit.mass;
  const Mat3& I = unit.inertia;
  // What is left off the diagonal, and of the centre, is rounding.
  body.mass = {mass, {}, diagonal({density * I.x.x, density * I.y.y, density * I.z.z})};
  body.shapes.push_back({ConvexHull{std::move(points)}, {}, 0});
}

}  // namespace stickslip::peers
