// One step of a semismooth Newton method on Coulomb's law in the form of Alart and Curnier
// (Computer Methods in Applied Mechanics and Engineering 92, 1991), in the coordinates of
// cone_problem.hpp.
//
// With y = pi - r omega the law is pi_n = [y_n]_+, pi_t = the point of the disc of radius [y_n]_+
// next to y_t. Linearized, the new impulse is the solution of a linear system:
//
//   open,    y_n <= 0:        pi = 0
//   closed:                   omega_n = 0, and
//     sticking, |y_t| <= y_n: omega_t = 0
//     sliding:                pi_t = pi_n e + a (I - e e') (pi_t - r omega_t),
//                             e = y_t / |y_t|,  a = y_n / |y_t|
//   bounded: at the bound that y is beyond, else omega = 0
//
// where omega = W pi + q + eps (pi - pi_old). The proximal term eps makes the matrix regular where
// contacts are redundant, and the solution is the same. Only rows that are not fixed enter the
// dense LU factorization.
#pragma once

#include <span>
#include <vector>

#include "solvers/cone_problem.hpp"

namespace stickslip {

class ConeNewton {
 public:
  void reserve(int rows);
  /// The new impulses in `next`; false if the system is singular to rounding.
  bool step(const ConeProblem& problem, std::span<const double> pi, std::span<const double> omega,
            double r, double eps, std::span<double> next);

 private:
  void classify(const ConeProblem& problem, std::span<const double> pi,
                std::span<const double> omega, double r, std::span<double> next);
  void assemble(const ConeProblem& problem, std::span<const double> pi,
                std::span<const double> omega, double r, double eps, std::span<const double> next);
  void addSlidingRows(const ConeProblem::Item& item, const ConeVector& y, double r);
  void velocityRow(const ConeProblem& problem, int row, std::span<const double> pi, double eps,
                   std::span<const double> fixed);

  std::vector<int> unknowns_;  ///< rows of the problem that are not fixed
  std::vector<int> place_;     ///< of each row among them, -1 if fixed
  std::vector<double> A_;
  std::vector<double> rhs_;
  std::vector<int> exchanges_;
};

}  // namespace stickslip
