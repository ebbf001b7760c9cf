// Bodies and shapes that scenes describe by a few numbers: layers of a grid, random places that
// keep a distance, arches, rocks, rings and surfaces of revolution.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "collision/hull/hull_builder.hpp"
#include "scene/instances.hpp"
#include "scene/shapes.hpp"
#include "stickslip/body_system.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/io/scene.hpp"

namespace stickslip {
namespace {

Scene sceneOf(const std::string& type, const std::string& instances) {
  return parseScene(R"({"stickslip": 1, "name": "made", "time": {"step": 0.01, "end": 1},
      "system": {"type": ")" +
                        type + R"(", "instances": [{"name": "b{i}", )" + instances + "}]}}",
                    "test.json");
}

std::vector<Body> bodiesOf(const std::string& type, const std::string& instances) {
  const Scene scene = sceneOf(type, instances);
  return static_cast<const BodySystem&>(*scene.model.system).data().bodies;
}

std::string complaintAboutMade(const std::string& type, const std::string& instances) {
  try {
    sceneOf(type, instances);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no complaint";
}

void expectPlace(Vec3 a, Vec3 b, double tolerance = 1e-12) {
  EXPECT_LE(norm(a - b), tolerance)
      << a.x << " " << a.y << " " << a.z << " is not " << b.x << " " << b.y << " " << b.z;
}

const std::string kDisk = R"("body": {"shape": {"type": "disk", "radius": 0.1}}, )";
const std::string kBall = R"("body": {"shape": {"type": "sphere", "radius": 0.1}}, )";

// ---- Layers ----

TEST(MadeScenes, StaggeredLayersAreABrickBond) {
  const std::vector<Body> bodies =
      bodiesOf("planar", kDisk + R"("grid": {"count": [3, 3], "spacing": [2, 1],
                                             "origin": [10, 0], "layers": "staggered"})");
  ASSERT_EQ(bodies.size(), 8u);
  const double expected[][2] = {{10, 0}, {12, 0}, {14, 0}, {11, 1},
                                {13, 1}, {10, 2}, {12, 2}, {14, 2}};
  for (std::size_t i = 0; i < 8; ++i)
    expectPlace(bodies[i].position, {expected[i][0], expected[i][1], 0});
}

TEST(MadeScenes, PyramidOfBallsHasSquareLayers) {
  const std::vector<Body> bodies =
      bodiesOf("spatial", kBall + R"("grid": {"count": [4, 3, 3], "spacing": [1, 1, 0.5],
                                              "layers": "pyramid"})");
  ASSERT_EQ(bodies.size(), 12u + 6 + 2);
  expectPlace(bodies[12].position, {0.5, 0.5, 0.5});
  expectPlace(bodies[17].position, {2.5, 1.5, 0.5});
  expectPlace(bodies[18].position, {1, 1, 1});
  expectPlace(bodies[19].position, {2, 1, 1});
}

TEST(MadeScenes, PyramidMayBeOneBodyThick) {
  const std::vector<Body> bodies =
      bodiesOf("spatial", kBall + R"("grid": {"count": [2, 1, 2], "spacing": [1, 1, 1],
                                              "layers": "pyramid"})");
  ASSERT_EQ(bodies.size(), 3u);
  expectPlace(bodies[2].position, {0.5, 0, 1});
}

TEST(MadeScenes, LayersThatCannotBeAreRefused) {
  const auto grid = [](const std::string& count, const std::string& layers) {
    return complaintAboutMade("planar", kDisk + R"("grid": {"count": )" + count +
                                            R"(, "spacing": [1, 1], "layers": ")" + layers + "\"}");
  };
  EXPECT_NE(grid("[3, 4]", "pyramid").find("grid/count"), std::string::npos);
  EXPECT_NE(grid("[1, 4]", "staggered").find("at least 2"), std::string::npos);
  EXPECT_NE(grid("[3, 4]", "pyramyd").find("pyramid"), std::string::npos);
  EXPECT_NE(grid("[10000000, 1000000]", "pyramid").find("1000000 of each"), std::string::npos);
  EXPECT_NE(grid("[10, 1e15]", "staggered").find("1000000 of each"), std::string::npos);
}

// ---- Places that keep a distance ----

TEST(MadeScenes, RandomPlacesKeepTheirDistance) {
  for (const int dimension : {2, 3}) {
    RandomNumbers random(5);
    const PlaceBox box{{-1, 2, 0}, {1, 3, dimension == 3 ? 1.0 : 0.0}};
    const double distance = dimension == 3 ? 0.2 : 0.1;
    const std::vector<Vec3> places = spacedPlaces(90, box, distance, dimension, random);
    ASSERT_EQ(places.size(), 90u);
    double nearest = INFINITY;
    for (std::size_t i = 0; i < places.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) nearest = std::min(nearest, norm(places[i] - places[j]));
      for (int k = 0; k < dimension; ++k) {
        EXPECT_GE(places[i][k], box.lower[k]);
        EXPECT_LE(places[i][k], box.upper[k]);
      }
    }
    EXPECT_GE(nearest, distance);
    EXPECT_LT(nearest, 1.2 * distance);  // they were crowded enough for the test to say something
  }
}

// A box that is long and thin, and one without height, fill up as far as disks on a line do:
// Renyi's parking constant, 0.7476.
TEST(MadeScenes, FlatBoxesFillUp) {
  for (const double height : {0.0, 1e-9}) {
    RandomNumbers random(3);
    const std::vector<Vec3> places =
        spacedPlaces(2000, {{0, 0, 0}, {1000, height, 0}}, 1, 3, random);
    EXPECT_NEAR(double(places.size()) / 1000, 0.7476, 0.015);
  }
}

TEST(MadeScenes, BoxWithoutRoomIsRefused) {
  const std::string words = complaintAboutMade(
      "planar",
      kDisk + R"("random": {"count": 100, "lower": [0, 0], "upper": [1, 1], "distance": 0.2})");
  EXPECT_NE(words.find("/system/instances/0/random"), std::string::npos) << words;
  EXPECT_NE(words.find("of 100 places"), std::string::npos) << words;
}

// ---- Arch ----

TEST(MadeScenes, StonesOfAnArchMeetAtTheirJoints) {
  const std::vector<Body> stones =
      bodiesOf("planar", R"("body": {}, "arch": {"count": 7, "radius": 2, "thickness": 0.4,
                                        "center": [1, 5], "angles": [0.2, 2.5]})");
  ASSERT_EQ(stones.size(), 7u);
  for (std::size_t i = 0; i < 7; ++i) {
    const auto& corners = std::get<Polygon>(stones[i].shapes[0].shape).vertices;
    const Pose pose{stones[i].position, matrixOf(stones[i].orientation)};
    std::set<int> seen;  // each corner of the sector once
    for (const Vec2& c : corners) {
      const Vec3 p = pose.pointToWorld({c.x, c.y, 0}) - Vec3{1, 5, 0};
      const double r = std::hypot(p.x, p.y), step = 2.3 / 7;
      const double joint = (std::atan2(p.y, p.x) - 0.2) / step - double(i);
      const bool outer = r > 2, later = joint > 0.5;
      EXPECT_NEAR(r, outer ? 2.2 : 1.8, 1e-12);
      EXPECT_NEAR(joint, later ? 1 : 0, 1e-12);
      seen.insert(2 * outer + later);
    }
    EXPECT_EQ(seen.size(), 4u);
  }
}

TEST(MadeScenes, ArchInSpaceStandsOnItsFeet) {
  const std::vector<Body> stones = bodiesOf(
      "spatial",
      R"("body": {"density": 2}, "arch": {"count": 12, "radius": 2, "thickness": 0.4, "depth": 3})");
  double lowest = INFINITY, mass = 0;
  for (const Body& stone : stones) {
    mass += stone.mass.mass;
    const Pose pose{stone.position, matrixOf(stone.orientation)};
    for (const Vec3& p : std::get<ConvexHull>(stone.shapes[0].shape).points) {
      const Vec3 q = pose.pointToWorld(p);
      lowest = std::min(lowest, q.z);
      EXPECT_NEAR(std::abs(q.y), 1.5, 1e-12);
    }
  }
  EXPECT_NEAR(lowest, 0, 1e-12);
  // Twelve trapezoids: (out^2 - in^2) sin(angle) / 2 each, 3 deep, density 2.
  EXPECT_NEAR(mass, 12 * (2.2 * 2.2 - 1.8 * 1.8) * std::sin(std::numbers::pi / 12) / 2 * 3 * 2,
              1e-9);
}

TEST(MadeScenes, ArchesThatCannotBeAreRefused) {
  const auto arch = [](const std::string& fields, const std::string& body = "{}") {
    return complaintAboutMade("planar", R"("body": )" + body + R"(, "arch": {)" + fields + "}");
  };
  EXPECT_NE(arch(R"("count": 5, "radius": 1, "thickness": 2)").find("thickness"),
            std::string::npos);
  EXPECT_NE(arch(R"("count": 1, "radius": 1, "thickness": 0.1)").find("angles"), std::string::npos);
  EXPECT_NE(arch(R"("count": 5, "radius": 1, "thickness": 0.1, "angles": [2, 1])").find("angles"),
            std::string::npos);
  EXPECT_NE(arch(R"("count": 5, "radius": 1, "thickness": 0.1, "depth": 1)").find("only for"),
            std::string::npos);
  EXPECT_NE(arch(R"("count": 5, "radius": 1, "thicknes": 0.1)").find("\"thickness\""),
            std::string::npos);
  EXPECT_NE(arch(R"("count": 5, "radius": 1, "thickness": 0.1)",
                 R"({"shape": {"type": "disk", "radius": 1}})")
                .find("have a shape already"),
            std::string::npos);
}

// ---- Shapes ----

TEST(MadeScenes, EveryRockIsAnotherAndTheSeedDecides) {
  const auto rocks = [](const std::string& seed) {
    return bodiesOf("spatial", R"("body": {"shape": {"type": "rock", "radius": 0.5, "seed": )" +
                                   seed +
                                   R"(}}, "grid": {"count": [5, 1, 1], "spacing": [2, 2, 2]})");
  };
  const std::vector<Body> first = rocks("1"), again = rocks("1"), other = rocks("2");
  const auto points = [](const Body& body) {
    return std::get<ConvexHull>(body.shapes[0].shape).points;
  };
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(points(first[i]), points(again[i]));
    EXPECT_NE(points(first[i]), points(other[i]));
    if (i > 0) {
      EXPECT_NE(points(first[i]), points(first[i - 1]));
      EXPECT_NE(first[i].mass.mass, first[i - 1].mass.mass);
    }
  }
}

TEST(MadeScenes, RocksHaveAllTheirCornersAndNoSlivers) {
  for (long seed = 0; seed < 20; ++seed) {
    RandomNumbers random(seed);
    const ConvexHull rock = spatialRock(2, 12, random);
    for (const Vec3& p : rock.points) EXPECT_NEAR(norm(p), 2, 1e-12);
    const double density[] = {1};
    const PlacedShape placed[] = {{rock, {}, 0}};
    // A third of the ball at least, and its centre not far from the ball's.
    const MassProperties mass = massProperties(placed, density);
    EXPECT_GT(mass.mass, 32 * std::numbers::pi / 3 / 3);
    EXPECT_LT(norm(mass.center), 0.6);
    const Polygon flat = planarRock(2, 7, random);
    EXPECT_EQ(flat.vertices.size(), 7u);
    EXPECT_EQ(problemOf(Shape{flat}), "");
  }
}

TEST(MadeScenes, SurfaceOfRevolutionEnclosesItsVolume) {
  // A closed drum seen from inside: its triangles enclose minus the volume of a regular prism.
  const std::vector<Vec2> profile = {{0, -1}, {2, -1}, {2, 3}, {0, 3}};
  const TriangleMesh mesh = revolved(profile, 10);
  EXPECT_EQ(problemOf(Shape{mesh}), "");
  double volume = 0;
  for (const auto& [a, b, c] : mesh.triangles) {
    const auto at = [&](int i) { return mesh.vertices[i]; };
    volume += dot(at(a), cross(at(b), at(c))) / 6;
  }
  EXPECT_NEAR(volume, -4 * (10 * std::sin(2 * std::numbers::pi / 10) / 2 * 4), 1e-9);
  EXPECT_EQ(mesh.vertices.size(), 22u);
  EXPECT_EQ(mesh.triangles.size(), 40u);
}

// A ball inside stays inside: the solid is where it should be.
TEST(MadeScenes, DrumAndRingHoldWhatIsInside) {
  const auto lowestAfter = [](const std::string& type, const std::string& shape,
                              const std::string& ball) {
    const Scene scene = parseScene(
        R"({"stickslip": 1, "name": "drum", "time": {"step": 0.01, "end": 1}, "system": {"type": ")" +
            type + R"(", "bodies": [{"type": "static", "shape": )" + shape + R"(}, {"shape": )" +
            ball + "}]}}",
        "test.json");
    Stepper stepper(scene.model);
    const RunSummary summary = run(stepper, scene.initial, scene.run);
    EXPECT_TRUE(summary.certified());
    const auto& system = static_cast<const BodySystem&>(*scene.model.system);
    const Vec3 end = system.bodyState(1, summary.final_state).position;
    return type == "planar" ? end.y : end.z;
  };
  const double inner =
      1 * std::cos(std::numbers::pi / 48);  // the flat sides are nearer than the corners
  EXPECT_NEAR(lowestAfter("planar", R"({"type": "polyline", "ring": {"radius": 1}})",
                          R"({"type": "disk", "radius": 0.3})"),
              -(inner - 0.3), 0.003);
  const std::string drum =
      R"({"type": "mesh", "orientation": {"axis": [1, 0, 0], "angle": 1.5707963267948966},
      "revolve": {"profile": [[0, -1], [1, -1], [1, 1], [0, 1]]}})";
  EXPECT_NEAR(lowestAfter("spatial", drum, R"({"type": "sphere", "radius": 0.3})"), -(inner - 0.3),
              0.003);
}

}  // namespace
}  // namespace stickslip
