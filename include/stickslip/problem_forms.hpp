// What follows from a contact problem without solving it: f and v_free, v and c of given impulses,
// velocities of contacts, and the problem without its bodies. The problem is to be one that
// checkProblem() accepts.
#pragma once

#include <span>
#include <vector>

#include "stickslip/contact_problem.hpp"
#include "stickslip/local_problem.hpp"

namespace stickslip {

/// M v.
std::vector<double> massTimes(const BlockDiagonal& M, std::span<const double> v);

/// M^-1 f. Throws InputError, with a row, if M is not positive definite.
std::vector<double> solveMass(const BlockDiagonal& M, std::span<const double> f);

/// Velocity and joint impulses that belong to contact impulses, by momentum and joints. With joints
/// this takes dense matrices, as many rows as p has.
ContactSolution solutionWith(const ContactProblem& problem, std::span<const double> p);

/// u: J v + b, or W p + q.
std::vector<double> contactVelocities(const ContactProblem& problem, std::span<const double> v);
std::vector<double> contactVelocities(const LocalProblem& problem, std::span<const double> p);

/// The problem with velocities and joints eliminated, which forms W as a dense matrix first.
LocalProblem localForm(const ContactProblem& problem);

}  // namespace stickslip
