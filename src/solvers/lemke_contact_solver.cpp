#include "solvers/lemke_contact_solver.hpp"

namespace stickslip {
namespace {

// Largest velocity residual of a form that counts as solved; a tenth of the tightest usual
// tolerance.
constexpr double kSolved = 1e-10;

}  // namespace

LemkeContactSolver::LemkeContactSolver(long pivot_budget) : budget_(pivot_budget) {}

void LemkeContactSolver::reserve(int velocities, int contacts, int joint_rows) {
  reduced_.reserve(velocities, 2 * contacts, joint_rows);
  planar_.reserve(contacts);
  lemke_.reserve(4 * contacts);
  z_.reserve(4 * static_cast<std::size_t>(contacts));
  p_.reserve(2 * static_cast<std::size_t>(contacts));
  p_relay_.reserve(2 * static_cast<std::size_t>(contacts));
}

SolveReport LemkeContactSolver::solve(const ContactProblem& problem, ContactSolution& solution) {
  if (problem.J.rowCount() == 0 && problem.G.rowCount() == 0) {
    solution.v = problem.v_free;
    solution.p.clear();
    solution.c.clear();
    return {};
  }
  reduced_.reduce(problem);
  const FormReport relay = solveForm(PlanarLcp::Form::relay, problem, budget_);
  SolveReport report{relay.status, relay.pivots};
  const bool budget_left = budget_ == 0 || relay.pivots < budget_;
  if (relay.status != SolveStatus::solved && budget_left) {
    p_relay_ = p_;
    const long rest = budget_ == 0 ? 0 : budget_ - relay.pivots;
    const FormReport cone = solveForm(PlanarLcp::Form::cone, problem, rest);
    report = {cone.status, relay.pivots + cone.pivots};
    if (cone.status != SolveStatus::solved && relay.residual < cone.residual) p_ = p_relay_;
  }
  reduced_.recover(p_, solution);
  return report;
}

LemkeContactSolver::FormReport LemkeContactSolver::solveForm(PlanarLcp::Form form,
                                                             const ContactProblem& problem,
                                                             long pivot_limit) {
  planar_.build(form, reduced_.W(), reduced_.q(), problem.J, problem.sets);
  lemke_.setPivotLimit(pivot_limit);
  const Lcp lcp = planar_.lcp();
  z_.resize(static_cast<std::size_t>(lcp.size()));
  const LcpReport lcp_report = lemke_.solve(lcp, z_);
  p_.resize(static_cast<std::size_t>(problem.J.rowCount()));
  planar_.impulses(z_, p_);
  FormReport report{lcp_report.status, lcp_report.pivots, planar_.velocityResidual(z_)};
  if (report.status == SolveStatus::solved && !(report.residual <= kSolved))
    report.status = SolveStatus::inaccurate;
  return report;
}

}  // namespace stickslip
