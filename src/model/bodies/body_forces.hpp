// Finite forces on bodies: gravity, springs, loads, inputs, drag, user forces; and free rotation.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/bodies/kinematics.hpp"
#include "stickslip/body_system.hpp"
#include "stickslip/vector.hpp"

namespace stickslip {

/// What is fixed to bodies, with every point taken from the centre of mass of its body, from where
/// the engine sees them.
struct Attachments {
  std::vector<Joint> joints;
  std::vector<PointSpring> springs;
  std::vector<BodyLoad> loads;
};

class BodyForces {
 public:
  /// The arguments must outlive this object.
  BodyForces(const BodySystemData& data, const Attachments& attached, const BodyLayout& layout,
             const std::shared_ptr<BodyInputs>& inputs);

  /// True if nothing but gravity acts,
  bool onlyGravity() const;
  /// which is then all that there is.
  void gravity(std::span<double> out) const;
  /// Generalized forces over a step of length h; `frames` without velocities.
  void evaluate(double t, const Kinematics& frames, std::span<const double> u, double h,
                std::span<double> out);
  /// True if a body's inertia differs from axis to axis, so that it does not keep its angular
  /// velocity.
  bool anyGyroscope() const { return !gyroscopes_.empty(); }
  /// Angular velocities after the time dt of free rotation (System::coast).
  void coast(double dt, std::span<double> u) const;
  /// Springs that are solved for: number of rows, and the rows.
  int springRowCount() const;
  void addSpringRows(const Kinematics& frames, JointSet& out) const;
  double potentialEnergy(const Kinematics& frames) const;

 private:
  void addAlong(const BodyForm& form, double force);
  void addExplicitSprings();
  void addInputs();
  void addLoads(double t);
  void addDrag(double h);
  void addUserForces(double t);

  const BodySystemData& data_;
  const Attachments& attached_;
  const BodyLayout& layout_;
  const std::shared_ptr<BodyInputs>& inputs_;  ///< null: none
  std::vector<double> masses_;                 ///< of the dynamic bodies
  std::vector<int> gyroscopes_;                ///< places among the dynamic bodies
  Kinematics moving_;                          ///< frames with velocities
  std::vector<Wrench> wrenches_;
  std::vector<BodyState> states_;
};

/// A body's state as users see it: of its own frame instead of the centre of mass.
BodyState stateOf(const Body& body, const MovingFrame& moving);

// Euler's equations of a free body: I w' = -w x I w in body coordinates.
//
// The implicit midpoint rule I (w1 - w0) = -h wm x I wm, wm = (w0 + w1)/2, keeps every quadratic
// invariant, so that both the energy w.I w / 2 and |I w| stay what they are, to rounding, for any
// number of steps; the explicit force -w0 x I w0 would feed energy in at every step. The rule is
// solved by Newton's method, in substeps short enough for it to converge. (The gyroscopic force:
// [AP97] section 5, [A06] A3.)

/// The angular velocity after the time dt >= 0 without torque. `inertia` is symmetric positive
/// definite; all in body coordinates.
Vec3 spinAfter(const Mat3& inertia, Vec3 w, double dt);

}  // namespace stickslip
