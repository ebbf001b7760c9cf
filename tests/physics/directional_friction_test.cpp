// Friction directions of materials and contacts, and contacts with two tangents in generalized
// coordinates: scenes against answers on paper, and against each other.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include "stickslip/io/scene.hpp"
#include "stickslip/stickslip.hpp"
#include "support/particle_on_plane.hpp"

namespace stickslip {
namespace {

using testing::ParticleOnPlane;

constexpr double kTime = 0.2;

struct End {
  BodyState body;
  RunSummary summary;
};

const std::string kFlatBox = R"({"type": "box", "size": [0.2, 0.2, 0.001]})";

// A flat box, so low that it does not tip, or something else that slides and spins on a floor.
End slideBox(const std::string& floor, const std::string& box, const std::string& velocity,
             const std::string& more = "", const std::string& method = "",
             const std::string& shape = kFlatBox) {
  const std::string text = R"({"stickslip": 1, "name": "slide", "time": {"step": 0.001, "end": 0.2},
    "system": {"type": "spatial", "gravity": [0, 0, -10],
      "materials": {"floor": {)" +
                           floor + R"(}, "box": {)" + box + R"(}},
      "bodies": [
        {"name": "floor", "type": "static", "material": "floor", "shape": {"type": "half-space"}},
        {"name": "box", "material": "box", "position": [0, 0, )" +
                           (shape == kFlatBox ? "0.0005" : "0.1") + "], " + more + R"(
         "velocity": )" + velocity +
                           R"(,
         "shape": )" + shape +
                           "}]}" + (method.empty() ? "" : ", \"method\": {" + method + "}") + "}";
  const Scene scene = parseScene(text, "slide.json");
  Stepper stepper(scene.model);
  End end;
  end.summary = run(stepper, scene.initial, scene.run);
  EXPECT_TRUE(end.summary.certified());
  end.body =
      dynamic_cast<const BodySystem&>(*scene.model.system).bodyState(1, end.summary.final_state);
  return end;
}

const std::string kTriangle =
    R"("friction": 0.4, "anisotropy": {"direction": [1, 0, 0], "friction_directions": )"
    R"([[1, 0], [-0.5, 0.8660254037844386], [-0.5, -0.8660254037844386]]})";
const std::string kPlain = R"("friction": 0.4)";

// 0.4 against what slides backwards along the grain, half of it against what slides forwards.
TEST(DirectionalFriction, OfAFloorHasADirection) {
  EXPECT_NEAR(slideBox(kTriangle, kPlain, "[-2, 0, 0]").body.velocity.x, -2 + 4 * kTime, 1e-9);
  EXPECT_NEAR(slideBox(kTriangle, kPlain, "[2, 0, 0]").body.velocity.x, 2 - 2 * kTime, 1e-9);
}

// The same surface on the box: what it touches is the floor, which slides the other way.
TEST(DirectionalFriction, OfABoxIsThatOfWhatItTouches) {
  EXPECT_NEAR(slideBox(kPlain, kTriangle, "[-2, 0, 0]").body.velocity.x, -2 + 2 * kTime, 1e-9);
  EXPECT_NEAR(slideBox(kPlain, kTriangle, "[2, 0, 0]").body.velocity.x, 2 - 4 * kTime, 1e-9);
  // Across, two corners of different height: the second tangent completes direction and outward
  // normal, which points down here.
  const std::string across =
      R"("friction": 0.4, "anisotropy": {"direction": [1, 0, 0], "friction_directions": )"
      R"([[1, 0], [-1, 0], [0, 1], [0, -0.25]]})";
  EXPECT_NEAR(slideBox(across, kPlain, "[0, -2, 0]").body.velocity.y, -2 + 4 * kTime, 1e-9);
  EXPECT_NEAR(slideBox(across, kPlain, "[0, 2, 0]").body.velocity.y, 2 - 1 * kTime, 1e-9);
  // On the box d = (0, 1) is along -y, and acts on the floor: the box feels it along +y.
  EXPECT_NEAR(slideBox(kPlain, across, "[0, -2, 0]").body.velocity.y, -2 + 4 * kTime, 1e-9);
  EXPECT_NEAR(slideBox(kPlain, across, "[0, 2, 0]").body.velocity.y, 2 - 1 * kTime, 1e-9);
}

// A list is the same as the ellipse's corners, and as a number of corners.
TEST(DirectionalFriction, ListsAreWhatTheyStandFor) {
  std::string list;
  for (int k = 0; k < 7; ++k) {
    const double angle = 2 * std::numbers::pi * k / 7;
    list += std::string(k > 0 ? ", " : "") + "[" + std::to_string(std::cos(angle)) + ", " +
            std::to_string(std::sin(angle)) + "]";
  }
  const std::string grain = R"("friction": 0.4, "anisotropy": {"direction": [1, 0, 0], )";
  const std::string listed = grain + "\"friction_directions\": [" + list + "]}";
  const std::string counted = grain + "\"friction_across\": 0.4}, \"directions\": 7";
  const std::string spin = R"("angular_velocity": [0, 0, 9],)";
  const End a = slideBox(listed, kPlain, "[1.5, 0.7, 0]", spin);
  const End b = slideBox(counted, kPlain, "[1.5, 0.7, 0]", spin);
  const End c = slideBox(grain + "\"friction_across\": 0.4}", kPlain, "[1.5, 0.7, 0]", spin,
                         R"("cone": "polyhedral", "directions": 7)");
  EXPECT_LE(norm(b.body.velocity - c.body.velocity), 1e-12);
  // Six digits of the list.
  EXPECT_LE(norm(a.body.velocity - b.body.velocity), 1e-5);
  EXPECT_LE(norm(a.body.angular_velocity - b.body.angular_velocity), 1e-4);
  // And it matters: a circle is something else.
  EXPECT_GT(norm(b.body.velocity - slideBox(kPlain, kPlain, "[1.5, 0.7, 0]", spin).body.velocity),
            1e-3);
}

// Corners by material, in one scene: 0.4 cos(pi / m) where a box slides against the middle of an
// edge, whatever the method's cone.
TEST(DirectionalFriction, EveryMaterialHasItsCorners) {
  for (const int m : {3, 4, 5, 9}) {
    const std::string floor = R"("friction": 0.4, "anisotropy": {"direction": [1, 0, 0],)"
                              R"( "friction_across": 0.4}, "directions": )" +
                              std::to_string(m);
    // Opposite to the middle of the edge between corners 0 and 1.
    const double angle = std::numbers::pi / m + std::numbers::pi;
    const std::string velocity = "[" + std::to_string(2 * std::cos(angle)) + ", " +
                                 std::to_string(2 * std::sin(angle)) + ", 0]";
    const End end = slideBox(floor, kPlain, velocity);
    EXPECT_NEAR(norm(end.body.velocity), 2 - 4 * std::cos(std::numbers::pi / m) * kTime, 2e-6) << m;
  }
}

// Soft finger ([ST00] 3.1): two directions of pure spin are torsional friction.
TEST(DirectionalFriction, MayBeTorques) {
  const auto spin = [](const std::string& floor, const std::string& box) {
    return slideBox(floor, box, "[1, 0.3, 0]", R"("angular_velocity": [0, 0, 20],)", "",
                    R"({"type": "sphere", "radius": 0.1})")
        .body;
  };
  const std::string square = "[1, 0], [0, 1], [-1, 0], [0, -1]";
  const std::string spatial = "[1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]";
  const std::string grain =
      R"("friction": 0.4, "anisotropy": {"direction": [1, 0, 0], "friction_directions": [)";
  const BodyState a = spin(grain + spatial + ", [0, 0, 0.05], [0, 0, -0.05]]}", kPlain);
  const BodyState b = spin(grain + square + "]}, \"torsional_friction\": 0.02",
                           kPlain + ", \"torsional_friction\": 0.02");
  EXPECT_LE(norm(a.velocity - b.velocity), 1e-9);
  EXPECT_LE(norm(a.angular_velocity - b.angular_velocity), 1e-8);
  const BodyState none = spin(grain + square + "]}", kPlain);
  EXPECT_LT(std::abs(a.angular_velocity.z), std::abs(none.angular_velocity.z) - 1);
}

// ---- Two tangents in generalized coordinates ----

std::string particle(const std::string& contact, const std::string& velocity,
                     const std::string& method = "") {
  return R"({"stickslip": 1, "name": "particle", "time": {"step": 0.01, "end": 1},
    "system": {"type": "linear", "coordinates": ["x", "y", "z"],
      "M": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "f": [5.5, 0, -8],
      "contacts": [{"name": "floor", "g0": 0, "w_N": [0, 0, 1], "w_T": [1, 0, 0], "e_n": 0, )" +
         contact + R"(}]}, "initial": {"u": )" + velocity + "}" +
         (method.empty() ? "" : ", \"method\": {" + method + "}") + "}";
}

State endOf(const std::string& text) {
  const Scene scene = parseScene(text, "particle.json");
  Stepper stepper(scene.model);
  const RunSummary summary = run(stepper, scene.initial, scene.run);
  EXPECT_TRUE(summary.certified()) << text;
  return summary.final_state;
}

// Down a slope with a belt across: sliding at an angle that tends to that of the pull.
TEST(TwoTangents, AreThoseOfAParticleInSpace) {
  const double slope = 0.6, mu = 0.4, g = ParticleOnPlane::kGravity;
  for (const FrictionCone cone : {FrictionCone::circular, FrictionCone::polyhedral}) {
    Method method{.cone = cone, .solver = "auto", .directions = 5};
    Stepper stepper({std::make_shared<ParticleOnPlane>(slope, mu, 0), method});
    const State body =
        run(stepper, {0, {0, 0, 0}, {0.3, 1.2, 0}}, {{1e-2, 1.0}, false}).final_state;
    LinearSystemData data;
    data.coordinates = {"x", "y", "z"};
    data.M = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    data.f = {g * std::sin(slope), 0, -g * std::cos(slope)};
    LinearContact plane;
    plane.w_N = {0, 0, 1};
    plane.w_T = {1, 0, 0};
    plane.w_T2 = {0, 1, 0};
    plane.law.mu = mu;
    plane.law.tangents = 2;
    data.contacts = {plane};
    Stepper linear({std::make_shared<LinearSystem>(data), method});
    const State state =
        run(linear, {0, {0, 0, 0}, {0.3, 1.2, 0}}, {{1e-2, 1.0}, false}).final_state;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(state.u[k], body.u[k], 1e-11) << nameOf(cone) << k;
      EXPECT_NEAR(state.q[k], body.q[k], 1e-11) << nameOf(cone) << k;
    }
  }
}

TEST(TwoTangents, SlideAgainstTheVelocity) {
  // Nothing pulls along y: the particle slides in the plane of x and y, friction against its
  // velocity; a particle that slides along x alone loses mu N.
  const std::string tangent = R"("w_T2": [0, 1, 0], "mu": 0.25)";
  EXPECT_NEAR(endOf(particle(tangent, R"({"x": 1})")).u[0], 1 + 5.5 - 2, 1e-9);
  // Held where friction is strong along x only, it slides along y: there is none there.
  const State held = endOf(particle(R"("w_T2": [0, 1, 0], "mu": 1, "mu_2": 0)", R"({"y": 2})"));
  EXPECT_NEAR(held.u[0], 0, 1e-12);
  EXPECT_NEAR(held.u[1], 2, 1e-12);
  // Directions one by one: 0.25 along +x, half of it along -x, none across.
  const std::string line = tangent + R"(, "friction_directions": [[1, 0], [-0.5, 0]])";
  EXPECT_NEAR(endOf(particle(line, R"({"x": 1, "y": 2})")).u[0], 1 + 5.5 - 1, 1e-9);
  EXPECT_NEAR(endOf(particle(line, R"({"x": 1, "y": 2})")).u[1], 2, 1e-12);
  // A belt that runs across takes it along.
  const std::string belt = R"("w_T2": [0, 1, 0], "mu": 1, "drive_t2": -3)";
  const State carried = endOf(particle(belt, R"({"y": 3})"));
  EXPECT_NEAR(carried.u[1], 3, 1e-9);
  EXPECT_NEAR(carried.u[0], 0, 1e-9);
}

// A wall with one tangent beside the floor with two.
TEST(TwoTangents, StandBesideOne) {
  const std::string text = R"({"stickslip": 1, "name": "corner", "time": {"step": 0.01, "end": 1},
    "system": {"type": "linear", "coordinates": ["x", "y", "z"],
      "M": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "f": [-4, 6, -8],
      "contacts": [
        {"name": "floor", "g0": 0, "w_N": [0, 0, 1], "w_T": [1, 0, 0], "w_T2": [0, 1, 0],
         "mu": 0.25, "e_n": 0},
        {"name": "wall", "g0": 0, "w_N": [1, 0, 0], "w_T": [0, 1, 0], "mu": 0.5, "e_n": 0}]}})";
  // Pressed to the wall with 4, pulled along y with 6: friction of both is 2.
  EXPECT_NEAR(endOf(text).u[1], 2, 1e-9);
  EXPECT_NEAR(endOf(text).u[0], 0, 1e-12);
}

}  // namespace
}  // namespace stickslip
