// The certificate of a step (docs/theory.md): residuals of the contact law, of momentum and of the
// joints, and the energy that contacts and joints put in.
//
// Everything here is computed from the problem and the solution with loops and a factorization of
// this file's own: a mistake in the solvers' algebra cannot hide itself.
//
// Contact law (impulse_law). The natural map r_i = |p_i - P_K(p_i - rho_i u_hat_i)| / rho_i
// vanishes exactly when p_i in K, u_hat_i in K*, p_i.u_hat_i = 0. With rho_i = dim / trace(J_i M^-1
// J_i'), an effective mass, r_i is a velocity; it is reported relative to the largest |J_i v_free +
// b_i|. When that reference is itself a difference of much larger terms, numbers below kNoise of
// those terms are rounding, and the reference is not taken smaller; where joints or springs push a
// contact, their push counts too, |J M^-1 G' c|. For the same reason no contact and no row of the
// momentum or of a joint is measured against less than kNoise of what the fastest body could
// contribute to it (Cauchy-Schwarz in the kinetic metric), and no bounded row against less than
// kNoise of the velocity that its bounds could change.
#include "stickslip/certificate.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/parallel_array.hpp"
#include "certificate/workspace.hpp"

namespace stickslip {

using namespace certificate;

namespace {

// Beyond this residual nobody can tell which contacts carry load.
constexpr double kRough = 1e-6;

using NamedResidual = std::pair<double, std::string_view>;

std::array<NamedResidual, 6> residualsOf(const Certificate& c) {
  return {{{c.residual, "residual"},
           {c.momentum_residual, "momentum_residual"},
           {c.joint_residual, "joint_residual"},
           {c.geometry_residual, "geometry_residual"},
           {c.friction_residual, "friction_residual"},
           {c.energy_residual, "energy_residual"}}};
}

NamedResidual worstOf(const Certificate& c) {
  if (!c.finite) return {std::numeric_limits<double>::infinity(), "finite"};
  const auto all = residualsOf(c);
  // The first of equal ones.
  return *std::max_element(all.begin(), all.end(),
                           [](const auto& a, const auto& b) { return a.first < b.first; });
}

}  // namespace

double Certificate::worstResidual() const {
  return worstOf(*this).first;
}

std::string_view Certificate::worstName() const {
  return worstOf(*this).second;
}

void Certificate::add(const Certificate& later) {
  residual = std::max(residual, later.residual);
  fclib_error = std::max(fclib_error, later.fclib_error);
  momentum_residual = std::max(momentum_residual, later.momentum_residual);
  joint_residual = std::max(joint_residual, later.joint_residual);
  geometry_residual = std::max(geometry_residual, later.geometry_residual);
  friction_residual = std::max(friction_residual, later.friction_residual);
  energy_residual = std::max(energy_residual, later.energy_residual);
  worst_gap = std::min(worst_gap, later.worst_gap);
  joint_drift = std::max(joint_drift, later.joint_drift);
  kinetic_energy_free = later.kinetic_energy_free;
  kinetic_energy_end = later.kinetic_energy_end;
  contact_work += later.contact_work;
  forced_energy += later.forced_energy;
  overlap_work += later.overlap_work;
  lift = std::max(lift, later.lift);
  impulses_unique = impulses_unique && later.impulses_unique;
  finite = finite && later.finite;
}

bool Certificate::lawHolds(double tolerance) const {
  return finite && std::max({residual, momentum_residual, joint_residual}) <= tolerance;
}

bool Certificate::holds(double tolerance) const {
  return worstResidual() <= tolerance;
}

Certifier::Certifier() : work_(std::make_unique<Workspace>()) {}
Certifier::~Certifier() = default;
Certifier::Certifier(Certifier&&) noexcept = default;
Certifier& Certifier::operator=(Certifier&&) noexcept = default;

void Certifier::reserve(std::size_t velocities, std::size_t contact_rows, std::size_t joint_rows) {
  const int n = static_cast<int>(velocities);
  const int m = static_cast<int>(contact_rows), k = static_cast<int>(joint_rows);
  work_->loaded.reserve(n, std::min(m, n));
  work_->joints.reserve(n, k);
  work_->independence.reserve(n, m + k);
  work_->errors.reserve(contact_rows);
  work_->opening.reserve(contact_rows);
  work_->lifts.reserve(contact_rows);
  if (joint_rows == 0) return;
  work_->constraint.reserve(velocities);
  work_->push.reserve(velocities);
  work_->spring.reserve(velocities);
}

Certificate Certifier::residuals(const ContactProblem& problem, const ContactSolution& solution) {
  return residuals(problem, solution, work_->own);
}

Certificate Certifier::residuals(const ContactProblem& problem, const ContactSolution& solution,
                                 StepWorkspace& workspace) {
  workspace.first.resize(problem.v_free.size());
  workspace.second.resize(problem.v_free.size());
  const MomentumSums sums{.terms = workspace.first, .impulse = workspace.second};
  Certificate out;
  work_->roots.start(problem.M);
  work_->measureBlocks(problem, solution, sums);
  work_->measurePush(problem, solution, sums);
  work_->checkContacts(problem, solution, out);
  work_->checkMomentum(problem, solution, sums, out);
  work_->checkJoints(problem, solution, out);
  out.finite = allFinite(solution.v) && allFinite(solution.p) && allFinite(solution.c) &&
               std::isfinite(out.residual) && std::isfinite(out.momentum_residual) &&
               std::isfinite(out.joint_residual);
  return out;
}

std::span<const double> Certifier::contactResiduals() const {
  return work_->errors;
}

Certificate Certifier::certify(const ContactProblem& problem, const ContactSolution& solution) {
  return certify(problem, solution, work_->own);
}

Certificate Certifier::certify(const ContactProblem& problem, const ContactSolution& solution,
                               StepWorkspace& workspace) {
  Certificate out = residuals(problem, solution, workspace);
  work_->reportEnergies(out);
  if (!problem.speed_friction.empty()) work_->checkCoefficients(problem, solution, out);
  for (const double gap : problem.gap) out.worst_gap = std::min(out.worst_gap, gap);
  // Only where it is needed to explain a gain.
  if (out.contact_work > 0) work_->measureOverlapWork(problem, solution, out);
  out.impulses_unique = out.finite && out.residual <= kRough &&
                        work_->impulsesUnique(problem, solution, out.residual);
  return out;
}

}  // namespace stickslip
