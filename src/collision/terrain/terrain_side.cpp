// Convex side of a terrain.
//
// The normals of the side form an arc n(x) from that of the triangle to that of its neighbour. The
// height of the convex shape over the side along n is min over a of n.(a - side), the least of
// cosines of x; a contact is a maximum of it inside the arc. It is bracketed by samples and closed
// in on by cutting planes: the next trial is where the lower one of the lowest points at both ends
// of the bracket is highest, which is the answer as soon as no other point lies lower there. A
// polytope has finitely many points, so that comes to an end; bisection in between bounds the
// number of trials.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "collision/terrain/terrain_patch.hpp"
#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

constexpr int kSamples = 6;
constexpr int kMostTrials = 60;
constexpr double kLevelFace = 1e-9;    // slope that is none
constexpr double kNearlyLevel = 1e-2;  // slope up to which both ends of a patch are of interest

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
  for (int k = 0; k < kMostTrials; ++k) {
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
  std::array<Peak, kSamples> peak;
  std::size_t count = 0;
};

Peaks peaksInside(const PlacedConvex& convex, const Side& side) {
  const auto height = [&](const Peak& p) { return dot(side.normalAt(p.angle), p.point); };
  Peaks found;
  Trial left = tryAngle(convex, side, 0);
  for (int i = 1; i <= kSamples; ++i) {
    const Trial right = tryAngle(convex, side, side.turn * i / kSamples);
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

  const double tolerance = kTerrainNoise * convex.size();
  convex.lowestFeature(n, scratch.feature);
  const Overlap over = featureOver(side, n, scratch.feature, lowest, tolerance);
  const double span = over.high.along - over.low.along;
  const double slope = span > tolerance ? (over.high.height - over.low.height) / span : 0;
  // Where cores overlap, the peaks of two sides can both lie beyond the corner between them.
  const double slack = tolerance + std::max(-lowest.height, 0.0);
  const auto beside = [&](double at) { return at < -slack || at > side.length + slack; };
  if (over.high.along < -slack || over.low.along > side.length + slack) return;
  if (std::abs(slope) > kNearlyLevel && beside(slope > 0 ? over.low.along : over.high.along))
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
  else if (slope <= kLevelFace)
    add(0, 0);
  if (span <= tolerance) return;
  if (!beside(over.high.along))
    add(over.high.along, 1);
  else if (slope >= -kLevelFace)
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

}  // namespace stickslip
