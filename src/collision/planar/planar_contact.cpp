// Which planar narrow phase a pair goes to, and in which order.
//
// Terrain comes first. Two convex shapes are put into an order that does not depend on the
// caller's: fewer corners first, then by their measures, then by where they are. So ties are broken
// alike when the caller swaps the shapes.
#include "collision/planar/planar_contact.hpp"

#include <algorithm>
#include <tuple>

#include "collision/planar/polyline_contact.hpp"

namespace stickslip {

namespace {

// Two rounded polygons: signed distance and patch.
//
// Separating axes. Along the outward normal of an edge the cores are `separation` apart, the
// distance of the edge's line from the other core's nearest corner. Among all edges of both, take
// the largest separation.
//   Not positive: the cores overlap, and this is the smallest translation that parts them (the
// Minkowski difference is a polygon with these edges; its boundary point nearest to the origin lies
// inside the nearest edge).
//   Positive: the distance, if the corner lies over the edge. If not, two corners are nearest.
// The radii are subtracted from either: the distance of points outside a core is also that of its
// offset curves. Both cases use the normal of an edge when corners coincide up to rounding, so no
// normal comes from the difference of equal points.
//
// Patch. The other core's edge at the nearest corner, clipped to the extent of the first edge; each
// end has its own distance from the first edge's line.

// Corners this part of an edge's length apart along it count as meeting, for the feature number.
constexpr double kMeeting = 1e-3;

struct Axis {
  double separation = -std::numeric_limits<double>::infinity();
  int edge = -1;    ///< of the shape whose edge it is
  int corner = -1;  ///< of the other: nearest to the edge's line
};

// One end of the clipped edge.
struct PatchEnd {
  Vec2 point;         ///< of the other shape's core
  double height = 0;  ///< over the reference edge's line
  double along = 0;   ///< along the reference edge
  PlanarFeature kind = PlanarFeature::edge_corner;
  int on_reference = 0;  ///< edge or corner
  int on_other = 0;      ///< corner or edge
};

struct Patch {
  PatchEnd ends[2];
  int count = 0;

  double lowest() const {
    return count == 1 ? ends[0].height : std::min(ends[0].height, ends[1].height);
  }
};

int nextOf(std::size_t count, int i) {
  return static_cast<std::size_t>(i) + 1 == count ? 0 : i + 1;
}
int previousOf(std::size_t count, int i) {
  return i == 0 ? static_cast<int>(count) - 1 : i - 1;
}

class ReferenceSide {
 public:
  /// `other_in_own`: the pose of the other shape in the frame of the one whose edges are tried.
  ReferenceSide(const PlanarShape& own, const PlanarShape& other, const PlanarPose& other_in_own)
      : own_(own), other_(other), pose_(other_in_own) {}

  /// The edge with the largest separation; gives up at the first beyond `limit`.
  Axis bestAxis(double limit) const {
    Axis best;
    for (std::size_t i = 0; i < own_.edges().size(); ++i) {
      const Axis axis = axisOf(static_cast<int>(i));
      if (axis.separation > best.separation) best = axis;
      if (best.separation > limit) break;
    }
    return best;
  }

  /// Empty if the two edges do not lie over each other.
  Patch patchOver(const Axis& axis, double rounding) const;
  /// The nearest corner alone.
  Patch cornerOver(const Axis& axis) const {
    Patch patch;
    patch.count = 1;
    patch.ends[0] = cornerEnd(axis.edge, axis.corner);
    return patch;
  }

 private:
  const PlanarEdge& edge(int i) const { return own_.edges()[i]; }
  Vec2 corner(int j) const { return pose_.point(other_.corners()[j]); }

  Axis axisOf(int i) const {
    const PlanarEdge& e = edge(i);
    const Vec2 direction = pose_.directionBack(e.normal);
    Axis axis{std::numeric_limits<double>::infinity(), i, -1};
    for (std::size_t j = 0; j < other_.corners().size(); ++j) {
      const double height = dot(direction, other_.corners()[j]);
      if (height >= axis.separation) continue;
      axis.separation = height;
      axis.corner = static_cast<int>(j);
    }
    axis.separation += dot(e.normal, pose_.origin - e.start);
    return axis;
  }

  // The edge of the other core at its nearest corner that faces the reference edge.
  int facingEdge(const Axis& axis) const {
    const int after = axis.corner, before = previousOf(other_.edges().size(), axis.corner);
    const Vec2 direction = pose_.directionBack(edge(axis.edge).normal);
    const auto facing = [&](int i) { return dot(direction, other_.edges()[i].normal); };
    return facing(before) < facing(after) ? before : after;
  }

  PatchEnd cornerEnd(int i, int j) const;
  PatchEnd clippedEnd(int i, int other_edge, const PatchEnd& outside, const PatchEnd& inside) const;

  const PlanarShape& own_;
  const PlanarShape& other_;
  PlanarPose pose_;
};

PatchEnd ReferenceSide::cornerEnd(int i, int j) const {
  const PlanarEdge& e = edge(i);
  PatchEnd end;
  end.point = corner(j);
  end.height = dot(e.normal, end.point - e.start);
  end.along = dot(e.along, end.point - e.start);
  end.on_reference = i;
  end.on_other = j;
  const bool at_start = std::abs(end.along) <= kMeeting * e.length;
  if (at_start || std::abs(end.along - e.length) <= kMeeting * e.length) {
    end.kind = PlanarFeature::corner_corner;
    end.on_reference = at_start ? i : nextOf(own_.edges().size(), i);
  }
  return end;
}

// Where the other edge, from the end that is not over the reference edge, comes over it.
PatchEnd ReferenceSide::clippedEnd(int i, int other_edge, const PatchEnd& outside,
                                   const PatchEnd& inside) const {
  const PlanarEdge& e = edge(i);
  const bool at_start = outside.along < 0;
  const double bound = at_start ? 0 : e.length;
  const double part =
      std::clamp((bound - outside.along) / (inside.along - outside.along), 0.0, 1.0);
  PatchEnd end;
  end.point = outside.point + part * (inside.point - outside.point);
  end.height = outside.height + part * (inside.height - outside.height);
  end.along = bound;
  end.kind = PlanarFeature::corner_edge;
  end.on_reference = at_start ? i : nextOf(own_.edges().size(), i);
  end.on_other = other_edge;
  const double length = other_.edges()[other_edge].length;
  for (const PatchEnd* corner_end : {&outside, &inside}) {
    if (norm(end.point - corner_end->point) > kMeeting * length) continue;
    end.kind = PlanarFeature::corner_corner;
    end.on_other = corner_end->on_other;
  }
  return end;
}

Patch ReferenceSide::patchOver(const Axis& axis, double rounding) const {
  const double length = edge(axis.edge).length;
  const auto over = [&](double along) { return along >= -rounding && along <= length + rounding; };
  if (other_.edges().empty()) {
    const Patch patch = cornerOver(axis);
    return over(patch.ends[0].along) ? patch : Patch{};
  }
  const int facing = facingEdge(axis);
  const PatchEnd corners[2] = {cornerEnd(axis.edge, facing),
                               cornerEnd(axis.edge, nextOf(other_.edges().size(), facing))};
  Patch patch;
  patch.count = 2;
  for (int k = 0; k < 2; ++k) {
    const PatchEnd &end = corners[k], &opposite = corners[1 - k];
    if (end.along < -rounding && opposite.along < -rounding) return {};
    if (end.along > length + rounding && opposite.along > length + rounding) return {};
    patch.ends[k] = over(end.along) ? end : clippedEnd(axis.edge, facing, end, opposite);
  }
  if (norm(patch.ends[0].point - patch.ends[1].point) <= 2 * rounding) {
    if (patch.ends[1].height < patch.ends[0].height) patch.ends[0] = patch.ends[1];
    patch.count = 1;
  }
  return patch;
}

// The nearest corners of the two; an edge's normal has been found wanting, or there are no edges.
void addNearestCorners(const PlanarShape& a, const PlanarShape& b, const PlanarPose& b_in_a,
                       double rounding, PlanarPoints& out) {
  int on_a = 0, on_b = 0;
  Vec2 offset, nearest;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < b.corners().size(); ++j) {
    const Vec2 point = b_in_a.point(b.corners()[j]);
    for (std::size_t i = 0; i < a.corners().size(); ++i) {
      const Vec2 difference = point - a.corners()[i];
      if (dot(difference, difference) >= least) continue;
      least = dot(difference, difference);
      offset = difference;
      nearest = point;
      on_a = static_cast<int>(i);
      on_b = static_cast<int>(j);
    }
  }
  const double distance = norm(offset);
  // Disks with one centre: any direction parts them.
  const Vec2 normal = distance > rounding ? (1 / distance) * offset : Vec2{0, 1};
  out.add(nearest - b.radius() * normal, normal, distance - a.radius() - b.radius(),
          PlanarFeature::corner_corner, on_a, on_b);
}

// `patch` lies over an edge of a: its points are of b, already in the frame of a.
void addPatchOverA(const Patch& patch, Vec2 normal, const PlanarShape& a, const PlanarShape& b,
                   PlanarPoints& out) {
  for (int k = 0; k < patch.count; ++k) {
    const PatchEnd& end = patch.ends[k];
    out.add(end.point - b.radius() * normal, normal, end.height - a.radius() - b.radius(), end.kind,
            end.on_reference, end.on_other);
  }
}

// `patch` lies over an edge of b: its points are of a, in the frame of b.
void addPatchOverB(const Patch& patch, Vec2 edge_normal, const PlanarShape& a, const PlanarShape& b,
                   const PlanarPose& b_in_a, PlanarPoints& out) {
  for (int k = 0; k < patch.count; ++k) {
    const PatchEnd& end = patch.ends[k];
    const Vec2 on_b = end.point - (end.height - b.radius()) * edge_normal;
    const PlanarFeature kind = end.kind == PlanarFeature::edge_corner   ? PlanarFeature::corner_edge
                               : end.kind == PlanarFeature::corner_edge ? PlanarFeature::edge_corner
                                                                        : end.kind;
    out.add(b_in_a.point(on_b), b_in_a.direction(-edge_normal),
            end.height - a.radius() - b.radius(), kind, end.on_other, end.on_reference);
  }
}

// Points in the frame of `a`, with b standing at `b_in_a`; `rounding` as of planarRounding(). The
// edges of `a` are preferred where both shapes offer the same.
void collideRoundedPolygons(const PlanarShape& a, const PlanarShape& b, const PlanarPose& b_in_a,
                            double margin, double rounding, PlanarPoints& out) {
  const double limit = margin + a.radius() + b.radius();
  const PlanarPose a_in_b{b_in_a.directionBack(-b_in_a.origin), {b_in_a.axis.x, -b_in_a.axis.y}};
  const ReferenceSide side_a(a, b, b_in_a), side_b(b, a, a_in_b);
  const Axis of_a = side_a.bestAxis(limit);
  if (of_a.separation > limit) return;
  const Axis of_b = side_b.bestAxis(limit);
  if (of_b.separation > limit) return;

  const bool over_a = of_a.edge >= 0 && of_a.separation >= of_b.separation - rounding;
  const ReferenceSide& side = over_a ? side_a : side_b;
  const Axis& axis = over_a ? of_a : of_b;
  if (axis.edge < 0) return addNearestCorners(a, b, b_in_a, rounding, out);

  Patch patch = side.patchOver(axis, rounding);
  if (patch.count == 0 || patch.lowest() > axis.separation + rounding) {
    if (axis.separation >= -rounding) return addNearestCorners(a, b, b_in_a, rounding, out);
    patch = side.cornerOver(axis);  // of overlapping cores, the corner is off the edge by rounding
  }
  const std::size_t edge = axis.edge;
  if (over_a) return addPatchOverA(patch, a.edges()[edge].normal, a, b, out);
  addPatchOverB(patch, b.edges()[edge].normal, a, b, b_in_a, out);
}

// Which narrow phase a pair goes to.

bool comesFirst(const PlanarShape& a, const Pose& pose_a, const PlanarShape& b,
                const Pose& pose_b) {
  const auto key = [](const PlanarShape& s) { return std::tuple(s.corners().size(), s.radius()); };
  if (key(a) != key(b)) return key(a) < key(b);
  const auto less = [](Vec2 p, Vec2 q) { return std::tie(p.x, p.y) < std::tie(q.x, q.y); };
  const auto [in_a, in_b] =
      std::mismatch(a.corners().begin(), a.corners().end(), b.corners().begin(), b.corners().end());
  if (in_a != a.corners().end()) return less(*in_a, *in_b);
  const auto place = [](const Pose& pose) {
    return std::tuple(pose.position.x, pose.position.y, pose.rotation.x.x, pose.rotation.x.y);
  };
  return place(pose_a) <= place(pose_b);
}

bool isDisk(const PlanarShape& shape) {
  return shape.form() == PlanarShape::Form::convex && shape.corners().size() == 1;
}

// In the world, where nothing has to be turned. False if the centres are too close to tell a
// direction.
bool collideDisks(const PlanarShape& a, const Pose& pose_a, const PlanarShape& b,
                  const Pose& pose_b, double margin, ContactPoints& out) {
  const PlanarPose at_a = planarPart(pose_a), at_b = planarPart(pose_b);
  const Vec2 center_a = at_a.point(a.corners()[0]), center_b = at_b.point(b.corners()[0]);
  const Vec2 between = center_b - center_a;
  const double distance = norm(between), gap = distance - (a.radius() + b.radius());
  if (gap > margin) return true;
  if (!(distance > planarRounding(a, at_a, b, at_b))) return false;
  const Vec2 normal = (1 / distance) * between;
  out.push_back({inSpace(center_a + a.radius() * normal), inSpace(center_b - b.radius() * normal),
                 inSpace(normal), gap,
                 static_cast<std::uint32_t>(PlanarFeature::corner_corner) << 20});
  return true;
}

// Every corner within the margin.
void collideHalfPlane(const PlanarShape& body, const PlanarPose& body_in_plane, PlanarPoints& out) {
  constexpr Vec2 normal{0, 1};
  for (std::size_t j = 0; j < body.corners().size(); ++j) {
    const Vec2 point = body_in_plane.point(body.corners()[j]) - body.radius() * normal;
    out.add(point, normal, point.y, PlanarFeature::edge_corner, 0, static_cast<int>(j));
  }
}

void collideOrdered(const PlanarShape& a, const Pose& pose_a, const PlanarShape& b,
                    const Pose& pose_b, bool swapped, double margin, ContactPoints& points) {
  const PlanarPose at_a = planarPart(pose_a), at_b = planarPart(pose_b);
  const PlanarPose b_in_a = relativePose(at_a, at_b);
  const double rounding = planarRounding(a, at_a, b, at_b);
  PlanarPoints out(at_a, swapped, margin, rounding, points);
  switch (a.form()) {
    case PlanarShape::Form::convex:
      return collideRoundedPolygons(a, b, b_in_a, margin, rounding, out);
    case PlanarShape::Form::half_plane:
      return collideHalfPlane(b, b_in_a, out);
    case PlanarShape::Form::polyline:
      return collidePolyline(a, b, b_in_a, margin, rounding, out);
  }
}

}  // namespace

void collidePlanar(const PlanarShape& a, const Pose& pose_a, const PlanarShape& b,
                   const Pose& pose_b, double margin, ContactPoints& out) {
  const bool convex_a = a.form() == PlanarShape::Form::convex;
  const bool convex_b = b.form() == PlanarShape::Form::convex;
  if (!convex_a && !convex_b) return;
  if (isDisk(a) && isDisk(b) && collideDisks(a, pose_a, b, pose_b, margin, out)) return;
  const bool in_order = convex_a && convex_b ? comesFirst(a, pose_a, b, pose_b) : convex_b;
  if (in_order) return collideOrdered(a, pose_a, b, pose_b, false, margin, out);
  collideOrdered(b, pose_b, a, pose_a, true, margin, out);
}

}  // namespace stickslip
