// What a BodySystem is made of.
#pragma once

#include <memory>
#include <vector>

#include "model/bodies/body_contacts.hpp"
#include "model/bodies/body_forces.hpp"
#include "model/bodies/kinematics.hpp"
#include "model/joints/joint_rows.hpp"
#include "stickslip/body_system.hpp"

namespace stickslip {

struct BodySystem::Impl {
  BodySystemData data;  ///< as given, but bodies that do not move freely have no mass
  Attachments attached;
  BodyLayout layout;
  std::shared_ptr<BodyInputs> inputs;  ///< null until they are asked for
  JointRows joints;
  BodyForces forces;
  BodyContacts contacts;
  std::vector<int> mass_like;  ///< as System::massLike
  std::vector<double> levers;  ///< of each dynamic body: how far a turn moves its surface
  Kinematics frames;           ///< workspace

  /// Throws InputError that names the body, joint or load and what is wrong with it.
  explicit Impl(BodySystemData given);

  const Kinematics& framesAt(double t, std::span<const double> q) {
    layout.evaluate(data, t, q, frames);
    return frames;
  }
  /// Contacts of bodies, and what joints have of limits and motors.
  void addContacts(double t, std::span<const double> q, const Kinematics& at, const Reach& reach,
                   std::span<const char> blocks, ContactSet& out);
  State initialState();
  /// Puts the k-th dynamic body somewhere; joints are not told.
  void place(int k, const BodyState& at, State& state) const;
  /// After a move by dt along u.
  void countTurns(double t, std::span<const double> u, double dt, std::span<double> q);

 private:
  void checkFit(std::span<const double> q) const;
  void checkLimits(std::size_t joint, std::span<const double> q) const;
};

}  // namespace stickslip
