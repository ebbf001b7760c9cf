// Contact points between planar shapes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "collision/planar/planar_shape.hpp"

namespace stickslip {

/// As collide() in collision_shape.hpp, for two planar shapes. Convex against convex: one or two
/// points; the smallest gap is the signed distance. Convex against half-plane: every corner within
/// the margin. Convex against polyline: see polyline_contact.hpp.
void collidePlanar(const PlanarShape& a, const Pose& pose_a, const PlanarShape& b,
                   const Pose& pose_b, double margin, ContactPoints& out);

// Takes the points that a planar narrow phase finds between two shapes, in the frame of the one it
// works in, to world coordinates and the caller's order of the shapes.

/// What meets in a contact point; part of its feature number.
enum class PlanarFeature : std::uint32_t { edge_corner, corner_edge, corner_corner };

class PlanarPoints {
 public:
  /// `first` is the shape in whose frame points are added, standing at `world`; it is the caller's
  /// b if `swapped`.
  PlanarPoints(const PlanarPose& world, bool swapped, double margin, double rounding,
               ContactPoints& out)
      : world_(world),
        swapped_(swapped),
        margin_(margin),
        rounding_(rounding),
        begin_(out.size()),
        out_(out) {}

  /// A point on the second shape, the normal from the first to the second, and the gap. Dropped if
  /// the gap exceeds the margin, or if a point of this pair is there already. `on_first` and
  /// `on_second` number the features that meet.
  void add(Vec2 point, Vec2 normal, double gap, PlanarFeature kind, int on_first, int on_second) {
    if (gap > margin_) return;
    ContactPoint p;
    p.normal = inSpace(world_.direction(normal));
    p.on_b = inSpace(world_.point(point));
    p.on_a = p.on_b - gap * p.normal;
    p.gap = gap;
    if (isThere(p)) return;
    p.feature = unused(number(kind, on_first, on_second));
    out_.push_back(swapped_ ? reversed(p) : p);
  }

 private:
  // In the caller's order of shapes, so that it does not depend on how this one was chosen. Counts
  // beyond the bits wrap around: numbers far apart do not meet in one contact.
  std::uint32_t number(PlanarFeature kind, int on_first, int on_second) const {
    if (swapped_) {
      std::swap(on_first, on_second);
      if (kind == PlanarFeature::edge_corner)
        kind = PlanarFeature::corner_edge;
      else if (kind == PlanarFeature::corner_edge)
        kind = PlanarFeature::edge_corner;
    }
    return static_cast<std::uint32_t>(kind) << 20 |
           (static_cast<std::uint32_t>(on_first) & 0x3ff) << 10 |
           (static_cast<std::uint32_t>(on_second) & 0x3ff);
  }
  // The number itself, or the next one that no point of this pair has yet.
  std::uint32_t unused(std::uint32_t feature) const {
    const auto taken = [&](const ContactPoint& p) { return p.feature == feature; };
    while (std::any_of(begin(), out_.cend(), taken)) feature = (feature + 1) & 0x3fffff;
    return feature;
  }

  static ContactPoint reversed(const ContactPoint& p) {
    return {p.on_b, p.on_a, -p.normal, p.gap, p.feature};
  }
  bool isThere(const ContactPoint& p) const {
    return std::any_of(begin(), out_.cend(), [&](const ContactPoint& other) {
      const ContactPoint q = swapped_ ? reversed(other) : other;
      return norm(p.on_b - q.on_b) <= 4 * rounding_ && norm(p.normal - q.normal) <= kSameNormal;
    });
  }
  ContactPoints::const_iterator begin() const {
    return out_.cbegin() + static_cast<std::ptrdiff_t>(begin_);
  }

  static constexpr double kSameNormal = 1e-6;

  PlanarPose world_;
  bool swapped_;
  double margin_;
  double rounding_;
  std::size_t begin_;
  ContactPoints& out_;
};

/// What rounding can do to coordinates in the frame of one of the two, with room to spare:
/// positions in the world are rounded, and so is their difference.
inline double planarRounding(const PlanarShape& a, const PlanarPose& at_a, const PlanarShape& b,
                             const PlanarPose& at_b) {
  const double positions = std::abs(at_a.origin.x) + std::abs(at_a.origin.y) +
                           std::abs(at_b.origin.x) + std::abs(at_b.origin.y);
  return 32 * std::numeric_limits<double>::epsilon() * (positions + a.size() + b.size());
}

}  // namespace stickslip
