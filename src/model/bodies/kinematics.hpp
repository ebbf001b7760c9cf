// Where the bodies are: from positions q to frames in space, and from linear forms of body
// velocities to rows of the contact problem.
//
// Everything that acts between bodies (a contact, a joint row, a spring) is first written as a
// BodyForm in world coordinates and knows nothing of the layout of q and u; writeGroup() alone
// does.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "stickslip/block_matrix.hpp"
#include "stickslip/body_system.hpp"

namespace stickslip {

/// A body at one instant: centre of mass and axes.
struct BodyFrame {
  Pose pose;
  double angle = 0;         ///< planar: about z, with all its turns
  int first_velocity = -1;  ///< place in u; -1 for bodies that are no unknowns
  int motion = -1;          ///< place of its velocity in Kinematics; -1: none
  /// A ball: u has its angular velocity in world axes, in which its inertia never changes, not in
  /// its own.
  bool spins_in_world = false;

  bool isDynamic() const { return first_velocity >= 0; }
  /// From world axes to those of the angular velocity in u, and back.
  Vec3 toSpin(Vec3 x) const { return spins_in_world ? x : transposedTimes(pose.rotation, x); }
  Vec3 fromSpin(Vec3 x) const { return spins_in_world ? x : pose.rotation * x; }
};

/// In the world frame.
struct FrameVelocity {
  Vec3 linear;  ///< of the centre of mass
  Vec3 angular;

  bool isZero() const { return linear == Vec3{} && angular == Vec3{}; }
};

/// One body with its velocity.
struct MovingFrame {
  BodyFrame frame;
  FrameVelocity velocity;
};

/// The angle of a planar body at the start, with all its turns.
double startAngle(const Body& body);

/// The frames of all bodies; Joint::kWorld is a body that never moves. Few have velocities here:
/// those whose motion is prescribed, and others where they are wanted.
class Kinematics {
 public:
  /// Velocities with the first places, which frames may take.
  void resize(std::size_t bodies, std::size_t velocities = 0) {
    frames_.resize(bodies);
    velocities_.resize(velocities);
  }
  BodyFrame& operator[](int body) { return frames_[body]; }
  const BodyFrame& operator[](int body) const { return body < 0 ? world_ : frames_[body]; }
  /// Zero for frames without.
  const FrameVelocity& velocityOf(const BodyFrame& frame) const {
    return frame.motion < 0 ? still_ : velocities_[frame.motion];
  }
  MovingFrame moving(int body) const { return {(*this)[body], velocityOf((*this)[body])}; }
  void setVelocity(int body, const FrameVelocity& velocity) {
    int& motion = (*this)[body].motion;
    if (motion < 0) {
      motion = static_cast<int>(velocities_.size());
      velocities_.emplace_back();
    }
    velocities_[motion] = velocity;
  }

 private:
  std::vector<BodyFrame> frames_;
  std::vector<FrameVelocity> velocities_;
  BodyFrame world_;
  FrameVelocity still_;
};

/// Which part of q and u belongs to which body.
class BodyLayout {
 public:
  explicit BodyLayout(const BodySystemData& data);

  int dimension() const { return dimension_; }
  int positionsPerBody() const { return dimension_ == 2 ? 3 : 7; }
  int velocitiesPerBody() const { return dimension_ == 2 ? 3 : 6; }
  std::span<const int> velocityBlocks() const { return blocks_; }
  int dynamicCount() const { return static_cast<int>(dynamic_.size()); }
  /// The k-th dynamic body.
  int dynamicBody(int k) const { return dynamic_[k]; }
  /// Place of a body among the dynamic ones, -1 if it is none of them.
  int dynamicIndex(int body) const { return std::max(-1, index_[body]); }
  /// BodyFrame::spins_in_world of the k-th dynamic body.
  bool spinsInWorld(int k) const { return spins_in_world_[k] != 0; }
  /// Positions of all bodies together.
  int positionCount() const { return dynamicCount() * positionsPerBody(); }

  /// One body at time t; dynamic bodies move as u says.
  MovingFrame movingFrame(const BodySystemData& data, int body, double t, std::span<const double> q,
                          std::span<const double> u) const;
  /// Frames of all bodies at time t.
  void evaluate(const BodySystemData& data, double t, std::span<const double> q,
                Kinematics& frames) const;
  /// The velocity of a body that is dynamic.
  FrameVelocity velocityOf(const BodyFrame& frame, std::span<const double> u) const;
  /// Moves the k-th dynamic body.
  void move(int k, std::span<const double> u, double dt, std::span<double> q) const;

 private:
  BodyFrame dynamicFrame(int k, std::span<const double> q) const;
  static MovingFrame prescribedFrame(const Body& body, double t);

  int dimension_;
  std::vector<int> blocks_;
  std::vector<int> dynamic_;
  std::vector<char> spins_in_world_;
  std::vector<int> index_;  ///< of each body: among the dynamic ones; -2 - k: the k-th kinematic
  int kinematic_count_ = 0;
};

/// A linear form of the velocities of a few bodies: sum of linear.v + angular.omega over them, v at
/// the centre of mass, all in the world frame.
class BodyForm {
 public:
  struct Term {
    int body = -1;
    Vec3 linear;
    Vec3 angular;
  };

  /// Terms of the same body are added up.
  void add(int body, Vec3 linear, Vec3 angular);
  void add(double factor, const BodyForm& other);
  std::span<const Term> terms() const { return {terms_.data(), count_}; }
  /// The value for frames that have velocities.
  double at(const Kinematics& frames) const;

 private:
  std::array<Term, 4> terms_;
  std::size_t count_ = 0;
};

/// Adds a group with one row per form; the parts of bodies that are no unknowns go to `drive`.
void writeGroup(const Kinematics& frames, int dimension, std::span<const BodyForm> forms,
                BlockRows& rows, std::span<double> drive);

}  // namespace stickslip
