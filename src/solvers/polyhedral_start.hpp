// A start for the exact solver: the problem with polyhedral cones inside the round ones, by Lemke's
// method (003 (2.13)), which cannot fail in exact arithmetic.
//
// Each polygon has a corner against the sliding of its contact at the point given (or along its
// impulse, if it does not slide), so that a contact that slides this way has the exact friction.
#pragma once

#include <span>
#include <vector>

#include "contact/friction_lcp.hpp"
#include "solvers/cone_problem.hpp"
#include "stickslip/lcp.hpp"

namespace stickslip {

class PolyhedralStart {
 public:
  /// Dense pivoting on larger problems takes longer than it is worth.
  static constexpr int kMostContacts = 64;

  void reserve(int contacts, int rows);
  /// Replaces pi, whose velocity is omega. Counts the pivots, up to the limit.
  void solve(const ConeProblem& problem, long pivot_limit, std::span<double> pi,
             std::span<const double> omega, long& pivots);

 private:
  /// The direction of a row's axis in the two tangents, (1, 0) for all others.
  struct Turn {
    double cosine = 1;
    double sine = 0;
  };

  void chooseTurns(const ConeProblem& problem, std::span<const double> pi,
                   std::span<const double> omega);
  void turnProblem(const ConeProblem& problem);
  void describeSets(const ConeProblem& problem);

  std::vector<Turn> turns_;  ///< of each item
  std::vector<double> W_;    ///< in turned tangents
  std::vector<double> q_;
  BlockRows groups_;  ///< rows of each item; no columns
  std::vector<ImpulseSet> sets_;
  FrictionLcp lcp_;
  Lemke lemke_;
  std::vector<double> z_;
};

}  // namespace stickslip
