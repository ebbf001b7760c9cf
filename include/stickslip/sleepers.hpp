// What sleeps (Method::sleep_time), as data by velocity block: it is held where it is and left out
// of the problems of steps. The Stepper decides what falls asleep; a ProblemBuilder leaves it out,
// and wakes it where forces or contacts are no longer those that it fell asleep with.
#pragma once

#include <span>
#include <vector>

#include "stickslip/contact_problem.hpp"
#include "stickslip/system.hpp"

namespace stickslip {

class MemoryReader;
class MemoryWriter;

/// Velocity blocks asleep, in islands that wake as a whole.
class Sleepers {
 public:
  void reserve(const System& system);

  /// One flag for each velocity block, for Reach; empty while all are awake.
  std::span<const char> asleep() const {
    return std::span(asleep_).first(count_ > 0 ? asleep_.size() : 0);
  }
  bool isAsleep(int block) const { return asleep_[block] != 0; }
  /// Blocks asleep.
  int count() const { return count_; }
  /// Of what is awake now, and of what sleeps when it fell asleep.
  std::span<const double> acceleration() const { return acceleration_; }

  /// Puts an island to sleep: blocks that are awake.
  void putToSleep(std::span<const int> island);
  void wakeAll();
  /// Wakes what has been given a velocity.
  void checkVelocities(std::span<const double> u);
  /// Wakes what feels other accelerations than when it fell asleep, and keeps those of the others.
  void wakeAccelerated(const BlockDiagonal& M, std::span<const double> acceleration);
  /// Wakes what contacts touch. True if anything woke: the problem then has to be set up again.
  bool wakeTouched(const ContactProblem& problem);

  /// v_free := 0 for what sleeps.
  void hold(const BlockDiagonal& M, std::span<double> v_free) const;
  /// How far velocities of what sleeps would carry if it were awake: `factor` h^2 acceleration.
  void widenReach(double factor, double h, std::span<double> way) const;

  void saveMemory(MemoryWriter& to) const;
  /// Throws InputError if it is not of as many blocks.
  void restoreMemory(MemoryReader& from);

 private:
  void wakeIsland(int block);

  int count_ = 0;
  std::vector<int> first_;  ///< velocity of each block, and the number of all
  std::vector<char> asleep_;
  std::vector<int> next_;  ///< of blocks asleep: the next one in a ring of their island
  std::vector<double> acceleration_;
};

}  // namespace stickslip
