// Puts the manifold of two projected features together; see manifold.hpp.
#pragma once

#include <algorithm>

#include "collision/manifold.hpp"
#include "collision/projected_feature.hpp"

namespace stickslip {

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
