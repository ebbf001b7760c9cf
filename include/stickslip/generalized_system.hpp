// Base class for systems in generalized coordinates with q' = u, written as in [GS05] section 3:
// the user gives M, h, the gaps with their directions and rheonomic terms, and joints if any.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stickslip/matrix_view.hpp"
#include "stickslip/system.hpp"

namespace stickslip {

/// The law of one contact: Coulomb friction and Newton restitution, [GS05] (11)-(12), or that of a
/// set-valued force element of one row, [GS05] section 2 (`kind`), which has neither.
struct ContactLaw {
  double mu = 0;   ///< friction coefficient, >= 0; along the first tangent
  double e_n = 0;  ///< normal restitution, in [0, 1]
  double e_t = 0;  ///< tangential restitution, in [0, 1]
  /// If > 0, the largest friction force whatever the load, in place of mu ([GS05] section 6).
  double friction_force = 0;
  /// How friction changes with the sliding speed; mu holds at rest.
  FrictionCurve curve{};

  int tangents = 1;  ///< 1 or 2: directions in which the contact can slide
  // With two tangents:
  std::optional<double> mu_2{};  ///< friction coefficient along the second one; default mu
  int directions = 0;            ///< as in ContactParameters
  /// Friction is in mu times their hull; they have no moments.
  FrictionDirections::Pointer given{};

  /// Only contacts with friction are asked for tangents.
  bool hasFriction() const { return mu > 0 || mu_2.value_or(0) > 0 || friction_force > 0; }

  ContactParameters::Kind kind = ContactParameters::Kind::unilateral;
  /// Of `bounded` and `prestressed` elements: the forces along normalDirection() that they can
  /// give.
  double min_force = 0;  ///< <= 0
  double max_force = 0;  ///< >= 0

  bool isUnilateral() const { return kind == ContactParameters::Kind::unilateral; }
  /// Load-independent dry friction along one row: any force up to `most` that stops its velocity.
  static ContactLaw dryFriction(double most);
  /// A row whose velocity cannot be negative.
  static ContactLaw oneWay();
  /// A prestressed spring: its gap(), the elongation, stays 0 until a force above `most` acts,
  /// which is what it then gives. For what is added per elongation, see JointLaw.
  static ContactLaw prestress(double most);
};

/// What holds a joint: nothing moves it, or a spring and damper along its direction with the force
/// -stiffness gap - damping d(gap)/dt, which schemes take implicitly.
struct JointLaw {
  double stiffness = JointSet::kRigid;
  double damping = 0;
};

/// A system with f coordinates q and velocities u = q'. Override what the system has; contacts and
/// joints default to none. All functions must be pure: same arguments, same result.
class GeneralizedSystem : public System {
 public:
  explicit GeneralizedSystem(int coordinate_count);

  int coordinateCount() const { return block_[0]; }

  /// Number of unilateral constraints g_N >= 0, open ones included, and of force elements.
  virtual int contactCount() const { return 0; }
  /// Number of bilateral constraints.
  virtual int jointCount() const { return 0; }

  /// M(q,t), f x f, symmetric positive definite; `M` holds zeros on entry.
  virtual void generalizedMass(double t, std::span<const double> q, MatrixView M) const = 0;
  /// h(q,u,t); `h` holds zeros on entry.
  virtual void generalizedForces(double t, std::span<const double> q, std::span<const double> u,
                                 std::span<double> h) const = 0;

  /// Friction and restitution of contact i, or which force element it is.
  virtual ContactLaw contactLaw(int i) const;
  /// g_N,i(q,t): positive when open. Of prestressed elements the elongation; of others that are no
  /// contacts it does not matter.
  virtual double gap(int i, double t, std::span<const double> q) const;
  /// w_N,i(q,t), the gradient of the gap (zeros on entry); returns the rheonomic term dg/dt.
  virtual double normalDirection(int i, double t, std::span<const double> q,
                                 std::span<double> w) const;
  /// w_T,i(q,t) (zeros on entry); returns the rheonomic term of the tangential velocity.
  virtual double tangentDirection(int i, double t, std::span<const double> q,
                                  std::span<double> w) const;
  /// The second one, w_T2,i(q,t), of a contact with two tangents.
  virtual double secondTangentDirection(int i, double t, std::span<const double> q,
                                        std::span<double> w) const;

  /// What holds joint j.
  virtual JointLaw jointLaw(int j) const;
  /// Joint j: the value of g_j(q,t), which the motion keeps at zero.
  virtual double jointGap(int j, double t, std::span<const double> q) const;
  /// The gradient of g_j with respect to q (zeros on entry); returns dg_j/dt.
  virtual double jointDirection(int j, double t, std::span<const double> q,
                                std::span<double> w) const;

  /// Names for output; "q0", "contact0" ... unless overridden.
  virtual std::string coordinateName(int i) const;
  std::string contactName(std::uint64_t i) const override;

  std::span<const int> velocityBlocks() const final { return block_; }
  int positionCount() const final { return coordinateCount(); }
  /// Contacts with one tangent and with two may be side by side.
  int tangentCount() const final;
  int contactCapacity() const final { return contactCount(); }
  bool bounces() const final;
  int fixedContactCount() const final { return contactCount(); }
  int jointCapacity() const final { return jointCount(); }
  void massMatrix(double t, std::span<const double> q, BlockDiagonal& M) const final;
  void forces(double t, std::span<const double> q, std::span<const double> u, double step,
              std::span<double> h) const final;
  void contacts(double t, std::span<const double> q, const Reach& reach,
                ContactSet& out) const final;
  void joints(double t, std::span<const double> q, JointSet& out) const final;
  void move(double t, std::span<const double> u, double dt, std::span<double> q) const final;
  std::string positionName(int i) const final { return coordinateName(i); }
  std::string velocityName(int i) const final { return coordinateName(i); }

 private:
  int block_[1];
};

}  // namespace stickslip
