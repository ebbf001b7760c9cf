// Scenes as plain data: everything that a scene file can say, to be built in code, read, changed
// and saved. docs/scene-format.md describes the fields; they have the same names here.
//
//   SceneData data;
//   data.name = "box";
//   data.time = {.step = 1e-3, .end = 1};
//   data.system = SceneBodies{.bodies = {
//       {.name = "floor", .type = Body::Type::fixed, .shapes = {{HalfSpace{}}}},
//       {.name = "box", .position = {0, 0, 1}, .shapes = {{Box{{1, 1, 1}}}}}}};
//   saveScene(data, "box.json");
//   const Scene scene = makeScene(data);
//
// A scene is kept as it is described: instances, grids, rocks, surfaces of revolution and the names
// of mesh files stay what they are, things refer to each other by name, and what is not given is
// not filled in. makeScene() fills it in, with the reader of scene files: a scene that is made, and
// one that is saved and read again, have the same bits, and mistakes the same messages.
//
// What an std::optional, an empty name or an empty list leaves out has the default of the format.
// The plane is z = 0: vectors have z = 0 there, turns only z.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "stickslip/body.hpp"
#include "stickslip/friction_curve.hpp"
#include "stickslip/joint.hpp"
#include "stickslip/linear_system.hpp"
#include "stickslip/motion.hpp"
#include "stickslip/run.hpp"
#include "stickslip/scene/scene.hpp"
#include "stickslip/shape.hpp"

namespace stickslip {

// ---- Materials ----

/// The speeds over which friction goes from rest to sliding, see FrictionCurve.
struct SceneTransition {
  FrictionCurve::Transition type = FrictionCurve::Transition::smooth;
  double speed = 0;                  ///< [velocity], > 0
  std::optional<double> exponent{};  ///< Stribeck's curve only
};

/// What a material, or a pair of two, says about contacts; see ContactProperties.
struct SceneSurface {
  std::optional<double> friction{};
  std::optional<double> kinetic_friction{};  ///< with `transition`
  std::optional<SceneTransition> transition{};
  std::optional<double> restitution{};
  std::optional<double> tangential_restitution{};
  std::optional<double> rolling_friction{};
  std::optional<double> torsional_friction{};  ///< space only
  std::optional<double> friction_force{};
  std::optional<int> directions{};  ///< space only
};

/// Friction that differs along and across a direction of the body; see Anisotropy.
struct SceneAnisotropy {
  Vec3 direction{};
  std::optional<double> friction_across{};
  std::vector<std::vector<double>> friction_directions{};  ///< in place of `friction_across`
};

/// A material under its name.
struct SceneMaterial {
  std::string name{};
  SceneSurface surface{};
  std::optional<double> density{};
  std::optional<SceneAnisotropy> anisotropy{};
};

/// What holds between two materials, in place of what they combine to.
struct SceneMaterialPair {
  std::array<std::string, 2> between{};
  SceneSurface surface{};
};

// ---- Shapes and bodies ----

/// Space: a turn by `angle` [rad] about `axis`, which need not have length 1.
struct AxisAngle {
  Vec3 axis{0, 0, 1};
  double angle = 0;
};

/// Plane: an angle [rad]. Space: a quaternion of length 1, or axis and angle.
using SceneOrientation = std::variant<double, Quaternion, AxisAngle>;

/// A random convex rock; every instance is another one.
struct Rock {
  double radius = 0;
  std::optional<int> corners{};
  std::optional<std::int64_t> seed{};
};

/// Plane: a regular polygon as terrain around what is inside.
struct Ring {
  double radius = 0;
  std::optional<int> sides{};
};

/// Space: the terrain that a profile of points (r, z), r >= 0, sweeps about z.
struct Revolved {
  std::vector<Vec2> profile{};
  std::optional<int> sides{};
};

/// Space: a mesh from a file, or the convex hull of its points. The path is relative to the scene's
/// folder.
struct MeshFile {
  std::string file{};
  bool convex_hull = false;
};

/// A shape of a body, and where it stands in the body's frame.
struct SceneShape {
  std::variant<Shape, Rock, Ring, Revolved, MeshFile> form{};
  Vec3 position{};
  std::optional<SceneOrientation> orientation{};
  std::optional<Vec3> normal{};     ///< half-plane and half-space: in place of `orientation`
  std::optional<Vec3> scale{};      ///< convex hull, mesh and rock in space: factors along the axes
  std::string material{};           ///< empty: the body's
  std::optional<double> density{};  ///< of dynamic bodies; none: the body's
};

/// A body, alone or as the model of instances.
struct SceneBody {
  std::string name{};  ///< empty: body0, body1, ...; of instances always
  Body::Type type = Body::Type::dynamic;
  Vec3 position{};
  std::optional<SceneOrientation> orientation{};
  Vec3 velocity{};
  Vec3 angular_velocity{};
  std::optional<double> mass{};          ///< none: from the shapes
  std::optional<Mat3> inertia{};         ///< about the centre of mass; plane: only zz
  std::optional<Vec3> center_of_mass{};  ///< only with `inertia`
  std::optional<double> density{};       ///< none: the material's
  std::string material{};                ///< of shapes that name none; empty: "default"
  std::optional<Motion> motion{};        ///< of kinematic bodies
  std::vector<SceneShape> shapes{};
};

// ---- Many bodies from one description ----

/// Places on a grid: rows, brick bond, pyramid.
struct SceneGrid {
  enum class Layers { straight, staggered, pyramid };
  std::array<std::int64_t, 3> count{1, 1, 1};  ///< plane: the third one is not used
  Vec3 spacing{};
  Vec3 origin{};
  Layers layers = Layers::straight;
};

/// Random places in a box.
struct SceneRandomPlaces {
  std::int64_t count = 1;
  Vec3 lower{};
  Vec3 upper{};
  double distance = 0;  ///< least distance of two places
};

/// Stones of an arch, which have their shape from it.
struct SceneArch {
  std::int64_t count = 1;
  double radius = 0;
  double thickness = 0;
  std::optional<double> depth{};  ///< space only
  Vec3 center{};
  std::optional<std::array<double, 2>> angles{};
};

/// Many bodies from one description.
struct SceneInstances {
  std::string name{};  ///< of each, with {i} for its number; loads and drag on this name act on all
  SceneBody body{};
  std::variant<SceneGrid, std::vector<Vec3>, SceneRandomPlaces, SceneArch> places{};
  double jitter = 0;
  bool random_orientation = false;
  std::optional<std::array<double, 2>> random_scale{};
  std::optional<std::int64_t> seed{};
};

// ---- Joints and forces ----

/// A motor along a coordinate of a joint; see JointDrive::Motor.
struct SceneMotor {
  std::optional<VectorTable> velocity{};  ///< x components; this or `position`
  std::optional<VectorTable> position{};
  double max_force = 0;
  std::optional<double> time_constant{};
};

/// A spring along a coordinate of a joint.
struct SceneJointSpring {
  std::optional<double> stiffness{};
  std::optional<double> damping{};
  std::optional<double> prestress{};
  std::optional<double> rest{};
};

/// What acts along one coordinate of a joint.
struct SceneDrive {
  std::optional<std::array<std::optional<double>, 2>> limits{};
  std::optional<double> limit_restitution{};
  std::optional<SceneMotor> motor{};
  std::optional<double> friction{};
  int one_way = 0;  ///< 1 forward, -1 backward, 0 both
  std::optional<SceneJointSpring> spring{};
};

/// Where a joint sits in the frame of a body.
struct SceneFrame {
  Vec3 position{};
  std::optional<SceneOrientation> orientation{};
};

/// Placed by `position` and axes in the world, as it is at the start, or by a frame on each body.
struct SceneJoint {
  std::string name{};  ///< empty: joint0, joint1, ...
  Joint::Type type = Joint::Type::revolute;
  std::array<std::string, 2> bodies{};  ///< or "world"
  std::optional<Vec3> position{};
  std::optional<Vec3> axis{};
  std::optional<Vec3> axis_2{};  ///< universal
  std::optional<SceneFrame> frame_a{};
  std::optional<SceneFrame> frame_b{};
  bool collide = false;
  SceneDrive drive{};                          ///< of joints with one coordinate
  std::map<std::string, SceneDrive> drives{};  ///< of others, by coordinateNames()

  // distance:
  Vec3 point_a{};
  Vec3 point_b{};
  std::optional<double> length{};  ///< that is held; none: as at the start
  bool holds_length = true;        ///< false: only the drive acts

  // gear:
  std::array<std::string, 2> joints{};
  double ratio = 1;
};

/// A set-valued force element between two points: a rope, prestressed spring, one-way element or
/// dry friction.
struct SceneElement {
  enum class Type { rope, spring, one_way, friction };
  std::string name{};  ///< empty: element0, element1, ...
  Type type = Type::rope;
  std::array<std::string, 2> bodies{};
  Vec3 point_a{};
  Vec3 point_b{};
  std::optional<double> length{};       ///< rope
  std::optional<double> restitution{};  ///< rope
  std::optional<double> prestress{};    ///< spring
  std::optional<double> stiffness{};    ///< spring
  std::optional<double> damping{};      ///< spring
  std::optional<double> rest_length{};  ///< spring
  bool together = false;                ///< one-way: the points can only approach each other
  std::optional<double> force{};        ///< friction
};

/// A spring and damper between two points; see PointSpring.
struct SceneSpring {
  std::string name{};  ///< empty: spring0, spring1, ...
  std::array<std::string, 2> bodies{};
  Vec3 point_a{};
  Vec3 point_b{};
  std::optional<double> rest_length{};
  std::optional<double> stiffness{};
  std::optional<double> damping{};
  bool implicit = true;
};

/// A force and a torque on a body, or on all of an element of instances.
struct SceneLoad {
  std::string body{};
  std::optional<VectorTable> force{};
  std::optional<VectorTable> torque{};
  Vec3 point{};
  bool in_body_frame = false;
};

/// Drag on a body, or on all of an element of instances.
struct SceneDrag {
  std::string body{};
  std::optional<double> linear{};
  std::optional<double> quadratic{};
  std::optional<double> angular{};
  std::optional<double> angular_quadratic{};
};

/// Rigid bodies in the plane or in space.
struct SceneBodies {
  int dimension = 3;              ///< 2 or 3
  std::optional<Vec3> gravity{};  ///< none: 9.81 downwards
  std::vector<SceneMaterial> materials{};
  std::vector<SceneMaterialPair> material_pairs{};
  std::vector<SceneBody> bodies{};
  std::vector<SceneInstances> instances{};
  std::vector<SceneJoint> joints{};
  std::vector<SceneElement> elements{};
  std::vector<SceneSpring> springs{};
  std::vector<SceneLoad> loads{};
  std::vector<SceneDrag> drag{};
  std::vector<std::array<std::string, 2>> no_collision{};
};

// ---- Linear systems ----

/// A load over time on a coordinate; see LinearLoad.
struct SceneLinearLoad {
  std::string coordinate{};
  std::variant<SinusoidalLoad, VectorTable> course{};  ///< of a table the x components
};

/// A contact of a linear system; see LinearContact.
struct SceneLinearContact {
  std::string name{};  ///< empty: contact0, contact1, ...
  double g0 = 0;
  std::vector<double> w_N{};
  std::vector<double> w_T{};
  double mu = 0;
  double e_n = 0;
  std::optional<double> e_t{};
  std::optional<double> mu_kinetic{};  ///< with `transition`
  std::optional<SceneTransition> transition{};
  std::optional<double> friction_force{};
  std::optional<double> drive_n{};
  std::optional<double> drive_t{};
  // With two tangents:
  std::vector<double> w_T2{};
  std::optional<double> mu_2{};
  std::optional<double> drive_t2{};
  std::optional<int> directions{};
  std::vector<std::vector<double>> friction_directions{};
};

/// A joint of a linear system; see LinearJoint.
struct SceneLinearJoint {
  std::string name{};  ///< empty: joint0, joint1, ...
  double g0 = 0;
  std::vector<double> w{};
  std::optional<double> drive{};
};

/// A force element along one row.
struct SceneLinearElement {
  std::string name{};  ///< empty: element0, element1, ...
  SceneElement::Type type = SceneElement::Type::rope;
  std::optional<double> g0{};
  std::vector<double> w{};
  std::optional<double> drive{};
  std::optional<double> length{};       ///< rope
  std::optional<double> restitution{};  ///< rope
  std::optional<double> prestress{};    ///< spring
  std::optional<double> stiffness{};    ///< spring
  std::optional<double> damping{};      ///< spring
  std::optional<double> rest{};         ///< spring
  std::optional<double> force{};        ///< friction
};

/// A linear system with affine contacts (linear_system.hpp) and its start.
struct SceneLinear {
  std::vector<std::string> coordinates{};
  std::vector<double> M{};  ///< row-major
  std::vector<double> K{};  ///< empty: none
  std::vector<double> C{};
  std::vector<double> f{};
  bool implicit = false;
  std::vector<SceneLinearLoad> loads{};
  std::vector<SceneLinearContact> contacts{};
  std::vector<SceneLinearJoint> joints{};
  std::vector<SceneLinearElement> elements{};
  std::map<std::string, double> q{};  ///< at the start; those that are left out are 0
  std::map<std::string, double> u{};
};

// ---- The scene ----

/// Parts of a Method that differ from the preset's, or from the default.
struct SceneMethod {
  std::optional<std::string> preset{};
  std::optional<std::string> scheme{};
  std::optional<std::string> law{};
  std::optional<std::string> cone{};
  std::optional<std::string> solver{};
  std::optional<int> directions{};
  std::optional<double> tolerance{};
  std::optional<std::int64_t> budget{};
  std::optional<bool> implicit{};
  std::optional<double> margin{};
  std::optional<std::string> impact{};
  std::optional<double> theta{};
  std::optional<std::string> joint_stabilization{};
  std::optional<std::string> geometry{};
  std::optional<double> rest_speed{};
  std::optional<double> correction{};
  std::optional<double> sleep_time{};
  std::optional<std::string> initial_slip{};
  std::optional<bool> full_push{};
  std::optional<std::string> lift{};
};

/// A scene.
struct SceneData {
  std::string name{};
  std::string description{};
  TimeSettings time{};
  std::variant<SceneBodies, SceneLinear> system{};
  bool impact_at_start = false;
  SceneMethod method{};
  std::int64_t record_every = 1;
};

/// Reads a scene file, and checks it, as readScene() does.
SceneData readSceneData(const std::filesystem::path& file,
                        std::span<const std::string> overrides = {});
/// The same from text, as parseScene().
SceneData parseSceneData(const std::string& text, const std::string& source,
                         std::span<const std::string> overrides = {},
                         const std::filesystem::path& folder = {});

/// The scene file. Throws InputError if it has something that files cannot say: a SupportShape.
std::string sceneText(const SceneData& data);
/// Writes the scene file, in place of one that is there. Throws InputError if the scene is not
/// sound, a mesh file is not in the folder of `file`, or it cannot be written.
void saveScene(const SceneData& data, const std::filesystem::path& file);

/// The scene to run. Throws InputError, with the line of sceneText(data) in place of that of a
/// file. Mesh files are looked for in `folder`.
Scene makeScene(const SceneData& data, const std::filesystem::path& folder = {});

}  // namespace stickslip
