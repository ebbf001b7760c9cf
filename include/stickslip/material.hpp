// Surface materials and how two of them make a contact.
#pragma once

#include <optional>
#include <string>

#include "stickslip/friction_curve.hpp"
#include "stickslip/friction_directions.hpp"
#include "stickslip/vector.hpp"

namespace stickslip {

/// What a contact between two surfaces obeys.
struct ContactProperties {
  double friction = 0.5;              ///< Coulomb coefficient, >= 0; the one at rest
  double restitution = 0;             ///< Newton, normal, in [0, 1]
  double tangential_restitution = 0;  ///< Newton, tangential, in [0, 1]
  double rolling_friction = 0;        ///< length [m], >= 0: moment per normal force
  double torsional_friction = 0;      ///< length [m], >= 0: the same about the normal
  /// If > 0, the largest friction force [N] of a contact, whatever its load, in place of
  /// `friction`.
  double friction_force = 0;
  FrictionCurve friction_curve{};  ///< how friction changes with the sliding speed
  /// If > 0, the friction cone is polyhedral with so many corners, 3 to 64, whatever the method's.
  int directions = 0;
};

/// Friction that differs along and across a direction on the surface.
struct Anisotropy {
  Vec3 direction{};            ///< in the body's frame; projected on the contact plane
  double friction_across = 0;  ///< coefficient across it; `friction` holds along it
  /// If given, friction is in `friction` times their hull (FrictionDirections), in place of an
  /// ellipse. They are impulses on what touches the surface. The first tangent is `direction`, the
  /// second completes it and the outward normal of the surface: t_2 = n x t_1.
  FrictionDirections::Pointer directions{};
};

/// A material's own properties. Two different materials combine to
///   friction, rolling, torsional: geometric mean;   restitutions: the larger one;
///   friction_force: geometric mean, or that of the one which has it;   directions: the larger one,
/// unless a MaterialPair says otherwise. A grain (anisotropy) against a surface without one keeps
/// its direction; two surfaces of one grained material have the geometric mean in each direction,
/// each with its own grain (docs/rigid-bodies.md), or `friction` all round if it has directions;
/// two different ones need a pair. Kinetic frictions combine as frictions do, over the transition
/// that one material has or both share; two different transitions need a pair.
struct Material {
  std::string name{};
  ContactProperties surface{};
  double density = 1000;  ///< mass per volume (per area in the plane), for masses from shapes
  std::optional<Anisotropy> anisotropy{};
};

/// Overrides the combination for two materials (indices; they may be the same).
struct MaterialPair {
  int a = 0;
  int b = 0;
  ContactProperties surface{};
  bool keeps_grain = false;  ///< friction was not given: an anisotropic material keeps its grain
};

/// False if both change with the speed, but not in the same way.
bool transitionsAgree(const FrictionCurve& a, const FrictionCurve& b);
/// Of curves whose transitions agree.
FrictionCurve combine(const FrictionCurve& a, const FrictionCurve& b);
ContactProperties combine(const ContactProperties& a, const ContactProperties& b);

}  // namespace stickslip
