// The part of a contact problem that can jam: contacts with cones and rigid joint rows. Bounded
// rows and springs resist only so much and are left out; so are all velocities.
#pragma once

#include <vector>

#include "stickslip/contact_problem.hpp"

namespace stickslip {

struct BareGeometry {
  BareGeometry(const ContactProblem& whole, bool friction);

  ContactProblem problem;         ///< of the relaxed law, all at rest
  std::vector<int> contact_of;    ///< contact of the whole of each group of J
  std::vector<int> joint_row_of;  ///< row of the whole of each row of G

  /// Puts velocities and impulses into a solution of the whole; what was left out gets zeros.
  ContactSolution inWhole(const ContactProblem& whole, const ContactSolution& bare) const;

 private:
  void addContact(const ContactProblem& whole, int contact, bool friction);
  void addJoint(const ContactProblem& whole, int joint);
};

}  // namespace stickslip
