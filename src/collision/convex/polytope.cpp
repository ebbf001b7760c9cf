#include "collision/convex/polytope.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace stickslip {
namespace {

// Edges with a smaller sine between them have the same axis.
constexpr double kParallel = 1e-14;

// Twice the area of a loop times its unit normal (Newell), about its first vertex.
Vec3 areaVector(std::span<const Vec3> vertices, std::span<const int> loop) {
  const Vec3 origin = vertices[loop[0]];
  Vec3 sum;
  for (std::size_t i = 1; i + 1 < loop.size(); ++i)
    sum += cross(vertices[loop[i]] - origin, vertices[loop[i + 1]] - origin);
  return sum;
}

PolytopeEdge edgeBetween(std::span<const Vec3> vertices, int from, int to) {
  const Vec3 along = vertices[to] - vertices[from];
  return {from, to, normalized(along)};
}

std::size_t farthestVertex(std::span<const Vec3> vertices, Vec3 direction) {
  std::size_t best = 0;
  double farthest = dot(vertices[0], direction);
  for (std::size_t i = 1; i < vertices.size(); ++i) {
    const double height = dot(vertices[i], direction);
    if (height > farthest) {
      farthest = height;
      best = i;
    }
  }
  return best;
}

void facePolygon(const PolytopeView& core, std::size_t face, Feature& out) {
  const PolytopeFace& f = core.faces[face];
  for (int k = f.first; k < f.first + f.count; ++k) {
    const int vertex = core.loops[k];
    out.corners.push_back(
        {core.vertices[vertex], static_cast<std::uint32_t>(vertex), static_cast<std::uint32_t>(k)});
  }
  out.normal = f.normal;
  out.id = static_cast<std::uint32_t>(face);
}

// The face at the vertex `top` that is most square to `direction`; -1 if none is within
// kFeatureSine.
int faceTowards(const PolytopeView& core, Vec3 direction, std::size_t top) {
  int best = -1;
  double most = std::sqrt(1 - kFeatureSine * kFeatureSine);
  for (const int i : core.facesAt(top)) {
    const double cosine = dot(core.faces[i].normal, direction);
    if (cosine <= most) continue;
    most = cosine;
    best = i;
  }
  return best;
}

// The edge at the vertex `top` that is most square to `direction`; -1 if none is.
int edgeTowards(const PolytopeView& core, Vec3 direction, std::size_t top) {
  int best = -1;
  double least = kFeatureSine;
  for (const int i : core.edgesAt(top)) {
    const double slope = std::abs(dot(core.edges[i].direction, direction));
    if (slope >= least) continue;
    least = slope;
    best = i;
  }
  return best;
}

// The face, edge or point towards `direction` at the vertex `top`, which is farthest there.
void featureAt(const PolytopeView& core, std::size_t top, Vec3 direction, Feature& out) {
  out.clear();
  const int face = faceTowards(core, direction, top);
  if (face >= 0) return facePolygon(core, static_cast<std::size_t>(face), out);

  const int edge = edgeTowards(core, direction, top);
  if (edge < 0) {
    out.corners.push_back({core.vertices[top], static_cast<std::uint32_t>(top), 0});
    return;
  }
  for (const int end : {core.edges[edge].from, core.edges[edge].to})
    out.corners.push_back(
        {core.vertices[end], static_cast<std::uint32_t>(end), static_cast<std::uint32_t>(edge)});
}

}  // namespace

Vec3 PolytopeShape::support(Vec3 direction) const {
  const PolytopeView core = polytope();
  return core.vertices[farthestVertex(core.vertices, direction)];
}

void PolytopeShape::feature(Vec3 direction, Feature& out) const {
  const PolytopeView core = polytope();
  featureAt(core, farthestVertex(core.vertices, direction), direction, out);
}

double PolytopeShape::farthestFrom(Vec3 point) const {
  double farthest = 0;
  for (const Vec3& v : polytope().vertices) farthest = std::max(farthest, norm(v - point));
  return farthest;
}

Polytope::Polytope(std::vector<Vec3> vertices, std::span<const std::vector<int>> face_loops)
    : vertices_(std::move(vertices)), columns_(vertices_) {
  for (const std::vector<int>& loop : face_loops) addFace(loop);
  connectEdges();
  collectAxes();
  collectAround();
  for (const Vec3& v : vertices_) center_ += v;
  center_ = (1 / static_cast<double>(vertices_.size())) * center_;
  size_ = farthestFrom(center_);
}

Vec3 Polytope::support(Vec3 direction) const {
  if (kind() != Kind::box) return columns_[columns_.farthest(direction)];
  const Vec3 half = measure();
  return {direction.x > 0 ? half.x : -half.x, direction.y > 0 ? half.y : -half.y,
          direction.z > 0 ? half.z : -half.z};
}

void Polytope::feature(Vec3 direction, Feature& out) const {
  if (kind() == Kind::box) return boxFeature(direction, out);
  featureAt(polytope(), columns_.farthest(direction), direction, out);
}

// The same, from the signs and sizes of the direction alone: faces and vertices are numbered as in
// boxPolytope().
void Polytope::boxFeature(Vec3 direction, Feature& out) const {
  out.clear();
  int flattest = 0;
  unsigned top = 0;
  for (int i = 0; i < 3; ++i) {
    const bool upper = direction[i] > 0;
    if (std::abs(direction[i]) > std::sqrt(1 - kFeatureSine * kFeatureSine))
      return facePolygon(polytope(), 2 * static_cast<std::size_t>(i) + (upper ? 1 : 0), out);
    top |= upper ? 1U << i : 0U;
    if (std::abs(direction[i]) < std::abs(direction[flattest])) flattest = i;
  }
  if (!(std::abs(direction[flattest]) < kFeatureSine)) {
    out.corners.push_back({vertices_[top], top, 0});
    return;
  }
  const unsigned from = top & ~(1U << flattest), to = top | 1U << flattest;
  std::uint32_t edge = 0;
  while (edges_[edge].from != static_cast<int>(from) || edges_[edge].to != static_cast<int>(to))
    ++edge;
  out.corners.push_back({vertices_[from], from, edge});
  out.corners.push_back({vertices_[to], to, edge});
}

void Polytope::addFace(std::span<const int> loop) {
  assert(loop.size() > 2);
  PolytopeFace face;
  face.normal = normalized(areaVector(vertices_, loop));
  // The corners of a face may be off its plane by rounding; the plane is beyond all of them.
  face.offset = dot(face.normal, vertices_[farthestVertex(vertices_, face.normal)]);
  face.first = static_cast<int>(loops_.size());
  face.count = static_cast<int>(loop.size());
  loops_.insert(loops_.end(), loop.begin(), loop.end());
  faces_.push_back(face);
}

// Every edge is walked once in each direction, by the faces on its two sides.
void Polytope::connectEdges() {
  struct HalfEdge {
    int low, high;
    bool upwards;
    int face;
  };
  std::vector<HalfEdge> halves;
  for (std::size_t f = 0; f < faces_.size(); ++f)
    for (int k = 0; k < faces_[f].count; ++k) {
      const int from = loops_[faces_[f].first + k];
      const int to = loops_[faces_[f].first + (k + 1) % faces_[f].count];
      halves.push_back({std::min(from, to), std::max(from, to), from < to, static_cast<int>(f)});
    }
  std::sort(halves.begin(), halves.end(), [](const HalfEdge& a, const HalfEdge& b) {
    if (a.low != b.low) return a.low < b.low;
    if (a.high != b.high) return a.high < b.high;
    return a.upwards > b.upwards;
  });
  assert(halves.size() % 2 == 0);
  for (std::size_t i = 0; i + 1 < halves.size(); i += 2) {
    assert(halves[i].low == halves[i + 1].low && halves[i].high == halves[i + 1].high);
    assert(halves[i].upwards && !halves[i + 1].upwards);
    edges_.push_back(edgeBetween(vertices_, halves[i].low, halves[i].high));
    edge_faces_.push_back({halves[i].face, halves[i + 1].face});
  }
}

void Polytope::collectAround() {
  std::vector<std::vector<int>> faces(vertices_.size()), edges(vertices_.size());
  for (std::size_t f = 0; f < faces_.size(); ++f)
    for (int k = 0; k < faces_[f].count; ++k)
      faces[loops_[faces_[f].first + k]].push_back(static_cast<int>(f));
  for (std::size_t e = 0; e < edges_.size(); ++e)
    for (const int end : {edges_[e].from, edges_[e].to}) edges[end].push_back(static_cast<int>(e));
  for (std::size_t i = 0; i < vertices_.size(); ++i) {
    corners_.push_back({static_cast<int>(around_.size()), static_cast<int>(faces[i].size()),
                        static_cast<int>(edges[i].size())});
    around_.insert(around_.end(), faces[i].begin(), faces[i].end());
    around_.insert(around_.end(), edges[i].begin(), edges[i].end());
  }
}

void Polytope::collectAxes() {
  for (const PolytopeEdge& edge : edges_) {
    const bool known = std::any_of(axes_.begin(), axes_.end(), [&](Vec3 axis) {
      return norm(cross(axis, edge.direction)) <= kParallel;
    });
    if (!known) axes_.push_back(edge.direction);
  }
}

Polytope boxPolytope(Vec3 size) {
  std::vector<Vec3> vertices(8);
  for (int i = 0; i < 8; ++i)
    vertices[i] = {(i & 1 ? 0.5 : -0.5) * size.x, (i & 2 ? 0.5 : -0.5) * size.y,
                   (i & 4 ? 0.5 : -0.5) * size.z};
  const std::array<std::vector<int>, 6> loops{
      {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};
  Polytope box(std::move(vertices), loops);
  box.setKind(CollisionShape::Kind::box, 0.5 * size);
  return box;
}

TriangleShape::TriangleShape(Vec3 a, Vec3 b, Vec3 c) : vertices_{a, b, c} {
  const Vec3 n = normalized(cross(b - a, c - a));
  faces_ = {PolytopeFace{n, dot(n, a), 0, 3}, PolytopeFace{-n, -dot(n, a), 3, 3}};
  for (int i = 0; i < 3; ++i) edges_[i] = edgeBetween(vertices_, i, (i + 1) % 3);
  axes_ = {edges_[0].direction, edges_[1].direction, edges_[2].direction};
  center_ = (1.0 / 3.0) * (a + b + c);
  size_ = farthestFrom(center_);
}

}  // namespace stickslip
