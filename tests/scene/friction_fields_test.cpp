// Friction that depends on the sliding speed, in scenes: what is read, what is refused, and that
// the schema agrees where it can tell.
#include <gtest/gtest.h>

#include <cmath>

#include "stickslip/io/scene.hpp"
#include "stickslip/stickslip.hpp"
#include "support/body_scenes.hpp"

namespace stickslip {
namespace {

using Transition = FrictionCurve::Transition;
using testing::noteForSchema;

const std::string kStribeck =
    R"("transition": {"type": "stribeck", "speed": 0.01, "exponent": 0.5})";
const std::string kSmooth = R"("transition": {"type": "smooth", "speed": 0.01})";

std::string bodies(const std::string& materials, const std::string& pairs = "") {
  return R"({"stickslip": 1, "name": "test", "time": {"step": 0.01, "end": 1},
    "system": {"type": "planar", "materials": {)" +
         materials + "}, " + (pairs.empty() ? "" : "\"material_pairs\": [" + pairs + "], ") +
         R"("bodies": [{"mass": 1, "material": "a", "shape": {"type": "disk", "radius": 1}}]}})";
}

std::string linear(const std::string& friction) {
  return R"({"stickslip": 1, "name": "test", "time": {"step": 0.01, "end": 1},
    "system": {"type": "linear", "coordinates": ["x", "y"], "M": [[1, 0], [0, 1]],
      "contacts": [{"g0": 0, "w_N": [0, 1], "w_T": [1, 0], "e_n": 0, )" +
         friction + "}]}}";
}

std::string frictionComplaint(const std::string& text) {
  try {
    parseScene(text, "test.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no complaint";
}

BodySystemData frictionDataOf(const std::string& text) {
  noteForSchema(text, true);
  return dynamic_cast<const BodySystem&>(*parseScene(text, "test.json").model.system).data();
}

TEST(FrictionFields, AreReadForMaterials) {
  const BodySystemData data =
      frictionDataOf(bodies(R"("a": {"friction": 0.4, "kinetic_friction": 0.1, )" + kStribeck +
                                R"(}, "b": {"kinetic_friction": 0.6, )" + kSmooth + "}, \"c\": {}",
                            R"({"between": ["a", "b"], "friction": 0.2})"));
  EXPECT_EQ(data.materials[0].surface.friction_curve,
            (FrictionCurve{Transition::stribeck, 0.25, 0.01, 0.5}));
  EXPECT_EQ(data.materials[1].surface.friction_curve,
            (FrictionCurve{Transition::smooth, 1.2, 0.01, 1}));
  EXPECT_TRUE(data.materials[2].surface.friction_curve.isConstant());
  EXPECT_TRUE(data.material_pairs[0].surface.friction_curve.isConstant());
}

TEST(FrictionFields, CombineToTheGeometricMeanOverTheCommonTransition) {
  const BodySystemData data = frictionDataOf(
      bodies(R"("a": {"friction": 0.4, "kinetic_friction": 0.1, )" + kStribeck +
                 R"(}, "b": {"friction": 0.9, "kinetic_friction": 0.9, )" + kSmooth + "}",
             R"({"between": ["a", "b"], "restitution": 0.5})"));
  const ContactProperties& pair = data.material_pairs[0].surface;
  EXPECT_DOUBLE_EQ(pair.friction, 0.6);
  EXPECT_EQ(pair.friction_curve.transition, Transition::stribeck);
  EXPECT_DOUBLE_EQ(pair.friction * pair.friction_curve.kinetic_ratio, std::sqrt(0.1 * 0.9));
  EXPECT_EQ(combine(data.materials[1].surface, data.materials[0].surface).friction_curve,
            pair.friction_curve);
}

TEST(FrictionFields, AreReadForContactsOfLinearSystems) {
  const std::string text = linear(R"("mu": 0.5, "mu_kinetic": 0.2, )" + kSmooth);
  noteForSchema(text, true);
  const Scene scene = parseScene(text, "test.json");
  const auto& data = dynamic_cast<const LinearSystem&>(*scene.model.system).data();
  EXPECT_EQ(data.contacts[0].law.curve, (FrictionCurve{Transition::smooth, 0.4, 0.01, 1}));
}

TEST(FrictionFields, AreRefusedWithAHint) {
  struct Bad {
    std::string text;
    std::vector<std::string> words;
    bool schema_can_tell = true;
  };
  const auto material = [](const std::string& fields) { return bodies("\"a\": {" + fields + "}"); };
  const std::string kinetic = R"("kinetic_friction": 0.3, )";
  const std::vector<Bad> all{
      {material(R"("kinetic_friction": 0.3)"), {"/a/transition", "missing"}, false},
      {material(kSmooth), {"/a/kinetic_friction", "missing"}, false},
      {material(R"("kinetic_friction": -0.3, )" + kSmooth), {"kinetic_friction", ">= 0"}},
      {material(R"("friction": 0, )" + kinetic + kSmooth), {"kinetic_friction", "> 0"}, false},
      {material(kinetic + R"("transition": {"type": "steep", "speed": 1})"),
       {"/transition/type", "smooth, stribeck"}},
      {material(kinetic + R"("transition": {"type": "smooth"})"), {"/transition/speed", "missing"}},
      {material(kinetic + R"("transition": {"type": "smooth", "speed": 0})"), {"speed", "> 0"}},
      {material(kinetic + R"("transition": {"type": "stribeck", "speed": 1, "exponent": 0})"),
       {"exponent", "> 0"}},
      {material(kinetic + R"("transition": {"type": "smooth", "speed": 1, "exponent": 1})"),
       {"exponent", "stribeck"},
       false},
      {material(kinetic + R"("transition": {"type": "smooth", "sped": 1})"), {"speed"}},
      {bodies("\"a\": {" + kinetic + kSmooth + "}, \"b\": {" + kinetic + kStribeck + "}"),
       {"different transitions", "material pair"},
       false},
      {bodies("\"a\": {" + kinetic + kSmooth + "}, \"b\": {" + kinetic + kStribeck + "}",
              R"({"between": ["a", "b"], "restitution": 0.1})"),
       {"/friction", "different transitions"},
       false},
      {linear(R"("mu": 0, "mu_kinetic": 0.2, )" + kSmooth), {"mu_kinetic", "\"mu\" is 0"}, false},
      {linear(R"("mu": 0.5, "mu_kinetic": 0.2)"), {"/transition", "missing"}, false},
  };
  for (const Bad& bad : all) {
    const std::string complaint = frictionComplaint(bad.text);
    for (const std::string& word : bad.words)
      EXPECT_NE(complaint.find(word), std::string::npos) << bad.text << "\n" << complaint;
    noteForSchema(bad.text, !bad.schema_can_tell);
  }
}

// ---- Directions ----

std::string spatialBodies(const std::string& materials, const std::string& pairs = "") {
  std::string text = bodies(materials, pairs);
  text.replace(text.find("planar"), 6, "spatial");
  return text.replace(text.find("disk"), 4, "sphere");
}

std::string grained(const std::string& list, const std::string& more = "") {
  return R"("a": {"friction": 0.5, )" + more +
         R"("anisotropy": {"direction": [1, 0, 0], "friction_directions": )" + list + "}}";
}

TEST(FrictionFields, DirectionsAreReadForMaterials) {
  const std::string list = "[[1, 0, 0.1], [-1, 0.5, 0.1], [-1, -0.5, 0.1], [0, 0, -0.2]]";
  const BodySystemData data = frictionDataOf(
      spatialBodies(grained(list, R"("directions": 7, )") + R"(, "b": {"directions": 3})",
                    R"({"between": ["a", "b"], "directions": 5})"));
  EXPECT_EQ(data.materials[0].surface.directions, 7);
  EXPECT_EQ(data.materials[1].surface.directions, 3);
  EXPECT_EQ(data.material_pairs[0].surface.directions, 5);
  EXPECT_EQ(combine(data.materials[0].surface, data.materials[1].surface).directions, 7);
  const FrictionDirections& given = *data.materials[0].anisotropy->directions;
  EXPECT_EQ(given.count(), 4);
  EXPECT_EQ(given.rows(), 3);
  EXPECT_EQ(given.spinReach(), 0.2);
  EXPECT_EQ(data.materials[0].anisotropy->friction_across, 0.5);
}

TEST(FrictionFields, SecondTangentsAreReadForLinearContacts) {
  const std::string text =
      linear(R"("mu": 0.3, "w_T2": [1, 1], "mu_2": 0.1, "drive_t2": 2, "directions": 5)");
  noteForSchema(text, true);
  const Scene scene = parseScene(text, "test.json");
  const LinearContact& contact =
      dynamic_cast<const LinearSystem&>(*scene.model.system).data().contacts[0];
  EXPECT_EQ(contact.law.tangents, 2);
  EXPECT_EQ(contact.law.mu_2, 0.1);
  EXPECT_EQ(contact.law.directions, 5);
  EXPECT_EQ(contact.drive_t2, 2);
  EXPECT_EQ(contact.w_T2, (std::vector<double>{1, 1}));
  EXPECT_EQ(scene.model.method.cone, FrictionCone::circular);
}

TEST(FrictionFields, BadDirectionsAreRefused) {
  struct Bad {
    std::string text;
    std::vector<std::string> words;
    bool schema_accepts = true;
  };
  const std::string square = "[[1, 0], [0, 1], [-1, 0], [0, -1]]";
  const std::string spin = "[[1, 0, 0.1], [0, 1, -0.1], [-1, -1, 0]]";
  const std::vector<Bad> cases{
      {spatialBodies(grained("[[1, 0], [0, 1], [0, -1]]")),
       {"/anisotropy/friction_directions", "not balanced", "direction 0"}},
      {spatialBodies(grained("[[1, 0], [0, 0], [-1, 0]]")), {"direction 1 is zero"}},
      {spatialBodies(grained("[[1, 0]]")), {"friction_directions"}, false},
      {spatialBodies(grained("[[1, 0, 0, 0], [-1, 0, 0, 0]]")), {"4 components", "expected 2"}},
      {spatialBodies(grained("[[1, 0], [-1, 0, 0]]")), {"friction_directions/1"}},
      {spatialBodies(grained("3")), {"friction_directions"}, false},
      {spatialBodies(grained(spin, R"("torsional_friction": 0.1, )")),
       {"friction_directions", "\"torsional_friction\""}},
      {spatialBodies(grained(spin, R"("friction_force": 1, )")), {"\"friction_force\""}},
      {spatialBodies(grained(spin) + R"(, "b": {"friction_force": 1})"), {"friction_force"}},
      {spatialBodies(grained(square + R"(, "friction_across": 1)")), {"friction_across"}},
      {spatialBodies(R"("a": {"anisotropy": {"direction": [1, 0, 0]}})"),
       {"friction_across", "missing"}},
      {spatialBodies(R"("a": {"directions": 2})"), {"directions", "3 to 64"}, false},
      {spatialBodies(R"("a": {"directions": 65})"), {"directions", "3 to 64"}, false},
      {bodies(R"("a": {"directions": 5})"), {"directions", "only for spatial"}, false},
      {linear(R"("mu": 0.3, "mu_2": 0.1)"), {"mu_2", "w_T2"}},
      {linear(R"("mu": 0.3, "directions": 4)"), {"directions", "w_T2"}},
      {linear(R"("mu": 0.3, "w_T2": [2, 0])"), {"w_T2", "parallel"}},
      {linear(R"("mu": 0.3, "w_T2": [0, 0])"), {"w_T2", "zero"}},
      {linear(R"("mu": 0.3, "w_T2": [0, 1], "friction_directions": [[1, 0, 0], [-1, 0, 0]])"),
       {"3 components"},
       false},
      {linear(R"("mu": 0.3, "w_T2": [0, 1], "mu_2": 1, "friction_directions": )" + square),
       {"friction_directions", "mu_2"}},
  };
  for (const Bad& bad : cases) {
    const std::string complaint = frictionComplaint(bad.text);
    EXPECT_EQ(complaint.find('\n'), std::string::npos) << complaint;
    for (const std::string& word : bad.words)
      EXPECT_NE(complaint.find(word), std::string::npos) << word << ": " << complaint;
    noteForSchema(bad.text, bad.schema_accepts);
  }
}

}  // namespace
}  // namespace stickslip
