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
#include "stickslip/sleepers.hpp"
#include "stickslip/system.hpp"

namespace stickslip {

class RestingIslands {
 public:
  /// `tolerance` is that of the method.
  RestingIslands(double sleep_time, double tolerance);

  void reserve(const System& system);
  /// What sleeps.
  Sleepers& sleepers() { return sleepers_; }
  const Sleepers& sleepers() const { return sleepers_; }

  /// After a step of length h that was certified or not: counts the time at rest, and puts islands
  /// to sleep, whose velocities in `u` become zero. `contacts` are those of the problem.
  void endStep(const ContactProblem& problem, std::span<const Contact> contacts, double h,
               bool certified, std::span<double> u);
  void wakeAll();

  void saveMemory(MemoryWriter& to) const;
  void restoreMemory(MemoryReader& from);

 private:
  bool isQuiet(const BlockDiagonal& M, int block, std::span<const double> u, double h) const;
  bool mayRest(const ContactProblem& problem, std::span<const Contact> contacts, int island) const;

  double sleep_time_;
  double quiet_;  ///< part of the velocity that forces give within a step
  Sleepers sleepers_;
  std::vector<double> rest_time_;  ///< of blocks awake
  Islands islands_;
};

}  // namespace stickslip
