// The margin rho of analysis.hpp for one island, by one convex problem.
//
//   minimize  (v.M v + (x - 1)^2) / 2   subject to   G v = 0,   J_i v - s_i x e_n in K_i*
//
// A wedge is driven into all contacts at once, at the speed x. This is the relaxed contact problem
// with one velocity more, x, whose mass is 1 and whose free velocity is 1; it has a solution
// whatever the contacts are, as v = 0, x < 0 is inside of all constraints. Its impulses have
// sum s_i p_n,i = 1 - x and M v = J'p + G'c. If x > 0, v opens all contacts; if x = 0, then v = 0,
// and p is in balance. What they prove is measured afterwards, by other code than the solver's.
//
// Contacts that carry such impulses cannot be opened. The question is then asked again with s_i = 0
// for them (they must not be pushed together, that is all), until the others open.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "analysis/analysis.hpp"
#include "certificate/scaled_directions.hpp"
#include "stickslip/analysis.hpp"
#include "stickslip/solver.hpp"

namespace stickslip {

/// The least p.u over the p in K with p_n = 1: > 0 inside of K*, < 0 outside.
double depthInDual(const ImpulseSet& set, std::span<const double> u);

class OpeningMargin {
 public:
  /// Keeps a reference.
  explicit OpeningMargin(const BareGeometry& geometry);

  /// Contacts are numbered as in geometry.problem.
  OpeningAnalysis analyse();
  /// After analyse: a velocity that opens what can be opened, and impulses in balance.
  const ContactSolution& witness() const { return witness_; }

 private:
  void driveWedge();
  ContactProblem wedgeProblem() const;
  double openingOf(std::span<const double> v) const;
  double imbalanceOf(const ContactSolution& impulses) const;
  void addBalanced(const ContactSolution& impulses, std::vector<int>& jammed);

  const ContactProblem& bare_;
  std::unique_ptr<Solver> solver_;
  BlockDiagonal factor_;           ///< L, M = L L'
  ScaledDirections contact_rows_;  ///< J L^-T
  ScaledDirections joint_rows_;    ///< G L^-T
  std::vector<double> size_;       ///< s_i
  std::vector<double> speed_;      ///< of the wedge at each contact: s_i, or 0 for jammed ones
  ContactSolution answer_;         ///< of the last question
  ContactSolution witness_;
};

}  // namespace stickslip
