#include "stepping/midpoint.hpp"

#include "math/block_products.hpp"
#include "math/cholesky.hpp"

namespace stickslip {

void MidpointScheme::reserve(const System& system) {
  const auto contacts = static_cast<std::size_t>(system.contactCapacity());
  contacts_.contacts.reserve(contacts);
  contacts_.drive.reserve(2 * contacts);
  gamma_.reserve(2 * contacts);
  q_mid_.reserve(static_cast<std::size_t>(system.positionCount()));
  force_.reserve(static_cast<std::size_t>(system.velocityCount()));
}

void MidpointScheme::formulate(const System& system, const State& state, double h,
                               ContactProblem& problem) {
  t_mid_ = state.t + h / 2;
  q_mid_ = state.q;
  system.move(state.u, h / 2, q_mid_);
  problem.v_old = state.u;
  freeMotion(system, state, h, problem);
  activeContacts(system, state, problem);
  joints(system, h, problem);
}

void MidpointScheme::freeMotion(const System& system, const State& state, double h,
                                ContactProblem& problem) {
  problem.M.resize(system.velocityBlocks());
  system.massMatrix(t_mid_, q_mid_, problem.M);
  problem.v_free = state.u;
  if (h == 0) return;
  force_.resize(state.u.size());
  system.forces(t_mid_, q_mid_, state.u, force_);
  factor_ = problem.M;
  factorizeCholesky(factor_);
  solveLower(factor_, force_);
  solveLowerTransposed(factor_, force_);
  addScaled(h, force_, problem.v_free);
}

void MidpointScheme::activeContacts(const System& system, const State& state,
                                    ContactProblem& problem) {
  contacts_.clear();
  system.contacts(t_mid_, q_mid_, 0.0, contacts_);
  std::swap(problem.J, contacts_.directions);
  problem.drive = contacts_.drive;
  gamma_.resize(problem.drive.size());
  multiply(problem.J, state.u, gamma_);

  problem.b = problem.drive;
  problem.cones.clear();
  problem.contact_id.clear();
  problem.gap.clear();
  for (int i = 0; i < problem.contactCount(); ++i) {
    const Contact& contact = contacts_.contacts[static_cast<std::size_t>(i)];
    const auto normal = static_cast<std::size_t>(problem.J.firstRow(i));
    const bool has_friction = problem.J.rowsOf(i) > 1;
    problem.b[normal] += contact.e_n * (gamma_[normal] + problem.drive[normal]);
    if (has_friction)
      problem.b[normal + 1] += contact.e_t * (gamma_[normal + 1] + problem.drive[normal + 1]);
    problem.cones.push_back(has_friction ? FrictionCone{FrictionCone::Kind::planar, contact.mu}
                                         : FrictionCone{});
    problem.contact_id.push_back(contact.id);
    problem.gap.push_back(contact.gap);
  }
}

void MidpointScheme::joints(const System& system, double h, ContactProblem& problem) {
  joints_.clear();
  system.joints(t_mid_, q_mid_, joints_);
  std::swap(problem.G, joints_.directions);
  problem.joint_gap = joints_.gap;
  problem.joint_drive = joints_.drive;
  problem.g = joints_.drive;
  if (h > 0) addScaled(1 / h, problem.joint_gap, problem.g);
}

void MidpointScheme::advance(const System& system, double h, std::span<const double> v,
                             State& state) const {
  state.q = q_mid_;
  system.move(v, h / 2, state.q);
  state.u.assign(v.begin(), v.end());
  state.t += h;
}

}  // namespace stickslip
