#include "model/bodies/body_checks.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "model/bodies/body_contacts.hpp"
#include "stickslip/input_error.hpp"

namespace stickslip {
namespace {

[[noreturn]] void fail(const std::string& kind, const std::string& name, const std::string& why) {
  std::string text = kind;
  text += " \"";
  text += name;
  text += "\": ";
  text += why;
  throw InputError(text);
}

bool isFinite(Vec3 v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

bool isNonNegative(double x) {
  return x >= 0 && std::isfinite(x);
}

bool isShare(double x) {
  return x >= 0 && x <= 1;
}

bool isAscending(const std::vector<double>& times) {
  const auto no_gain = [](double a, double b) { return !(a < b); };
  return std::all_of(times.begin(), times.end(), [](double t) { return std::isfinite(t); }) &&
         std::adjacent_find(times.begin(), times.end(), no_gain) == times.end();
}

bool isSound(const VectorTable& table) {
  return table.times.size() == table.values.size() && isAscending(table.times) &&
         std::all_of(table.values.begin(), table.values.end(), isFinite);
}

std::string problemOf(const Motion& motion) {
  if (const auto* m = std::get_if<ConstantMotion>(&motion.form()))
    return isFinite(m->velocity) && isFinite(m->angular_velocity) ? "" : "motion: not finite";
  if (const auto* m = std::get_if<SinusoidalMotion>(&motion.form())) {
    const bool is_sound = isFinite(m->amplitude) && isFinite(m->rotation_amplitude) &&
                          std::isfinite(m->phase) && m->frequency > 0 &&
                          std::isfinite(m->frequency);
    return is_sound ? "" : "motion: a sinusoid needs finite numbers and a frequency > 0";
  }
  const auto& m = std::get<TabledMotion>(motion.form());
  const bool is_sound = !m.times.empty() && m.times.size() == m.displacements.size() &&
                        m.times.size() == m.rotations.size() && isAscending(m.times) &&
                        std::all_of(m.displacements.begin(), m.displacements.end(), isFinite) &&
                        std::all_of(m.rotations.begin(), m.rotations.end(), isFinite);
  return is_sound ? "" : "motion: a table needs ascending times and as many rows";
}

std::string problemOf(const FrictionCurve& curve) {
  if (curve.transition == FrictionCurve::Transition::none) return "";
  if (!isNonNegative(curve.kinetic_ratio)) return "kinetic_ratio must be >= 0";
  if (!(curve.speed > 0) || !std::isfinite(curve.speed)) return "a transition needs a speed > 0";
  if (!(curve.exponent > 0) || !std::isfinite(curve.exponent)) return "exponent must be > 0";
  return "";
}

std::string problemOf(const ContactProperties& s) {
  if (!isNonNegative(s.friction)) return "friction must be >= 0";
  if (!isShare(s.restitution)) return "restitution must be from 0 to 1";
  if (!isShare(s.tangential_restitution)) return "tangential_restitution must be from 0 to 1";
  if (!isNonNegative(s.rolling_friction)) return "rolling_friction must be >= 0";
  if (!isNonNegative(s.torsional_friction)) return "torsional_friction must be >= 0";
  if (s.directions != 0 && (s.directions < 3 || s.directions > FrictionDirections::kMostGiven))
    return "directions must be 3 to 64";
  return problemOf(s.friction_curve);
}

// Directions that have moments leave no other moments, and depend on the load.
std::string problemOf(const FrictionDirections& directions, const ContactProperties& s) {
  if (directions.spins() && s.torsional_friction > 0)
    return "its friction_directions spin, and there is torsional_friction, too";
  if (directions.rolls() && s.rolling_friction > 0)
    return "its friction_directions roll, and there is rolling_friction, too";
  if (directions.rows() > 2 && s.friction_force > 0)
    return "its friction_directions have moments, which a friction_force cannot give";
  return "";
}

std::string problemOf(const Material& material) {
  if (!(material.density > 0) || !std::isfinite(material.density)) return "density must be > 0";
  const std::string problem = problemOf(material.surface);
  if (!problem.empty() || !material.anisotropy) return problem;
  if (!isNonNegative(material.anisotropy->friction_across)) return "friction_across must be >= 0";
  if (!(norm(material.anisotropy->direction) > 0) || !isFinite(material.anisotropy->direction))
    return "the direction of an anisotropy must not be zero";
  return "";
}

std::string problemOf(const JointDrive& drive) {
  const auto is_bound = [](const std::optional<double>& x) { return !x || std::isfinite(*x); };
  if (!is_bound(drive.lower) || !is_bound(drive.upper)) return "limits must be finite";
  if (drive.lower && drive.upper && *drive.lower > *drive.upper)
    return "the lower limit is above the upper one";
  if (!isShare(drive.limit_restitution)) return "limit_restitution must be from 0 to 1";
  if (!isNonNegative(drive.friction)) return "friction must be >= 0";
  if (!isNonNegative(drive.stiffness)) return "stiffness must be >= 0";
  if (!isNonNegative(drive.damping)) return "damping must be >= 0";
  if (!isNonNegative(drive.prestress)) return "prestress must be >= 0";
  if (std::abs(drive.one_way) > 1) return "one_way must be -1, 0 or 1";
  if (!std::isfinite(drive.rest)) return "the rest position must be finite";
  if (!drive.motor) return "";
  if (!isNonNegative(drive.motor->max_force)) return "max_force of a motor must be >= 0";
  if (drive.motor->value.times.empty() || !isSound(drive.motor->value))
    return "a motor's target needs ascending times and as many values";
  if (drive.motor->target == JointDrive::Motor::Target::position &&
      !(drive.motor->time_constant > 0))
    return "a position motor needs a time_constant > 0";
  return "";
}

class Checker {
 public:
  explicit Checker(const BodySystemData& data) : data_(data) {}

  void run() const {
    if (data_.dimension != 2 && data_.dimension != 3) throw InputError("dimension must be 2 or 3");
    if (!isFinite(data_.gravity)) throw InputError("gravity must be finite");
    checkMaterials();
    checkBodies();
    for (const Joint& joint : data_.joints) checkJoint(joint);
    checkForces();
    for (const auto& [a, b] : data_.no_collision)
      if (!isBody(a) || !isBody(b)) throw InputError("no_collision: there is no such body");
  }

 private:
  bool isBody(int index) const {
    return index >= 0 && index < static_cast<int>(data_.bodies.size());
  }
  bool isPlaced(int index) const { return index == Joint::kWorld || isBody(index); }
  bool isDynamic(int index) const {
    return isBody(index) && data_.bodies[index].type == Body::Type::dynamic;
  }

  void checkMaterials() const {
    for (const Material& material : data_.materials) {
      const std::string problem = problemOf(material);
      if (!problem.empty()) fail("material", material.name, problem);
    }
    const int count = static_cast<int>(data_.materials.size());
    for (const MaterialPair& pair : data_.material_pairs) {
      if (pair.a < 0 || pair.b < 0 || pair.a >= count || pair.b >= count)
        throw InputError("material_pairs: there is no such material");
      const std::string problem = problemOf(pair.surface);
      if (!problem.empty()) throw InputError("material_pairs: " + problem);
    }
    for (int a = 0; a < count; ++a)
      for (int b = 0; b < a; ++b) checkCombination(a, b);
  }

  // Two grains have no common direction, two transitions no common speed: the friction of such
  // materials has to be given.
  void checkCombination(int a, int b) const {
    const Material& x = data_.materials[a];
    const Material& y = data_.materials[b];
    const auto pair = std::find_if(
        data_.material_pairs.begin(), data_.material_pairs.end(),
        [&](const MaterialPair& p) { return (p.a == a && p.b == b) || (p.a == b && p.b == a); });
    const bool is_given = pair != data_.material_pairs.end();
    if (!is_given && !transitionsAgree(x.surface.friction_curve, y.surface.friction_curve))
      fail("material", x.name,
           "it and \"" + y.name +
               "\" have kinetic frictions with different transitions; give the two as a material "
               "pair");
    const bool has_friction = std::any_of(
        data_.material_pairs.begin(), data_.material_pairs.end(), [&](const MaterialPair& p) {
          return !p.keeps_grain && std::minmax(p.a, p.b) == std::minmax(a, b);
        });
    if (x.anisotropy && y.anisotropy && !has_friction)
      fail("material", x.name,
           "both it and \"" + y.name +
               "\" are anisotropic; give the two as a material pair with a friction of its own");
    for (const Material* m : {&x, &y}) {
      if (!m->anisotropy || !m->anisotropy->directions || (is_given && !pair->keeps_grain))
        continue;
      const std::string problem = problemOf(
          *m->anisotropy->directions, is_given ? pair->surface : combine(x.surface, y.surface));
      if (!problem.empty()) fail("material", m->name, problem);
    }
  }

  void checkBodies() const {
    std::size_t shapes = 0;
    bool moves = false;
    std::set<std::string> names;
    for (const Body& body : data_.bodies) {
      checkBody(body);
      shapes += body.shapes.size();
      moves = moves || body.type == Body::Type::dynamic;
      if (!names.insert(body.name).second) fail("body", body.name, "the name is used twice");
    }
    if (!moves) throw InputError("no body is dynamic; nothing would move");
    if (shapes > BodyContacts::kMostShapes)
      throw InputError("more than " + std::to_string(BodyContacts::kMostShapes) + " shapes");
  }

  void checkBody(const Body& body) const {
    const auto refuse = [&](const std::string& why) { fail("body", body.name, why); };
    if (!isFinite(body.position) || !isFinite(body.velocity) || !isFinite(body.angular_velocity))
      refuse("position and velocities must be finite");
    const Quaternion q = body.orientation;
    const double length = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(std::abs(length - 1) < 1e-6)) refuse("the orientation must be a unit quaternion");
    if (body.type == Body::Type::kinematic) {
      const std::string problem = problemOf(body.motion);
      if (!problem.empty()) refuse(problem);
    }
    for (const PlacedShape& placed : body.shapes) checkShape(body, placed);
    if (body.type == Body::Type::dynamic) checkMass(body);
  }

  void checkMass(const Body& body) const {
    if (body.mass.mass != 0) {
      const std::string problem = stickslip::problemOf(body.mass, data_.dimension);
      if (!problem.empty()) fail("body", body.name, problem);
    } else if (body.shapes.empty()) {
      fail("body", body.name, "it needs a mass > 0, or shapes to compute it from");
    }
  }

  void checkShape(const Body& body, const PlacedShape& placed) const {
    const auto refuse = [&](const std::string& why) {
      fail("body", body.name, shapeName(placed.shape) + ": " + why);
    };
    if (isPlanar(placed.shape) != (data_.dimension == 2))
      refuse(data_.dimension == 2 ? "is a shape of space" : "is a shape of the plane");
    const std::string problem = stickslip::problemOf(placed.shape);
    if (!problem.empty()) refuse(problem);
    if (isTerrain(placed.shape) && body.type == Body::Type::dynamic)
      refuse("only static and kinematic bodies may have this shape");
    if (!isNonNegative(placed.density)) refuse("density must be >= 0");
    if (placed.material < 0 || placed.material >= static_cast<int>(data_.materials.size()))
      refuse("there is no such material");
  }

  void checkJoint(const Joint& joint) const {
    const auto refuse = [&](const std::string& why) { fail("joint", joint.name, why); };
    if (joint.type == Joint::Type::gear) return checkGear(joint);
    if (!isPlaced(joint.body_a) || !isPlaced(joint.body_b)) refuse("there is no such body");
    if (joint.body_a == joint.body_b) refuse("joins a body with itself");
    if (!isDynamic(joint.body_a) && !isDynamic(joint.body_b))
      refuse("joins two bodies that are not dynamic");
    const bool is_spatial =
        joint.type == Joint::Type::cylindrical || joint.type == Joint::Type::spherical ||
        joint.type == Joint::Type::universal || joint.type == Joint::Type::planar;
    if (data_.dimension == 2 && is_spatial) refuse("this type of joint needs space");
    if (!isFinite(joint.frame_a.position) || !isFinite(joint.frame_b.position))
      refuse("its frames must be finite");
    if (joint.length && !(*joint.length > 0 && std::isfinite(*joint.length)))
      refuse("length must be > 0");
    if (static_cast<int>(joint.drives.size()) > coordinateCount(joint.type, data_.dimension))
      refuse("has no coordinate for a limit, motor, spring or friction");
    for (const JointDrive& drive : joint.drives) {
      const std::string problem = problemOf(drive);
      if (!problem.empty()) refuse(problem);
      if (joint.type == Joint::Type::distance && drive.prestress > 0 && !(drive.rest > 0))
        refuse("a prestressed distance needs a rest length > 0");
    }
  }

  void checkGear(const Joint& gear) const {
    const auto refuse = [&](const std::string& why) { fail("joint", gear.name, why); };
    const int count = static_cast<int>(data_.joints.size());
    for (const int other : {gear.joint_a, gear.joint_b}) {
      if (other < 0 || other >= count) refuse("couples a joint that is not there");
      const Joint::Type type = data_.joints[other].type;
      if (type != Joint::Type::revolute && type != Joint::Type::prismatic &&
          type != Joint::Type::cylindrical)
        refuse("couples revolute, prismatic and cylindrical joints only");
    }
    if (gear.joint_a == gear.joint_b) refuse("couples a joint with itself");
    if (!std::isfinite(gear.ratio) || gear.ratio == 0) refuse("ratio must not be zero");
    if (!gear.drives.empty()) refuse("has no coordinate for a limit, motor, spring or friction");
  }

  void checkForces() const {
    for (const PointSpring& spring : data_.springs) {
      const auto refuse = [&](const std::string& why) { fail("spring", spring.name, why); };
      if (!isPlaced(spring.body_a) || !isPlaced(spring.body_b)) refuse("there is no such body");
      if (spring.body_a == spring.body_b) refuse("joins a body with itself");
      if (!isDynamic(spring.body_a) && !isDynamic(spring.body_b))
        refuse("joins two bodies that are not dynamic");
      if (!isNonNegative(spring.stiffness) || !isNonNegative(spring.damping) ||
          !isNonNegative(spring.rest_length))
        refuse("stiffness, damping and rest_length must be >= 0");
      if (!isFinite(spring.point_a) || !isFinite(spring.point_b)) refuse("points must be finite");
    }
    for (const BodyLoad& load : data_.loads)
      if (!isDynamic(load.body) || !isSound(load.force) || !isSound(load.torque) ||
          !isFinite(load.point))
        throw InputError("a load needs a dynamic body, ascending times and as many values");
    for (const Drag& drag : data_.drags)
      if (!isDynamic(drag.body) || !isNonNegative(drag.linear) || !isNonNegative(drag.quadratic) ||
          !isNonNegative(drag.angular) || !isNonNegative(drag.angular_quadratic))
        throw InputError("drag needs a dynamic body and coefficients >= 0");
  }

  const BodySystemData& data_;
};

}  // namespace

void completeBodySystem(BodySystemData& data) {
  Checker(data).run();
  for (Body& body : data.bodies) {
    if (body.type != Body::Type::dynamic || body.mass.mass != 0) continue;
    body.mass = massProperties(std::as_const(body.shapes), data.materials);
    const std::string problem = problemOf(body.mass, data.dimension);
    if (!problem.empty()) fail("body", body.name, "the mass of its shapes: " + problem);
  }
}

}  // namespace stickslip
