// The mechanical system as the engine sees it: 002 (6)-(10) with joints as in 003 (2.9).
//
//   M(q,t) du = h(q,u,t) dt + sum_i J_i' dp_i + G' dc
//
// A system in generalized coordinates is easier to write on top of GeneralizedSystem
// (generalized_system.hpp); this interface is the one that bodies will implement too.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "stickslip/block_matrix.hpp"

namespace stickslip {

/// One contact that a system reports: its gap and the parameters of its laws.
struct Contact {
  int id = 0;      ///< stays the same while the same two places touch
  double gap = 0;  ///< g_N [length]: positive apart, negative overlapping
  double mu = 0;   ///< Coulomb friction coefficient, >= 0
  double e_n = 0;  ///< Newton restitution, normal, in [0, 1]
  double e_t = 0;  ///< Newton restitution, tangential, in [0, 1]
};

/// Contacts at one configuration. Group i of `directions` belongs to contacts[i]: its first row is
/// w_N, the following row, if there is one, is w_T. `drive` holds the rheonomic terms w_hat, row by
/// row, so that the contact velocity is gamma = directions * u + drive (002 (10)).
struct ContactSet {
  std::vector<Contact> contacts;
  BlockRows directions;
  std::vector<double> drive;

  void clear();
};

/// Bilateral constraints g(q,t) = 0 at one configuration; group j of `directions` is joint j, and
/// `gap` and `drive` are row by row: d(gap)/dt = directions * u + drive.
struct JointSet {
  BlockRows directions;
  std::vector<double> gap;
  std::vector<double> drive;

  void clear();
};

/// A mechanical system with contacts and joints. It does not change during a run; the state is
/// passed in. The engine calls it from one thread.
class System {
 public:
  virtual ~System() = default;

  /// Sizes of the diagonal blocks of the mass matrix; their sum is the number of velocities.
  virtual std::span<const int> velocityBlocks() const = 0;
  virtual int positionCount() const = 0;
  /// Largest number of contacts that can be reported at once; sizes the workspaces.
  virtual int contactCapacity() const = 0;
  /// Number of joint rows; sizes the workspaces.
  virtual int jointCapacity() const = 0;

  /// Mass matrix M(q,t), symmetric positive definite. `M` has the right blocks and holds zeros.
  virtual void massMatrix(double t, std::span<const double> q, BlockDiagonal& M) const = 0;
  /// h(q,u,t): gyroscopic terms and all finite forces, contacts and joints excepted.
  virtual void forces(double t, std::span<const double> q, std::span<const double> u,
                      std::span<double> h) const = 0;
  /// Appends every contact whose gap can close within `reach` to `out`, which is empty:
  /// gap <= sum_k |w_N,k| reach_k, where reach_k >= 0 is how far velocity k may carry. The order
  /// must depend on nothing but the arguments.
  virtual void contacts(double t, std::span<const double> q, std::span<const double> reach,
                        ContactSet& out) const = 0;
  /// Appends all joints to `out`, which is empty.
  virtual void joints(double t, std::span<const double> q, JointSet& out) const = 0;
  /// Moves the positions along the velocity u for the time dt, on the configuration manifold.
  virtual void move(std::span<const double> u, double dt, std::span<double> q) const = 0;

  /// Potential energy of the forces that have one; reported, never used by a step.
  virtual double potentialEnergy(double t, std::span<const double> q) const;

  virtual std::string positionName(int i) const = 0;
  virtual std::string velocityName(int i) const = 0;
  virtual std::string contactName(int id) const = 0;

  int velocityCount() const;
};

}  // namespace stickslip
