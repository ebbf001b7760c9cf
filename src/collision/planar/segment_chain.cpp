#include "collision/planar/segment_chain.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>

namespace stickslip {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
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
  const auto first_leaf = static_cast<std::size_t>(leaves_);
  tree_.assign(2 * first_leaf, {{kUnbounded, kUnbounded}, {-kUnbounded, -kUnbounded}});
  for (int k = 0; k < count(); ++k) {
    PlanarBounds& leaf = tree_[first_leaf + static_cast<std::size_t>(k / kBlock)];
    for (const Vec2 p : {(*this)[k].start, (*this)[k].end}) leaf = merged(leaf, {p, p});
  }
  for (std::size_t node = first_leaf; node-- > 1;)
    tree_[node] = merged(tree_[2 * node], tree_[2 * node + 1]);
}

}  // namespace stickslip
