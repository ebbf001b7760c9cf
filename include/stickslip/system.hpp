// The mechanical system as the engine sees it: [GS05] (6)-(10) with joints as in [AP97] (2.9).
//
//   M(q,t) du = h(q,u,t) dt + sum_i J_i' dp_i + G' dc
//
// A system in generalized coordinates is easier to write on top of GeneralizedSystem
// (generalized_system.hpp); rigid bodies are one too (body_system.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "stickslip/block_matrix.hpp"
#include "stickslip/detail/row_drive.hpp"
#include "stickslip/friction_curve.hpp"
#include "stickslip/friction_directions.hpp"
#include "stickslip/vector.hpp"

namespace stickslip {

class MemoryReader;
class MemoryWriter;

/// The parameters of the laws that a contact obeys. Joint limits and ropes are contacts without
/// friction; motors and dry friction in joints are bounded rows.
struct ContactParameters {
  enum class Kind {
    unilateral,  ///< gap >= 0, and friction if there are tangents
    bounded,  ///< one row: any force between min_force and max_force that brings its velocity to 0
    one_way,  ///< one row: velocity >= 0, force >= 0, one of them 0: a sprag clutch
    /// One row, whose gap is a displacement x: max_force if x < 0, min_force if x > 0, any force
    /// between if x = 0: Sgn on displacement level, [GS05] section 2
    prestressed,
  };
  Kind kind = Kind::unilateral;
  double mu = 0;    ///< Coulomb friction coefficient along the first tangent, >= 0
  double mu_2 = 0;  ///< along the second tangent, if there is one
  double e_n = 0;   ///< Newton restitution, normal, in [0, 1]
  double e_t = 0;   ///< Newton restitution, tangential, in [0, 1]
  /// Torsional and rolling friction [length], as in ImpulseSet: the group of the contact then has
  /// rows of spin, if there are two tangents, and of rolling, one for each tangent.
  double torsion = 0;
  double rolling = 0;
  /// If either is > 0, friction does not depend on the load: these are the largest forces along the
  /// tangents, in place of mu and mu_2.
  double friction_force = 0;
  double friction_force_2 = 0;
  /// How mu and mu_2, which hold at rest, change with the sliding speed.
  FrictionCurve curve{};
  /// If > 0, the cone of a contact with two tangents is polyhedral with so many corners, >= 3.
  int directions = 0;
  /// If given, it is polyhedral with these, as ImpulseSet has them.
  FrictionDirections::Pointer given{};
  // Bounded and prestressed rows only:
  double min_force = 0;  ///< <= 0
  double max_force = 0;  ///< >= 0
  /// Bounded rows only. If > 0, the contact's gap is a distance to be closed, to 1/e of itself in
  /// this time; the row's velocity is then driven to -gap / time_constant.
  double time_constant = 0;

  bool isUnilateral() const { return kind == Kind::unilateral; }
  bool operator==(const ContactParameters&) const = default;
};

/// One contact that a system reports.
struct Contact {
  std::uint64_t id = 0;    ///< stays the same while the same two places touch
  double gap = 0;          ///< g_N [length]: positive apart, negative overlapping
  int parameters = 0;      ///< index into ContactSet::parameters, which many contacts share
  bool driven = false;     ///< one side moves as it is told, now or later
  bool is_placed = false;  ///< `point` says where it is
  Vec3 point{};            ///< halfway between its two sides
};

/// What a contact is between, for those who look at it from outside (ContactView).
struct ContactAxes {
  /// As the system counts them; -1: the world, or no body.
  int body_a = -1;
  int body_b = -1;
  bool of_joint = false;  ///< it is a limit or a motor of a joint between the two
  /// The normal from a to b and the tangents, as far as they are directions in space.
  int count = 0;
  std::array<Vec3, 3> axes{};
};

/// Contacts at one configuration. Group i of `directions` belongs to contacts[i]: its first row is
/// w_N, the following ones, if there are any, are one tangent in the plane and two in space, and
/// after them the rows of spin and rolling.
/// `drive` holds the rheonomic terms w_hat, row by row, so that the contact velocity is gamma =
/// directions * u + drive ([GS05] (10)); it is empty if all of them are 0 (driveOf).
struct ContactSet {
  std::vector<Contact> contacts;
  std::vector<ContactParameters> parameters;
  BlockRows directions;
  std::vector<double> drive;

  void clear();
  /// Appends a contact with these parameters; its rows and drives are appended apart.
  void add(Contact contact, const ContactParameters& its);
  const ContactParameters& parametersOf(const Contact& contact) const {
    return parameters[contact.parameters];
  }
  /// Of unilateral contacts, or 0.
  double deepestOverlap() const;
};

/// Which contacts are asked for: those with gap <= margin + sum_k |w_N,k| way_k + time |w_hat_N|.
struct Reach {
  std::span<const double> way;  ///< how far each velocity may carry, >= 0
  double margin = 0;            ///< gap that counts in any case, >= 0
  double time = 0;              ///< for how long prescribed motions go on, >= 0
  /// One for each velocity block, or empty: not 0 if it is held where it is. Contacts of two that
  /// are, or of one with what does not move, are not asked for.
  std::span<const char> asleep = {};
};

/// The way q (+) s u from time t on, s from 0 to `time`.
struct Way {
  double t = 0;
  std::span<const double> q;
  std::span<const double> u;
  double time = 0;
};

/// What is small for each velocity when contacts close.
struct ClosingScale {
  std::span<const double> touching;  ///< ways; gaps within them are closed
  std::span<const double> slow;  ///< velocities; contacts that approach with less do not collide
};

/// The first contact that closes on a way.
struct Closing {
  double time = std::numeric_limits<double>::infinity();  ///< infinite: none does
  /// False if the search was given up before it was clear that none closes earlier.
  bool sure = true;
};

/// Bilateral constraints g(q,t) = 0 at one configuration; group j of `directions` is joint j, and
/// the rest is row by row: d(gap)/dt = directions * u + drive. A row with a finite stiffness is no
/// constraint but a spring and damper along it, force = -stiffness gap - damping d(gap)/dt, which
/// schemes treat implicitly.
struct JointSet {
  BlockRows directions;
  std::vector<double> gap;
  std::vector<double> drive;
  std::vector<double> stiffness;  ///< kRigid for a constraint
  std::vector<double> damping;

  static constexpr double kRigid = std::numeric_limits<double>::infinity();

  void clear();
  /// Appends what belongs to one row of `directions` that is a constraint,
  void addRigid(double row_gap, double row_drive);
  /// or a spring and damper.
  void addSpring(double row_gap, double row_drive, double row_stiffness, double row_damping);
};

/// A mechanical system with contacts and joints. It does not change during a run; the state is
/// passed in. The engine calls it from one thread.
class System {
 public:
  virtual ~System() = default;

  /// Sizes of the diagonal blocks of the mass matrix; their sum is the number of velocities.
  virtual std::span<const int> velocityBlocks() const = 0;
  virtual int positionCount() const = 0;
  /// Most tangents of a contact: 1 in the plane, 2 in space.
  virtual int tangentCount() const { return 1; }
  /// Most rows of spin and rolling of a contact.
  virtual int momentCount() const { return 0; }
  /// Number of contacts to make room for in advance. More may be reported; room for them is made
  /// when they first come.
  virtual int contactCapacity() const = 0;
  /// Number of contacts with a fixed place in the system, with the ids 0, 1, ...; 0 if contacts
  /// come and go as bodies meet.
  virtual int fixedContactCount() const { return 0; }
  /// Number of joint rows; sizes the workspaces.
  virtual int jointCapacity() const = 0;

  /// Mass matrix M(q,t), symmetric positive definite. `M` has the right blocks and holds zeros.
  virtual void massMatrix(double t, std::span<const double> q, BlockDiagonal& M) const = 0;
  /// True if it never changes.
  virtual bool massIsConstant() const { return false; }
  /// For each velocity block the first one that always has the same masses, which may be itself;
  /// empty if that is not known. massMatrix() then writes those that are the first
  /// (BlockDiagonal::isOriginal), from which the others have theirs.
  virtual std::span<const int> massLike() const { return {}; }
  /// Called before each step. Throws InputError if what was set from outside, such as a force,
  /// cannot be used: the step is then not made.
  virtual void checkInputs() const {}
  /// h(q,u,t): all finite forces, except contacts, joints and what coast() does. `step` > 0 is
  /// the time over which they will be held constant; a system may use it to keep stiff terms
  /// stable.
  virtual void forces(double t, std::span<const double> q, std::span<const double> u, double step,
                      std::span<double> h) const = 0;
  /// True if velocities change by themselves, without force or impulse, as those of spinning bodies
  /// do in their own axes.
  virtual bool coasts() const { return false; }
  /// What the velocities are after the time dt of such motion.
  virtual void coast(double dt, std::span<double> u) const;
  /// Appends every contact whose gap is within `reach` to `out`, which is empty. The order must
  /// depend on nothing but the arguments.
  virtual void contacts(double t, std::span<const double> q, const Reach& reach,
                        ContactSet& out) const = 0;
  /// The same, asked once more at the same place, after all contacts there were, and with the same
  /// `way` for the blocks that are not marked in `blocks` (one flag for each velocity block):
  /// contacts between two of these need not be reported again. To be overridden by systems that
  /// save work by that; others report all.
  virtual void contactsOf(std::span<const char> blocks, double t, std::span<const double> q,
                          const Reach& reach, ContactSet& out) const;
  /// Bodies and directions of a contact that is group `group` of `rows`, `linear` rows of which are
  /// no spin or rolling. Nothing is known unless this is overridden.
  virtual ContactAxes contactAxes(std::uint64_t contact, const BlockRows& rows, int group,
                                  int linear) const;
  /// Whether the two sides of a contact that is open at q really meet while all move on along u for
  /// the time dt, and not only the planes that its row takes them for. True if the system does not
  /// know.
  virtual bool meetsAhead(std::uint64_t contact, double t, std::span<const double> q,
                          std::span<const double> u, double dt) const;
  /// When the first contact that is open at the start of a way, or opens on it, and overlaps by
  /// more than scale.touching at some time of it, comes to touch. Contacts that only graze, as slow
  /// as scale.slow, do not count. To be overridden by systems that can follow
  /// contacts on their way; nothing is found by others.
  virtual Closing firstClosing(const Way& way, const ClosingScale& scale) const;
  /// Appends every contact within `reach` that firstClosing() does not follow to `out`, which is
  /// empty: all contacts, unless overridden.
  virtual void contactsNotFollowed(double t, std::span<const double> q, const Reach& reach,
                                   ContactSet& out) const;
  /// At most how far anything of a velocity block that could touch something goes where its
  /// velocities carry as far as `way`, its part of Reach::way. Infinite if the system does not
  /// know.
  virtual double farthestMove(int block, std::span<const double> way) const;
  /// The deepest overlap of unilateral contacts, or 0. `at_rest` reaches nowhere; `workspace` is
  /// for any use. To be overridden where rows of all contacts are not needed for it.
  virtual double deepestOverlap(double t, std::span<const double> q, const Reach& at_rest,
                                ContactSet& workspace) const;
  /// Appends all joints to `out`, which is empty.
  virtual void joints(double t, std::span<const double> q, JointSet& out) const = 0;
  /// Moves the positions along the velocity u from time t to t + dt, on the configuration manifold.
  virtual void move(double t, std::span<const double> u, double dt, std::span<double> q) const = 0;

  /// How far apart two configurations are, as error control sees it: the largest difference of a
  /// coordinate; of bodies, of a place, turning taken at the radius of gyration.
  virtual double distance(std::span<const double> q_a, std::span<const double> q_b) const;
  // What helps to choose a scheme: whether anything can meet anything else (limits of joints do not
  // count), and whether any contact or limit bounces.
  virtual bool touches() const { return contactCapacity() > 0; }
  virtual bool bounces() const { return false; }

  /// Potential energy of the forces that have one; reported, never used by a step.
  virtual double potentialEnergy(double t, std::span<const double> q) const;

  /// What it has been told or remembers since it was made, as far as it reaches results; and makes
  /// it so again (memory_stream.hpp). Nothing unless overridden: caches that save work and change
  /// no bit need not be saved.
  virtual void saveMemory(MemoryWriter& /*to*/) const {}
  virtual void restoreMemory(MemoryReader& /*from*/) const {}

  virtual std::string positionName(int i) const = 0;
  virtual std::string velocityName(int i) const = 0;
  virtual std::string contactName(std::uint64_t id) const = 0;

  int velocityCount() const;
};

}  // namespace stickslip
