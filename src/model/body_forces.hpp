// Finite forces on bodies: gravity, springs, loads, drag, user forces; and free rotation.
#pragma once

#include <span>
#include <vector>

#include "model/attachments.hpp"
#include "model/body_frames.hpp"

namespace stickslip {

class BodyForces {
 public:
  /// The arguments must outlive this object.
  BodyForces(const BodySystemData& data, const Attachments& attached, const BodyLayout& layout);

  /// True if nothing but gravity acts,
  bool onlyGravity() const;
  /// which is then all that there is.
  void gravity(std::span<double> out) const;
  /// Generalized forces over a step of length h; `frames` without velocities.
  void evaluate(double t, const BodyFrames& frames, std::span<const double> u, double h,
                std::span<double> out);
  /// True if a body's inertia differs from axis to axis, so that it does not keep its angular
  /// velocity.
  bool anyGyroscope() const { return !gyroscopes_.empty(); }
  /// Angular velocities after the time dt of free rotation (System::coast).
  void coast(double dt, std::span<double> u) const;
  /// Springs that are solved for: number of rows, and the rows.
  int springRowCount() const;
  void addSpringRows(const BodyFrames& frames, JointSet& out) const;
  double potentialEnergy(const BodyFrames& frames) const;

 private:
  void addExplicitSprings();
  void addLoads(double t);
  void addDrag(double h);
  void addUserForces(double t);

  const BodySystemData& data_;
  const Attachments& attached_;
  const BodyLayout& layout_;
  std::vector<double> masses_;   ///< of the dynamic bodies
  std::vector<int> gyroscopes_;  ///< places among the dynamic bodies
  BodyFrames moving_;            ///< frames with velocities
  std::vector<Wrench> wrenches_;
  std::vector<BodyState> states_;
};

/// A body's state as users see it: of its own frame instead of the centre of mass.
BodyState stateOf(const Body& body, const MovingFrame& moving);

}  // namespace stickslip
