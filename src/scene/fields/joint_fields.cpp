// The fields of joints, set-valued elements and forces.
#include "scene/fields/common_fields.hpp"

namespace stickslip::fields {

// In the order of the enums.
constexpr std::string_view kJointWords[] = {"revolute",  "prismatic", "cylindrical",
                                            "spherical", "universal", "planar",
                                            "fixed",     "distance",  "gear"};
constexpr std::string_view kFrameWords[] = {"world", "body"};
constexpr std::string_view kWayWords[] = {"backward", "", "forward"};
constexpr std::string_view kDirectionWords[] = {"apart", "together"};

template <class Archive>
void describe(Archive& a, SceneMotor& x) {
  table(a, "velocity", x.velocity, Quantity::scalar);
  table(a, "position", x.position, Quantity::scalar);
  a.value("max_force", x.max_force);
  a.optional("time_constant", x.time_constant);
}
template <class Archive>
void describe(Archive& a, SceneJointSpring& x) {
  a.optional("stiffness", x.stiffness);
  a.optional("damping", x.damping);
  a.optional("prestress", x.prestress);
  a.optional("rest", x.rest);
}

// Each a number, or null for none.
template <class Archive>
void limits(Archive& a, std::optional<std::array<std::optional<double>, 2>>& x) {
  if constexpr (Archive::kWrites) {
    if (!x) return;
    OrderedJson& out = a.json()["limits"] = OrderedJson::array();
    for (const std::optional<double>& bound : *x)
      out.push_back(bound ? OrderedJson(*bound) : OrderedJson());
  } else {
    if (!a.has("limits")) return;
    x.emplace();
    for (std::size_t i = 0; i < 2; ++i)
      if (const OrderedJson& bound = a.json().at("limits")[i]; bound.is_number())
        (*x)[i] = bound.get<double>();
  }
}

template <class Archive>
void describe(Archive& a, SceneDrive& x) {
  limits(a, x.limits);
  a.optional("limit_restitution", x.limit_restitution);
  a.object("motor", x.motor);
  a.optional("friction", x.friction);
  int way = x.one_way + 1;
  if (!Archive::kWrites || x.one_way != 0) a.choice("one_way", way, kWayWords, true);
  x.one_way = way - 1;
  a.object("spring", x.spring);
}

template <class Archive>
void describe(Archive& a, SceneFrame& x) {
  a.vector("position", x.position, Quantity::vector);
  orientation(a, x.orientation);
}

/// Drives by the names of their coordinates.
struct DrivesOf {
  SceneJoint& joint;
};
template <class Archive>
void describe(Archive& a, DrivesOf& x) {
  if constexpr (Archive::kWrites) {
    for (auto& [coordinate, drive] : x.joint.drives) a.object(coordinate.c_str(), drive);
  } else {
    for (const auto& [coordinate, json] : a.json().items())
      a.object(coordinate.c_str(), x.joint.drives[coordinate]);
  }
}

template <class Archive>
void describeGear(Archive& a, SceneJoint& x) {
  twoNames(a, "joints", x.joints);
  a.value("ratio", x.ratio);
}

template <class Archive>
void describeDistance(Archive& a, SceneJoint& x) {
  a.vector("point_a", x.point_a, Quantity::vector);
  a.vector("point_b", x.point_b, Quantity::vector);
  if constexpr (Archive::kWrites) {
    if (!x.holds_length)
      a.json()["length"] = nullptr;
    else
      a.optional("length", x.length);
  } else if (a.has("length")) {
    x.holds_length = !a.json().at("length").is_null();
    if (x.holds_length) a.optional("length", x.length);
  }
}

template <class Archive>
void describe(Archive& a, SceneJoint& x) {
  name(a, x.name);
  a.choice("type", x.type, kJointWords, true);
  if (x.type == Joint::Type::gear) return describeGear(a, x);
  twoNames(a, "bodies", x.bodies);
  if (x.type == Joint::Type::distance) describeDistance(a, x);
  a.vector("position", x.position, Quantity::vector);
  a.vector("axis", x.axis, Quantity::vector);
  a.vector("axis_2", x.axis_2, Quantity::vector);
  a.object("frame_a", x.frame_a);
  a.object("frame_b", x.frame_b);
  a.valueOr("collide", x.collide, false);
  describe(a, x.drive);
  DrivesOf drives{x};
  if (!Archive::kWrites || !x.drives.empty()) a.object("drives", drives);
}

template <class Archive>
void describe(Archive& a, SceneElement& x) {
  name(a, x.name);
  a.choice("type", x.type, kElementWords, true);
  twoNames(a, "bodies", x.bodies);
  a.vector("point_a", x.point_a, Quantity::vector);
  a.vector("point_b", x.point_b, Quantity::vector);
  a.optional("length", x.length);
  a.optional("restitution", x.restitution);
  a.optional("prestress", x.prestress);
  a.optional("stiffness", x.stiffness);
  a.optional("damping", x.damping);
  a.optional("rest_length", x.rest_length);
  if (!Archive::kWrites || x.type == SceneElement::Type::one_way)
    a.choice("direction", x.together, kDirectionWords, true);
  a.optional("force", x.force);
}

template <class Archive>
void describe(Archive& a, SceneSpring& x) {
  name(a, x.name);
  twoNames(a, "bodies", x.bodies);
  a.vector("point_a", x.point_a, Quantity::vector);
  a.vector("point_b", x.point_b, Quantity::vector);
  a.optional("rest_length", x.rest_length);
  a.optional("stiffness", x.stiffness);
  a.optional("damping", x.damping);
  a.valueOr("implicit", x.implicit, true);
}

template <class Archive>
void describe(Archive& a, SceneLoad& x) {
  a.value("body", x.body);
  table(a, "force", x.force, Quantity::vector);
  table(a, "torque", x.torque, Quantity::turn);
  a.vector("point", x.point, Quantity::vector);
  a.choice("frame", x.in_body_frame, kFrameWords, false);
}

template <class Archive>
void describe(Archive& a, SceneDrag& x) {
  a.value("body", x.body);
  a.optional("linear", x.linear);
  a.optional("quadratic", x.quadratic);
  a.optional("angular", x.angular);
  a.optional("angular_quadratic", x.angular_quadratic);
}

template void describe(FieldWriter&, SceneJoint&);
template void describe(FieldTaker&, SceneJoint&);
template void describe(FieldWriter&, SceneElement&);
template void describe(FieldTaker&, SceneElement&);
template void describe(FieldWriter&, SceneSpring&);
template void describe(FieldTaker&, SceneSpring&);
template void describe(FieldWriter&, SceneLoad&);
template void describe(FieldTaker&, SceneLoad&);
template void describe(FieldWriter&, SceneDrag&);
template void describe(FieldTaker&, SceneDrag&);

}  // namespace stickslip::fields
