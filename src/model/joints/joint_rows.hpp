// The rows that joints add to the contact problem: equations, springs, limits, motors, friction,
// and set-valued force elements ([GS05] section 2): one-way clutches and prestressed springs.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/joints/joint_geometry.hpp"
#include "stickslip/inputs.hpp"

namespace stickslip {

class JointRows {
 public:
  /// `joints` with frames about the centres of mass; `first_angle` is where q holds the angles
  /// whose turns are counted.
  /// `inputs`, which may be null, must outlive this object.
  JointRows(std::vector<Joint> joints, int dimension, int first_angle,
            const std::shared_ptr<BodyInputs>& inputs);

  /// Number of angles in q,
  int angleCount() const { return static_cast<int>(angles_.size()); }
  /// their joints,
  int jointOfAngle(int k) const { return angles_[k].joint; }
  int coordinateOfAngle(int k) const { return angles_[k].coordinate; }
  /// their values as the frames have them, within half a turn,
  double angleWithoutTurns(int k, const Kinematics& frames) const;
  /// and their rates, for frames that have velocities.
  double angleRate(int k, const Kinematics& frames) const;

  /// Coordinate k of a joint with all its turns.
  BodyFunction coordinate(int joint, int k, const Kinematics& frames,
                          std::span<const double> q) const;
  /// Fixes what depends on the start: what gears hold, and from where planar angles are counted.
  void start(const Kinematics& frames, std::span<const double> q);

  int equationCount() const { return equations_; }  ///< rows that addEquations() adds
  int driveCount() const { return drives_; }        ///< most rows that addDrives() adds

  void addEquations(const Kinematics& frames, std::span<const double> q, JointSet& out) const;
  void addDrives(double t, const Kinematics& frames, std::span<const double> q, const Reach& reach,
                 ContactSet& out) const;
  double potentialEnergy(const Kinematics& frames, std::span<const double> q) const;

  /// True if these can be the rows of the equations.
  bool mayBeEquations(const BlockRows& rows) const;
  /// Adds to `forces`, one a joint, what the equations did whose rows begin `rows` and have these
  /// forces,
  void addEquationForces(const Kinematics& frames, const BlockRows& rows,
                         std::span<const double> force, std::span<JointForce> forces) const;
  /// and the force of the row of a drive, if the contact id is that of one.
  void addDriveForce(std::uint64_t contact_id, double force, std::span<JointForce> forces) const;

  /// Which row of which joint a contact id belongs to; joint = -1 if it belongs to none.
  struct DriveId {
    int joint = -1;
    int coordinate = 0;
    const char* what = "";
  };
  static DriveId driveOf(std::uint64_t contact_id);
  /// False for an id that no contact has: of a joint or a coordinate that is not there.
  bool has(const DriveId& id) const;

 private:
  struct CountedAngle {
    int joint;
    int coordinate;
  };
  int placeOfAngle(int joint, int k) const;
  void dropTurnsAtStart(const Kinematics& frames);
  void addGear(std::size_t joint, const Kinematics& frames, std::span<const double> q,
               JointSet& out) const;
  void addLimits(std::uint64_t id, const JointDrive& drive, const BodyFunction& x,
                 const Kinematics& frames, const Reach& reach, ContactSet& out) const;
  /// What a motor is to do at a time: as its table says, or as is set from outside.
  struct MotorAim {
    double target;
    double rate;  ///< of the target
    double max_force;
  };
  MotorAim aimOf(std::size_t joint, std::size_t k, double t) const;
  void addMotor(std::size_t joint, std::size_t k, const BodyFunction& x, double t,
                const Kinematics& frames, ContactSet& out) const;
  void addElements(std::uint64_t id, const JointDrive& drive, const BodyFunction& x,
                   const Kinematics& frames, ContactSet& out) const;

  std::vector<Joint> joints_;
  int dimension_;
  int first_angle_;
  const std::shared_ptr<BodyInputs>& inputs_;
  std::vector<CountedAngle> angles_;
  std::vector<double> gear_offset_;
  std::vector<double> turns_at_start_;  ///< planar: whole turns of a joint's angle, in radians
  int equations_ = 0;
  int drives_ = 0;
};

/// A contact of one row, and its parameters.
struct RowContact {
  Contact contact;
  ContactParameters parameters;
};

/// Appends a one-row contact for `form`. Returns false, and appends nothing, if it is unilateral
/// and open by more than `reach` allows.
bool addRowContact(const RowContact& row, const BodyForm& form, double extra_drive,
                   const Kinematics& frames, int dimension, const Reach& reach, ContactSet& out);

/// True if `gap`, whose gradient is the first row of the last group of `rows`, is within `reach`.
bool lastGroupIsWithinReach(const BlockRows& rows, double gap, double drive, const Reach& reach);

}  // namespace stickslip
