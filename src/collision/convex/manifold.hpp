// The points in which two convex shapes meet, from their common normal.
//
// Both shapes say which face, edge or point of theirs faces the other one along the normal. The two
// are projected along it onto a plane and intersected there; each corner of the intersection gives
// a point with its own gap, measured along the normal. The smallest of the gaps is the signed
// distance of the shapes.
#pragma once

#include <algorithm>

#include "collision/convex/convex_contact.hpp"
#include "collision/convex/gjk.hpp"
#include "collision/convex/projected_feature.hpp"

namespace stickslip {

/// Appends the points with gaps of at most `margin`. `distance` is that of the cores.
void addManifold(const CorePair& pair, const SignedDistance& distance, const Pose& pose_a,
                 double margin, ContactPoints& out);

// Puts the manifold of two projected features together; see manifold.hpp.

// Parts of the size of the smaller shape. A corner this far outside of a face still counts as
// inside, so that aligned boxes keep their contacts while they wobble;
inline constexpr double kOnBoundary = 1e-9;
// points that are closer together are one;
inline constexpr double kSamePoint = 1e-7;
// and a manifold whose smallest gap is larger than the distance by more lacks its deepest point.
inline constexpr double kMissing = 1e-13;

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
