#include "stepping/concessions.hpp"

#include <algorithm>
#include <cmath>

#include "math/blocks/block_products.hpp"

namespace stickslip {
namespace {

constexpr int kLongestPause = 15;

// Work of the impulse at row k of a group, without its drive.
double workOf(const BlockRows& rows, int group, int k, double impulse,
              const ContactProblem& problem, const ContactSolution& s) {
  double sum = 0;
  for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
    const StripValues entries = rows.values(group, strip);
    const std::span<const double> values = entries.row(k);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto column = static_cast<std::size_t>(strip.first_column) + i;
      sum += values[i] * (s.v[column] + problem.v_old[column]) / 2;
    }
  }
  return impulse * sum;
}

double workOfContact(int i, const ContactProblem& problem, const ContactSolution& s) {
  const bool is_motor = problem.sets[i].kind == ImpulseSet::Kind::interval;
  double work = 0;
  for (int k = 0; k < problem.J.rowsOf(i); ++k) {
    const std::size_t row = problem.J.firstRow(i) + k;
    const double drive = is_motor ? problem.b[row] : driveOf(problem.drive, row);
    work += workOf(problem.J, i, k, s.p[row], problem, s) + s.p[row] * drive;
  }
  return work;
}

double workOfJoint(int group, const ContactProblem& problem, const ContactSolution& s) {
  double work = 0;
  for (int k = 0; k < problem.G.rowsOf(group); ++k) {
    const std::size_t row = problem.G.firstRow(group) + k;
    if (problem.compliance[row] > 0) continue;
    work += workOf(problem.G, group, k, s.c[row], problem, s) + s.c[row] * problem.joint_drive[row];
  }
  return work;
}

// Kinetic energy that forces give to what is at rest.
double forcedEnergy(std::span<const int> blocks, const ContactProblem& problem) {
  double sum = 0;
  if (problem.duration == 0) return sum;
  for (const int block : blocks) {
    const ConstMatrixView M = problem.M.block(block);
    const std::size_t first = problem.M.firstRow(block);
    const auto change = [&](int i) {
      const std::size_t k = first + static_cast<std::size_t>(i);
      return problem.v_free[k] - problem.v_old[k];
    };
    for (int i = 0; i < M.rows; ++i)
      for (int j = 0; j < M.columns; ++j) sum += change(i) * M(i, j) * change(j) / 2;
  }
  return sum;
}

}  // namespace

void Concessions::reserve(int velocities, int contacts, int joint_rows) {
  const auto n = static_cast<std::size_t>(contacts), m = static_cast<std::size_t>(joint_rows);
  contacts_.reserve(n);
  given_.reserve(n);
  contact_at_fault_.reserve(n);
  joints_.reserve(m);
  joints_now_.reserve(m);
  v_with_.reserve(velocities);
  for (std::vector<double>* b : {&b_with_, &b_without_}) b->reserve(ImpulseSet::kMostRows * n);
  joint_at_fault_.reserve(m);
  islands_.reserve(velocities, contacts, joint_rows);
}

void Concessions::startStep() {
  restitution_dropped_ = drift_kept_ = jams_ = false;
  asks_for_all_ = wait_ == 0;
  if (!asks_for_all_) {
    --wait_;
    return;
  }
  given_.clear();
  joints_.clear();
}

void Concessions::apply(Scheme& scheme, ContactProblem& problem) {
  contacts_.assign(problem.contact_id.size(), Concession::nothing);
  joints_.resize(problem.G.groupCount(), Concession::nothing);
  if (given_.empty()) return;
  // One after the other, so that each is known to have been given up.
  for (const Concession most : {Concession::restitution, Concession::drift}) {
    for (std::size_t i = 0; i < contacts_.size(); ++i)
      contacts_[i] = std::min(givenAt(problem.contact_id[i]), most);
    joints_now_.assign(joints_.begin(), joints_.end());
    for (Concession& joint : joints_now_) joint = std::min(joint, most);
    const bool changed = scheme.concede(contacts_, joints_now_, problem);
    (most == Concession::drift ? drift_kept_ : restitution_dropped_) |= changed;
  }
}

Concession Concessions::givenAt(std::uint64_t contact) const {
  const auto found =
      std::lower_bound(given_.begin(), given_.end(), contact,
                       [](const Given& g, std::uint64_t id) { return g.contact < id; });
  return found != given_.end() && found->contact == contact ? found->what : Concession::nothing;
}

bool Concessions::extend(std::span<const double> contact_residuals, double tolerance,
                         Scheme& scheme, ContactProblem& problem) {
  findFaults(contact_residuals, tolerance, problem);
  const bool kept_before = drift_kept_;
  const bool changed = giveUpMore(scheme, problem);
  jams_ = jams_ || (drift_kept_ && !kept_before);
  return changed;
}

bool Concessions::takeEnergyBack(const ContactSolution& solution, Scheme& scheme,
                                 ContactProblem& problem) {
  may_return_ = false;
  if (!findGains(solution, problem)) return false;
  b_with_ = problem.b;
  v_with_ = solution.v;
  const bool drift_was_kept = drift_kept_, changed = giveUpMore(scheme, problem);
  may_return_ = changed && drift_kept_ == drift_was_kept;
  b_without_ = problem.b;
  return changed;
}

double Concessions::neutralPart(double work_with, double work_without,
                                const ContactSolution& without, const ContactProblem& problem) {
  if (!may_return_ || !(work_without < 0 && work_with > 0)) return 0;
  for (std::size_t k = 0; k < v_with_.size(); ++k) v_with_[k] -= without.v[k];
  // work_without + slope s + square s^2 = 0
  const double square = quadraticForm(problem.M, v_with_) / 2;
  const double slope = work_with - work_without - square;
  const double root = std::sqrt(slope * slope - 4 * square * work_without);
  return slope > 0 ? -2 * work_without / (slope + root) : (root - slope) / (2 * square);
}

void Concessions::returnPart(double part, ContactProblem& problem) const {
  for (std::size_t row = 0; row < problem.b.size(); ++row)
    problem.b[row] = b_without_[row] + part * (b_with_[row] - b_without_[row]);
}

// Restitution first, where there is a fault; then what would be taken back.
bool Concessions::giveUpMore(Scheme& scheme, ContactProblem& problem) {
  const bool dropped = raise(Concession::restitution, scheme, problem);
  const bool kept = !dropped && raise(Concession::drift, scheme, problem);
  restitution_dropped_ = restitution_dropped_ || dropped;
  drift_kept_ = drift_kept_ || kept;
  remember(problem);
  return dropped || kept;
}

void Concessions::blame(int island) {
  for (const int i : islands_.contacts(island)) contact_at_fault_[i] = 1;
  for (const int j : islands_.joints(island)) joint_at_fault_[j] = 1;
}

// False if no island gains energy.
bool Concessions::findGains(const ContactSolution& solution, const ContactProblem& problem) {
  contact_at_fault_.assign(contacts_.size(), 0);
  joint_at_fault_.assign(joints_.size(), 0);
  islands_.find(problem);
  bool any = false;
  for (int island = 0; island < islands_.count(); ++island) {
    double work = 0;
    for (const int i : islands_.contacts(island)) work += workOfContact(i, problem, solution);
    for (const int j : islands_.joints(island)) work += workOfJoint(j, problem, solution);
    if (!(work > forcedEnergy(islands_.blocks(island), problem) / 2)) continue;
    blame(island);
    any = true;
  }
  return any;
}

void Concessions::findFaults(std::span<const double> contact_residuals, double tolerance,
                             const ContactProblem& problem) {
  const auto is_bad = [&](int i) { return !(contact_residuals[i] <= tolerance); };
  contact_at_fault_.assign(contacts_.size(), 0);
  joint_at_fault_.assign(joints_.size(), 0);
  islands_.find(problem);
  bool any = false;
  for (int island = 0; island < islands_.count(); ++island) {
    const std::span<const int> members = islands_.contacts(island);
    if (std::none_of(members.begin(), members.end(), is_bad)) continue;
    any = true;
    blame(island);
  }
  if (any) return;
  std::fill(contact_at_fault_.begin(), contact_at_fault_.end(), 1);
  std::fill(joint_at_fault_.begin(), joint_at_fault_.end(), 1);
}

// Gives up as much as `to` where there is a fault. True if that changes the problem.
bool Concessions::raise(Concession to, Scheme& scheme, ContactProblem& problem) {
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    if (contact_at_fault_[i]) contacts_[i] = std::max(contacts_[i], to);
  for (std::size_t j = 0; j < joints_.size(); ++j)
    if (joint_at_fault_[j]) joints_[j] = std::max(joints_[j], to);
  return scheme.concede(contacts_, joints_, problem);
}

void Concessions::remember(const ContactProblem& problem) {
  given_.clear();
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    if (contacts_[i] != Concession::nothing)
      given_.push_back({problem.contact_id[i], contacts_[i]});
  std::sort(given_.begin(), given_.end(),
            [](const Given& a, const Given& b) { return a.contact < b.contact; });
}

void Concessions::endStep() {
  if (!asks_for_all_) return;
  pause_ = jams_ ? std::min(2 * pause_ + 1, kLongestPause) : 0;
  wait_ = pause_;
}

}  // namespace stickslip
