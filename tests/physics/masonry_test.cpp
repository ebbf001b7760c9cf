// Dry masonry: an arch against limit analysis, a wall and a house of cards that must not creep.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/scene_runs.hpp"

namespace stickslip {
namespace {

using testing::BodySceneRun;
using testing::runBodyScene;

// ---- Arch ----

// Limit analysis of a symmetric semicircular arch of radius 1 and weight 1 (J. Heyman, The stone
// skeleton, Int. J. Solids Structures 2 (1966)): it stands iff a line of thrust stays within all
// its joints. The unknowns are the thrust H and the moment m that the ground exerts about the
// middle of the first joint; a joint asks for lower_slope H + lower <= m <= upper_slope H + upper.
class ThrustLine {
 public:
  ThrustLine(int stones, double thickness) {
    const double angle = std::numbers::pi / stones, half = angle / 2;
    const double in = 1 - thickness / 2, out = 1 + thickness / 2;
    // Centre of a stone, a trapezoid with its parallel sides proportional to `in` and `out`.
    const double centre = std::cos(half) * (in + (out - in) * (in + 2 * out) / (3 * (in + out)));
    double passed = 0;  // sum of the x of all stones before a joint
    for (int j = 0; j <= stones; ++j) {
      const double x = std::cos(j * angle), y = std::sin(j * angle);
      const auto moment = [&](double r) { return (1 - r * x) / 2 - (passed - j * r * x) / stones; };
      joints_.push_back({in * y, -moment(in), out * y, -moment(out)});
      passed += centre * std::cos((j + 0.5) * angle);
    }
  }

  bool exists() const {
    double low = 0, high = 1;  // the room for m is a concave function of H
    for (int k = 0; k < 100; ++k) {
      const double a = low + (high - low) / 3, b = high - (high - low) / 3;
      (room(a) < room(b) ? low : high) = room(a) < room(b) ? a : b;
    }
    return room((low + high) / 2) >= 0;
  }

 private:
  struct Joint {
    double lower_slope, lower, upper_slope, upper;
  };
  double room(double thrust) const {
    double least = -INFINITY, most = INFINITY;
    for (const Joint& joint : joints_) {
      least = std::max(least, joint.lower_slope * thrust + joint.lower);
      most = std::min(most, joint.upper_slope * thrust + joint.upper);
    }
    return most - least;
  }

  std::vector<Joint> joints_;
};

double thinnestArch(int stones) {
  double thin = 0.05, thick = 0.2;
  for (int k = 0; k < 40; ++k) {
    const double middle = (thin + thick) / 2;
    (ThrustLine(stones, middle).exists() ? thick : thin) = middle;
  }
  return thick;
}

BodySceneRun runArch(int stones, double thickness, double friction = 0.6) {
  return runBodyScene("scale/arch.json",
                      {"system.instances.0.arch.count=" + std::to_string(stones),
                       "system.instances.0.arch.thickness=" + std::to_string(thickness),
                       "system.materials.default.friction=" + std::to_string(friction),
                       "time.step=0.02", "time.end=1"});
}

TEST(Masonry, LimitAnalysisHasTheKnownLimit) {
  EXPECT_NEAR(thinnestArch(200), 0.1075, 1e-4);  // Milankovitch 1907
  EXPECT_LT(thinnestArch(9), thinnestArch(25));  // fewer joints, fewer ways to fall
}

TEST(Masonry, ArchStandsIffLimitAnalysisSaysSo) {
  for (const int stones : {9, 17}) {
    const double thinnest = thinnestArch(stones);
    const BodySceneRun stands = runArch(stones, 1.01 * thinnest);
    EXPECT_TRUE(stands.summary.certified());
    EXPECT_LE(stands.drift(), 1e-9) << stones;
    const BodySceneRun falls = runArch(stones, 0.97 * thinnest);
    EXPECT_TRUE(falls.summary.certified());
    EXPECT_GE(falls.drift(), 0.05) << stones;
  }
}

TEST(Masonry, ThickArchNeedsFriction) {
  EXPECT_LE(runArch(9, 0.2, 0.45).drift(), 1e-9);
  EXPECT_GE(runArch(9, 0.2, 0.2).drift(), 0.05);
}

// ---- Wall and cards ----

TEST(Masonry, WallStandsWithoutCreep) {
  const BodySceneRun wall = runBodyScene(
      "scale/wall.json", {"system.instances.brick{i}.grid.count=[4,1,4]",
                          "system.instances.half{i}.grid.count=[2,1,2]",
                          "system.instances.half{i}.grid.spacing=[0.875,1,0.13]", "time.end=0.2"});
  EXPECT_TRUE(wall.summary.certified());
  EXPECT_LE(wall.drift(), 1e-10);
}

std::vector<std::string> storeys(int count, double friction) {
  const auto size = [](int n) { return "[" + std::to_string(n) + "," + std::to_string(n) + "]"; };
  return {"system.instances.left{i}.grid.count=" + size(count),
          "system.instances.right{i}.grid.count=" + size(count),
          "system.instances.deck{i}.grid.count=" + size(count - 1),
          "system.materials.default.friction=" + std::to_string(friction), "time.end=1"};
}

TEST(Masonry, CardHouseStandsIfFrictionHoldsIt) {
  const BodySceneRun house = runBodyScene("scale/card-house.json", storeys(3, 0.6));
  EXPECT_TRUE(house.summary.certified());
  EXPECT_LE(house.drift(), 1e-10);
  // A pair of cards without a deck spreads unless mu >= tan(20 deg) / 2 or so.
  EXPECT_GE(runBodyScene("scale/card-house.json", storeys(3, 0.1)).drift(), 0.01);
}

}  // namespace
}  // namespace stickslip
