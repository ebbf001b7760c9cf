#include "solvers/lemke_contact_solver.hpp"

namespace stickslip {

LemkeContactSolver::LemkeContactSolver(long pivot_budget)
    : lemke_(Lemke::Options{.pivot_limit = pivot_budget}) {}

void LemkeContactSolver::reserve(int velocities, int contacts, int joint_rows) {
  reduced_.reserve(velocities, 2 * contacts, joint_rows);
  planar_.reserve(contacts);
  lemke_.reserve(4 * contacts);
  z_.reserve(4 * static_cast<std::size_t>(contacts));
  p_.reserve(2 * static_cast<std::size_t>(contacts));
  p_relay_.reserve(2 * static_cast<std::size_t>(contacts));
}

SolveReport LemkeContactSolver::solve(const ContactProblem& problem, ContactSolution& solution) {
  reduced_.reduce(problem);
  LcpReport report = solveForm(PlanarLcp::Form::relay, problem);
  long pivots = report.pivots;
  if (report.status != SolveStatus::solved) {
    const LcpReport relay_report = report;
    p_relay_ = p_;
    report = solveForm(PlanarLcp::Form::cone, problem);
    pivots += report.pivots;
    if (report.status != SolveStatus::solved && relay_report.residual < report.residual)
      p_ = p_relay_;
  }
  reduced_.recover(p_, solution);
  return {report.status, pivots};
}

LcpReport LemkeContactSolver::solveForm(PlanarLcp::Form form, const ContactProblem& problem) {
  planar_.build(form, reduced_.W(), reduced_.q(), problem.J, problem.cones);
  const Lcp lcp = planar_.lcp();
  z_.resize(static_cast<std::size_t>(lcp.size()));
  const LcpReport report = lemke_.solve(lcp, z_);
  p_.resize(static_cast<std::size_t>(problem.J.rowCount()));
  planar_.impulses(z_, p_);
  return report;
}

}  // namespace stickslip
