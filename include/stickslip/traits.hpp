// What general code has to know of a solver or a scheme beside how to call it. It asks for a trait,
// never for a name, so that a method that a program adds is treated as one of this library.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "stickslip/law.hpp"

namespace stickslip {

/// Of a solver. The defaults suit one that iterates, takes every problem, and claims nothing.
struct SolverTraits {
  /// After which of its failures a problem may have no solution, so that the step tries one that
  /// asks for less (Concession). A ray says so in any case, divergence never.
  enum class Doubt {
    never,             ///< its iterations may end early on problems that have solutions
    after_inaccurate,  ///< SolveStatus::inaccurate alone
    after_any_failure,
  };

  bool takes_coulomb = true;   ///< Law::coulomb
  bool takes_relaxed = true;   ///< Law::relaxed
  bool takes_circular = true;  ///< friction cones that no finite number of planes bounds
  /// It ends after as many iterations as it is told, and answers are as good as they are then:
  /// steps of different lengths cannot be compared, and few problems may be solved again.
  bool fixed_effort = false;
  bool takes_initial_slip = false;  ///< Method::initial_slip
  Doubt doubt = Doubt::never;

  /// Whether it takes problems with this law.
  bool takes(Law law) const { return law == Law::coulomb ? takes_coulomb : takes_relaxed; }
};

/// Of a scheme.
struct SchemeTraits {
  /// Members of Method that are for some schemes only, and that this one has, by their names:
  /// "implicit", "margin", "correction", "full_push", "lift", "sleep_time", "impact", "theta",
  /// "joint_stabilization", "geometry".
  std::vector<std::string> options{};
  /// Gaps are those at the start of a step: overlaps at the end of a run are not in any certificate
  /// yet, and are looked for.
  bool gaps_at_start = false;
  bool watches_contacts = false;    ///< it fills SchemeReport::contact_rounds
  bool locates_collisions = false;  ///< it fills SchemeReport::collisions

  /// Whether it has the option.
  bool has(std::string_view option) const;
};

}  // namespace stickslip
