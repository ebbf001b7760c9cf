// Coulomb's law on a problem without bodies, by block Gauss-Seidel on the rows of W as they are
// given: for one contact after the other the exact solution of its own law (single_contact.hpp),
// all others held.
//
// For contacts that hardly know of each other a few sweeps are exact, and done before anything else
// has been built. Problems for which sweeps are slow are given up at once: a sweep must change a
// hundred times less than the one before.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cones/single_contact.hpp"
#include "stickslip/local_problem.hpp"

namespace stickslip {

class QuickLocalSweeps {
 public:
  /// Contacts of one cone each: round or planar, with friction or without.
  static bool covers(const LocalProblem& problem);
  /// From zero; at most `most` sweeps. True if the last one changed no velocity by more than
  /// `tolerance` of the largest of q. Adds the sweeps to `count`.
  bool run(const LocalProblem& problem, double tolerance, std::int64_t most, std::vector<double>& p,
           std::int64_t& count);

 private:
  using Rows = std::array<double, 3>;
  struct Contact {
    int first = 0;
    int rows = 0;
    Rows factor{};  ///< by which rows are multiplied to make the cone a unit one
    double mobility = 0;
    std::array<double, 9> block{};  ///< of W, scaled
    SingleContact law;
  };

  void prepare(const LocalProblem& problem);
  /// Returns the largest change of a velocity.
  double sweep(const LocalProblem& problem, std::span<double> p) const;

  double velocity_ = 0;  ///< the largest of q
  std::vector<Contact> contacts_;
};

}  // namespace stickslip
