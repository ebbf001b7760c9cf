// The certificate of a step (docs/theory.md): residuals of the contact law, of momentum and of the
// joints, and the energy that contacts and joints put in.
//
// Everything here is computed from the problem and the solution with loops and a factorization of
// this file's own: a mistake in the solvers' algebra cannot hide itself.
//
// Contact law (certificate_law). The natural map r_i = |p_i - P_K(p_i - rho_i u_hat_i)| / rho_i
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

#include "solvers/certificate_workspace.hpp"

namespace stickslip {

using namespace certificate;

namespace {

// The natural map tells how far a velocity may be off up to a factor near one, and rounding adds
// this part of the velocities at hand.
constexpr double kSpeedError = 4;
constexpr double kSpeedRounding = 1e-12;

bool allFinite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

// Velocity that an impulse within the bounds of a row could change; 0 where it has none.
double boundedVelocity(const ImpulseSet& set, double mobility) {
  double most = 0;
  if (set.kind == ImpulseSet::Kind::interval)
    most = std::max(std::abs(set.lower), std::abs(set.upper));
  else if (set.load_independent)
    most = std::max(set.mu, set.mu_2);
  return std::isfinite(most) ? most * mobility : 0;
}

}  // namespace

double Certificate::worstResidual() const {
  if (!finite) return std::numeric_limits<double>::infinity();
  return std::max(
      {residual, momentum_residual, joint_residual, geometry_residual, friction_residual});
}

void Certificate::add(const Certificate& later) {
  residual = std::max(residual, later.residual);
  fclib_error = std::max(fclib_error, later.fclib_error);
  momentum_residual = std::max(momentum_residual, later.momentum_residual);
  joint_residual = std::max(joint_residual, later.joint_residual);
  geometry_residual = std::max(geometry_residual, later.geometry_residual);
  friction_residual = std::max(friction_residual, later.friction_residual);
  worst_gap = std::min(worst_gap, later.worst_gap);
  joint_drift = std::max(joint_drift, later.joint_drift);
  kinetic_energy_free = later.kinetic_energy_free;
  kinetic_energy_end = later.kinetic_energy_end;
  contact_work += later.contact_work;
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
  work_->contacts.reserve(n, m);
  work_->joints.reserve(n, k);
  work_->independence.reserve(n, m + k);
  work_->velocity.reserve(contact_rows);
  work_->errors.reserve(contact_rows);
  work_->loads.reserve(contact_rows);
  work_->balance.reserve(velocities);
  work_->balance_size.reserve(velocities);
  work_->push.reserve(velocities);
}

Certificate Certifier::residuals(const ContactProblem& problem, const ContactSolution& solution) {
  Certificate out;
  work_->measureSpeed(problem, solution);
  work_->measurePush(problem, solution);
  work_->checkContacts(problem, solution, out);
  work_->checkMomentum(problem, solution, out);
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
  Certificate out = residuals(problem, solution);
  work_->measureKineticEnergy(problem, solution.v, out);
  if (!problem.speed_friction.empty()) work_->checkCoefficients(problem, solution, out);
  for (const double gap : problem.gap) out.worst_gap = std::min(out.worst_gap, gap);
  if (out.finite) out.impulses_unique = work_->impulsesUnique(problem, solution);
  return out;
}

void Certifier::Workspace::checkContacts(const ContactProblem& problem, const ContactSolution& s,
                                         Certificate& out) {
  velocity.resize(static_cast<std::size_t>(problem.J.rowCount()));
  errors.clear();
  if (problem.contactCount() > 0) contacts.start(problem.M);
  double worst = 0, reference = 0, noise = 0, fclib = 0, free_square_sum = 0;
  for (int i = 0; i < problem.contactCount(); ++i) {
    const int first = problem.J.firstRow(i), dimension = problem.J.rowsOf(i);
    contacts.addGroup(problem.J, i);
    const ScaledSet contact = scaledContact(problem, i);
    double trace = 0, free_square = 0, push_square = 0;
    for (int k = 0; k < dimension; ++k) {
      const auto row = static_cast<std::size_t>(first + k);
      const double length = contact.length[static_cast<std::size_t>(k)];
      trace += length * length * squareNorm(contacts.values(first + k));
      const Product now = rowTimes(problem.J, i, k, s.v);
      const Product before = rowTimes(problem.J, i, k, problem.v_old);
      const Product free = rowTimes(problem.J, i, k, problem.v_free);
      velocity[row] = now.value + problem.b[row];
      const double freely = length * (free.value + problem.b[row]);
      free_square += freely * freely;
      const double pushed = length * contacts.times(first + k, push);
      push_square += pushed * pushed;
      const double terms = std::max(now.size, free.size) + std::abs(problem.b[row]);
      noise = std::max(noise, kNoise * length * terms);
      out.contact_work += s.p[row] * ((now.value + before.value) / 2 + problem.drive[row]);
    }
    const ImpulseSet& set = contact.set;
    const ImpulseVector p = contactImpulse(contact, s.p, first);
    const ImpulseVector u = contactVelocity(contact, velocity, first);
    const double rho = dimension / trace;
    noise = std::max(noise, kNoise * speed * std::sqrt(trace / dimension));
    noise = std::max(noise, kNoise * boundedVelocity(set, trace));
    const double error = naturalMap(set, problem.law, p, u, rho) / rho;
    errors.push_back(error);
    worst = std::isfinite(error) ? std::max(worst, error) : error;
    const double unit_error = naturalMap(set, problem.law, p, u, 1.0);
    fclib += unit_error * unit_error;
    reference = std::max(reference, std::sqrt(std::max(free_square, push_square)));
    free_square_sum += free_square;
  }
  velocity_scale = std::max(reference, noise);
  out.residual = worst <= kUnderflow ? 0 : worst / velocity_scale;
  for (double& error : errors) error = error <= kUnderflow ? 0 : error / velocity_scale;
  if (problem.law == Law::relaxed) measureLift(problem, s, out);
  // Without a free velocity to compare with the error is absolute, as FCLIB has it.
  out.fclib_error = std::sqrt(free_square_sum > 0 ? fclib / free_square_sum : fclib);
}

ScaledSet Certifier::Workspace::scaledContact(const ContactProblem& problem, int i) const {
  const ImpulseSet& set = problem.sets[static_cast<std::size_t>(i)];
  if (set.dimension() == set.linearRows()) return {set};
  ImpulseVector mobility{};
  for (int k = 0; k < set.dimension(); ++k)
    mobility[static_cast<std::size_t>(k)] = squareNorm(contacts.values(problem.J.firstRow(i) + k));
  return scaledSet(set, mobility);
}

// Does the friction that was used fit the speeds? Where a contact has no load, and its friction and
// lift none without one, any coefficient does.
void Certifier::Workspace::checkCoefficients(const ContactProblem& problem,
                                             const ContactSolution& s, Certificate& out) const {
  for (int i = 0; i < problem.contactCount(); ++i) {
    const SpeedFriction& friction = problem.speed_friction[static_cast<std::size_t>(i)];
    const ImpulseSet& set = problem.sets[static_cast<std::size_t>(i)];
    const double at_rest = std::max(friction.mu, friction.mu_2);
    const auto first = static_cast<std::size_t>(problem.J.firstRow(i));
    if (friction.curve.isConstant() || set.tangents() == 0 || !(at_rest > 0)) continue;
    if (problem.law == Law::coulomb && !set.load_independent && s.p[first] == 0) continue;
    const double error =
        (kSpeedError * errors[static_cast<std::size_t>(i)] + kSpeedRounding) * velocity_scale;
    const double slip =
        std::hypot(velocity[first + 1], set.tangents() == 2 ? velocity[first + 2] : 0.0);
    // Curves are monotone: mu(s) for the speeds that s may stand for is between these two.
    const auto [least, most] = std::minmax(
        {friction.curve.factor(std::max(0.0, slip - error)), friction.curve.factor(slip + error)});
    const double used = std::max(set.mu, set.mu_2) / at_rest;
    const double difference = std::max({0.0, least - used, used - most});
    out.friction_residual =
        std::isfinite(difference) ? std::max(out.friction_residual, difference) : difference;
  }
}

// A contact is loaded if its impulse alone would change its velocity by more than rounding.
void Certifier::Workspace::measureLift(const ContactProblem& problem, const ContactSolution& s,
                                       Certificate& out) const {
  for (int i = 0; i < problem.contactCount(); ++i) {
    const int first = problem.J.firstRow(i);
    const double mobility = squareNorm(contacts.values(first));
    if (!(s.p[static_cast<std::size_t>(first)] * mobility > kNoise * velocity_scale)) continue;
    const ScaledSet contact = scaledContact(problem, i);
    const ImpulseVector u = contactVelocity(contact, velocity, first);
    out.lift = std::max(out.lift, correctedVelocity(contact.set, Law::coulomb, u)[0] - u[0]);
  }
}

}  // namespace stickslip
