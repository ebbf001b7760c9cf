#include "solvers/lemke_contact_solver.hpp"

#include <algorithm>

namespace stickslip {
namespace {

// Largest velocity residual of a form that counts as solved; a tenth of the tightest usual
// tolerance.
constexpr double kSolved = 1e-10;
// Problems with more contacts find room when they first come.
constexpr int kReservedContacts = 128;

bool hasRelayForm(std::span<const ImpulseSet> sets) {
  return std::none_of(sets.begin(), sets.end(), [](const ImpulseSet& set) {
    return set.kind == ImpulseSet::Kind::polyhedral;
  });
}

}  // namespace

LemkeContactSolver::LemkeContactSolver(long pivot_budget, int directions)
    : directions_(directions), budget_(pivot_budget) {}

void LemkeContactSolver::reserve(int velocities, int contacts, int tangents, int joint_rows) {
  contacts = std::min(contacts, kReservedContacts);
  const int rows = (1 + tangents) * contacts;
  const int directions = tangents == 1 ? 2 : directions_;
  const int variables = (2 + directions) * contacts;
  reduced_.reserve(velocities, rows, joint_rows);
  lcp_.reserve(contacts, directions);
  lemke_.reserve(variables);
  z_.reserve(static_cast<std::size_t>(variables));
  p_.reserve(static_cast<std::size_t>(rows));
  p_relay_.reserve(static_cast<std::size_t>(rows));
}

SolveReport LemkeContactSolver::solve(const ContactProblem& problem, ContactSolution& solution) {
  if (problem.J.rowCount() == 0 && problem.G.rowCount() == 0) {
    solution.v = problem.v_free;
    solution.p.clear();
    solution.c.clear();
    return {};
  }
  reduced_.reduce(problem);
  const SolveReport report =
      hasRelayForm(problem.sets) ? solveInThePlane(problem) : solveInSpace(problem);
  reduced_.recover(p_, solution);
  return report;
}

SolveReport LemkeContactSolver::solveInSpace(const ContactProblem& problem) {
  const FormReport cone = solveForm(FrictionLcp::Form::cone, problem, budget_);
  return {cone.status, cone.pivots};
}

SolveReport LemkeContactSolver::solveInThePlane(const ContactProblem& problem) {
  const FormReport relay = solveForm(FrictionLcp::Form::relay, problem, budget_);
  const bool budget_left = budget_ == 0 || relay.pivots < budget_;
  if (relay.status == SolveStatus::solved || !budget_left) return {relay.status, relay.pivots};
  p_relay_ = p_;
  const long rest = budget_ == 0 ? 0 : budget_ - relay.pivots;
  const FormReport cone = solveForm(FrictionLcp::Form::cone, problem, rest);
  if (cone.status != SolveStatus::solved && relay.residual < cone.residual) p_ = p_relay_;
  return {cone.status, relay.pivots + cone.pivots};
}

LemkeContactSolver::FormReport LemkeContactSolver::solveForm(FrictionLcp::Form form,
                                                             const ContactProblem& problem,
                                                             long pivot_limit) {
  lcp_.build(form, reduced_.W(), reduced_.q(), problem.J, problem.sets);
  lemke_.setPivotLimit(pivot_limit);
  const Lcp lcp = lcp_.lcp();
  z_.resize(static_cast<std::size_t>(lcp.size()));
  const LcpReport lcp_report = lemke_.solve(lcp, z_);
  p_.resize(static_cast<std::size_t>(problem.J.rowCount()));
  lcp_.impulses(z_, p_);
  FormReport report{lcp_report.status, lcp_report.pivots, lcp_.velocityResidual(z_)};
  if (report.status == SolveStatus::solved && !(report.residual <= kSolved))
    report.status = SolveStatus::inaccurate;
  return report;
}

}  // namespace stickslip
