#include "collision/planar/planar_shape.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>
#include <utility>

namespace stickslip {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Rounding of a point, as a part of its largest coordinate, with room for how it was computed.
constexpr double kRounding = 64 * std::numeric_limits<double>::epsilon();

PlanarBounds merged(const PlanarBounds& a, const PlanarBounds& b) {
  return {{std::min(a.lower.x, b.lower.x), std::min(a.lower.y, b.lower.y)},
          {std::max(a.upper.x, b.upper.x), std::max(a.upper.y, b.upper.y)}};
}

double largestCoordinate(std::span<const PlanarEdge> segments) {
  double largest = 0;
  for (const PlanarEdge& s : segments)
    for (const double x : {s.start.x, s.start.y, s.end.x, s.end.y})
      largest = std::max(largest, std::abs(x));
  return largest;
}

}  // namespace

PlanarEdge edgeBetween(Vec2 start, Vec2 end) {
  const double length = norm(end - start);
  const Vec2 along = (1 / length) * (end - start);
  return {start, end, along, -turned(along), length};
}

SegmentChain::SegmentChain(std::span<const Vec2> points) {
  assert(points.size() > 1);
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    segments_.push_back(edgeBetween(points[i], points[i + 1]));
    segments_.back().normal = turned(segments_.back().along);
  }
  closed_ = points.size() > 3 && points.front() == points.back();
  classifyJoints();
  buildTree();
}

int SegmentChain::neighbour(int k, int step) const {
  const int other = k + step;
  if (other >= 0 && other < count()) return other;
  return closed_ ? (other + count()) % count() : -1;
}

SegmentChain::Joint SegmentChain::joint(int k, int step) const {
  return joints_[step < 0 ? k : k + 1];
}

void SegmentChain::classifyJoints() {
  const double noise = kRounding * largestCoordinate(segments_);
  joints_.assign(segments_.size() + 1, Joint::end);
  for (int k = 0; k < count(); ++k) {
    const int before = neighbour(k, -1);
    if (before < 0) continue;
    const PlanarEdge &s = (*this)[k], &last = (*this)[before];
    const double turn = cross(last.along, s.along);
    const bool forward = dot(last.along, s.along) > 0;
    const bool straight = forward && std::abs(turn) * std::min(s.length, last.length) <= noise;
    joints_[k] = straight ? Joint::straight : turn <= 0 ? Joint::convex : Joint::concave;
  }
  joints_.back() = joints_.front();  // closed: the same joint; open: an end
}

void SegmentChain::buildTree() {
  const auto blocks = static_cast<unsigned>((count() + kBlock - 1) / kBlock);
  leaves_ = static_cast<int>(std::bit_ceil(blocks));
  const std::size_t first_leaf = leaves_;
  tree_.assign(2 * first_leaf, {{kInfinity, kInfinity}, {-kInfinity, -kInfinity}});
  for (int k = 0; k < count(); ++k) {
    PlanarBounds& leaf = tree_[first_leaf + k / kBlock];
    for (const Vec2 p : {(*this)[k].start, (*this)[k].end}) leaf = merged(leaf, {p, p});
  }
  for (std::size_t node = first_leaf; node-- > 1;)
    tree_[node] = merged(tree_[2 * node], tree_[2 * node + 1]);
}

namespace {

double largestNorm(std::span<const Vec2> points) {
  double largest = 0;
  for (const Vec2 p : points) largest = std::max(largest, norm(p));
  return largest;
}

Bounds boundsOf(std::span<const Vec2> points, const Pose& pose, double radius) {
  const PlanarPose plane = planarPart(pose);
  Vec2 lower{kInfinity, kInfinity}, upper{-kInfinity, -kInfinity};
  for (const Vec2 local : points) {
    const Vec2 p = plane.point(local);
    lower = {std::min(lower.x, p.x), std::min(lower.y, p.y)};
    upper = {std::max(upper.x, p.x), std::max(upper.y, p.y)};
  }
  const double z = pose.position.z;
  return {{lower.x - radius, lower.y - radius, z}, {upper.x + radius, upper.y + radius, z}};
}

// Infinite, but for the one side of a half-plane that stands parallel to an axis.
Bounds boundsOfHalfPlane(const Pose& pose) {
  const PlanarPose plane = planarPart(pose);
  const Vec2 normal = turned(plane.axis);
  const double z = pose.position.z;
  Bounds bounds{{-kInfinity, -kInfinity, z}, {kInfinity, kInfinity, z}};
  if (normal.x == 0) (normal.y > 0 ? bounds.upper : bounds.lower).y = plane.origin.y;
  if (normal.y == 0) (normal.x > 0 ? bounds.upper : bounds.lower).x = plane.origin.x;
  return bounds;
}

struct ShapeMaker {
  PlanarShape operator()(const Disk& s) const { return PlanarShape::rounded({{0, 0}}, s.radius); }
  PlanarShape operator()(const PlanarCapsule& s) const {
    return PlanarShape::rounded({{-s.length / 2, 0}, {s.length / 2, 0}}, s.radius);
  }
  PlanarShape operator()(const PlanarBox& s) const {
    const double x = s.width / 2, y = s.height / 2;
    return PlanarShape::rounded({{-x, -y}, {x, -y}, {x, y}, {-x, y}}, 0);
  }
  PlanarShape operator()(const Polygon& s) const { return PlanarShape::rounded(s.vertices, 0); }
  PlanarShape operator()(const HalfPlane&) const { return PlanarShape::halfPlane(); }
  PlanarShape operator()(const Polyline& s) const { return PlanarShape::polyline(s.points); }
  template <class Spatial>
  PlanarShape operator()(const Spatial&) const {
    assert(!"a planar shape");
    return PlanarShape::halfPlane();
  }
};

}  // namespace

PlanarShape PlanarShape::rounded(std::vector<Vec2> corners, double radius) {
  PlanarShape shape(Form::convex);
  shape.corners_ = std::move(corners);
  shape.radius_ = radius;
  const std::vector<Vec2>& c = shape.corners_;
  if (c.size() > 1)
    for (std::size_t i = 0; i < c.size(); ++i)
      shape.edges_.push_back(edgeBetween(c[i], c[(i + 1) % c.size()]));
  shape.size_ = largestNorm(c) + radius;
  return shape;
}

PlanarShape PlanarShape::halfPlane() {
  return PlanarShape(Form::half_plane);
}

PlanarShape PlanarShape::polyline(std::vector<Vec2> points) {
  PlanarShape shape(Form::polyline);
  shape.chain_ = SegmentChain(points);
  shape.corners_ = std::move(points);
  shape.size_ = largestNorm(shape.corners_);
  return shape;
}

Bounds PlanarShape::boundsAt(const Pose& pose) const {
  if (form_ == Form::half_plane) return boundsOfHalfPlane(pose);
  return boundsOf(corners_, pose, radius_);
}

double PlanarShape::farthestFrom(Vec3 point) const {
  if (form_ == Form::half_plane) return kInfinity;
  double farthest = 0;
  for (const Vec2 corner : corners_) farthest = std::max(farthest, norm(inSpace(corner) - point));
  return farthest + radius_;
}

std::shared_ptr<const CollisionShape> makePlanarShape(const Shape& shape) {
  return std::make_shared<const PlanarShape>(std::visit(ShapeMaker{}, shape));
}

}  // namespace stickslip
