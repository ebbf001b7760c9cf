#include "stepping/schemes/midpoint.hpp"

#include <algorithm>
#include <cmath>

#include "math/blocks/block_products.hpp"

namespace stickslip {
namespace {

constexpr double kTouching = 1e-9;

}  // namespace

void MidpointScheme::reserve(const System& system, ContactProblem& problem) {
  builder_.reserve(system, problem);
  const std::size_t columns = system.velocityCount();
  reach_.reserve(columns);
  u_mid_.reserve(columns);
  u_mean_.reserve(columns);
  gamma_.reserve(std::max(problem.b.capacity(), static_cast<std::size_t>(system.jointCapacity())));
  q_mid_.reserve(system.positionCount());
  q_force_.reserve(system.positionCount());
}

void MidpointScheme::formulate(const System& system, const State& state, double h,
                               ContactProblem& problem) {
  const double before = (1 - theta_) * h;
  t_mid_ = state.t + before;
  q_mid_ = state.q;
  u_mid_ = state.u;
  if (system.coasts()) system.coast(before, u_mid_);
  move(system, state.t, state.u, u_mid_, before, q_mid_);
  builder_.freeMotion(system, {t_mid_, q_mid_}, forcePlace(system, state, h), u_mid_, h, problem);
  contacts(system, h, problem);
  joints(system, h, problem);
}

// A share theta of the step ahead, which is q_mid_ if theta = 1/2.
Configuration MidpointScheme::forcePlace(const System& system, const State& state, double h) {
  if (theta_ == 0.5) return {t_mid_, q_mid_};
  q_force_ = state.q;
  system.move(state.t, state.u, theta_ * h, q_force_);
  return {state.t + theta_ * h, q_force_};
}

// Moves with the mean of two velocities.
void MidpointScheme::move(const System& system, double t, std::span<const double> from,
                          std::span<const double> to, double dt, std::span<double> q) {
  u_mean_.resize(from.size());
  for (std::size_t k = 0; k < from.size(); ++k) u_mean_[k] = (from[k] + to[k]) / 2;
  system.move(t, u_mean_, dt, q);
}

void MidpointScheme::contacts(const System& system, double h, ContactProblem& problem) {
  reach_.resize(u_mid_.size());
  for (std::size_t k = 0; k < reach_.size(); ++k)
    reach_[k] = kTouching * h * (std::abs(u_mid_[k]) + std::abs(problem.v_free[k]));
  builder_.contacts(system, {t_mid_, q_mid_}, {reach_}, h, problem);
  gamma_.resize(problem.b.size());
  multiply(problem.J, u_mid_, gamma_);
  for (int i = 0; i < problem.contactCount(); ++i) {
    const ContactParameters& law = builder_.parametersOf(i);
    if (law.kind == ContactParameters::Kind::prestressed) prestress(i, h, problem);
    if (!law.isUnilateral() || !bounces(i, problem)) continue;
    for (int k = 0; k < problem.sets[i].linearRows(); ++k) {
      const std::size_t row = problem.J.firstRow(i) + k;
      problem.b[row] += (k == 0 ? law.e_n : law.e_t) * (gamma_[row] + driveOf(problem.drive, row));
    }
  }
}

void MidpointScheme::prestress(int i, double h, ContactProblem& problem) {
  const ContactParameters& law = builder_.parametersOf(i);
  const std::size_t row = problem.J.firstRow(i);
  const double rate = 2 * (gamma_[row] + driveOf(problem.drive, row));
  const double turned =
      h * std::max(-law.min_force, law.max_force) * builder_.mobility(problem.J, i, 0);
  const double square = turned * turned;
  const double a = square > 0 ? square / (square + rate * rate) : 0;
  builder_.prestress(i, builder_.contactData()[i].gap, h * (theta_ + (1 - theta_) * a), h, problem);
}

bool MidpointScheme::bounces(int i, const ContactProblem& problem) const {
  const std::size_t normal = problem.J.firstRow(i);
  return rest_speed_ == 0 || gamma_[normal] + driveOf(problem.drive, normal) < -rest_speed_;
}

bool MidpointScheme::concede(std::span<const Concession> contacts,
                             std::span<const Concession> joints, ContactProblem& problem) {
  bool changed = builder_.keepDrift(joints, problem);
  for (int i = 0; i < problem.contactCount(); ++i) {
    if (!builder_.parametersOf(i).isUnilateral() || contacts[i] == Concession::nothing) continue;
    for (int k = 0; k < problem.J.rowsOf(i); ++k) {
      const std::size_t row = problem.J.firstRow(i) + k;
      changed = changed || problem.b[row] != driveOf(problem.drive, row);
      problem.b[row] = driveOf(problem.drive, row);
    }
  }
  return changed;
}

void MidpointScheme::joints(const System& system, double h, ContactProblem& problem) {
  builder_.joints(system, {t_mid_, q_mid_}, problem);
  gamma_.resize(problem.g.size());
  multiply(problem.G, u_mid_, gamma_);
  for (int group = 0; group < problem.G.groupCount(); ++group)
    for (int k = 0; k < problem.G.rowsOf(group); ++k) {
      const std::size_t row = problem.G.firstRow(group) + k;
      if (builder_.jointData().stiffness[row] != JointSet::kRigid)
        spring(group, k, h, problem);
      else if (h > 0)
        problem.g[row] += problem.joint_gap[row] / h;
    }
}

// Turns a joint row into the equation of its spring and damper.
void MidpointScheme::spring(int group, int k, double h, ContactProblem& problem) {
  const std::size_t row = problem.G.firstRow(group) + k;
  const double stiffness = builder_.jointData().stiffness[row];
  const double damping = builder_.jointData().damping[row];
  const double rate = gamma_[row] + problem.joint_drive[row];
  if (theta_ > 0.5) {
    const double early = 1 - theta_;
    const double resistance = theta_ * (damping + theta_ * h * stiffness);
    builder_.makeSpring(group, k, problem.joint_gap[row] - early * early * h * rate, resistance, h,
                        problem);
    if (h > 0 && resistance > 0) problem.g[row] += early * damping * rate / resistance;
    return;
  }
  const double unresolved = h * h / 4 * stiffness * builder_.mobility(problem.G, group, k);
  const double a = unresolved / (1 + unresolved);
  builder_.makeSpring(group, k, problem.joint_gap[row] - h / 4 * (1 - a) * rate,
                      damping + h / 4 * stiffness * (1 + 3 * a), h, problem);
}

void MidpointScheme::advance(const System& system, double h, std::span<const double> v,
                             State& state) {
  state.q = q_mid_;
  state.u.assign(v.begin(), v.end());
  if (system.coasts()) system.coast(theta_ * h, state.u);
  move(system, t_mid_, v, state.u, theta_ * h, state.q);
  state.t += h;
}

}  // namespace stickslip
