// What makes hulls quick, against brute force: near features only, farthest vertices four at a
// time, faces and edges around a vertex.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/convex/gjk.hpp"
#include "collision/convex/polytope.hpp"
#include "collision/convex/separating_axes.hpp"
#include "collision/hull/hull_builder.hpp"
#include "support/random.hpp"
#include "support/random_rotation.hpp"

namespace stickslip {
namespace {

using testing::Random;

Polytope hullOf(const std::vector<Vec3>& points) {
  const Hull hull = *buildHull(points);
  return Polytope(hull.vertices, hull.faces);
}

/// A rock of so many points, its farthest about `radius` away.
Polytope rock(Random& random, int points, double radius = 1) {
  std::vector<Vec3> all(static_cast<std::size_t>(points));
  for (Vec3& x : all) x = radius * random.uniform(0.8, 1) * testing::randomDirection(random);
  return hullOf(all);
}

/// A prism with an upright axis, whose faces lie in planes that others share.
Polytope prism(int sides, double radius = 1) {
  std::vector<Vec3> all;
  for (int i = 0; i < sides; ++i)
    for (const double z : {-0.5, 0.5})
      all.push_back(radius * Vec3{std::cos(6.25 * i / sides), std::sin(6.25 * i / sides), z});
  return hullOf(all);
}

/// The largest gap along any normal of a face or of two edges, whether they meet or not: every
/// direction gives a lower bound of the signed distance, and one of these attains it in overlap.
double gapByBruteForce(const CorePair& pair) {
  const PolytopeView a = pair.a.polytope(), b = pair.b.polytope();
  double best = -std::numeric_limits<double>::infinity();
  for (const PolytopeFace& face : a.faces) best = std::max(best, pair.gapAlong(face.normal));
  for (const PolytopeFace& face : b.faces)
    best = std::max(best, pair.gapAlong(-(pair.b_in_a.rotation * face.normal)));
  for (const PolytopeEdge& edge_a : a.edges)
    for (const PolytopeEdge& edge_b : b.edges) {
      const Vec3 n = cross(edge_a.direction, pair.b_in_a.rotation * edge_b.direction);
      if (norm(n) < 1e-9) continue;
      best = std::max({best, pair.gapAlong(normalized(n)), pair.gapAlong(-normalized(n))});
    }
  return best;
}

SignedDistance byNearFeatures(const CorePair& pair, double cutoff = 1) {
  const ClosestPoints found = closestPoints(pair, {}, {0.1, 0.2, 1});
  return distanceByAxes(pair, found.on_a, found.on_b, cutoff);
}

// Calls check for the pair with b moved along the normal, from touching to deep overlap.
template <class Check>
void forGaps(const Polytope& a, const Polytope& b, const Pose& b_in_a, const Check& check) {
  const SignedDistance at_first = distanceByAxes({a, b, b_in_a}, 10);
  for (const double gap : {1e-15, 0.0, -1e-15, -1e-12, -1e-8, -1e-4, -1e-2, -0.1, -0.5}) {
    Pose pose = b_in_a;
    pose.position += (gap - at_first.gap) * at_first.normal;
    check(CorePair{a, b, pose});
  }
}

template <class Check>
void forPairsOfHulls(int rounds, const Check& check) {
  Random random(11);
  for (int round = 0; round < rounds; ++round) {
    const Pose pose{random.uniform(0.5, 1.5) * testing::randomDirection(random),
                    testing::randomRotation(random)};
    SCOPED_TRACE(round);
    forGaps(rock(random, random.integer(12, 20)), rock(random, random.integer(12, 20)), pose,
            check);
    // Parallel faces and edges.
    const Pose upright{{random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), 1.2}, {}};
    forGaps(prism(random.integer(5, 9)), prism(random.integer(5, 9)), upright, check);
    forGaps(rock(random, 14), prism(7), pose, check);
  }
}

TEST(HullContact, NearFeaturesGiveWhatAllGive) {
  int pairs = 0;
  forPairsOfHulls(100, [&](const CorePair& pair) {
    const SignedDistance found = byNearFeatures(pair), wanted = distanceByAxes(pair, 1);
    EXPECT_EQ(found.gap, wanted.gap);
    EXPECT_EQ(found.normal, wanted.normal);
    ++pairs;
  });
  EXPECT_EQ(pairs, 2700);
}

TEST(HullContact, GapsAsByBruteForce) {
  forPairsOfHulls(4, [](const CorePair& pair) {
    const SignedDistance found = byNearFeatures(pair);
    EXPECT_NEAR(pair.gapAlong(found.normal), found.gap, 1e-13);
    // A face wins near ties.
    EXPECT_NEAR(found.gap, gapByBruteForce(pair), 1e-10);
  });
}

// Any points of the two cores are good enough.
TEST(HullContact, AnyPointsOfTheHullsWillDo) {
  Random random(12);
  forPairsOfHulls(20, [&](const CorePair& pair) {
    const Vec3 on_a = pair.supportA(testing::randomDirection(random));
    const Vec3 on_b = pair.supportB(testing::randomDirection(random));
    const SignedDistance found = distanceByAxes(pair, on_a, on_b, 1);
    const SignedDistance wanted = distanceByAxes(pair, 1);
    EXPECT_EQ(found.gap, wanted.gap);
    EXPECT_EQ(found.normal, wanted.normal);
  });
}

TEST(HullContact, UnitsChangeNothing) {
  for (const double scale : {0x1p-40, 0x1p30}) {
    Random random(13), same(13);
    for (int round = 0; round < 50; ++round) {
      const Polytope a = rock(random, 16), b = rock(random, 16);
      const Polytope large_a = rock(same, 16, scale), large_b = rock(same, 16, scale);
      const Pose pose{1.6 * testing::randomDirection(random), testing::randomRotation(random)};
      const Pose large{scale * (1.6 * testing::randomDirection(same)),
                       testing::randomRotation(same)};
      const SignedDistance found = byNearFeatures({a, b, pose});
      const SignedDistance scaled = byNearFeatures({large_a, large_b, large}, scale);
      EXPECT_EQ(scale * found.gap, scaled.gap);
      EXPECT_EQ(found.normal, scaled.normal);
    }
  }
}

// What near features are near to.
TEST(HullContact, OverlapsHaveACommonPoint) {
  int overlaps = 0;
  forPairsOfHulls(50, [&](const CorePair& pair) {
    const ClosestPoints found = closestPoints(pair, {}, {0, 0, 1});
    if (found.distance > 0) return;
    ++overlaps;
    EXPECT_LT(norm(found.on_b - found.on_a), 1e-9);
    for (const PolytopeFace& face : pair.a.polytope().faces)
      EXPECT_LT(dot(face.normal, found.on_a) - face.offset, 1e-12);
    for (const PolytopeFace& face : pair.b.polytope().faces)
      EXPECT_LT(dot(face.normal, pair.b_in_a.pointToLocal(found.on_b)) - face.offset, 1e-12);
  });
  EXPECT_GT(overlaps, 500);
}

TEST(PointColumns, FarthestIsTheFirstOfTheBest) {
  Random random(14);
  for (int count = 1; count < 40; ++count)
    for (int round = 0; round < 50; ++round) {
      std::vector<Vec3> points(static_cast<std::size_t>(count));
      for (Vec3& x : points) x = testing::randomDirection(random);
      // Whole numbers, so that there are ties.
      if (round % 2 == 0)
        for (Vec3& x : points) x = {std::round(x.x), std::round(x.y), std::round(x.z)};
      const Vec3 direction = round % 4 == 0 ? Vec3{0, 1, 0} : testing::randomDirection(random);
      std::size_t wanted = 0;
      for (std::size_t i = 1; i < points.size(); ++i)
        if (dot(points[i], direction) > dot(points[wanted], direction)) wanted = i;
      const PointColumns columns(points);
      EXPECT_EQ(columns.farthest(direction), wanted) << count;
      EXPECT_EQ(columns[wanted], points[wanted]);
    }
}

// Every face knows its edges, every edge its faces, and every vertex what meets there.
TEST(Polytope, NeighboursAreThoseOfTheLoops) {
  Random random(15);
  for (const Polytope& hull : {rock(random, 20), prism(6), boxPolytope({1, 2, 3})}) {
    const PolytopeView view = hull.polytope();
    const auto has = [&](int face, int vertex) {
      const auto loop = view.loops.subspan(view.faces[face].first, view.faces[face].count);
      return std::find(loop.begin(), loop.end(), vertex) != loop.end();
    };
    for (std::size_t e = 0; e < view.edges.size(); ++e) {
      const auto [left, right] = view.edge_faces[e];
      EXPECT_NE(left, right);
      for (const int face : {left, right})
        EXPECT_TRUE(has(face, view.edges[e].from) && has(face, view.edges[e].to));
      // Into the faces is away from the outside.
      const auto [into_left, into_right] = view.sidesOf(e);
      EXPECT_LT(dot(into_left, view.faces[right].normal), 0);
      EXPECT_LT(dot(into_right, view.faces[left].normal), 0);
    }
    for (std::size_t v = 0; v < view.vertices.size(); ++v) {
      std::vector<int> faces, edges;
      for (int f = 0; f < static_cast<int>(view.faces.size()); ++f)
        if (has(f, static_cast<int>(v))) faces.push_back(f);
      for (int e = 0; e < static_cast<int>(view.edges.size()); ++e)
        if (const PolytopeEdge& edge = view.edges[e];
            edge.from == static_cast<int>(v) || edge.to == static_cast<int>(v))
          edges.push_back(e);
      EXPECT_TRUE(std::ranges::equal(view.facesAt(v), faces));
      EXPECT_TRUE(std::ranges::equal(view.edgesAt(v), edges));
    }
  }
}

}  // namespace
}  // namespace stickslip
