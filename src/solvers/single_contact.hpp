// Coulomb's law at one contact while all others are held, solved exactly.
//
//   omega = A pi + b,  |pi_t| <= pi_n,  omega_hat = omega + |omega_t| e_n in the dual cone,
//   pi.omega_hat = 0
//
// with A symmetric positive semidefinite of size 1 to 3 (cone_problem.hpp). Three cases: open
// (b_n >= 0), sticking (pi = -A^-1 b if that is in the cone), else sliding: omega_n = 0,
// omega_t = -kappa pi_t, |pi_t| = pi_n, where kappa > 0 is the root of one scalar function.
#pragma once

#include "solvers/cone_problem.hpp"

namespace stickslip {

/// A is given by rows, zero beyond `size`.
ConeVector solveSingleContact(const std::array<ConeVector, 3>& A, const ConeVector& b, int size);

}  // namespace stickslip
