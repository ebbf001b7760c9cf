// Islands that rest are left out of the steps, so that a settled pile costs what moves in it.
// Optional (Method::sleep_time): what sleeps is held where it is, which no equation says.
//
// An island falls asleep when for the time asked for no body in it was faster than the tolerance of
// the method can tell from rest, relative to what the forces on it would make it within a step, and
// every step was certified. Islands with joints, motors or supports that move by themselves, now or
// later, stay awake. It wakes as a whole, before the step is solved,
//
//   when a contact of the step touches it: only bodies that are awake, or move by themselves, are
//     still looked for around it,
//   when the force on one of its bodies is no longer that at which it fell asleep,
//   when a velocity is given to one of its bodies from outside.
#pragma once

#include <span>
#include <vector>

#include "problem/islands.hpp"
#include "stickslip/contact_problem.hpp"
#include "stickslip/state.hpp"
#include "stickslip/system.hpp"

namespace stickslip {

class RestingIslands {
 public:
  /// `tolerance` is that of the method.
  RestingIslands(double sleep_time, double tolerance);

  void reserve(const System& system);
  /// One flag for each velocity block, for Reach; empty while all are awake.
  std::span<const char> asleep() const {
    return std::span(asleep_).first(count_ > 0 ? asleep_.size() : 0);
  }
  /// Blocks asleep.
  int count() const { return count_; }

  /// Wakes what has been given a velocity.
  void checkVelocities(std::span<const double> u);
  /// Wakes what feels other accelerations than when it fell asleep.
  void wakeAccelerated(const BlockDiagonal& M, std::span<const double> acceleration);
  /// v_free := 0 for what sleeps.
  void hold(const BlockDiagonal& M, std::span<double> v_free) const;
  /// Wakes what contacts touch. True if anything woke: the problem then has to be set up again.
  bool wakeTouched(const ContactProblem& problem);
  /// How far velocities of what sleeps would carry if it were awake: `factor` h^2 acceleration.
  void widenReach(double factor, double h, std::span<double> way) const;
  /// Notes which contacts of the problem have a side that moves by itself.
  void noteContacts(std::span<const Contact> contacts);
  /// After a step of length h that was certified or not: counts the time at rest, and puts islands
  /// to sleep, whose velocities in `u` become zero.
  void endStep(const ContactProblem& problem, double h, bool certified, std::span<double> u);
  void wakeAll();

 private:
  void wakeIsland(int block);
  bool isQuiet(const BlockDiagonal& M, int block, std::span<const double> u, double h) const;
  bool mayRest(const ContactProblem& problem, int island) const;

  double sleep_time_;
  double quiet_;  ///< part of the velocity that forces give within a step
  int count_ = 0;
  std::vector<int> first_;  ///< velocity of each block, and the number of all
  std::vector<char> asleep_;
  std::vector<int> next_;             ///< of blocks asleep: the next one in a ring of their island
  std::vector<double> rest_time_;     ///< of blocks awake
  std::vector<double> acceleration_;  ///< of blocks awake now, of blocks asleep when they fell so
  std::vector<char> driven_;          ///< one per contact of the problem
  Islands islands_;
};

}  // namespace stickslip
