// Contacts of balls of an island for the solver `gradient`, with their impulses: packets of
// gradient_ball_kernels.hpp, in the order of sweeps/sweep_order.hpp.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "solvers/gradient_ball_kernels.hpp"
#include "solvers/gradient_input.hpp"
#include "sweeps/large_pages.hpp"
#include "sweeps/sweep_order.hpp"

namespace stickslip {

class GradientBalls {
 public:
  /// Takes these contacts. `slots` are the places of the blocks among the velocities.
  void build(const GradientInput& input, std::span<const int> contacts, std::span<const int> slots);

  int count() const { return static_cast<int>(bodies_.size()); }  ///< of contacts
  /// The largest mean diagonal entry of W of a contact.
  double mobility() const;

  /// Impulses from the problem's rows and back.
  void fromImpulses(std::span<const double> impulses);
  void toImpulses(std::span<double> impulses) const;
  void setToZero();

  /// One step of each contact, see GradientKernels.
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

  void setBodies(const GradientInput& input, std::span<const int> contacts);
  void makeRoom();
  void fill(const GradientInput& input, std::span<const int> contacts, std::span<const int> slots,
            std::size_t packet);
  int packetCount() const { return order_.packetCount(); }

  SweepOrder order_;
  std::vector<std::array<int, 2>> bodies_;  ///< by their blocks, -1 if there is none
  // One for each packet, or more:
  LargePageVector<GradientPacket> packets_;
  std::vector<PacketMeasure> measures_;
  std::vector<Place> places_;
  std::vector<Impulses> kept_;
  std::vector<double> sums_;  ///< of chunks
};

}  // namespace stickslip
