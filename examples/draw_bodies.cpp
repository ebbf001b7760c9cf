// Runs a scene of bodies and draws where they are at the end, as SVG on standard output.
//
// Usage: draw_bodies SCENE [--exposures N] [path.to.field=value]...
//
// The plane is drawn as it is; space is seen from the front and a little from above, what is
// farther away first, with light from the left. A body's colour goes by where it started, height in
// layers of the whole; few bodies have a colour each. With N exposures earlier states are drawn,
// too, the paler the earlier.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "stickslip/elementary.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/io/scene.hpp"
#include "stickslip/stickslip.hpp"

namespace {

using namespace stickslip;

constexpr unsigned kColours[] = {0x4477aa, 0xee6677, 0x228833, 0xccbb44, 0x66ccee};
constexpr double kPictureWidth = 480, kLayers = 10;
constexpr Vec3 kLight{-0.48, 0.6, 0.64};  ///< towards the light, as the viewer sees it

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

struct Face {
  std::vector<Vec3> corners{};
  Vec3 normal{};
};

// The faces of the convex hull of a few points, those that the viewer sees: planes through three
// points that have all others on one side.
std::vector<Face> facesTowardsViewer(const std::vector<Vec3>& points) {
  std::vector<Face> faces;
  std::set<std::vector<std::size_t>> known;
  double size = 0;
  for (const Vec3& p : points) size = std::max(size, norm(p - points[0]));
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = i + 1; j < points.size(); ++j)
      for (std::size_t k = i + 1; k < points.size(); ++k) {
        const Vec3 across = cross(points[j] - points[i], points[k] - points[i]);
        const double area = norm(across);
        if (j == k || area < 1e-9 * size * size || across.z <= 0) continue;
        const Vec3 normal = (1 / area) * across;
        std::vector<std::size_t> on_plane;
        bool outside = false;
        for (std::size_t m = 0; m < points.size() && !outside; ++m) {
          const double height = dot(normal, points[m] - points[i]);
          outside = height > 1e-6 * size;
          if (height > -1e-6 * size) on_plane.push_back(m);
        }
        if (outside || !known.insert(on_plane).second) continue;
        Face face{{}, normal};
        for (const std::size_t m : on_plane) face.corners.push_back(points[m]);
        face.corners = hull(face.corners);
        faces.push_back(std::move(face));
      }
  return faces;
}

// What is drawn of a body at one time. A picture may show several times, earlier ones paler.
class Picture {
 public:
  explicit Picture(const BodySystem& system) : system_(system) {}

  void add(const State& state, double opacity) {
    const std::size_t first = parts_.size();
    const std::vector<Body>& bodies = system_.data().bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const BodyState at = system_.bodyState(static_cast<int>(i), state);
      const Pose pose{at.position, matrixOf(at.orientation)};
      for (const PlacedShape& shape : bodies[i].shapes) {
        if (std::holds_alternative<HalfSpace>(shape.shape)) has_ground_ = true;
        add(std::visit(OutlineOf{}, shape.shape), pose * shape.placement, i, opacity);
      }
    }
    std::stable_sort(parts_.begin() + static_cast<std::ptrdiff_t>(first), parts_.end(),
                     [](const Part& a, const Part& b) { return a.depth < b.depth; });
  }

  void write() const {
    const double scale = kPictureWidth / (right_ - left_);
    std::printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\"><defs>",
                kPictureWidth, scale * (top_ - bottom_));
    for (const unsigned colour : kColours)
      std::printf(
          "<radialGradient id=\"b%06x\" cx=\".36\" cy=\".3\" r=\".75\"><stop stop-color=\"%s\"/>"
          "<stop offset=\".5\" stop-color=\"%s\"/><stop offset=\"1\" stop-color=\"%s\"/>"
          "</radialGradient>",
          colour, shaded(colour, 1.35).c_str(), shaded(colour, 1).c_str(),
          shaded(colour, 0.6).c_str());
    std::printf("</defs><g stroke-linejoin=\"round\">\n");
    if (has_ground_)
      for (const Part& part : parts_) writeShadow(part, scale);
    for (const Part& part : parts_) writePart(part, scale);
    std::printf("</g></svg>\n");
  }

 private:
  struct Part {
    Outline outline;
    std::vector<Vec3> world;
    double depth;
    double start_height;
    double opacity;
    std::size_t body;
    bool moves;
  };

  bool planar() const { return system_.data().dimension == 2; }

  Vec3 seen(Vec3 p) const {
    if (planar()) return p;
    return {p.x, 0.94 * p.z + 0.34 * p.y, 0.34 * p.z - 0.94 * p.y};
  }

  void add(Outline outline, const Pose& pose, std::size_t index, double opacity) {
    const Body& body = system_.data().bodies[index];
    if (outline.points.empty()) return;
    double depth = 0;
    std::vector<Vec3> world;
    for (Vec3& p : outline.points) {
      world.push_back(pose.pointToWorld(p));
      p = seen(world.back());
      depth += p.z / static_cast<double>(outline.points.size());
      if (body.type == Body::Type::fixed) continue;  // may go on and on: not what is looked at
      left_ = std::min(left_, p.x - outline.radius);
      right_ = std::max(right_, p.x + outline.radius);
      bottom_ = std::min(bottom_, p.y - outline.radius);
      top_ = std::max(top_, p.y + outline.radius);
    }
    const bool moves = body.type == Body::Type::dynamic;
    const double height = planar() ? body.position.y : body.position.z;
    if (moves) {
      low_ = std::min(low_, height);
      high_ = std::max(high_, height);
    }
    // Terrain first: what moves is in front of it.
    parts_.push_back({std::move(outline), std::move(world), moves ? depth : -INFINITY, height,
                      opacity, index, moves});
  }

  static std::string shaded(unsigned colour, double light) {
    char text[8];
    const auto channel = [&](unsigned shift) {
      return static_cast<int>(std::min(255.0, light * (colour >> shift & 255u)));
    };
    std::snprintf(text, sizeof text, "#%02x%02x%02x", channel(16), channel(8), channel(0));
    return text;
  }

  unsigned colourOf(const Part& part) const {
    if (!part.moves) return 0xaaaaaa;
    if (system_.data().bodies.size() <= std::size(kColours)) return kColours[part.body];
    const double layer = kLayers * (part.start_height - low_) / std::max(high_ - low_, 1e-300);
    return kColours[static_cast<std::size_t>(layer) % std::size(kColours)];
  }

  void writePoints(const std::vector<Vec3>& points, double scale) const {
    std::printf("points=\"");
    for (const Vec3& p : points)
      std::printf("%.1f,%.1f ", scale * (p.x - left_), scale * (top_ - p.y));
    std::printf("\"");
  }

  // On the ground z = 0, of what the light from above, left and in front does not reach.
  void writeShadow(const Part& part, double scale) const {
    if (!part.moves || part.outline.is_line || part.opacity < 1) return;
    std::vector<Vec3> shadow;
    for (Vec3 p : part.world)
      for (int k = 0; k < (part.outline.radius > 0 ? 12 : 1); ++k) {
        const double angle = std::numbers::pi * k / 6;
        const Vec3 rim = part.outline.radius * Vec3{math::cos(angle), math::sin(angle), 0};
        shadow.push_back(seen(Vec3{p.x + 0.4 * p.z, p.y + 0.3 * p.z, 0} + rim));
      }
    std::printf("<polygon fill=\"#e4e4e8\" ");
    writePoints(hull(shadow), scale);
    std::printf("/>\n");
  }

  void writePart(const Part& part, double scale) const {
    const Outline& o = part.outline;
    const unsigned colour = colourOf(part);
    if (part.opacity < 1) std::printf("<g opacity=\"%.2f\">", part.opacity);
    if (o.points.size() == 1)
      std::printf("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"url(#b%06x)\"/>",
                  scale * (o.points[0].x - left_), scale * (top_ - o.points[0].y), scale * o.radius,
                  colour);
    else if (o.is_line || o.radius > 0)
      writeLine(o, colour, scale);
    else if (planar())
      writeFace({hull(o.points), {0, 0, 1}}, shaded(colour, 1), scale);
    else
      for (const Face& face : facesTowardsViewer(o.points))
        writeFace(face, shaded(colour, 0.65 + 0.6 * std::max(0.0, dot(face.normal, kLight))),
                  scale);
    std::printf(part.opacity < 1 ? "</g>\n" : "\n");
  }

  void writeLine(const Outline& o, unsigned colour, double scale) const {
    std::printf("<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"%.2f\" %s ",
                o.is_line ? "#bbb" : shaded(colour, 1).c_str(),
                o.is_line ? 0.8 : 2 * scale * o.radius,
                o.is_line ? "" : "stroke-linecap=\"round\"");
    writePoints(o.points, scale);
    std::printf("/>");
  }

  void writeFace(const Face& face, const std::string& colour, double scale) const {
    std::printf("<polygon fill=\"%s\" stroke=\"%s\" stroke-width=\".4\" ", colour.c_str(),
                planar() ? "#fff" : colour.c_str());
    writePoints(face.corners, scale);
    std::printf("/>");
  }

  const BodySystem& system_;
  std::vector<Part> parts_;
  bool has_ground_ = false;
  double left_ = INFINITY, right_ = -INFINITY, bottom_ = INFINITY, top_ = -INFINITY;
  double low_ = INFINITY, high_ = -INFINITY;
};

}  // namespace

int main(int count, char** arguments) try {
  std::vector<std::string> overrides;
  int exposures = 1;
  for (int k = 2; k < count; ++k) {
    const std::string argument = arguments[k];
    if (argument == "--exposures" && k + 1 < count)
      exposures = std::max(1, std::atoi(arguments[++k]));
    else
      overrides.push_back(argument);
  }
  if (count < 2) {
    std::cerr << "usage: draw_bodies SCENE [--exposures N] [path.to.field=value]...\n";
    return 2;
  }
  const Scene scene = loadScene(arguments[1], overrides);
  const auto* system = dynamic_cast<const BodySystem*>(scene.model.system.get());
  if (system == nullptr) throw InputError("the scene has no bodies to draw");
  Stepper stepper(scene.model);
  Picture picture(*system);
  const double steps = static_cast<double>(scene.run.time.stepCount());
  int shown = 0;
  const auto expose = [&](std::int64_t step, const State& state, const Stepper&,
                          const StepReport*) {
    if (shown + 1 >= exposures || static_cast<double>(step) < steps * shown / (exposures - 1))
      return;
    picture.add(state, 0.12 + 0.5 * shown / exposures);
    ++shown;
  };
  picture.add(run(stepper, scene.initial, scene.run, expose).final_state, 1);
  picture.write();
  return 0;
} catch (const stickslip::InputError& error) {
  std::cerr << "draw_bodies: " << error.what() << '\n';
  return 2;
}
