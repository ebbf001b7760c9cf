// Contacts of balls of an island for the solver `accelerated`, with their impulses: packets of
// ball_record_kernels.hpp, in the order of sweep_order.hpp.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/large_pages.hpp"
#include "problem/mass_factor.hpp"
#include "solvers/sweeps/accelerated/ball_record_kernels.hpp"
#include "solvers/sweeps/sweep_order.hpp"
#include "stickslip/contact_problem.hpp"

namespace stickslip {

// Contacts of balls: what turns a ball is a multiple of its tangents, the normal turns nothing, and
// with velocities w = L' v, M = L L',
//
//   u_n = n.x,  u_1 = t_1.x + t_2.y,  u_2 = t_2.x - t_1.y,
//   x = sum of share w_linear, y = sum of turn w_angular over the bodies.
//
// So W is diagonal, and the rows are nine numbers and two for each body.

struct BallContact {
  int count = 0;  ///< of balls
  std::array<int, 2> blocks{};
  double axes[3][3] = {};  ///< n, t_1, t_2
  double share[2] = {};
  double turn[2] = {};

  double normalMobility() const;   ///< W of the normal
  double tangentMobility() const;  ///< W of either tangent
};

/// True if a contact has the rows of balls (BallRows), masses of balls, and a round cone with
/// friction.
/// `block_of_column` has the block of each velocity.
bool isBallContact(const ContactProblem& problem, const BlockDiagonal& L, const MassFactor& masses,
                   std::span<const int> block_of_column, int contact);

/// What is known to be a contact of balls.
BallContact ballContact(const ContactProblem& problem, const MassFactor& masses,
                        std::span<const int> block_of_column, int contact);

/// The problem as islands take it, with what they have in common.
struct AcceleratedInput {
  const ContactProblem& problem;
  const BlockDiagonal& L;
  const BlockDiagonal& inverse_L;  ///< lower triangles
  const MassFactor& masses;
  std::span<const int> block_of_column;
  std::span<const double> q;        ///< J v_free + b
  std::span<const double> joint_q;  ///< G v_free + g
  std::span<const double> y_free;   ///< L' v_free
  double velocity_scale;            ///< the largest velocity of a contact without impulses

  bool isOfBalls(int contact) const {
    return isBallContact(problem, L, masses, block_of_column, contact);
  }
  BallContact ballsAt(int contact) const {
    return ballContact(problem, masses, block_of_column, contact);
  }
};

class AcceleratedBalls {
 public:
  /// Takes these contacts. `slots` are the places of the blocks among the velocities.
  void build(const AcceleratedInput& input, std::span<const int> contacts,
             std::span<const int> slots);

  int count() const { return static_cast<int>(bodies_.size()); }  ///< of contacts
  /// The largest mean diagonal entry of W of a contact.
  double mobility() const;

  /// Impulses from the problem's rows and back.
  void fromImpulses(std::span<const double> impulses);
  void toImpulses(std::span<double> impulses) const;
  void setToZero();

  /// One step of each contact, see RecordKernels.
  double sweep(double momentum, bool coulomb, double* w);
  /// w += A' p, and the same for the impulses of the sweep before.
  void push(double* w, double* w_before);
  double violation(bool coulomb, const double* w);
  double speed(const double* w) const;  ///< the largest one that w alone gives a contact
  double energy();                      ///< q.p

  void keep();
  void takeBack();
  void forgetLast();

 private:
  using Impulses = std::array<std::array<double, kLanes>, 3>;

  /// What a packet is made of.
  struct Place {
    int lanes = 0;
    std::array<int, kLanes> rows{};  ///< the first of each contact
  };

  void setBodies(const AcceleratedInput& input, std::span<const int> contacts);
  void makeRoom();
  void fill(const AcceleratedInput& input, std::span<const int> contacts,
            std::span<const int> slots, std::size_t packet);
  int packetCount() const { return order_.packetCount(); }

  SweepOrder order_;
  std::vector<std::array<int, 2>> bodies_;  ///< by their blocks, -1 if there is none
  // One for each packet, or more:
  LargePageVector<BallRecordPacket> packets_;
  std::vector<PacketMeasure> measures_;
  std::vector<Place> places_;
  std::vector<Impulses> kept_;
  std::vector<double> sums_;  ///< of chunks
};

}  // namespace stickslip
