#include "stickslip/problem_builder.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "base/parallel_array.hpp"
#include "base/parallel_for.hpp"
#include "math/blocks/block_products.hpp"
#include "problem/mass_factor.hpp"
#include "stepping/runs/problem_parts.hpp"
#include "stickslip/sleepers.hpp"

namespace stickslip {
namespace {

constexpr int kRowGrain = 512;
constexpr int kNumberGrain = 1 << 13;
// Times all velocities at hand: a displacement that takes more within its lead keeps its sign.
constexpr double kSureSign = 4;
// A contact touches at most two blocks,
constexpr int kStripsPerContact = 2;
// and has at most so many rows.
std::size_t mostRows(const System& system) {
  const int rows = 1 + system.tangentCount() + system.momentCount();
  return std::size_t(system.contactCapacity()) * rows;
}

std::size_t largestBlock(const System& system) {
  const std::span<const int> blocks = system.velocityBlocks();
  return static_cast<std::size_t>(*std::max_element(blocks.begin(), blocks.end()));
}

}  // namespace

void reserveContactRows(const System& system, BlockRows& rows) {
  const std::size_t columns = system.velocityCount();
  rows.reserve(system.contactCapacity(), kStripsPerContact * system.contactCapacity(),
               mostRows(system) * std::min(columns, kStripsPerContact * largestBlock(system)));
}

struct ProblemBuilder::Masses {
  MassFactor factor;
};

ProblemBuilder::ProblemBuilder(const Method& method)
    : law_(method.law),
      polyhedral_(method.cone == FrictionCone::polyhedral),
      directions_(method.directions),
      integral_lift_(method.lift == Lift::integral),
      mass_(std::make_unique<Masses>()) {}

ProblemBuilder::~ProblemBuilder() = default;

double ProblemBuilder::mobility(const BlockRows& rows, int group, int k) {
  return mass_->factor.mobility(rows, group, k);
}

void ProblemBuilder::divideByMass(std::span<double> x) const {
  mass_->factor.divide(x);
}

void ProblemBuilder::reserve(const System& system, ContactProblem& problem) {
  has_constant_mass_ = false;
  const std::size_t contacts = system.contactCapacity();
  const std::size_t rows_most = mostRows(system);
  reserveContactRows(system, problem.J);
  problem.b.reserve(rows_most);
  problem.drive.reserve(rows_most);
  problem.sets.reserve(contacts);
  problem.contact_id.reserve(contacts);
  problem.gap.reserve(contacts);
  contacts_.contacts.reserve(contacts);
  contacts_.parameters.reserve(contacts);
}

void ProblemBuilder::freeMotion(const System& system, Configuration mass, Configuration force,
                                std::span<const double> u, double h, ContactProblem& problem) {
  problem.law = law_;
  problem.duration = h;
  if (u.data() != problem.v_old.data()) copyByAll(u, problem.v_old);
  masses(system, mass, problem);
  if (h == 0) return copyByAll(u, problem.v_free);
  // In one place: forces, then accelerations, then velocities.
  problem.v_free.resize(u.size());
  system.forces(force.t, force.q, u, h, problem.v_free);
  // A 0 that is added would change the bits of a negative one.
  if (added_forces_ != nullptr)
    for (std::size_t k = 0; k < u.size(); ++k)
      if ((*added_forces_)[k] != 0) problem.v_free[k] += (*added_forces_)[k];
  divideByMass(problem.v_free);
  if (sleepers_ != nullptr) sleepers_->wakeAccelerated(problem.M, problem.v_free);
  parallelFor(static_cast<int>(u.size()), kNumberGrain, [&](int begin, int end) {
    for (std::size_t k = begin; k < static_cast<std::size_t>(end); ++k)
      problem.v_free[k] = problem.v_old[k] + h * problem.v_free[k];
  });
  if (sleepers_ != nullptr) sleepers_->hold(problem.M, problem.v_free);
}

void ProblemBuilder::masses(const System& system, Configuration place, ContactProblem& problem) {
  if (has_constant_mass_ && problem.M.size() == system.velocityCount()) return;
  problem.M.resize(system.velocityBlocks(), system.massLike());
  system.massMatrix(place.t, place.q, problem.M);
  mass_->factor.start(problem.M);
  has_constant_mass_ = system.massIsConstant();
}

void ProblemBuilder::widenReach(double factor, double h, std::span<double> way) const {
  if (sleepers_ != nullptr) sleepers_->widenReach(factor, h, way);
}

void ProblemBuilder::contacts(const System& system, Configuration place, const Reach& reach,
                              double h, ContactProblem& problem) {
  // The system writes to where the problem will have it.
  std::swap(problem.J, contacts_.directions);
  std::swap(problem.drive, contacts_.drive);
  contacts_.clear();
  look(system, place, reach, contacts_);
  std::swap(problem.J, contacts_.directions);
  std::swap(problem.drive, contacts_.drive);
  if (problem.drive.empty())
    zeroByAll(problem.J.rowCount(), problem.b);
  else
    copyByAll(problem.drive, problem.b);
  const std::vector<Contact>& all = contacts_.contacts;
  describeKinds(h, problem);
  problem.contact_id.resize(all.size());
  problem.gap.resize(all.size());
  problem.speed_friction.clear();
  if (std::any_of(contacts_.parameters.begin(), contacts_.parameters.end(),
                  [](const ContactParameters& law) { return !law.curve.isConstant(); }))
    problem.speed_friction.resize(all.size());
  parallelFor(problem.contactCount(), kRowGrain, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) describe(i, h, problem);
  });
}

void ProblemBuilder::look(const System& system, Configuration place, Reach reach,
                          ContactSet& out) const {
  if (sleepers_ != nullptr) reach.asleep = sleepers_->asleep();
  system.contacts(place.t, place.q, reach, out);
}

void ProblemBuilder::lookOf(std::span<const char> blocks, const System& system, Configuration place,
                            Reach reach, ContactSet& out) const {
  if (sleepers_ != nullptr) reach.asleep = sleepers_->asleep();
  system.contactsOf(blocks, place.t, place.q, reach, out);
}

bool ProblemBuilder::wakeTouched(const ContactProblem& problem) const {
  return sleepers_ != nullptr && sleepers_->wakeTouched(problem);
}

// What a contact is beside its rows.
void ProblemBuilder::describe(int i, double h, ContactProblem& problem) {
  const std::size_t k = i;
  const Contact& contact = contacts_.contacts[k];
  const ContactParameters& law = contacts_.parametersOf(contact);
  // Motors that close a distance close no more than all of it within the step.
  if (law.time_constant > 0)
    problem.b[problem.J.firstRow(i)] += contact.gap / (law.time_constant + h);
  problem.sets.setKind(k, kindOf(contact.parameters, problem.J.rowsOf(i)) - 1);
  problem.contact_id[k] = contact.id;
  problem.gap[k] = law.isUnilateral() ? contact.gap : 0;
  if (!problem.speed_friction.empty()) {
    const ImpulseSet& set = problem.sets[k];
    // Friction that depends on the direction of sliding, or on spin, has no potential.
    const bool has_potential =
        set.torsion == 0 && !set.given && (set.tangents() == 1 || set.mu == set.mu_2);
    problem.speed_friction[k] = {law.curve,   set.mu,      set.mu_2,
                                 set.torsion, set.rolling, integral_lift_ && has_potential};
  }
}

// Contacts with the same parameters and as many rows have the same set.
void ProblemBuilder::describeKinds(double h, ContactProblem& problem) {
  kinds_.clear();
  kind_of_.assign(contacts_.parameters.size(), {});
  for (int i = 0; i < problem.contactCount(); ++i) {
    const int parameters = contacts_.contacts[i].parameters;
    const int rows = problem.J.rowsOf(i);
    int& kind = kindOf(parameters, rows);
    if (kind != 0) continue;
    kinds_.push_back(impulseSet(contacts_.parameters[parameters], rows, h));
    kind = static_cast<int>(kinds_.size());
  }
  problem.sets.start(kinds_, contacts_.contacts.size());
}

void ProblemBuilder::dropContacts(std::span<const char> marked, ContactProblem& problem) {
  std::size_t contacts = 0, rows = 0;
  for (int i = 0; i < problem.contactCount(); ++i) {
    const std::size_t from = i;
    if (marked[from]) continue;
    contacts_.contacts[contacts] = contacts_.contacts[from];
    if (!problem.speed_friction.empty())
      problem.speed_friction[contacts] = problem.speed_friction[from];
    problem.contact_id[contacts] = problem.contact_id[from];
    problem.gap[contacts++] = problem.gap[from];
    for (int k = 0; k < problem.J.rowsOf(i); ++k, ++rows) {
      const std::size_t row = problem.J.firstRow(i) + k;
      problem.b[rows] = problem.b[row];
      if (!problem.drive.empty()) problem.drive[rows] = problem.drive[row];
    }
  }
  problem.J.dropGroups(marked);
  contacts_.contacts.resize(contacts);
  if (!problem.speed_friction.empty()) problem.speed_friction.resize(contacts);
  problem.sets.drop(marked);
  problem.contact_id.resize(contacts);
  problem.gap.resize(contacts);
  problem.b.resize(rows);
  if (!problem.drive.empty()) problem.drive.resize(rows);
}

ImpulseSet ProblemBuilder::impulseSet(const ContactParameters& contact, int rows, double h) const {
  ImpulseSet set;
  if (contact.kind == ContactParameters::Kind::one_way) return set;
  if (!contact.isUnilateral()) {
    set.kind = ImpulseSet::Kind::interval;
    set.lower = h * contact.min_force;
    set.upper = h * contact.max_force;
    return set;
  }
  if (rows == 1) return set;
  set.load_independent = contact.friction_force > 0 || contact.friction_force_2 > 0;
  set.mu = set.load_independent ? h * contact.friction_force : contact.mu;
  set.mu_2 = set.load_independent ? h * contact.friction_force_2 : contact.mu_2;
  set.torsion = contact.torsion;
  set.rolling = contact.rolling;
  const bool planar = rows == (contact.rolling > 0 ? 3 : 2);
  const bool polyhedral = polyhedral_ || contact.directions > 0 || contact.given;
  set.kind = planar       ? ImpulseSet::Kind::planar
             : polyhedral ? ImpulseSet::Kind::polyhedral
                          : ImpulseSet::Kind::elliptic;
  if (set.kind == ImpulseSet::Kind::polyhedral) {
    set.directions = contact.directions > 0 ? contact.directions : directions_;
    set.given = contact.given;
  }
  assert(set.dimension() == rows);
  return set;
}

void ProblemBuilder::joints(const System& system, Configuration place, ContactProblem& problem) {
  std::swap(problem.G, joints_.directions);
  joints_.clear();
  system.joints(place.t, place.q, joints_);
  std::swap(problem.G, joints_.directions);
  problem.joint_gap = joints_.gap;
  problem.joint_drive = joints_.drive;
  problem.g = joints_.drive;
  problem.compliance.assign(problem.g.size(), 0.0);
}

void ProblemBuilder::makeSpring(int group, int k, double stretch, double resistance, double h,
                                ContactProblem& problem) {
  const std::size_t row = problem.G.firstRow(group) + k;
  // A spring may be as long as it likes: that is no drift.
  problem.joint_gap[row] = 0;
  if (!(h > 0 && resistance > 0)) {
    problem.G.clearRow(static_cast<int>(row));
    problem.g[row] = 0;
    problem.compliance[row] = 1;
    return;
  }
  problem.g[row] += joints_.stiffness[row] * stretch / resistance;
  problem.compliance[row] = 1 / (h * resistance);
}

bool ProblemBuilder::anyPrestressed() const {
  return std::any_of(contacts_.parameters.begin(), contacts_.parameters.end(),
                     [](const ContactParameters& law) {
                       return law.kind == ContactParameters::Kind::prestressed;
                     });
}

// A displacement far from 0 counts by its sign only: x/lead would be the largest velocity of the
// problem by far, and all residuals are relative to that one.
void ProblemBuilder::prestress(int i, double x, double lead, double h, ContactProblem& problem) {
  if (!(lead > 0)) return;
  const std::size_t row = problem.J.firstRow(i);
  const double drive = driveOf(problem.drive, row);
  const ContactParameters& law = parametersOf(i);
  double most =
      std::abs(drive) + h * std::max(-law.min_force, law.max_force) * mobility(problem.J, i, 0);
  for (const BlockRows::Strip& strip : problem.J.stripsOf(i)) {
    const StripValues entries = problem.J.values(i, strip);
    const std::span<const double> w = entries.row(0);
    for (std::size_t k = 0; k < w.size(); ++k) {
      const std::size_t column = static_cast<std::size_t>(strip.first_column) + k;
      most += std::abs(w[k]) * (std::abs(problem.v_old[column]) + std::abs(problem.v_free[column]));
    }
  }
  problem.b[row] = drive + std::clamp(x / lead, -kSureSign * most, kSureSign * most);
}

bool ProblemBuilder::keepDrift(std::span<const Concession> joints, ContactProblem& problem) const {
  bool changed = false;
  for (int group = 0; group < problem.G.groupCount(); ++group) {
    if (joints[group] != Concession::drift) continue;
    for (int k = 0; k < problem.G.rowsOf(group); ++k) {
      const std::size_t row = problem.G.firstRow(group) + k;
      if (joints_.stiffness[row] != JointSet::kRigid) continue;
      changed = changed || problem.g[row] != problem.joint_drive[row];
      problem.g[row] = problem.joint_drive[row];
    }
  }
  return changed;
}

void ProblemBuilder::saveMemory(MemoryWriter& to) const {
  saveContacts(contacts_, to);
}

void ProblemBuilder::restoreMemory(MemoryReader& from) {
  restoreContacts(from, contacts_);
  has_constant_mass_ = false;  // those of the restored problem are for looking at
}

}  // namespace stickslip
