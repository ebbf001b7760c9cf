// Newton's method on a smoothed form of Coulomb's law with a proximal term: slower than the steps
// of cone_newton.hpp, and finds solutions from farther away.
//
// In the coordinates of cone_problem.hpp, with y = pi - omega_hat, the law is pi = P_K(y). The
// projection is the spectral function of [x]_+; with phi(x) = (x + sqrt(x^2 + 4 tau)) / 2 in its
// place (Chen, Sun & Sun, Computational Optimization and Applications 25, 2003) both pi and
// omega_hat = pi - y are strictly inside the cone, and their Jordan product is tau e. The slip
// |omega_t| is smoothed to sqrt(|omega_t|^2 + tau), and [lower, upper] likewise.
//
// For a proximal term eps (pi - centre) in omega the path tau -> 0 is followed by damped Newton
// steps; at its end the centre moves there and eps shrinks. Where the path is lost, eps grows and
// it starts again.
#pragma once

#include <span>
#include <vector>

#include "solvers/cone_problem.hpp"

namespace stickslip {

class SmoothedNewton {
 public:
  void reserve(int rows);
  /// Starts at pi.
  void start(const ConeProblem& problem, std::span<const double> pi, double residual);
  /// Follows one path; true if it came to its end, which is then in pi. Counts factorizations up to
  /// the limit.
  bool followPath(const ConeProblem& problem, long limit, long& factorizations,
                  std::span<double> pi);

 private:
  double evaluate(const ConeProblem& problem, std::span<const double> pi, std::span<double> F);
  bool newtonStep(const ConeProblem& problem);
  bool lineSearch(const ConeProblem& problem, double& share);
  void assemble(const ConeProblem& problem);

  double eps_ = 0;
  double tau_ = 0;
  double first_tau_ = 0;
  double norm_ = 0;  ///< of F at point_
  std::vector<double> centre_;
  std::vector<double> point_;
  std::vector<double> trial_;
  std::vector<double> omega_;
  std::vector<double> F_;
  std::vector<double> F_trial_;
  std::vector<double> step_;
  std::vector<double> A_;
  std::vector<int> exchanges_;
};

}  // namespace stickslip
