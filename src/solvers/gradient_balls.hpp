// Contacts of balls of an island for the solver `gradient`, with their impulses: packets of
// gradient_ball_kernels.hpp, colour after colour.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "solvers/gradient_ball_kernels.hpp"
#include "solvers/gradient_input.hpp"
#include "solvers/sweep_colours.hpp"
#include "sweeps/large_pages.hpp"

namespace stickslip {

class GradientBalls {
 public:
  /// Takes the units of balls. `slots` are the places of the blocks among the velocities.
  void build(const GradientInput& input, const SweepColours& colours, std::span<const int> slots);

  int count() const { return count_; }  ///< of contacts
  /// The largest mean diagonal entry of W of a contact.
  double mobility() const;

  /// Impulses from the problem's rows and back.
  void fromImpulses(std::span<const double> impulses);
  void toImpulses(std::span<double> impulses) const;
  void setToZero();

  /// One step of each contact of a colour, see GradientKernels.
  double sweep(std::size_t colour, double momentum, bool coulomb, double* w);
  /// w += A' p of a colour, and the same for the impulses of the sweep before.
  void push(std::size_t colour, double* w, double* w_before) const;
  double violation(bool coulomb, const double* w);
  double speed(const double* w) const;  ///< the largest one that w alone gives a contact
  double energy() const;                ///< q.p

  void keep();
  void takeBack();
  void forgetLast();

 private:
  using Impulses = std::array<std::array<double, kLanes>, 3>;

  /// What a packet is made of.
  struct Place {
    int first_unit = 0;
    int lanes = 0;
    std::array<int, kLanes> rows{};  ///< the first of each contact
  };

  void fill(const GradientInput& input, std::span<const SweepUnit> units,
            std::span<const int> slots, std::size_t packet);
  int packetCount() const { return static_cast<int>(packets_.size()); }

  int count_ = 0;
  LargePageVector<GradientPacket> packets_;
  std::vector<PacketMeasure> measures_;
  std::vector<Place> places_;
  std::vector<int> first_packet_;  ///< of each colour, and the end
  std::vector<Impulses> kept_;
  std::vector<double> sums_;  ///< of chunks
};

}  // namespace stickslip
