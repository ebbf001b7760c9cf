// The contacts of a problem and its solution as views. Nothing that a step computes: directions in
// space are read off the rows, of which those of bodies begin with linear velocities.
#pragma once

#include <vector>

#include "stickslip/contact_problem.hpp"
#include "stickslip/contact_view.hpp"
#include "stickslip/problem_builder.hpp"
#include "stickslip/system.hpp"

namespace stickslip {

/// Fills `out` with the unilateral contacts of the problem that `builder` made last. Velocities
/// below `tolerance` of the largest that the problem is about, and impulses below it of the
/// largest, are taken for zero.
void viewContacts(const System& system, const ContactProblem& problem,
                  const ContactSolution& solution, const ProblemBuilder& builder, double tolerance,
                  std::vector<ContactView>& out);

}  // namespace stickslip
