// Sound shapes pass; each kind of damage is named.
#include "stickslip/shape.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace stickslip {
namespace {

void expectProblem(const Shape& shape, const std::string& part) {
  const std::string problem = problemOf(shape);
  EXPECT_NE(problem.find(part), std::string::npos) << shapeName(shape) << ": " << problem;
  EXPECT_EQ(problem.find('\n'), std::string::npos);
  EXPECT_FALSE(problem.empty());
}

TriangleMesh tetrahedronMesh() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
          {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}};
}

std::vector<Shape> soundShapes() {
  return {Disk{1},
          PlanarCapsule{2, 1},
          PlanarBox{1, 2},
          Polygon{{{0, 0}, {1, 0}, {0, 1}}},
          HalfPlane{},
          Polyline{{{0, 0}, {1, 0}}},
          Sphere{1e-200},
          Capsule{1, 1},
          Cylinder{1, 2},
          Box{{1, 2, 3}},
          ConvexHull{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
          HalfSpace{},
          HeightField{2, 2, 1, 1, {0, 1, 2, 3}},
          tetrahedronMesh()};
}

TEST(Shape, SoundOnesHaveNamesAndNoProblems) {
  const char* names[] = {"disk",     "capsule",    "box",          "polygon",  "half-plane",
                         "polyline", "sphere",     "capsule",      "cylinder", "box",
                         "convex",   "half-space", "height-field", "mesh"};
  const std::vector<Shape> shapes = soundShapes();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    EXPECT_EQ(shapeName(shapes[i]), names[i]);
    EXPECT_EQ(problemOf(shapes[i]), "");
    EXPECT_EQ(isPlanar(shapes[i]), i < 6);
    EXPECT_EQ(isTerrain(shapes[i]), i == 4 || i == 5 || i >= 11);
  }
}

TEST(Shape, SizesMustBePositiveAndFinite) {
  for (const double bad : {0.0, -1.0, double(NAN), double(INFINITY)}) {
    expectProblem(Disk{bad}, "radius");
    expectProblem(PlanarCapsule{bad, 1}, "length");
    expectProblem(PlanarCapsule{1, bad}, "radius");
    expectProblem(PlanarBox{bad, 1}, "width");
    expectProblem(PlanarBox{1, bad}, "height");
    expectProblem(Sphere{bad}, "radius");
    expectProblem(Capsule{1, bad}, "radius");
    expectProblem(Cylinder{bad, 1}, "radius");
    expectProblem(Cylinder{1, bad}, "height");
    expectProblem(Box{{1, 1, bad}}, "size z");
  }
}

TEST(Shape, PolygonsMustBeConvexAndCounterclockwise) {
  expectProblem(Polygon{{{0, 0}, {1, 0}}}, "at least 3");
  expectProblem(Polygon{{{0, 0}, {0, 1}, {1, 0}}}, "clockwise");
  expectProblem(Polygon{{{0, 0}, {1, 0}, {1, 0}, {0, 1}}}, "vertex 2 repeats");
  expectProblem(Polygon{{{0, 0}, {1, 0}, {2, 0}, {0, 1}}}, "vertex 1 lies on the line");
  expectProblem(Polygon{{{0, 0}, {4, 0}, {1, 1}, {0, 4}}}, "vertex 2 turns to the right");
  expectProblem(Polygon{{{0, 0}, {1, 0}, {NAN, 1}}}, "vertex 2");
  // A pentagram turns to the left everywhere, but twice around.
  Polygon star;
  for (int k = 0; k < 5; ++k)
    star.vertices.push_back({std::cos(4 * M_PI * k / 5), std::sin(4 * M_PI * k / 5)});
  expectProblem(star, "winds around");
}

TEST(Shape, ChainsAndHulls) {
  expectProblem(Polyline{{{0, 0}}}, "at least 2");
  expectProblem(Polyline{{{0, 0}, {1, 0}, {1, 0}}}, "point 2 repeats");
  expectProblem(ConvexHull{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}, "at least 4");
  expectProblem(ConvexHull{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}}, "one plane");
  expectProblem(ConvexHull{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, INFINITY}}}, "point 3");
}

TEST(Shape, HeightFieldsAndMeshes) {
  expectProblem(HeightField{1, 2, 1, 1, {0, 1}}, "at least 2");
  expectProblem(HeightField{2, 2, 1, 1, {0, 1, 2}}, "columns * rows = 4");
  expectProblem(HeightField{2, 2, 1, 0, {0, 1, 2, 3}}, "spacing_y");
  expectProblem(HeightField{2, 2, 1, 1, {0, 1, NAN, 3}}, "height 2");
  TriangleMesh mesh = tetrahedronMesh();
  mesh.triangles[2].c = 4;
  expectProblem(mesh, "triangle 2 names vertex 4, must be in 0 to 3");
  mesh.triangles[2].c = -1;
  expectProblem(mesh, "vertex -1");
  mesh.triangles[2].c = 1;
  expectProblem(mesh, "triangle 2 has no area");
  mesh.vertices[3].y = NAN;
  expectProblem(mesh, "vertex 3");
  expectProblem(TriangleMesh{{{0, 0, 0}}, {}}, "no triangles");
}

// Two triangles on one square, where the second has its own copies of the shared corners.
TriangleMesh squareMesh() {
  return {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, -0.0, 0}, {1, 1, 0}},
          {{0, 1, 2}, {4, 5, 3}}};
}

TEST(Shape, TrianglesOfAMeshAgreeAboutOutside) {
  EXPECT_EQ(problemOf(squareMesh()), "");
  TriangleMesh flipped = squareMesh();
  std::swap(flipped.triangles[1].a, flipped.triangles[1].b);
  expectProblem(flipped, "triangles 0 and 1 run along the edge between vertices 0 and 2");
  expectProblem(flipped, "swap two of its corners");
  TriangleMesh inside_out = tetrahedronMesh();
  std::swap(inside_out.triangles[3].a, inside_out.triangles[3].b);
  expectProblem(inside_out, "and 3 run along");
}

TEST(Shape, TrianglesOfAMeshAreThereOnce) {
  TriangleMesh repeated = squareMesh();
  repeated.triangles.push_back({2, 0, 1});
  expectProblem(repeated, "triangle 2 repeats triangle 0; leave one of them out");
  // A sheet with two sides is closed: every edge has a triangle in each direction.
  TriangleMesh sheet = squareMesh();
  sheet.triangles = {{0, 1, 2}, {0, 2, 1}};
  EXPECT_EQ(problemOf(sheet), "");
}

TEST(Shape, AnEdgeOfAMeshHasTwoTriangles) {
  TriangleMesh fin = tetrahedronMesh();
  fin.vertices.push_back({1, 1, 1});
  fin.triangles.push_back({2, 1, 4});
  expectProblem(fin, "triangles 0, 2 and 4 share the edge between vertices 1 and 2");
}

}  // namespace
}  // namespace stickslip
