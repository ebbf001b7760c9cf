#include "stepping/midpoint.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/block_products.hpp"
#include "math/cholesky.hpp"

namespace stickslip {
namespace {

constexpr double kTouching = 1e-9;
// A contact touches at most two blocks,
constexpr int kStripsPerContact = 2;
// and has at most three rows.
std::size_t mostRows(const System& system) {
  return static_cast<std::size_t>(system.contactCapacity() * (1 + system.tangentCount()));
}

std::size_t largestBlock(const System& system) {
  const std::span<const int> blocks = system.velocityBlocks();
  return static_cast<std::size_t>(*std::max_element(blocks.begin(), blocks.end()));
}

}  // namespace

void MidpointScheme::reserve(const System& system, ContactProblem& problem) {
  const auto contacts = static_cast<std::size_t>(system.contactCapacity());
  const std::size_t rows_most = mostRows(system);
  const auto columns = static_cast<std::size_t>(system.velocityCount());
  // The rows of contacts and problem are swapped at every step, so that both need the room.
  for (BlockRows* rows : {&contacts_.directions, &problem.J})
    rows->reserve(system.contactCapacity(), kStripsPerContact * system.contactCapacity(),
                  rows_most * std::min(columns, kStripsPerContact * largestBlock(system)));
  problem.b.reserve(rows_most);
  problem.drive.reserve(rows_most);
  problem.sets.reserve(contacts);
  problem.contact_id.reserve(contacts);
  problem.gap.reserve(contacts);
  reach_.reserve(columns);
  u_mid_.reserve(columns);
  u_mean_.reserve(columns);
  contacts_.contacts.reserve(contacts);
  contacts_.drive.reserve(rows_most);
  gamma_.reserve(std::max(rows_most, static_cast<std::size_t>(system.jointCapacity())));
  q_mid_.reserve(static_cast<std::size_t>(system.positionCount()));
  force_.reserve(columns);
}

void MidpointScheme::formulate(const System& system, const State& state, double h,
                               ContactProblem& problem) {
  t_mid_ = state.t + h / 2;
  q_mid_ = state.q;
  u_mid_ = state.u;
  if (system.coasts()) system.coast(h / 2, u_mid_);
  move(system, state.t, state.u, u_mid_, h / 2, q_mid_);
  problem.v_old = u_mid_;
  problem.law = law_;
  freeMotion(system, h, problem);
  activeContacts(system, h, problem);
  joints(system, h, problem);
}

// Moves with the mean of two velocities.
void MidpointScheme::move(const System& system, double t, std::span<const double> from,
                          std::span<const double> to, double dt, std::span<double> q) {
  u_mean_.resize(from.size());
  for (std::size_t k = 0; k < from.size(); ++k) u_mean_[k] = (from[k] + to[k]) / 2;
  system.move(t, u_mean_, dt, q);
}

void MidpointScheme::freeMotion(const System& system, double h, ContactProblem& problem) {
  problem.M.resize(system.velocityBlocks());
  system.massMatrix(t_mid_, q_mid_, problem.M);
  problem.v_free = u_mid_;
  if (h == 0) return;
  force_.resize(u_mid_.size());
  system.forces(t_mid_, q_mid_, u_mid_, h, force_);
  factor_ = problem.M;
  factorizeCholesky(factor_);
  solveLower(factor_, force_);
  solveLowerTransposed(factor_, force_);
  addScaled(h, force_, problem.v_free);
}

void MidpointScheme::activeContacts(const System& system, double h, ContactProblem& problem) {
  reach_.resize(u_mid_.size());
  for (std::size_t k = 0; k < reach_.size(); ++k)
    reach_[k] = kTouching * h * (std::abs(u_mid_[k]) + std::abs(problem.v_free[k]));
  contacts_.clear();
  system.contacts(t_mid_, q_mid_, reach_, contacts_);
  std::swap(problem.J, contacts_.directions);
  problem.drive = contacts_.drive;
  gamma_.resize(problem.drive.size());
  multiply(problem.J, u_mid_, gamma_);

  problem.b = problem.drive;
  problem.sets.clear();
  problem.contact_id.clear();
  problem.gap.clear();
  for (int i = 0; i < problem.contactCount(); ++i) {
    const Contact& contact = contacts_.contacts[static_cast<std::size_t>(i)];
    const auto normal = static_cast<std::size_t>(problem.J.firstRow(i));
    const int rows = problem.J.rowsOf(i);
    if (contact.kind == Contact::Kind::unilateral)
      for (int k = 0; k < rows; ++k) {
        const auto row = normal + static_cast<std::size_t>(k);
        problem.b[row] += (k == 0 ? contact.e_n : contact.e_t) * (gamma_[row] + problem.drive[row]);
      }
    // Motors that close a distance close no more than all of it within the step.
    if (contact.time_constant > 0) problem.b[normal] += contact.gap / (contact.time_constant + h);
    problem.sets.push_back(impulseSet(contact, rows, h));
    problem.contact_id.push_back(contact.id);
    problem.gap.push_back(contact.kind == Contact::Kind::unilateral ? contact.gap : 0);
  }
}

ImpulseSet MidpointScheme::impulseSet(const Contact& contact, int rows, double h) const {
  ImpulseSet set;
  set.mu = contact.mu;
  set.mu_2 = contact.mu_2;
  if (contact.kind == Contact::Kind::bounded) {
    set.kind = ImpulseSet::Kind::interval;
    set.lower = h * contact.min_force;
    set.upper = h * contact.max_force;
  } else if (rows == 2) {
    set.kind = ImpulseSet::Kind::planar;
  } else if (rows == 3) {
    set.kind = polyhedral_ ? ImpulseSet::Kind::polyhedral : ImpulseSet::Kind::elliptic;
    set.directions = polyhedral_ ? directions_ : 0;
  }
  return set;
}

void MidpointScheme::joints(const System& system, double h, ContactProblem& problem) {
  joints_.clear();
  system.joints(t_mid_, q_mid_, joints_);
  std::swap(problem.G, joints_.directions);
  problem.joint_gap = joints_.gap;
  problem.joint_drive = joints_.drive;
  problem.g = joints_.drive;
  problem.compliance.assign(problem.g.size(), 0.0);
  gamma_.resize(problem.g.size());
  multiply(problem.G, u_mid_, gamma_);
  for (int group = 0; group < problem.G.groupCount(); ++group)
    for (int k = 0; k < problem.G.rowsOf(group); ++k) {
      const auto row = static_cast<std::size_t>(problem.G.firstRow(group) + k);
      if (joints_.stiffness[row] != JointSet::kRigid)
        spring(group, k, h, problem);
      else if (h > 0)
        problem.g[row] += problem.joint_gap[row] / h;
    }
}

// Turns a joint row into the equation of its spring and damper.
void MidpointScheme::spring(int group, int k, double h, ContactProblem& problem) {
  const auto row = static_cast<std::size_t>(problem.G.firstRow(group) + k);
  // A spring may be as long as it likes: that is no drift.
  const double stretch = std::exchange(problem.joint_gap[row], 0.0);
  const double stiffness = joints_.stiffness[row], damping = joints_.damping[row];
  if (!(h > 0 && stiffness + damping > 0)) {
    problem.G.clearRow(static_cast<int>(row));
    problem.g[row] = 0;
    problem.compliance[row] = 1;
    return;
  }
  const double unresolved = h * h / 4 * stiffness * mobility(problem.G, group, k);
  const double a = unresolved / (1 + unresolved);
  const double resistance = damping + h / 4 * stiffness * (1 + 3 * a);
  const double rate = gamma_[row] + problem.joint_drive[row];
  problem.g[row] += stiffness * (stretch - h / 4 * (1 - a) * rate) / resistance;
  problem.compliance[row] = 1 / (h * resistance);
}

// G M^-1 G' of one row.
double MidpointScheme::mobility(const BlockRows& rows, int group, int row) {
  direction_.assign(force_.size(), 0.0);
  for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
    const std::span<const double> values = rows.values(group, strip).row(row);
    std::copy(values.begin(), values.end(), direction_.begin() + strip.first_column);
  }
  solveLower(factor_, direction_);
  return dot(direction_, direction_);
}

void MidpointScheme::advance(const System& system, double h, std::span<const double> v,
                             State& state) {
  state.q = q_mid_;
  state.u.assign(v.begin(), v.end());
  if (system.coasts()) system.coast(h / 2, state.u);
  move(system, t_mid_, v, state.u, h / 2, state.q);
  state.t += h;
}

}  // namespace stickslip
