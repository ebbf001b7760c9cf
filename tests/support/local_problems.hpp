// The same contact problem in FCLIB's local form, for tests.
#pragma once

#include "stickslip/local_problem.hpp"

namespace stickslip::testing {

/// u = W p + q of a problem without joints.
LocalProblem localForm(const ContactProblem& problem);

}  // namespace stickslip::testing
