#include "model/bodies/body_shapes.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "model/shapes/shape.hpp"

namespace stickslip {
namespace {

// Of spheres, and of disks in the plane; -1 for all else.
double ballRadius(const Shape& shape) {
  if (const Sphere* sphere = std::get_if<Sphere>(&shape)) return sphere->radius;
  if (const Disk* disk = std::get_if<Disk>(&shape)) return disk->radius;
  return -1;
}

bool isIdentity(const Pose& pose) {
  return pose.position == Vec3{} && pose.rotation == Mat3{};
}

}  // namespace

void shareEqualShapes(std::span<Body> bodies) {
  std::map<ShapeKey, ShapeList*> known;
  ShapeKey key;
  for (Body& body : bodies) {
    key.clear();
    for (const PlacedShape& placed : std::as_const(body.shapes)) {
      append(placed.shape, key);
      append(placed.placement, key);
      key.push_back(static_cast<std::uint64_t>(placed.material));
      key.push_back(std::bit_cast<std::uint64_t>(placed.density));
    }
    const auto [it, is_new] = known.try_emplace(key, &body.shapes);
    if (!is_new) body.shapes.share(*it->second);
  }
}

/// Knows what there is already.
class BodyShapes::Builder {
 public:
  explicit Builder(BodyShapes& out) : out_(out) {}

  void add(int body, Vec3 center_of_mass, const PlacedShape& placed) {
    Pose placement = placed.placement;
    placement.position -= center_of_mass;
    BodyShape shape{body, placed.material, formOf(placed.shape), placementOf(placement), 0};
    shape.radius = out_.preparedOf(shape).farthestFrom(placement.pointToLocal({}));
    out_.shapes_.push_back(shape);
  }

 private:
  int formOf(const Shape& shape) {
    key_.clear();
    append(shape, key_);
    const auto [it, is_new] = forms_.try_emplace(key_, static_cast<int>(forms_.size()));
    if (is_new)
      out_.forms_.push_back({makeCollisionShape(shape), ballRadius(shape), isTerrain(shape)});
    return it->second;
  }
  int placementOf(const Pose& placement) {
    if (isIdentity(placement)) return -1;
    key_.clear();
    append(placement, key_);
    const auto [it, is_new] = placements_.try_emplace(key_, static_cast<int>(placements_.size()));
    if (is_new) out_.placements_.push_back(placement);
    return it->second;
  }

  BodyShapes& out_;
  std::map<ShapeKey, int> forms_;
  std::map<ShapeKey, int> placements_;
  ShapeKey key_;  ///< workspace
};

BodyShapes::BodyShapes(const BodySystemData& data) {
  std::size_t count = 0;
  for (const Body& body : data.bodies) count += body.shapes.size();
  shapes_.reserve(count);
  Builder builder(*this);
  for (std::size_t i = 0; i < data.bodies.size(); ++i)
    for (const PlacedShape& placed : data.bodies[i].shapes)
      builder.add(static_cast<int>(i), data.bodies[i].mass.center, placed);
  forms_.shrink_to_fit();
  placements_.shrink_to_fit();
}

double BodyShapes::smallestExtent(const BodyShape& shape, int dimension) const {
  // Terrain has no thickness to be compared with.
  if (formOf(shape).is_terrain) return std::numeric_limits<double>::infinity();
  const Bounds bounds = preparedOf(shape).boundsAt({});
  const Vec3 extent = bounds.upper - bounds.lower;
  const double in_plane = std::min(extent.x, extent.y);
  return dimension == 2 ? in_plane : std::min(in_plane, extent.z);
}

}  // namespace stickslip
