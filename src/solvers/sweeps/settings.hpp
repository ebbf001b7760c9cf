// The constants of the solvers `sweeps` and `accelerated`, with what they mean and how they were
// chosen. They are compiled in; what users set is in Method.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace stickslip {

/// Solver `sweeps` (sweeps_solver.hpp).
struct SweepsSettings {
  /// Sweeps of a solve without a budget, as other engines have them: twenty leave an overlap of a
  /// millimetre in the pile of docs/performance.md.
  static constexpr std::int64_t usual_sweeps = 20;
};

/// Packets of contacts (packet_kernels.inl).
struct PacketSettings {
  /// Most steps of the search for a sliding direction. Its start is exact where tangents are alike
  /// and do not lean, and a few steps do otherwise.
  static constexpr int slide_steps = 30;
  /// Relative error of |p_t| = p_n at which the search ends: a thousand roundings.
  static constexpr double slide_exact = 1e-13;
  /// Mobilities of tangents below this part of the normal one are rounding.
  static constexpr double flat = 1e-14;
};

/// Solver `accelerated` (accelerated_solver.hpp).
struct AcceleratedSettings {
  /// Part of the tolerance that is aimed at: the residual is the certificate's up to rounding, or
  /// more.
  static constexpr double share = 0.9;
  /// The same beside joints, which are made exact afterwards: contacts move a little then.
  static constexpr double share_with_joints = 0.5;
  /// Sweeps of an island without a budget: more than a pile takes to 1e-6. What takes longer,
  /// towers and mass ratios, is for other solvers.
  static constexpr std::int64_t usual_budget = 5000;
  /// What is below this part of the velocities at hand is rounding to the certificate.
  static constexpr double noise = 1e-6;
};

/// Momentum of accelerated sweeps (momentum.hpp).
struct MomentumSettings {
  // Sweeps between two looks at the residual, each of which costs about one: a part of those that
  // were made, within bounds.
  static constexpr std::int64_t share_between_looks = 6;
  static constexpr std::int64_t least_between_looks = 4;
  static constexpr std::int64_t most_between_looks = 16;
  /// What sweeps keep up to date is computed anew after so many of them, before rounding adds up to
  /// what the certificate sees.
  static constexpr std::int64_t refresh = 128;
  /// Limits of momentum, one after the other. Full momentum runs away in piles with Coulomb's law,
  /// which begins with the second; too little is slow.
  static constexpr std::array<double, 6> limits{1, 0.9, 0.8, 0.95, 0.6, 0.98};
  static constexpr std::size_t first_limit_relaxed = 0;
  static constexpr std::size_t first_limit_coulomb = 1;
  /// A look at a residual that is at most this part of the best one is progress.
  static constexpr double progress = 0.9;
  // Looks without progress after which the next limit is tried. The relaxed law minimizes an
  // energy, and is given more time.
  static constexpr int patience_relaxed = 48;
  static constexpr int patience_coulomb = 16;
  /// A point whose residual is so many times the best one is given up when the limit changes.
  static constexpr double lost = 10;
};

/// The order of sweeps (sweep_order.hpp).
struct SweepOrderSettings {
  // Contacts of a region. The more, the fewer bodies are in several; the fewest take 15 to 20 us.
  static constexpr int most_of_region = 4096;
  static constexpr int fewest_of_region = 1024;
  /// Regions for the threads to share, if there are contacts enough.
  static constexpr int regions = 32;
  /// Regions are worth it from so many in a phase on.
  static constexpr int regions_per_phase = 3;
  /// Room for lanes: one in so many to spare.
  static constexpr int spare_lanes = 4;
  /// The same for packets.
  static constexpr std::size_t spare_packets = 32;
};

/// How much of each kind of work a thread takes at once: 5 to 20 us, so that handing it out does
/// not count. Sums are added by tasks: these numbers, and not those of threads, are part of the
/// bits.
struct SweepTasks {
  static constexpr int packets_of_colour = 64;
  static constexpr int packets = 64;
  static constexpr int ball_packets = 32;
  static constexpr int records = 128;
  static constexpr int records_set_up = 64;
  static constexpr int cones = 32;
  static constexpr int numbers = 4096;  ///< of velocities; whole slots
  static constexpr int blocks = 512;
  static constexpr int contacts = 1024;  ///< to be looked at
  static constexpr int contacts_sorted = 512;
};

}  // namespace stickslip
