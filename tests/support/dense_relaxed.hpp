// The relaxed law by brute force, for tests: dense W, accelerated projected gradients on the
// impulses. Slow, and shares nothing with the solvers but the projections of the certificate.
#pragma once

#include <vector>

#include "stickslip/contact_problem.hpp"
#include "stickslip/local_problem.hpp"

namespace stickslip::testing {

/// M^-1 x for a block-diagonal M, by elimination.
std::vector<double> solveMass(const BlockDiagonal& M, std::vector<double> x);

/// The problem with its bodies eliminated; it must have no joints.
LocalProblem eliminateBodies(const ContactProblem& problem);

/// J v + b.
std::vector<double> contactVelocities(const ContactProblem& problem, const std::vector<double>& v);

/// Velocities v of a problem without joints after `iterations` steps.
std::vector<double> relaxedVelocities(const ContactProblem& problem, int iterations);

}  // namespace stickslip::testing
