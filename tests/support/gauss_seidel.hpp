// Projected Gauss-Seidel on contact problems with a diagonal mass matrix and without joints: slow
// to converge, but cheap, robust and independent of the solvers. It lets piles settle.
#pragma once

#include <array>
#include <cstdint>
#include <map>

#include "stickslip/contact_problem.hpp"

namespace stickslip::testing {

class GaussSeidel {
 public:
  /// Goes so many times over all contacts, starting with the impulses that the contacts had at the
  /// last call. Frictionless, planar and circular cones; Coulomb's law.
  void solve(const ContactProblem& problem, int sweeps, ContactSolution& solution);

 private:
  using Impulse = std::array<double, 3>;

  void start(const ContactProblem& problem, ContactSolution& solution);
  void relax(const ContactProblem& problem, int contact, ContactSolution& solution) const;
  void change(const ContactProblem& problem, int contact, const Impulse& to,
              ContactSolution& solution) const;

  std::map<std::uint64_t, Impulse> last_;
  std::vector<double> inverse_mass_;
  std::vector<double> mobility_;  ///< largest diagonal entry of W of each contact
};

}  // namespace stickslip::testing
