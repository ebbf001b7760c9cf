#include "model/shape_key.hpp"

#include <bit>

namespace stickslip {
namespace {

/// What a shape is made of, one after the other. Lists begin with their length.
class KeyWriter {
 public:
  explicit KeyWriter(ShapeKey& key) : key_(key) {}

  void put(double x) { key_.push_back(std::bit_cast<std::uint64_t>(x)); }
  void put(int i) { key_.push_back(static_cast<std::uint64_t>(i)); }
  void put(Vec2 p) { putAll(p.x, p.y); }
  void put(Vec3 p) { putAll(p.x, p.y, p.z); }
  void put(const Mat3& m) { putAll(m.x, m.y, m.z); }
  void put(const Disk& s) { put(s.radius); }
  void put(const PlanarCapsule& s) { putAll(s.length, s.radius); }
  void put(const PlanarBox& s) { putAll(s.width, s.height); }
  void put(const Polygon& s) { put(s.vertices); }
  void put(const HalfPlane&) {}
  void put(const Polyline& s) { put(s.points); }
  void put(const Sphere& s) { put(s.radius); }
  void put(const Capsule& s) { putAll(s.length, s.radius); }
  void put(const Cylinder& s) { putAll(s.radius, s.height); }
  void put(const Box& s) { put(s.size); }
  void put(const ConvexHull& s) { put(s.points); }
  void put(const HalfSpace&) {}
  void put(const HeightField& s) { putAll(s.columns, s.rows, s.spacing_x, s.spacing_y, s.heights); }
  void put(const TriangleMesh::Triangle& t) { putAll(t.a, t.b, t.c); }
  void put(const TriangleMesh& s) { putAll(s.vertices, s.triangles); }

 private:
  template <class T>
  void put(const std::vector<T>& list) {
    key_.push_back(list.size());
    for (const T& item : list) put(item);
  }
  template <class... Parts>
  void putAll(const Parts&... parts) {
    (put(parts), ...);
  }

  ShapeKey& key_;
};

}  // namespace

void append(const Shape& shape, ShapeKey& key) {
  key.push_back(shape.index());
  std::visit([&](const auto& s) { KeyWriter(key).put(s); }, shape);
}

void append(const Pose& pose, ShapeKey& key) {
  KeyWriter(key).put(pose.position);
  KeyWriter(key).put(pose.rotation);
}

}  // namespace stickslip
