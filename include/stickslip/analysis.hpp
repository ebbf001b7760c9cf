// What can be said about a configuration before anything moves ([AH04] section 2.3.1): can its
// contacts be opened, can they jam, are joints redundant, is there a contact of Painleve's kind.
//
// With s_i = sqrt(n_i M^-1 n_i'), K_i the impulses that contact i can give, and the depth of a
// contact velocity u in the dual cone K_i*, which is u_n - mu |u_t| for a circular cone, the number
//
//   rho = max of min_i depth_i(J_i v) / s_i             over v with G v = 0, v.M v <= 1
//       = min of |J'p + G'c| in the norm of M^-1        over p_i in K_i with sum s_i p_n,i = 1
//
// is between 0 and 1 and has no unit. If rho > 0, some v opens all contacts at once (without
// friction: the configuration can be disassembled; with it: the friction cone is pointed, [AH04]
// (2.10), provided that the joints are independent). If rho = 0, some impulses balance each other,
// and no motion opens the contacts that carry them: they can jam. Any v proves a lower bound of
// rho and any p an upper one, whoever found them.
#pragma once

#include <vector>

#include "stickslip/contact_problem.hpp"

namespace stickslip {

/// The answer for the contacts of one island.
struct OpeningAnalysis {
  enum class Answer {
    opens,  ///< proven by a motion
    jams,   ///< proven by impulses, up to rounding
    undecided,
  };
  Answer answer = Answer::opens;
  double margin_proven = 0;   ///< lower bound of rho, by a motion
  double margin_ceiling = 1;  ///< upper bound of rho, by impulses: what is left of their balance
  /// Contacts that impulses in balance can load, ascending; no motion opens them. All others can
  /// be opened together.
  std::vector<int> jammed;
};

/// Contacts and joints that feel each other.
struct IslandAnalysis {
  std::vector<int> contacts;
  int velocities = 0;
  int joint_rows = 0;  ///< rigid ones
  /// Those that say again what others say; kUnknown if there are some among very many.
  int redundant_joint_rows = 0;
  static constexpr int kUnknown = -1;
  OpeningAnalysis frictionless;  ///< of the contacts without their friction
  OpeningAnalysis frictional;    ///< with it
};

/// A contact at which a normal impulse, with friction that slides the wrong way, pulls its bodies
/// together: n M^-1 (n + d)' < 0 for some d that friction can add to n.
struct PainleveContact {
  int contact = 0;
  double response = 0;  ///< the least n M^-1 (n + d)' relative to n M^-1 n'; negative
};

/// Whether a configuration can open or jam, island by island.
struct ConfigurationAnalysis {
  std::vector<IslandAnalysis> islands;
  /// Velocities that open what can be opened, and balanced impulses of what jams: the proofs.
  ContactSolution frictionless_witness;
  ContactSolution frictional_witness;
  std::vector<PainleveContact> painleve;
  /// The directions of all contacts and rigid joints are linearly independent: impulses follow
  /// from the motion, whatever it is. False also if finding out would take too long.
  bool impulses_unique = true;
};

/// Analyses the contacts, cones and joints of `problem`; its velocities do not matter. Bounded
/// rows and springs resist only so much, and are left out.
ConfigurationAnalysis analyseConfiguration(const ContactProblem& problem);

}  // namespace stickslip
