// Scenes of rigid bodies: what is read, and how bad input is refused. Every bad scene also says
// whether the schema can tell: schema_test.py asks.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "scene/body_scene.hpp"
#include "stickslip/input_error.hpp"
#include "support/body_scenes.hpp"
#include "support/random.hpp"

namespace stickslip {
namespace {

using testing::kPlanarScene;
using testing::kSpatialScene;
using testing::noteForSchema;

constexpr double kPi = std::numbers::pi;

constexpr std::string_view kTypes[] = {"planar", "spatial"};

BodySystemData dataOf(const std::string& text, const std::filesystem::path& folder = {}) {
  const SceneDocument document(text, "test.json");
  FieldReader root(document, document.root(), "");
  FieldReader system = root.object("system");
  SceneFiles files(folder);
  system.choice("type", kTypes);
  for (const char* key : {"stickslip", "name", "time", "initial"}) root.has(key);
  root.refuseUnknown();
  return readBodySystem(system, document.systemType() == "planar" ? 2 : 3, files);
}

std::string complaintAbout(const std::string& text, const std::filesystem::path& folder = {}) {
  try {
    dataOf(text, folder);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no complaint";
}

std::string withChange(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

void expectNear(Vec3 a, Vec3 b, double tolerance = 1e-14) {
  EXPECT_LE(norm(a - b), tolerance)
      << a.x << " " << a.y << " " << a.z << " is not " << b.x << " " << b.y << " " << b.z;
}

TEST(BodyScene, ReadsPlanarBodies) {
  const BodySystemData data = dataOf(kPlanarScene);
  EXPECT_EQ(data.dimension, 2);
  expectNear(data.gravity, {0, -9.81, 0});
  ASSERT_EQ(data.bodies.size(), 8u);
  EXPECT_EQ(data.bodies[0].type, Body::Type::fixed);
  EXPECT_EQ(data.bodies[0].shapes.size(), 2u);
  // The wall stands upright: its outward normal is x.
  expectNear(data.bodies[0].shapes[1].placement.rotation.y, {1, 0, 0});
  const Body& plate = data.bodies[1];
  EXPECT_EQ(plate.name, "plate");
  expectNear(plate.position, {0, 1, 0});
  expectNear(rotationVector(plate.orientation), {0, 0, 0.5});
  expectNear(plate.velocity, {1, 2, 0});
  expectNear(plate.angular_velocity, {0, 0, 3});
  // Density 2 on 2 x 1: mass 4, inertia m (a^2 + b^2) / 12.
  EXPECT_DOUBLE_EQ(plate.mass.mass, 4);
  EXPECT_DOUBLE_EQ(plate.mass.inertia(2, 2), 4.0 * 5 / 12);
  const Body& wheel = data.bodies[2];
  EXPECT_EQ(wheel.mass.mass, 3);
  EXPECT_DOUBLE_EQ(wheel.mass.inertia(2, 2), 3 * 0.25 / 2);
  const Body& given = data.bodies[3];
  EXPECT_EQ(given.mass.mass, 5);
  EXPECT_EQ(given.mass.inertia(2, 2), 0.7);
  expectNear(given.mass.center, {0.1, 0.2, 0});
  const auto& motion = std::get<SinusoidalMotion>(data.bodies[4].motion.form());
  expectNear(motion.amplitude, {0.1, 0, 0});
  EXPECT_EQ(motion.frequency, 2);
}

TEST(BodyScene, ReadsMaterialsAndTheirPairs) {
  const BodySystemData data = dataOf(kPlanarScene);
  ASSERT_EQ(data.materials.size(), 2u);
  EXPECT_EQ(data.materials[0].name, "default");
  EXPECT_EQ(data.materials[1].name, "ice");
  EXPECT_EQ(data.materials[1].surface.friction, 0.04);
  ASSERT_EQ(data.material_pairs.size(), 1u);
  EXPECT_EQ(data.material_pairs[0].surface.friction, 0.3);
  // Not given for the pair: the larger one of the two.
  EXPECT_EQ(data.material_pairs[0].surface.restitution, 0.2);
  EXPECT_EQ(data.bodies[0].shapes[0].material, 1);
  EXPECT_EQ(data.bodies[0].shapes[1].material, 0);
}

TEST(BodyScene, ReadsPlanarJoints) {
  const BodySystemData data = dataOf(kPlanarScene);
  ASSERT_EQ(data.joints.size(), 4u);
  const Joint& hinge = data.joints[0];
  EXPECT_EQ(hinge.body_a, 1);
  EXPECT_EQ(hinge.body_b, 2);
  const Pose plate{data.bodies[1].position, matrixOf(data.bodies[1].orientation)};
  expectNear(plate.pointToWorld(hinge.frame_a.position), {0.5, 1, 0});
  ASSERT_EQ(hinge.drives.size(), 1u);
  EXPECT_EQ(hinge.drives[0].lower, -1);
  EXPECT_FALSE(hinge.drives[0].upper.has_value());
  ASSERT_TRUE(hinge.drives[0].motor.has_value());
  EXPECT_EQ(hinge.drives[0].motor->max_force, 10);
  expectNear(hinge.drives[0].motor->value.at(0.5), {1, 0, 0});
  const Joint& rope = data.joints[1];
  EXPECT_FALSE(rope.length.has_value());
  EXPECT_EQ(rope.drives[0].upper, 4);
  // A spring without a rest length is at rest at the start.
  EXPECT_DOUBLE_EQ(rope.drives[0].rest, 3);
  const Joint& rail = data.joints[2];
  EXPECT_EQ(rail.body_a, Joint::kWorld);
  expectNear(rail.frame_a.rotation.x, {0, 1, 0});
  const Joint& gear = data.joints[3];
  EXPECT_EQ(gear.joint_a, 0);
  EXPECT_EQ(gear.joint_b, 2);
  EXPECT_EQ(gear.ratio, -2);
}

TEST(BodyScene, ReadsSpringsLoadsAndDrag) {
  const BodySystemData data = dataOf(kPlanarScene);
  ASSERT_EQ(data.springs.size(), 1u);
  EXPECT_EQ(data.springs[0].body_b, Joint::kWorld);
  EXPECT_DOUBLE_EQ(data.springs[0].rest_length, std::hypot(5, 1));
  EXPECT_FALSE(data.springs[0].implicit);
  ASSERT_EQ(data.loads.size(), 1u);
  expectNear(data.loads[0].force.at(1), {0, 5, 0});
  expectNear(data.loads[0].torque.at(7), {0, 0, 2});
  EXPECT_TRUE(data.loads[0].in_body_frame);
  // Named by its instances: one each.
  ASSERT_EQ(data.drags.size(), 3u);
  EXPECT_EQ(data.drags[0].body, 5);
  EXPECT_EQ(data.drags[2].body, 7);
  EXPECT_EQ(data.drags[2].linear, 0.1);
  EXPECT_EQ(data.no_collision, (std::vector<std::pair<int, int>>{{1, 3}}));
}

TEST(BodyScene, ReadsSpatialBodies) {
  const BodySystemData data = dataOf(kSpatialScene);
  EXPECT_EQ(data.dimension, 3);
  expectNear(data.gravity, {0, 0, -1});
  ASSERT_EQ(data.bodies.size(), 5u);
  const Body& box = data.bodies[1];
  expectNear(rotationVector(box.orientation), {0, kPi / 2, 0});
  EXPECT_DOUBLE_EQ(box.mass.mass, 6 * 500);
  EXPECT_DOUBLE_EQ(box.mass.inertia(0, 0), 3000.0 * 13 / 12);
  const Body& rock = data.bodies[2];
  EXPECT_EQ(std::get<ConvexHull>(rock.shapes[0].shape).points.size(), 4u);
  expectNear(std::get<ConvexHull>(rock.shapes[0].shape).points[1], {2, 0, 0});
  EXPECT_EQ(rock.mass.inertia(0, 1), 0.1);
  const auto& terrain = std::get<HeightField>(data.bodies[0].shapes[0].shape);
  EXPECT_EQ(terrain.columns, 3);
  EXPECT_EQ(terrain.rows, 2);
  EXPECT_EQ(terrain.heights[4], 0.5);
  EXPECT_EQ(terrain.spacing_y, 2);
  const auto& mesh = std::get<TriangleMesh>(data.bodies[3].shapes[0].shape);
  EXPECT_EQ(mesh.triangles[0].c, 2);
  ASSERT_TRUE(data.materials[0].anisotropy.has_value());
  expectNear(data.materials[0].anisotropy->direction, {1, 0, 0});
}

TEST(BodyScene, ReadsSpatialJoints) {
  const BodySystemData data = dataOf(kSpatialScene);
  ASSERT_EQ(data.joints.size(), 3u);
  // Both frames are where the scene says, with their axes along the given ones.
  const auto frame = [&](int body, const Pose& local) {
    const Body& b = data.bodies[body];
    return Pose{b.position, matrixOf(b.orientation)} * local;
  };
  for (const Joint& joint : {data.joints[0], data.joints[1]}) {
    const Pose a = frame(joint.body_a, joint.frame_a), b = frame(joint.body_b, joint.frame_b);
    expectNear(a.position, b.position);
    expectNear(a.rotation.z, b.rotation.z);
    expectNear(a.rotation.x, b.rotation.x);
    expectNear(cross(a.rotation.x, a.rotation.y), a.rotation.z);
  }
  expectNear(frame(1, data.joints[0].frame_a).rotation.z, {0, 1, 0});
  expectNear(frame(1, data.joints[0].frame_a).rotation.y, {0, 0, 1});
  ASSERT_EQ(data.joints[1].drives.size(), 2u);
  EXPECT_EQ(data.joints[1].drives[1].friction, 0.5);
  EXPECT_EQ(data.joints[1].drives[0].upper, 0.3);
  expectNear(data.joints[2].frame_b.position, {0, 0, 1});
}

TEST(BodyScene, InstancesStandOnAGrid) {
  const BodySystemData data = dataOf(kPlanarScene);
  EXPECT_EQ(data.bodies[5].name, "stone0");
  EXPECT_EQ(data.bodies[7].name, "stone2");
  expectNear(data.bodies[5].position, {10, 5.25, 0});
  expectNear(data.bodies[7].position, {14, 5.25, 0});
}

std::string spheres(const std::string& where) {
  return R"({"stickslip": 1, "name": "many", "time": {"step": 0.01, "end": 1},
    "system": {"type": "spatial", "instances": [{"name": "b{i}",
      "body": {"shape": {"type": "sphere", "radius": 0.5}, "density": 3}, )" +
         where + "}]}}";
}

TEST(BodyScene, RandomInstancesDependOnTheSeedOnly) {
  const std::string text =
      spheres(R"("random": {"count": 400, "lower": [0, 1, 2], "upper": [1, 3, 5]}, "seed": 7,
                 "random_orientation": true, "random_scale": [0.5, 2])");
  noteForSchema(text, true);
  const BodySystemData first = dataOf(text), again = dataOf(text);
  const BodySystemData other = dataOf(withChange(text, R"("seed": 7)", R"("seed": 8)"));
  ASSERT_EQ(first.bodies.size(), 400u);
  Vec3 mean;
  Mat3 spread = 0.0 * Mat3{};
  for (std::size_t i = 0; i < 400; ++i) {
    const Body& body = first.bodies[i];
    EXPECT_EQ(body.position, again.bodies[i].position);
    EXPECT_EQ(body.orientation, again.bodies[i].orientation);
    EXPECT_FALSE(body.position == other.bodies[i].position);
    mean += (1.0 / 400) * body.position;
    const Vec3 axis = matrixOf(body.orientation).z;
    spread = spread + (1.0 / 400) * outer(axis, axis);
    // Mass and inertia of a ball of the size that was drawn.
    const double r = std::get<Sphere>(body.shapes[0].shape).radius;
    EXPECT_GE(r, 0.25);
    EXPECT_LT(r, 1);
    EXPECT_NEAR(body.mass.mass, 4 * kPi * r * r * r, 1e-12 * body.mass.mass);
    EXPECT_NEAR(body.mass.inertia(0, 0), 0.4 * body.mass.mass * r * r, 1e-12 * body.mass.mass);
  }
  // Uniform in the box, and over all directions: E(z z') = 1/3.
  expectNear(mean, {0.5, 2, 3.5}, 0.2);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(spread(i, j), i == j ? 1.0 / 3 : 0, 0.08);
}

TEST(BodyScene, JitterStaysInItsRange) {
  const BodySystemData data =
      dataOf(spheres(R"("grid": {"count": [5, 5, 5], "spacing": [1, 1, 1]}, "jitter": 0.1)"));
  ASSERT_EQ(data.bodies.size(), 125u);
  double largest = 0;
  for (std::size_t i = 0; i < 125; ++i) {
    const Vec3 place{double(i % 5), double(i / 5 % 5), double(i / 25)};
    const Vec3 off = data.bodies[i].position - place;
    for (int k = 0; k < 3; ++k) largest = std::max(largest, std::abs(off[k]));
  }
  EXPECT_LE(largest, 0.1);
  EXPECT_GT(largest, 0.09);
}

TEST(BodyScene, TooManyInstancesAreRefusedBeforeTheyAreMade) {
  for (const char* where :
       {R"("grid": {"count": [1000, 1000, 1000], "spacing": [1, 1, 1]})",
        R"("grid": {"count": [1e15, 1e15, 1e15], "spacing": [1, 1, 1]})",
        R"("random": {"count": 2000001, "lower": [0, 0, 0], "upper": [1, 1, 1]})"}) {
    const std::string complaint = complaintAbout(spheres(where));
    EXPECT_NE(complaint.find("/system/instances/0/"), std::string::npos) << complaint;
    EXPECT_NE(complaint.find("1000000"), std::string::npos) << complaint;
  }
}

TEST(BodyScene, TheLimitHoldsForAllInstancesTogether) {
  // Each of them fits; the second one does not any more, and the third is not reached.
  const std::string list = spheres(R"("grid": {"count": [1000, 999, 1], "spacing": [1, 1, 1]})");
  const std::string model = R"("body": {"shape": {"type": "sphere", "radius": 1}})";
  const std::string more =
      R"(}, {"name": "c{i}", )" + model +
      R"(, "random": {"count": 1001, "lower": [0, 0, 0], "upper": [1, 1, 1]}}])";
  const std::string complaint = complaintAbout(withChange(list, "}]", more));
  EXPECT_NE(complaint.find("/system/instances/1/random"), std::string::npos) << complaint;
  EXPECT_NE(complaint.find("1000001 bodies"), std::string::npos) << complaint;
  const std::string pair = R"("shapes": [{"type": "sphere", "radius": 1},
                                         {"type": "sphere", "radius": 2}])";
  const std::string shapes =
      complaintAbout(withChange(list, R"("shape": {"type": "sphere", "radius": 0.5})", pair));
  EXPECT_NE(shapes.find("/system/instances/0/grid"), std::string::npos) << shapes;
  EXPECT_NE(shapes.find("1998000 shapes"), std::string::npos) << shapes;
}

TEST(BodyScene, AnglesKeepTheirTurns) {
  for (const double angle : {0.0, 0.5, 3.0, 3.5, 4.0, -4.0, 7.0, 10.0, -10.0, 100.0, -1e6, 1e6}) {
    const BodySystemData data =
        dataOf(withChange(kPlanarScene, R"("angle": 0.5)", "\"angle\": " + std::to_string(angle)));
    const Body& plate = data.bodies[1];
    const double held = 2 * std::atan2(plate.orientation.z, plate.orientation.w);
    EXPECT_NEAR(held + 2 * kPi * plate.turns, angle, 1e-9) << angle;
  }
}

std::string hungFromALift(const std::string& motion, const std::string& rest) {
  return R"({"stickslip": 1, "name": "lift", "time": {"step": 0.01, "end": 1},
    "system": {"type": "planar", "bodies": [
      {"name": "lift", "type": "kinematic", "position": [1, 2], "motion": )" +
         motion + R"(}, {"name": "load", "position": [1, 0], "mass": 1, "inertia": 1}], )" + rest +
         "}}";
}

// The lift is at (1, 3) and turned by half a radian when the run begins.
TEST(BodyScene, KinematicBodiesStartWhereTheirMotionSays) {
  const std::string sinusoid = R"({"type": "sinusoid", "amplitude": [0, 1],
      "rotation_amplitude": 0.5, "frequency": 1, "phase": 1.5707963267948966})";
  const std::string table = R"({"type": "table", "times": [-1, 1, 2],
      "displacements": [[0, 0], [0, 2], [0, 2]], "rotations": [0, 1, 1]})";
  for (const std::string& motion : {sinusoid, table}) {
    const BodySystemData pin = dataOf(hungFromALift(motion, R"("joints": [{"name": "pin",
        "type": "revolute", "bodies": ["lift", "load"], "position": [1, 0]}])"));
    expectNear(pin.joints[0].frame_b.position, {0, 0, 0});
    expectNear(pin.joints[0].frame_a.position, {-3 * std::sin(0.5), -3 * std::cos(0.5), 0});
    expectNear(pin.joints[0].frame_a.rotation.x, {std::cos(0.5), -std::sin(0.5), 0});
    const BodySystemData rod = dataOf(hungFromALift(
        motion, R"("joints": [{"name": "rod", "type": "distance", "bodies": ["lift", "load"]}])"));
    EXPECT_NEAR(*rod.joints[0].length, 3, 1e-14);
    const BodySystemData spring = dataOf(
        hungFromALift(motion, R"("springs": [{"bodies": ["lift", "load"], "stiffness": 1}])"));
    EXPECT_NEAR(spring.springs[0].rest_length, 3, 1e-14);
  }
}

TEST(BodyScene, APairWithoutFrictionKeepsTheGrain) {
  EXPECT_FALSE(dataOf(kPlanarScene).material_pairs[0].keeps_grain);
  const std::string bouncy = withChange(kPlanarScene, R"("friction": 0.3)", R"("restitution": 1)");
  EXPECT_TRUE(dataOf(bouncy).material_pairs[0].keeps_grain);
}

TEST(BodyScene, OtherFieldsAreNotTakenForMissingOnes) {
  // "frame_b" is a field of its own, not a misspelt "frame_a".
  const std::string text = withChange(kSpatialScene, R"("frame_a": {"position": [1, 0, 0]}, )", "");
  EXPECT_NE(complaintAbout(text).find("this field is required"), std::string::npos);
}

TEST(BodyScene, TheSchemaAcceptsWhatTheReaderAccepts) {
  for (const char* text : {kPlanarScene, kSpatialScene}) {
    EXPECT_EQ(complaintAbout(text), "no complaint");
    noteForSchema(text, true);
  }
}

void expectRefusals(const char* scene, std::span<const testing::BadBodyScene> cases) {
  for (const testing::BadBodyScene& bad : cases) {
    const std::string text = withChange(scene, bad.from, bad.to);
    const std::string complaint = complaintAbout(text);
    EXPECT_EQ(complaint.find('\n'), std::string::npos) << complaint;
    EXPECT_EQ(complaint.rfind("test.json:", 0), 0u) << bad.to << ": " << complaint;
    for (const std::string& word : bad.words)
      EXPECT_NE(complaint.find(word), std::string::npos) << bad.to << ": " << complaint;
    noteForSchema(text, !bad.schema_can_tell);
  }
}

TEST(BodyScene, RefusesBadFieldsOfPlanarScenes) {
  expectRefusals(kPlanarScene, testing::badPlanarScenes());
}

TEST(BodyScene, RefusesBadFieldsOfSpatialScenes) {
  expectRefusals(kSpatialScene, testing::badSpatialScenes());
}

// Text with random damage to its system: refused in one clear line, or accepted, by the schema too.
void expectSoundAnswers(const std::string& original, std::uint64_t seed) {
  testing::Random random(seed);
  const std::size_t first = original.find("\"system\"");
  int refused = 0;
  constexpr int kTrials = 1500;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::string text = original;
    testing::damage(text, first, random);
    const std::string complaint = complaintAbout(text);
    if (complaint == "no complaint") {
      noteForSchema(text, true);
      continue;
    }
    ++refused;
    ASSERT_EQ(complaint.find('\n'), std::string::npos) << complaint;
    ASSERT_EQ(complaint.rfind("test.json", 0), 0u) << complaint;
  }
  EXPECT_GT(refused, kTrials / 2);
}

TEST(BodyScene, SurvivesDamagedText) {
  expectSoundAnswers(kPlanarScene, 31);
  expectSoundAnswers(kSpatialScene, 32);
}

class MeshFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("stickslip_mesh_files_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_ / "scene");
    write(folder_ / "scene" / "tetra.obj", kTetra);
    write(folder_ / "outside.obj", kTetra);
    std::filesystem::create_symlink("../outside.obj", folder_ / "scene" / "link.obj");
    std::filesystem::create_directories(folder_ / "scene" / "folder.obj");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static void write(const std::filesystem::path& file, const std::string& text) {
    std::ofstream(file) << text;
  }
  static std::string scene(const std::string& file) {
    return R"({"stickslip": 1, "name": "m", "time": {"step": 0.01, "end": 1},
      "system": {"type": "spatial", "bodies": [
        {"name": "rock", "shape": {"type": "convex", "scale": 2, "file": ")" +
           file + R"("}}]}})";
  }

  static constexpr const char* kTetra =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
  std::filesystem::path folder_;
};

TEST_F(MeshFiles, AreReadFromTheFolderOfTheScene) {
  const BodySystemData data = dataOf(scene("tetra.obj"), folder_ / "scene");
  EXPECT_EQ(std::get<ConvexHull>(data.bodies[0].shapes[0].shape).points.size(), 4u);
  // The tetrahedron has volume 8/6 and the default density of 1000.
  EXPECT_NEAR(data.bodies[0].mass.mass, 1000.0 * 8 / 6, 1e-9);
  EXPECT_NO_THROW(dataOf(scene("../scene/./tetra.obj"), folder_ / "scene"));
}

TEST_F(MeshFiles, NeedNoFacesForAConvexHull) {
  write(folder_ / "scene" / "points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n");
  const BodySystemData data = dataOf(scene("points.obj"), folder_ / "scene");
  EXPECT_NEAR(data.bodies[0].mass.mass, 1000.0 * 8 / 6, 1e-9);
  const std::string mesh = withChange(scene("points.obj"), "convex", "mesh");
  EXPECT_NE(complaintAbout(mesh, folder_ / "scene").find("no faces"), std::string::npos);
  write(folder_ / "scene" / "far.obj", "v 0 0 0\nv 1e200 0 0\nv 0 1 0\nv 0 0 1\n");
  EXPECT_NE(complaintAbout(scene("far.obj"), folder_ / "scene").find("vertex 1 is beyond any unit"),
            std::string::npos);
}

TEST_F(MeshFiles, OutsideOfItAreRefused) {
  const auto complaint = [&](const std::string& file) {
    return complaintAbout(scene(file), folder_ / "scene");
  };
  EXPECT_NE(complaint("../outside.obj").find("leaves the scene's folder"), std::string::npos);
  EXPECT_NE(complaint((folder_ / "outside.obj").string()).find("relative"), std::string::npos);
  EXPECT_NE(complaint("link.obj").find("link that leaves"), std::string::npos);
  EXPECT_NE(complaint("none.obj").find("does not exist"), std::string::npos);
  EXPECT_NE(complaint("folder.obj").find("not a file"), std::string::npos);
  EXPECT_NE(complaint(".").find("leaves"), std::string::npos) << complaint(".");
  EXPECT_NE(complaintAbout(scene("tetra.obj")).find("not read from a file"), std::string::npos);
  write(folder_ / "scene" / "bad.obj", "v 0 0 x\n");
  EXPECT_NE(complaint("bad.obj").find("/system/bodies/0/shape/file"), std::string::npos);
}

}  // namespace
}  // namespace stickslip
