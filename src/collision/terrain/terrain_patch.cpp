// Face of a terrain: the feature of the convex shape clipped by the prism over the triangle
// (Sutherland and Hodgman, "Reentrant polygon clipping", CACM 17, 1974).
#include "collision/terrain/terrain_patch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "collision/convex/gjk.hpp"
#include "collision/convex/round_shapes.hpp"
#include "stickslip/elementary.hpp"

namespace stickslip {

namespace {

ClippedCorner cutBetween(const ClippedCorner& a, const ClippedCorner& b, double share,
                         unsigned side) {
  return {a.at + share * (b.at - a.at), 0, (a.sides & b.sides) | side};
}

// Cuts off what is outside of side i. A polygon is closed, a segment is not.
void clipBySide(const TerrainTriangle& triangle, std::size_t i, double tolerance,
                TerrainScratch& scratch) {
  const std::vector<ClippedCorner>& in = scratch.polygon;
  const auto outside = [&](const ClippedCorner& p) {
    return dot(triangle.side[i].outward, p.at - triangle.corner[i]) - tolerance;
  };
  scratch.clipped.clear();
  const std::size_t edges = in.size() > 2 ? in.size() : in.size() - 1;
  for (std::size_t k = 0; k < in.size(); ++k) {
    const double here = outside(in[k]);
    if (here <= 0) scratch.clipped.push_back(in[k]);
    if (k >= edges) continue;
    const ClippedCorner& next = in[(k + 1) % in.size()];
    const double there = outside(next);
    if ((here <= 0) == (there <= 0)) continue;
    scratch.clipped.push_back(cutBetween(in[k], next, here / (here - there), 1u << i));
  }
  std::swap(scratch.polygon, scratch.clipped);
}

// True if the feature loses height over the triangle's plane on its way out over `side`.
bool goesDownBeyond(const Feature& feature, Vec3 normal, const TerrainSide& side) {
  if (feature.isPoint()) return false;
  if (feature.isPolygon())
    return dot(feature.normal, side.outward) < kTerrain.level * dot(feature.normal, normal);
  const Vec3 along = feature.corners[1].point - feature.corners[0].point;
  const double out = dot(along, side.outward), up = dot(along, normal);
  return out > 0 ? up < -kTerrain.level * out : up > -kTerrain.level * out;
}

// A corner that has sunk a little into the slope beyond a concave side still rests on the triangle;
// one in front of that slope, or far away, does not.
bool beyondConcaveSide(const TerrainTriangle& triangle, Vec3 point, double size) {
  for (std::size_t i = 0; i < 3; ++i) {
    const TerrainSide& side = triangle.side[i];
    const Vec3 from = point - triangle.corner[i];
    const double beyond = dot(side.outward, from);
    if (!side.concave() || beyond <= kTerrain.noise * size) continue;
    const auto [sine, cosine] = math::sinCos(side.turn);
    const Vec3 slope = cosine * triangle.normal + sine * side.outward;
    if (beyond > kTerrain.concave_slack * size || dot(slope, from) > kTerrain.noise * size)
      return true;
  }
  return false;
}

}  // namespace

void PlacedConvex::lowestFeature(Vec3 n, Feature& out) const {
  shape.feature(-transposedTimes(pose.rotation, n), out);
  for (FeatureCorner& corner : out.corners) corner.point = pose.pointToWorld(corner.point);
  out.normal = pose.rotation * out.normal;
}

void addFacePoints(const PlacedConvex& convex, const TerrainTriangle& triangle, double reach,
                   FaceExtent extent, TerrainScratch& scratch, std::vector<TerrainPoint>& out) {
  const Vec3 n = triangle.normal;
  if (dot(n, convex.center() - triangle.corner[0]) < 0) return;
  Feature& feature = scratch.feature;
  convex.lowestFeature(n, feature);
  scratch.polygon.clear();
  double feature_lowest = INFINITY;
  for (const FeatureCorner& corner : feature.corners) {
    scratch.polygon.push_back({corner.point, corner.id, 0});
    feature_lowest = std::min(feature_lowest, dot(n, corner.point - triangle.corner[0]));
  }
  const double tolerance = kTerrain.noise * convex.size();
  unsigned barred = 0;  // sides that have the points on them
  unsigned flat = 0;    // sides beyond which the same plane goes on
  for (std::size_t i = 0; i < 3; ++i) {
    const TerrainSide& side = triangle.side[i];
    if (side.concave() || (extent == FaceExtent::up_to_convex_sides && !side.convex())) continue;
    clipBySide(triangle, i, tolerance, scratch);
    if (scratch.polygon.empty()) return;
    if (!side.convex()) flat |= 1u << i;
    if (side.convex() && goesDownBeyond(feature, n, side)) barred |= 1u << i;
  }
  const double radius = convex.shape.radius();
  const auto gapOf = [&](const ClippedCorner& corner) {
    return dot(n, corner.at - triangle.corner[0]) - radius;
  };
  const auto lowest = std::ranges::min_element(scratch.polygon, {}, gapOf);
  // If the feature gets lower beyond a convex side, only its own corners are of interest.
  const bool lower_beyond =
      gapOf(*lowest) > feature_lowest - radius + kTerrain.level * convex.size();
  if ((lowest->sides & barred) != 0 || ((lowest->sides & ~flat) != 0 && lower_beyond)) barred = 7;
  for (const ClippedCorner& corner : scratch.polygon) {
    const double gap = gapOf(corner);
    if (gap > reach || (corner.sides & barred) != 0) continue;
    if (corner.sides != 0 && (corner.sides & ~flat) == 0) continue;  // no corner of the whole patch
    const Vec3 on_convex = corner.at - radius * n;
    if (extent == FaceExtent::triangle && beyondConcaveSide(triangle, on_convex, convex.size()))
      continue;
    out.push_back({on_convex, n, gap, (corner.id + corner.sides) % 8});
  }
}

// Convex side of a terrain.
//
// The normals of the side form an arc n(x) from that of the triangle to that of its neighbour. The
// height of the convex shape over the side along n is min over a of n.(a - side), the least of
// cosines of x; a contact is a maximum of it inside the arc. It is bracketed by samples and closed
// in on by cutting planes: the next trial is where the lower one of the lowest points at both ends
// of the bracket is highest, which is the answer as soon as no other point lies lower there. A
// polytope has finitely many points, so that comes to an end; bisection in between bounds the
// number of trials.

namespace {

struct Side {
  Vec3 origin;
  Vec3 along;  ///< unit
  double length = 0;
  Vec3 normal, outward;
  double turn = 0;

  Vec3 normalAt(double angle) const {
    const auto [sine, cosine] = math::sinCos(angle);
    return cosine * normal + sine * outward;
  }
  Vec3 tangentAt(double angle) const {
    const auto [sine, cosine] = math::sinCos(angle);
    return cosine * outward - sine * normal;
  }
};

struct Trial {
  double angle = 0;
  Vec3 lowest;        ///< relative to the side's origin
  double height = 0;  ///< n . lowest
  double slope = 0;   ///< its derivative by the angle
};

Trial tryAngle(const PlacedConvex& convex, const Side& side, double angle) {
  const Vec3 n = side.normalAt(angle);
  const Vec3 lowest = convex.lowest(n) - side.origin;
  return {angle, lowest, dot(n, lowest), dot(side.tangentAt(angle), lowest)};
}

// Where the height of one point over the side is largest.
double peakOf(const Side& side, Vec3 point) {
  return math::atan2(dot(point, side.outward), dot(point, side.normal));
}

// Where the lower one of two points is highest, if that is between the trials: where their heights
// cross if one rises and the other falls there, otherwise at the peak of the one that is lower
// beyond.
std::optional<double> sideCutBetween(const Side& side, const Trial& left, const Trial& right) {
  const Vec3 d = left.lowest - right.lowest;
  double angle = peakOf(side, left.lowest);
  if (!(d == Vec3{})) {
    angle = math::atan2(-dot(d, side.normal), dot(d, side.outward));
    if (angle < left.angle) angle += std::numbers::pi;
    const Vec3 tangent = side.tangentAt(angle);
    if (dot(tangent, right.lowest) > 0) angle = peakOf(side, right.lowest);
    if (dot(tangent, left.lowest) < 0) angle = peakOf(side, left.lowest);
  }
  if (angle > left.angle && angle < right.angle) return angle;
  return std::nullopt;
}

// The angle of a maximum and the point of the convex shape that lies over the side there: between
// the lowest points on its two sides, relative to the side's origin.
struct Peak {
  double angle = 0;
  Vec3 point;
};

Peak peakBetween(const Side& side, double angle, Vec3 a, Vec3 b) {
  const Vec3 across = cross(side.normalAt(angle), side.along);
  const double from = dot(a, across), to = dot(b, across);
  const double share = from == to ? 0 : std::clamp(from / (from - to), 0.0, 1.0);
  return {angle, a + share * (b - a)};
}

Peak closeIn(const PlacedConvex& convex, const Side& side, Trial left, Trial right) {
  const double noise = 1e-15 * convex.size();
  for (int k = 0; k < kTerrain.most_trials; ++k) {
    const std::optional<double> cut = k % 3 == 2 ? std::nullopt : sideCutBetween(side, left, right);
    const double angle = cut ? *cut : (left.angle + right.angle) / 2;
    if (angle <= left.angle || angle >= right.angle) break;
    const Trial trial = tryAngle(convex, side, angle);
    const Vec3 n = side.normalAt(angle);
    if (cut && trial.height >= std::min(dot(n, left.lowest), dot(n, right.lowest)) - noise)
      return peakBetween(side, angle, left.lowest, right.lowest);
    (trial.slope > 0 ? left : right) = trial;
  }
  return peakBetween(side, (left.angle + right.angle) / 2, left.lowest, right.lowest);
}

// The maxima inside the arc, highest first.
struct Peaks {
  std::array<Peak, TerrainSettings::samples> peak;
  std::size_t count = 0;
};

Peaks peaksInside(const PlacedConvex& convex, const Side& side) {
  const auto height = [&](const Peak& p) { return dot(side.normalAt(p.angle), p.point); };
  Peaks found;
  Trial left = tryAngle(convex, side, 0);
  for (int i = 1; i <= kTerrain.samples; ++i) {
    const Trial right = tryAngle(convex, side, side.turn * i / kTerrain.samples);
    if (left.slope > 0 && right.slope <= 0) {
      const Peak peak = closeIn(convex, side, left, right);
      std::size_t place = found.count++;
      for (; place > 0 && height(found.peak[place - 1]) < height(peak); --place)
        found.peak[place] = found.peak[place - 1];
      found.peak[place] = peak;
    }
    left = right;
  }
  return found;
}

struct EdgePoint {
  double along = 0;
  double height = 0;
};

// The part of the feature over the line of the side, seen along n: its two ends.
struct Overlap {
  EdgePoint low, high;

  void include(EdgePoint p) {
    if (p.along < low.along) low = p;
    if (p.along > high.along) high = p;
  }
};

// `lowest` is on the line. The feature holds it, or only another lowest point of the shape; or it
// stands for something round.
Overlap featureOver(const Side& side, Vec3 n, const Feature& feature, EdgePoint lowest,
                    double tolerance) {
  const Vec3 across = cross(n, side.along);
  struct Seen {
    EdgePoint point;
    double across;
  };
  const auto seen = [&](std::size_t i) {
    const Vec3 p = feature.corners[i % feature.corners.size()].point - side.origin;
    return Seen{{dot(p, side.along), dot(p, n)}, dot(p, across)};
  };
  Overlap overlap{lowest, lowest};
  for (std::size_t i = 0; i < feature.corners.size(); ++i) {
    const Seen here = seen(i), next = seen(i + 1);
    if (std::abs(here.across) <= tolerance) overlap.include(here.point);
    if (here.across * next.across >= 0) continue;
    const double share = here.across / (here.across - next.across);
    overlap.include({here.point.along + share * (next.point.along - here.point.along),
                     here.point.height + share * (next.point.height - here.point.height)});
  }
  EdgePoint& lower = overlap.low.height < overlap.high.height ? overlap.low : overlap.high;
  if (lowest.height < lower.height) lower = lowest;
  return overlap;
}

void addPeakPoints(const PlacedConvex& convex, const Side& side, const Peak& peak, int which,
                   double reach, TerrainScratch& scratch, std::vector<TerrainPoint>& out) {
  const double radius = convex.shape.radius();
  const Vec3 n = side.normalAt(peak.angle);
  const EdgePoint lowest{dot(peak.point, side.along), dot(peak.point, n)};
  if (lowest.height - radius > reach) return;
  if (dot(n, convex.center() - side.origin) < 0) return;

  const double tolerance = kTerrain.noise * convex.size();
  convex.lowestFeature(n, scratch.feature);
  const Overlap over = featureOver(side, n, scratch.feature, lowest, tolerance);
  const double span = over.high.along - over.low.along;
  const double slope = span > tolerance ? (over.high.height - over.low.height) / span : 0;
  // Where cores overlap, the peaks of two sides can both lie beyond the corner between them.
  const double slack = tolerance + std::max(-lowest.height, 0.0);
  const auto beside = [&](double at) { return at < -slack || at > side.length + slack; };
  if (over.high.along < -slack || over.low.along > side.length + slack) return;
  if (std::abs(slope) > kTerrain.nearly_level &&
      beside(slope > 0 ? over.low.along : over.high.along))
    return;

  const auto add = [&](double along, std::uint32_t end) {
    const double height = over.low.height + slope * (along - over.low.along);
    if (height - radius > reach) return;
    const Vec3 at = side.origin + along * side.along + (height - radius) * n;
    out.push_back({at, n, height - radius, 2 * static_cast<std::uint32_t>(which) + end});
  };
  // The ends of the feature, or those of the side where the feature does not go down beyond them.
  if (!beside(over.low.along))
    add(over.low.along, 0);
  else if (slope <= kTerrain.level)
    add(0, 0);
  if (span <= tolerance) return;
  if (!beside(over.high.along))
    add(over.high.along, 1);
  else if (slope >= -kTerrain.level)
    add(side.length, 1);
}

}  // namespace

void addSidePoints(const PlacedConvex& convex, const TerrainTriangle& triangle, int which,
                   double reach, TerrainScratch& scratch, std::vector<TerrainPoint>& out) {
  const std::size_t i = which;
  const Vec3 edge = triangle.corner[(i + 1) % 3] - triangle.corner[i];
  const double length = norm(edge);
  const Side side{triangle.corner[i], (1 / length) * edge,      length,
                  triangle.normal,    triangle.side[i].outward, triangle.side[i].turn};
  const Peaks peaks = peaksInside(convex, side);
  const std::size_t before = out.size();
  for (std::size_t k = 0; k < peaks.count && out.size() == before; ++k)
    addPeakPoints(convex, side, peaks.peak[k], which, reach, scratch, out);
}

// Corner of a terrain: a point against a convex shape, with a normal out of the corner's cone.
//
// Apart, the closest point of the convex shape gives the normal. If the corner is inside the core,
// the height of the core over it along n is a least of n.(a - corner), with several maxima on the
// sphere: for polytopes they are normals of faces, of which the best one in the cone is taken; for
// other cores the maximum is found by ascent from the middle of the cone (as in
// cylinder_distance.hpp).

namespace {

// The surface around a corner.
class Fan {
 public:
  Fan(const Terrain& terrain, int triangle, int corner, std::vector<int>& around)
      : terrain_(terrain), around_(around) {
    point_ = terrain.triangle(triangle).corner[corner];
    terrain.trianglesAtCorner(triangle, corner, around);
  }

  Vec3 point() const { return point_; }

  Vec3 meanNormal() const {
    Vec3 sum;
    for (const int t : around_) sum += terrain_.triangle(t).normal;
    const double length = norm(sum);
    return length > 0 ? (1 / length) * sum : terrain_.triangle(around_[0]).normal;
  }

  // True if n points away from all sides, and to the front: of all triangles at a border, and of
  // one at least elsewhere (which tells a peak from a pit).
  bool admits(Vec3 n) const {
    bool border = false;
    double least = 1, most = -1;
    for (const int t : around_) {
      const TerrainTriangle triangle = terrain_.triangle(t);
      const std::size_t i = cornerAt(triangle, point_);
      for (const std::size_t k : {(i + 1) % 3, (i + 2) % 3}) {
        const Vec3 away = triangle.corner[k] - point_;
        if (dot(n, away) > kTerrain.in_cone * norm(away)) return false;
      }
      least = std::min(least, dot(n, triangle.normal));
      most = std::max(most, dot(n, triangle.normal));
      border = border || isBorder(t, i) || isBorder(t, (i + 2) % 3);
    }
    return border ? least >= -kTerrain.in_cone : most > 0;
  }

 private:
  // No other triangle around has the side too.
  bool isBorder(int t, std::size_t side) const {
    const TerrainTriangle here = terrain_.triangle(t);
    const Vec3 from = here.corner[side], to = here.corner[(side + 1) % 3];
    return std::ranges::none_of(around_, [&](int other) {
      const TerrainTriangle there = terrain_.triangle(other);
      return other != t && cornerAt(there, from) >= 0 && cornerAt(there, to) >= 0;
    });
  }

  const Terrain& terrain_;
  const std::vector<int>& around_;
  Vec3 point_;
};

double heightAlong(const PlacedConvex& convex, Vec3 point, Vec3 n) {
  return dot(n, convex.lowest(n) - point);
}

// The normal of a face of the core that the point is least deep under, among those of the cone.
std::optional<Vec3> bestFaceNormal(const PlacedConvex& convex, const Fan& fan) {
  std::optional<Vec3> best;
  double highest = -INFINITY;
  const Vec3 local = convex.pose.pointToLocal(fan.point());
  for (const PolytopeFace& face : convex.shape.polytope().faces) {
    const double height = dot(face.normal, local) - face.offset;
    const Vec3 n = -(convex.pose.rotation * face.normal);
    if (height <= highest || !fan.admits(n)) continue;
    highest = height;
    best = n;
  }
  return best;
}

// Moves the core out along n until it is clear of the point, takes the normal of the closest points
// there, and so on until that is n itself. The height rises all the way, so if the end is outside
// of the cone, the last normal inside is the best one.
std::optional<Vec3> normalByAscent(const PlacedConvex& convex, const CorePair& pair,
                                   const Fan& fan) {
  const double size = convex.size();
  Vec3 n = fan.meanNormal();
  std::optional<Vec3> admitted;
  for (int k = 0; k < kTerrain.most_rounds; ++k) {
    const double depth = std::max(-heightAlong(convex, fan.point(), n), 0.0);
    const Vec3 local = transposedTimes(convex.pose.rotation, n);
    const double shift = 4 * depth + 1e-3 * size;
    const ClosestPoints apart = closestPoints(pair, -shift * local, -local);
    if (fan.admits(n)) admitted = n;
    if (!(apart.distance > 0)) break;
    const Vec3 next = -(convex.pose.rotation * apart.normal);
    const bool settled = norm(next - n) < 1e-10;
    n = next;
    if (settled) break;
  }
  return fan.admits(n) ? n : admitted;
}

std::optional<Vec3> normalAt(const PlacedConvex& convex, const Fan& fan, double reach) {
  static const RoundedSegment kPoint(0, 0);
  const Vec3 local = convex.pose.pointToLocal(fan.point());
  const CorePair pair{convex.shape, kPoint, {local, {}}};
  const double cutoff = reach + convex.shape.radius();
  const Vec3 line = local - convex.shape.interiorPoint();
  const Vec3 guess = line == Vec3{} ? Vec3{0, 0, 1} : line;
  const ClosestPoints apart = closestPoints(pair, {}, guess, {cutoff});
  if (apart.distance > cutoff) return std::nullopt;
  const Vec3 closest = -(convex.pose.rotation * apart.normal);
  if (apart.distance > kTerrain.clearly_apart * convex.size()) return closest;
  // Touching: the closest points are right if an edge or vertex of the core is nearest, but noisy.
  std::optional<Vec3> best = bestFaceNormal(convex, fan);
  if (apart.distance > 0 && fan.admits(closest) &&
      (!best ||
       heightAlong(convex, fan.point(), closest) > heightAlong(convex, fan.point(), *best)))
    best = closest;
  return best ? best : normalByAscent(convex, pair, fan);
}

}  // namespace

void addCornerPoints(const PlacedConvex& convex, const Terrain& terrain, int triangle, int corner,
                     double reach, TerrainScratch& scratch, std::vector<TerrainPoint>& out) {
  const Fan fan(terrain, triangle, corner, scratch.around);
  const std::optional<Vec3> n = normalAt(convex, fan, reach);
  if (!n || !fan.admits(*n) || dot(*n, convex.center() - fan.point()) < 0) return;
  const double gap = heightAlong(convex, fan.point(), *n) - convex.shape.radius();
  if (gap > reach) return;
  out.push_back({fan.point() + gap * *n, *n, gap, 6 + static_cast<std::uint32_t>(corner) % 2});
}

}  // namespace stickslip
