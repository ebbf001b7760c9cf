// The points in which two convex shapes meet, from their common normal.
//
// Both shapes say which face, edge or point of theirs faces the other one along the normal. The two
// are projected along it onto a plane and intersected there; each corner of the intersection gives
// a point with its own gap, measured along the normal. The smallest of the gaps is the signed
// distance of the shapes.
#pragma once

#include <algorithm>
#include <cstddef>

#include "collision/collision_shape.hpp"
#include "collision/convex/convex_contact.hpp"
#include "collision/convex/convex_shape.hpp"
#include "collision/convex/gjk.hpp"

namespace stickslip {

// Fewer points for a contact patch.

/// As many points as any contact patch of two convex shapes has.
inline constexpr std::size_t kMaxPatchPoints = 8;

/// Leaves at most kMaxPatchPoints of out[first], ..., which share a normal: among them the one with
/// the smallest gap, and of the others those that span the largest area.
void reducePatch(ContactPoints& out, std::size_t first);

// A feature of a shape, projected along the common normal of a contact.

/// Axes of the plane that features are projected to, and the normal from a to b; right-handed.
struct ContactAxes {
  Vec3 t1;
  Vec3 t2;
  Vec3 normal;

  Vec2 flat(Vec3 p) const { return {dot(t1, p), dot(t2, p)}; }
  Vec3 point(Vec2 p, double height) const { return p.x * t1 + p.y * t2 + height * normal; }
};

struct ProjectedCorner {
  Vec2 at;
  double height = 0;  ///< along the normal
  std::uint32_t id = 0;
  std::uint32_t edge = 0;
};

/// The part of a segment, from + t (to - from), that lies within a feature, and which edges cut it.
struct ClippedSegment {
  bool empty = true;
  double t0 = 0;
  double t1 = 1;
  std::uint32_t edge0 = 0;  ///< where t0 > 0
  std::uint32_t edge1 = 0;  ///< where t1 < 1
};

/// Of a point in projection: (squared distance from a cap's centre - squared radius) / 2, which is
/// zero on the rim, and its gradient.
struct RimOffset {
  double value = 0;
  Vec2 gradient;
};

/// A point, a segment, a polygon or a disc.
class ProjectedFeature {
 public:
  /// `pose` takes the feature to the frame of `axes`; `side` is +1 for a shape below the contact
  /// plane (its outward normal along the axes' normal) and -1 for one above.
  void assign(const Feature& feature, const Pose& pose, const ContactAxes& axes, double side);

  std::span<const ProjectedCorner> corners() const { return corners_; }
  const ProjectedCorner& next(std::size_t i) const { return corners_[(i + 1) % corners_.size()]; }
  std::uint32_t id() const { return id_; }
  bool isPoint() const { return corners_.size() == 1; }
  bool isSegment() const { return corners_.size() == 2; }
  bool isPolygon() const { return corners_.size() > 2; }
  bool isDisc() const { return disc_radius_ > 0; }
  double discRadius() const { return disc_radius_; }
  Vec2 discCenter() const { return disc_center_; }

  /// Of the plane of a polygon.
  double heightAt(Vec2 p) const { return height_ + dot(slope_, p); }
  /// Of polygons and discs; points that are outside by no more than `tolerance` count as inside.
  bool contains(Vec2 p, double tolerance) const;
  RimOffset rimOffset(Vec2 p) const;
  ClippedSegment clip(Vec2 from, Vec2 to, double tolerance) const;

 private:
  double inwards(std::size_t edge, Vec2 p) const;
  Vec3 inCapPlane(Vec2 p) const;
  ClippedSegment clipByDisc(Vec2 from, Vec2 to, double tolerance) const;

  std::vector<ProjectedCorner> corners_;
  std::vector<Vec2> inwards_;  ///< unit normals of a polygon's edges
  double side_ = 1;
  double height_ = 0;
  Vec2 slope_;
  std::uint32_t id_ = 0;
  double disc_radius_ = 0;
  Vec2 disc_center_;
};

/// Appends the points with gaps of at most `margin`. `distance` is that of the cores.
void addManifold(const CorePair& pair, const SignedDistance& distance, const Pose& pose_a,
                 double margin, ContactPoints& out);

// Puts the manifold of two projected features together.

struct ManifoldSettings {
  /// Parts of the size of the smaller shape. A corner this far outside of a face still counts as
  /// inside, so that aligned boxes keep their contacts while they wobble;
  double on_boundary = 1e-9;
  /// points that are closer together are one;
  double same_point = 1e-7;
  /// and a manifold whose smallest gap is larger than the distance by more lacks its deepest point.
  double missing = 1e-13;
  /// Edges with a smaller sine between them touch along a line.
  double parallel = 0.01;
  /// An edge that rises by less than this part of its length is level: normals of rims are no
  /// better.
  double level = 1e-7;
  /// Where two rims cross.
  int newton_steps = 5;
};
inline constexpr ManifoldSettings kManifold;

// What meets in a point; the first two bits of its feature.
enum class Meeting : std::uint32_t { corner_of_a, corner_of_b, edges, closest_points };

inline std::uint32_t featureOf(Meeting meeting, std::uint32_t of_a, std::uint32_t of_b) {
  return static_cast<std::uint32_t>(meeting) << 20 | (of_a & 0x3FF) << 10 | (of_b & 0x3FF);
}

class ManifoldBuilder {
 public:
  ManifoldBuilder(const CorePair& pair, const SignedDistance& distance, const Pose& pose_a,
                  double margin, ContactPoints& out)
      : pair_(pair),
        distance_(distance),
        pose_a_(pose_a),
        margin_(margin),
        out_(out),
        first_(out.size()),
        size_(patchSize(pair)) {
    axes_.normal = distance.normal;
    axes_.t1 = acrossFrom(distance.normal);
    axes_.t2 = cross(axes_.normal, axes_.t1);
  }

  void build(const ProjectedFeature& a, const ProjectedFeature& b);
  const ContactAxes& axes() const { return axes_; }

 private:
  static double patchSize(const CorePair& pair) {
    const double a = pair.a.coreSize() + pair.a.radius();
    const double b = pair.b.coreSize() + pair.b.radius();
    return std::min(a, b);
  }

  void add(Vec2 at, double height_a, double height_b, std::uint32_t feature);
  void addPoint(const ProjectedFeature& a, const ProjectedFeature& b);
  void addCrossingEdges(const ProjectedFeature& a, const ProjectedFeature& b);
  void addParallelEdges(const ProjectedFeature& a, const ProjectedFeature& b);
  void addEdgesWithin(const ProjectedFeature& inner, const ProjectedFeature& outer,
                      bool inner_is_a);
  void addCornersWithin(const ProjectedFeature& inner, const ProjectedFeature& outer,
                        bool inner_is_a);
  void addRimCrossings(const ProjectedFeature& a, const ProjectedFeature& b);
  void addClosestPoints();
  bool lacksDeepestPoint() const;

  const CorePair& pair_;
  const SignedDistance& distance_;
  const Pose& pose_a_;
  double margin_;
  ContactPoints& out_;
  std::size_t first_;
  double size_;
  ContactAxes axes_;
};

}  // namespace stickslip
