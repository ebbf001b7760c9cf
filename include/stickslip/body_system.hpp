// Rigid bodies with contacts, joints and forces as a System (system.hpp).
//
// Velocities of a dynamic body: in space the velocity of the centre of mass in world coordinates
// and the angular velocity in the body's own ([AP97] section 5), in the plane (vx, vy, omega). The
// mass matrix is then constant. Positions: centre of mass and unit quaternion (w, x, y, z), or
// (x, y, angle). Fixed and kinematic bodies are no unknowns; their motion enters through the
// rheonomic terms. After the bodies, q holds the angles of the joints in space, so that whole turns
// count.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stickslip/body.hpp"
#include "stickslip/inputs.hpp"
#include "stickslip/joint.hpp"
#include "stickslip/load.hpp"
#include "stickslip/material.hpp"
#include "stickslip/state.hpp"
#include "stickslip/system.hpp"

namespace stickslip {

struct ContactProblem;
struct ContactSolution;

/// Everything that a system of bodies is made of; plain data.
struct BodySystemData {
  int dimension = 3;  ///< 2 or 3
  Vec3 gravity{};
  std::vector<Material> materials{};  ///< at least one if there are shapes
  std::vector<MaterialPair> material_pairs{};
  std::vector<Body> bodies{};
  std::vector<Joint> joints{};
  std::vector<PointSpring> springs{};
  std::vector<BodyLoad> loads{};
  std::vector<Drag> drags{};
  std::vector<UserForce> user_forces{};
  /// Pairs of bodies that do not collide, beside those that a joint connects.
  std::vector<std::pair<int, int>> no_collision{};
};

/// Two bodies that overlap.
struct Overlap {
  int body_a = 0;
  int body_b = 0;
  double depth = 0;  ///< > 0
  double size = 0;   ///< smallest extent of the two shapes
};

/// What a joint did in a step: means over its time, 0 in an impact without time. Where one of its
/// bodies is fixed or kinematic, too, forces are those on the second one.
struct JointForce {
  Vec3 force{};                   ///< on its second body, world frame
  Vec3 torque{};                  ///< likewise, about the joint's point on that body
  std::array<double, 2> drive{};  ///< along its coordinates: motor, limits, friction, springs; gear
};

/// Rigid bodies with contacts, joints and forces.
class BodySystem final : public System {
 public:
  /// Throws InputError that names the body, joint or load and what is wrong with it.
  explicit BodySystem(BodySystemData data);
  ~BodySystem() override;

  const BodySystemData& data() const;
  /// Where a body or a joint is among those of data(). Throws InputError if there is none of that
  /// name.
  int bodyIndex(std::string_view name) const;
  int jointIndex(std::string_view name) const;
  /// What is set from outside between steps: nothing at first. It is made when it is first asked
  /// for and stays in its place; steps read it as it is. Systems without cost nothing.
  const std::shared_ptr<BodyInputs>& inputs() const;
  /// Positions and velocities as `data` gives them.
  State initialState() const;
  /// A body in `state`; fixed and kinematic ones too.
  BodyState bodyState(int body, const State& state) const;
  /// Puts a dynamic body elsewhere in `state`: in the plane `angle` is its orientation. Angles of
  /// its joints follow by less than half a turn; whether joints still fit is the caller's business.
  /// Throws InputError for another body, or an orientation that is none.
  void place(int body, const BodyState& at, State& state) const;
  /// Coordinate k of a joint, with all its turns.
  double jointCoordinate(int joint, int k, const State& state) const;
  /// What the joints did in the step that led to `state`, of which the others are the (last)
  /// contact problem and its solution (Stepper::problem, Stepper::solution). Throws InputError if
  /// they are not of this system.
  std::vector<JointForce> jointForces(const State& state, const ContactProblem& problem,
                                      const ContactSolution& solution) const;
  /// Pairs of bodies that overlap in `state` by more than `share` of the smaller one's size.
  std::vector<Overlap> overlaps(const State& state, double share) const;
  /// The bodies of a contact id; -1 for both if no contact has it.
  std::pair<int, int> contactBodies(std::uint64_t id) const;

  std::span<const int> velocityBlocks() const override;
  int positionCount() const override;
  int tangentCount() const override;
  int momentCount() const override;
  int contactCapacity() const override;
  int jointCapacity() const override;
  void massMatrix(double t, std::span<const double> q, BlockDiagonal& M) const override;
  bool massIsConstant() const override { return true; }
  std::span<const int> massLike() const override;
  void checkInputs() const override;
  void forces(double t, std::span<const double> q, std::span<const double> u, double h,
              std::span<double> out) const override;
  bool coasts() const override;
  void coast(double dt, std::span<double> u) const override;
  void contacts(double t, std::span<const double> q, const Reach& reach,
                ContactSet& out) const override;
  void contactsOf(std::span<const char> blocks, double t, std::span<const double> q,
                  const Reach& reach, ContactSet& out) const override;
  ContactAxes contactAxes(std::uint64_t contact, const BlockRows& rows, int group,
                          int linear) const override;
  bool meetsAhead(std::uint64_t contact, double t, std::span<const double> q,
                  std::span<const double> u, double dt) const override;
  Closing firstClosing(const Way& way, const ClosingScale& scale) const override;
  void contactsNotFollowed(double t, std::span<const double> q, const Reach& reach,
                           ContactSet& out) const override;
  double farthestMove(int block, std::span<const double> way) const override;
  double deepestOverlap(double t, std::span<const double> q, const Reach& at_rest,
                        ContactSet& workspace) const override;
  void joints(double t, std::span<const double> q, JointSet& out) const override;
  void move(double t, std::span<const double> u, double dt, std::span<double> q) const override;
  double distance(std::span<const double> q_a, std::span<const double> q_b) const override;
  bool touches() const override;
  bool bounces() const override;
  double potentialEnergy(double t, std::span<const double> q) const override;
  std::string positionName(int i) const override;
  std::string velocityName(int i) const override;
  std::string contactName(std::uint64_t id) const override;
  /// The inputs, which stay in their place when they are restored.
  void saveMemory(MemoryWriter& to) const override;
  void restoreMemory(MemoryReader& from) const override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace stickslip
