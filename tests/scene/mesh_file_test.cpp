// Mesh files: the formats that are read, how damage is refused, and that no damage crashes.
#include "stickslip/scene/mesh_file.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <fstream>

#include "stickslip/input_error.hpp"
#include "support/random.hpp"

namespace stickslip {
namespace {

using testing::Random;

std::filesystem::path fileWith(const std::string& bytes, const std::string& extension) {
  // One file per test, since tests run side by side.
  const std::string test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
  const auto file = std::filesystem::path(::testing::TempDir()) / (test + extension);
  std::ofstream(file, std::ios::binary) << bytes;
  return file;
}

std::vector<std::array<int, 3>> indices(const TriangleMesh& mesh) {
  std::vector<std::array<int, 3>> out;
  for (const auto& t : mesh.triangles) out.push_back({t.a, t.b, t.c});
  return out;
}

void append(std::string& bytes, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<char>(value >> (8 * i)));
}

std::string binaryStl(const std::vector<std::array<float, 9>>& triangles,
                      const std::string& title = "solid in name only") {
  std::string bytes = title;
  bytes.resize(80, ' ');
  append(bytes, static_cast<std::uint32_t>(triangles.size()));
  for (const auto& t : triangles) {
    for (int i = 0; i < 3; ++i) append(bytes, 0);
    for (const float x : t) append(bytes, std::bit_cast<std::uint32_t>(x));
    bytes += std::string(2, '\0');
  }
  return bytes;
}

const std::vector<std::array<float, 9>> kSquare{{0, 0, 0, 1, 0, 0, 1, 1, 0},
                                                {0, 0, 0, 1, 1, 0, 0, 1, 0.5f}};

const char* const kTextStl =
    "solid square\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex +1 0 0\n   vertex "
    "1 1 0\n  endloop\n endfacet\n\n facet normal 0 0 1\r\n  outer loop\n   vertex 0 0 0\n   "
    "vertex 1 1.0e0 0\n   vertex 0 1 .5\n  endloop\n endfacet\nendsolid square\n";

const char* const kObj =
    "# a pyramid\nmtllib none.mtl\no pyramid\nv 0 0 0\nv 1 0 0 1.0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\nvt "
    "0 0\nf 4 3 2 1\nv 0.5 0.5 1\nf 1//1 2//1 5//1\nf 2/1 3/1 -1/1\ns off\nf 3/1/1 4/1/1 5/1/1\n"
    "f -2 -5 -1\n";

TEST(MeshFile, ReadsObj) {
  const TriangleMesh mesh = readMesh(fileWith(kObj, ".OBJ"));
  EXPECT_EQ(mesh.vertices.size(), 5u);
  EXPECT_EQ(mesh.vertices[4], (Vec3{0.5, 0.5, 1}));
  EXPECT_EQ(indices(mesh), (std::vector<std::array<int, 3>>{
                               {3, 2, 1}, {3, 1, 0}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}}));
  EXPECT_EQ(problemOf(mesh), "");
}

TEST(MeshFile, PointsNeedNoFaces) {
  const std::vector<Vec3> points = readPoints(fileWith("v 0 0 0\nv 1 2 3\n", ".obj"));
  EXPECT_EQ(points, (std::vector<Vec3>{{0, 0, 0}, {1, 2, 3}}));
  EXPECT_EQ(readPoints(fileWith(kObj, ".obj")).size(), 5u);
  EXPECT_EQ(readPoints(fileWith(kTextStl, ".stl")).size(), 4u);
  EXPECT_THROW(readPoints(fileWith("# nothing\n", ".obj")), InputError);
}

TEST(MeshFile, ReadsTextAndBinaryStlAlike) {
  const TriangleMesh text = readMesh(fileWith(kTextStl, ".stl"));
  const TriangleMesh binary = readMesh(fileWith(binaryStl(kSquare), ".stl"));
  EXPECT_EQ(indices(text), (std::vector<std::array<int, 3>>{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_EQ(indices(binary), indices(text));
  EXPECT_EQ(text.vertices, binary.vertices);
  EXPECT_EQ(text.vertices[3], (Vec3{0, 1, 0.5}));
}

void expectRefused(const std::string& bytes, const std::string& extension,
                   const std::string& part) {
  try {
    readMesh(fileWith(bytes, extension));
    ADD_FAILURE() << "accepted; expected: " << part;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(MeshFile, RefusesDamagedObjByLine) {
  expectRefused("", ".obj", "no vertices");
  expectRefused("v 0 0 0\n", ".obj", "no faces");
  expectRefused("v 0 0 nan\n", ".obj", ":1: \"nan\": expected a finite number");
  expectRefused("v 0 0\n", ".obj", ":1: \"\": expected a finite number");
  expectRefused("v 0 0 1e999\n", ".obj", "finite");
  expectRefused("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", ".obj", ":4: vertex 4 does not exist");
  expectRefused("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -4\n", ".obj", ":4: vertex -4 does not exist");
  expectRefused("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n", ".obj", "vertex 0 does not exist");
  expectRefused("v 0 0 0\nv 1 0 0\nf 1 2\n", ".obj", ":3: a face needs");
  expectRefused("v 0 0 0\nf 1 x 1\n", ".obj", ":2: \"x\": expected the index");
  expectRefused("v 0 0 0\nf 1 99999999999999999999 1\n", ".obj", "expected the index");
}

TEST(MeshFile, RefusesDamagedStl) {
  expectRefused("", ".stl", "not an STL mesh");
  expectRefused("hello", ".stl", "not an STL mesh");
  expectRefused("solid a\nendsolid a\n", ".stl", "no facets");
  expectRefused("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nendloop\nendfacet\n",
                ".stl", ":6: a facet with 1 vertices");
  expectRefused("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 inf\n", ".stl", ":4:");
  expectRefused("solid a\nsomething\n", ".stl", ":2: \"something\"");
  std::string text = kTextStl;
  text.resize(text.size() - 16);
  expectRefused(text, ".stl", "ends before");
  const std::string binary = binaryStl(kSquare, "made by a test");
  expectRefused(binary.substr(0, 150), ".stl", "ends at byte 150, but 2 triangles need 184 bytes");
  expectRefused(binaryStl({}, "empty"), ".stl", "no triangles");
  std::string huge = binary;
  huge[83] = 0x7f;
  expectRefused(huge, ".stl", "at most 10000000");
  expectRefused(binaryStl({{0, 0, 0, 1, 0, 0, 0, NAN, 0}}), ".stl", "byte 124 (triangle 0)");
  expectRefused("x", ".txt", "expected .obj or .stl");
  EXPECT_THROW(readMesh("/no/such/file.stl"), InputError);
}

// Whatever is changed, cut or inserted: a mesh with valid indices, or an InputError.
TEST(MeshFile, RandomDamageNeverCrashes) {
  Random random(1);
  const std::pair<std::string, std::string> originals[] = {
      {kObj, ".obj"}, {kTextStl, ".stl"}, {binaryStl(kSquare), ".stl"}};
  int accepted = 0, refused = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    auto [bytes, extension] = originals[trial % 3];
    const int damages = random.integer(1, 4);
    for (int k = 0; k < damages && !bytes.empty(); ++k) {
      const auto at =
          static_cast<std::size_t>(random.integer(0, static_cast<int>(bytes.size()) - 1));
      const int kind = random.integer(0, 3);
      if (kind == 0) bytes[at] = static_cast<char>(random.integer(0, 255));
      if (kind == 1) bytes.resize(at);
      if (kind == 2) bytes.insert(at, bytes.substr(0, at));
      if (kind == 3) bytes.erase(at, 5);
    }
    try {
      const TriangleMesh mesh = readMesh(fileWith(bytes, extension));
      for (const auto& t : mesh.triangles)
        for (const int v : {t.a, t.b, t.c})
          ASSERT_TRUE(v >= 0 && v < static_cast<int>(mesh.vertices.size()));
      ASSERT_FALSE(mesh.triangles.empty());
      ++accepted;
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(accepted, 50);
  EXPECT_GT(refused, 200);
}

}  // namespace
}  // namespace stickslip
