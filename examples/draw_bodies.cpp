// Runs a scene of bodies and draws where they are at the end, as SVG on standard output.
//
// Usage: draw_bodies SCENE [path.to.field=value]...
//
// The plane is drawn as it is; space is seen from the front and a little from above, what is
// farther away first. A body's colour goes by where it started: height in layers of the whole.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <numbers>
#include <string>
#include <vector>

#include "stickslip/elementary.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/io/scene.hpp"
#include "stickslip/stickslip.hpp"

namespace {

using namespace stickslip;

constexpr const char* kColours[] = {"#47a", "#e67", "#283", "#cb4", "#6ce"};
constexpr double kPictureWidth = 480, kLayers = 10;

// Convex outlines and chains of lines, seen by the viewer: x to the right, y up, z towards him.
struct Outline {
  std::vector<Vec3> points{};
  double radius = 0;  ///< a circle about the only point, or around every one of them
  bool is_line = false;
};

struct OutlineOf {
  static std::vector<Vec3> inPlane(const std::vector<Vec2>& points) {
    std::vector<Vec3> result;
    for (const Vec2& p : points) result.push_back({p.x, p.y, 0});
    return result;
  }
  static Outline box(Vec3 size) {
    Outline outline;
    for (int k = 0; k < 8; ++k)
      outline.points.push_back({(k & 1 ? 0.5 : -0.5) * size.x, (k & 2 ? 0.5 : -0.5) * size.y,
                                (k & 4 ? 0.5 : -0.5) * size.z});
    return outline;
  }
  Outline operator()(const Disk& s) const { return {{{0, 0, 0}}, s.radius}; }
  Outline operator()(const Sphere& s) const { return {{{0, 0, 0}}, s.radius}; }
  Outline operator()(const PlanarCapsule& s) const {
    return {{{-s.length / 2, 0, 0}, {s.length / 2, 0, 0}}, s.radius};
  }
  Outline operator()(const Capsule& s) const {
    return {{{0, 0, -s.length / 2}, {0, 0, s.length / 2}}, s.radius};
  }
  Outline operator()(const Cylinder& s) const {
    Outline outline;
    for (int k = 0; k < 48; ++k) {
      const double angle = std::numbers::pi * (k / 2) / 12, z = (k % 2 - 0.5) * s.height;
      outline.points.push_back({s.radius * math::cos(angle), s.radius * math::sin(angle), z});
    }
    return outline;
  }
  Outline operator()(const PlanarBox& s) const { return box({s.width, s.height, 0}); }
  Outline operator()(const Box& s) const { return box(s.size); }
  Outline operator()(const Polygon& s) const { return {inPlane(s.vertices)}; }
  Outline operator()(const ConvexHull& s) const { return {s.points}; }
  Outline operator()(const Polyline& s) const { return {inPlane(s.points), 0, true}; }
  Outline operator()(const TriangleMesh& s) const {
    Outline outline{{}, 0, true};
    for (const auto& [a, b, c] : s.triangles)
      for (const int i : {a, b, c}) outline.points.push_back(s.vertices[std::size_t(i)]);
    return outline;
  }
  Outline operator()(const HalfPlane&) const { return {}; }
  Outline operator()(const HalfSpace&) const { return {}; }
  Outline operator()(const HeightField&) const { return {}; }
  Outline operator()(const SupportShape&) const { return {}; }  // no scene has one
};

double cross2(Vec3 o, Vec3 a, Vec3 b) {
  return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

// The outline of the convex hull, by Andrew's monotone chains.
std::vector<Vec3> hull(std::vector<Vec3> points) {
  std::sort(points.begin(), points.end(),
            [](Vec3 a, Vec3 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
  std::vector<Vec3> chain;
  for (int side = 0; side < 2; ++side) {
    const std::size_t begin = chain.size();
    for (const Vec3& p : points) {
      while (chain.size() >= begin + 2 && cross2(chain[chain.size() - 2], chain.back(), p) <= 0)
        chain.pop_back();
      chain.push_back(p);
    }
    chain.pop_back();
    std::reverse(points.begin(), points.end());
  }
  return chain;
}

class Picture {
 public:
  Picture(const BodySystem& system, const State& state) : planar_(system.data().dimension == 2) {
    const std::vector<Body>& bodies = system.data().bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const BodyState at = system.bodyState(static_cast<int>(i), state);
      const Pose pose{at.position, matrixOf(at.orientation)};
      for (const PlacedShape& shape : bodies[i].shapes)
        add(std::visit(OutlineOf{}, shape.shape), pose * shape.placement, bodies[i]);
    }
    std::stable_sort(parts_.begin(), parts_.end(),
                     [](const Part& a, const Part& b) { return a.depth < b.depth; });
  }

  void write() const {
    const double scale = kPictureWidth / (right_ - left_);
    std::printf(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\">"
        "<g stroke=\"#fff\" stroke-width=\".4\">\n",
        kPictureWidth, scale * (top_ - bottom_));
    for (const Part& part : parts_) writePart(part, scale);
    std::printf("</g></svg>\n");
  }

 private:
  struct Part {
    Outline outline;
    double depth;
    double start_height;
    bool moves;
  };

  Vec3 seen(Vec3 p) const {
    if (planar_) return p;
    return {p.x, 0.94 * p.z + 0.34 * p.y, 0.34 * p.z - 0.94 * p.y};
  }

  void add(Outline outline, const Pose& pose, const Body& body) {
    if (outline.points.empty()) return;
    double depth = 0;
    for (Vec3& p : outline.points) {
      p = seen(pose.pointToWorld(p));
      depth += p.z / static_cast<double>(outline.points.size());
      if (body.type == Body::Type::fixed) continue;  // may go on and on: not what is looked at
      left_ = std::min(left_, p.x - outline.radius);
      right_ = std::max(right_, p.x + outline.radius);
      bottom_ = std::min(bottom_, p.y - outline.radius);
      top_ = std::max(top_, p.y + outline.radius);
    }
    const bool moves = body.type == Body::Type::dynamic;
    const double height = planar_ ? body.position.y : body.position.z;
    if (moves) {
      low_ = std::min(low_, height);
      high_ = std::max(high_, height);
    }
    // Terrain first: what moves is in front of it.
    parts_.push_back({std::move(outline), moves ? depth : -INFINITY, height, moves});
  }

  void writePart(const Part& part, double scale) const {
    const auto x = [&](Vec3 p) { return scale * (p.x - left_); };
    const auto y = [&](Vec3 p) { return scale * (top_ - p.y); };
    const double layer = kLayers * (part.start_height - low_) / std::max(high_ - low_, 1e-300);
    const char* colour = part.moves ? kColours[static_cast<int>(layer) % 5] : "#999";
    const Outline& o = part.outline;
    if (o.points.size() == 1) {
      std::printf("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"/>\n", x(o.points[0]),
                  y(o.points[0]), scale * o.radius, colour);
      return;
    }
    const bool capsule = o.radius > 0;
    std::printf("<poly%s points=\"", o.is_line || capsule ? "line" : "gon");
    for (const Vec3& p : o.is_line || capsule ? o.points : hull(o.points))
      std::printf("%.1f,%.1f ", x(p), y(p));
    if (o.is_line || capsule)
      std::printf(
          "\" fill=\"none\" stroke=\"%s\" stroke-width=\"%.2f\" stroke-linecap=\"round\"/>\n",
          capsule ? colour : "#999", capsule ? 2 * scale * o.radius : 0.5);
    else
      std::printf("\" fill=\"%s\"/>\n", colour);
  }

  bool planar_;
  std::vector<Part> parts_;
  double left_ = INFINITY, right_ = -INFINITY, bottom_ = INFINITY, top_ = -INFINITY;
  double low_ = INFINITY, high_ = -INFINITY;
};

}  // namespace

int main(int count, char** arguments) try {
  if (count < 2) {
    std::cerr << "usage: draw_bodies SCENE [path.to.field=value]...\n";
    return 2;
  }
  const std::vector<std::string> overrides(arguments + 2, arguments + count);
  const Scene scene = loadScene(arguments[1], overrides);
  const auto* system = dynamic_cast<const BodySystem*>(scene.model.system.get());
  if (system == nullptr) throw InputError("the scene has no bodies to draw");
  Stepper stepper(scene.model);
  Picture(*system, run(stepper, scene.initial, scene.run).final_state).write();
  return 0;
} catch (const stickslip::InputError& error) {
  std::cerr << "draw_bodies: " << error.what() << '\n';
  return 2;
}
