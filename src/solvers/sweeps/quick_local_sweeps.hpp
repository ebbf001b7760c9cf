// Coulomb's law on a problem without bodies, by sweeps over the rows of W as they are given
// (island_sweeps.hpp).
//
// For contacts that hardly know of each other a few sweeps are exact, and done before anything else
// has been built: 20 us instead of 300 us for 28 loose contacts. Problems for which sweeps are slow
// are given up at once.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "solvers/sweeps/island_sweeps.hpp"
#include "stickslip/local_problem.hpp"

namespace stickslip {

struct QuickLocalSweepsSettings {
  /// Each sweep must change so much less than the one before: two to four of them reach rounding,
  /// or the contacts are not loose.
  double quick = 0.01;
};

class QuickLocalSweeps {
 public:
  /// Contacts of one cone each: round or planar, with friction or without.
  static bool covers(const LocalProblem& problem);
  /// From zero; at most `most` sweeps. True if the last one changed no velocity by more than
  /// `tolerance` of the largest of q. Adds the sweeps to `count`.
  bool run(const LocalProblem& problem, double tolerance, std::int64_t most, std::vector<double>& p,
           std::int64_t& count);

 private:
  /// The rows of W times the factors that make cones unit ones, with q in them.
  class Rows final : public SweepRows {
   public:
    /// What is the same in all sweeps.
    double prepare(const LocalProblem& problem, IslandSweeps& sweeps);
    void start(std::span<double> p);
    /// One sweep; the largest change of a velocity.
    double sweep(const IslandSweeps& sweeps);

    void sweepVelocity(int contact, std::span<double> out) const override;
    void sweepChange(int contact, std::span<const double> change) override;

   private:
    const LocalProblem* problem_ = nullptr;
    std::vector<Cone> cones_;
    std::vector<double> factor_;    ///< of rows
    std::vector<double> mobility_;  ///< of contacts
    std::vector<double> scaled_p_;  ///< p / factor
    std::span<double> p_;
    double most_ = 0;
  };

  QuickLocalSweepsSettings settings_;
  IslandSweeps sweeps_;
  Rows rows_;
};

}  // namespace stickslip
