#include "stepping/midpoint.hpp"

#include <algorithm>
#include <cmath>

#include "math/block_products.hpp"
#include "math/cholesky.hpp"

namespace stickslip {
namespace {

constexpr double kTouching = 1e-9;
// A contact touches at most two blocks.
constexpr int kStripsPerContact = 2;

std::size_t largestBlock(const System& system) {
  const std::span<const int> blocks = system.velocityBlocks();
  return static_cast<std::size_t>(*std::max_element(blocks.begin(), blocks.end()));
}

}  // namespace

void MidpointScheme::reserve(const System& system, ContactProblem& problem) {
  const auto contacts = static_cast<std::size_t>(system.contactCapacity());
  const auto columns = static_cast<std::size_t>(system.velocityCount());
  // The rows of contacts and problem are swapped at every step, so that both need the room.
  for (BlockRows* rows : {&contacts_.directions, &problem.J})
    rows->reserve(system.contactCapacity(), kStripsPerContact * system.contactCapacity(),
                  2 * contacts * std::min(columns, kStripsPerContact * largestBlock(system)));
  problem.b.reserve(2 * contacts);
  problem.drive.reserve(2 * contacts);
  problem.cones.reserve(contacts);
  problem.contact_id.reserve(contacts);
  problem.gap.reserve(contacts);
  reach_.reserve(columns);
  contacts_.contacts.reserve(contacts);
  contacts_.drive.reserve(2 * contacts);
  gamma_.reserve(2 * contacts);
  q_mid_.reserve(static_cast<std::size_t>(system.positionCount()));
  force_.reserve(columns);
}

void MidpointScheme::formulate(const System& system, const State& state, double h,
                               ContactProblem& problem) {
  t_mid_ = state.t + h / 2;
  q_mid_ = state.q;
  system.move(state.u, h / 2, q_mid_);
  problem.v_old = state.u;
  freeMotion(system, state, h, problem);
  activeContacts(system, state, h, problem);
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

void MidpointScheme::activeContacts(const System& system, const State& state, double h,
                                    ContactProblem& problem) {
  reach_.resize(state.u.size());
  for (std::size_t k = 0; k < reach_.size(); ++k)
    reach_[k] = kTouching * h * (std::abs(state.u[k]) + std::abs(problem.v_free[k]));
  contacts_.clear();
  system.contacts(t_mid_, q_mid_, reach_, contacts_);
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
