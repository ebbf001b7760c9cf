#include "stepping/active_contacts.hpp"

#include <algorithm>
#include <cmath>

#include "base/index.hpp"
#include "base/parallel_array.hpp"
#include "base/parallel_for.hpp"
#include "stepping/contact_approach.hpp"

namespace stickslip {
namespace {

// The way of both velocities at hand is watched, old and free, and this much of the old one's in
// any direction. With less more steps take further rounds; with more there are more contacts: of
// eight choices the best on spheres, boxes and discs that fall into a box.
constexpr double kReach = 1;
constexpr double kReachAround = 0.75;
// Of velocities that were seen: they grow further when a contact is added.
constexpr double kReachAgain = 2;
// What a body may be off: see the head of active_contacts.hpp. What forces make within a step is
// the noise of sweeps that end early in a pile at rest, which must not take rounds.
constexpr double kByForces = 1;
constexpr double kByMotion = 0.01;
// A contact is followed on its way if gap and overlap by its row are more than this part of the
// way,
constexpr double kClearly = 0.05;
// and the way is neither what forces make within the step nor a difference of much longer ones:
// then rows are as good as the bodies, and bodies at rest need not be looked at.
constexpr double kFasterThanForces = 4;
constexpr double kOfTheTerms = 0.01;
constexpr int kBlockGrain = 512;
constexpr int kContactGrain = 256;

struct Columns {
  std::size_t begin, end;
};

Columns columnsOf(const BlockDiagonal& M, int block) {
  const std::size_t first = M.firstRow(block);
  return {first, first + at(M.block(block).rows)};
}

double massOf(const BlockDiagonal& M, int block, std::size_t column) {
  const int k = static_cast<int>(column) - M.firstRow(block);
  return M.block(block)(k, k);
}

// Kinetic norm of a block of a velocity, which is given by its components.
template <typename Velocity>
double kineticNorm(const BlockDiagonal& M, int block, const Velocity& velocity) {
  double sum = 0;
  for (auto [k, end] = columnsOf(M, block); k < end; ++k) {
    const double x = velocity(k);
    sum += massOf(M, block, k) * x * x;
  }
  return std::sqrt(sum);
}

// What a body may be off, in the kinetic norm.
double allowance(const ContactProblem& problem, int block, std::span<const double> v) {
  const std::vector<double>&old = problem.v_old, &free = problem.v_free;
  const double forces =
      kineticNorm(problem.M, block, [&](std::size_t k) { return free[k] - old[k]; });
  const double motion = kineticNorm(problem.M, block, [&](std::size_t k) {
    return std::max({std::abs(old[k]), std::abs(free[k]), std::abs(v[k])});
  });
  return kByForces * forces + kByMotion * motion;
}

// n M^-1 n' of one body of a contact.
double mobilityOf(const BlockDiagonal& M, int block, std::span<const double> normal) {
  double sum = 0;
  const std::size_t first = columnsOf(M, block).begin;
  for (std::size_t k = 0; k < normal.size(); ++k)
    sum += normal[k] * normal[k] / massOf(M, block, first + k);
  return sum;
}

/// Velocities of a contact along its linear rows.
struct RowSpeeds {
  double moving = 0;  ///< of the two sides beside each other
  double forced = 0;  ///< what forces make of that within the step
  double terms = 0;   ///< largest number that was added up
};

RowSpeeds rowSpeeds(const ContactProblem& problem, int contact, std::span<const double> v) {
  RowSpeeds out;
  double moving_square = 0, forced_square = 0;
  for (int row = 0; row < problem.sets[contact].linearRows(); ++row) {
    double moving = driveOf(problem.drive, at(problem.J.firstRow(contact) + row)), forced = 0;
    for (const BlockRows::Strip& strip : problem.J.stripsOf(contact)) {
      const StripValues entries = problem.J.values(contact, strip);
      const std::span<const double> values = entries.row(row);
      for (std::size_t k = 0; k < values.size(); ++k) {
        const std::size_t column = at(strip.first_column) + k;
        moving += values[k] * v[column];
        forced += values[k] * (problem.v_free[column] - problem.v_old[column]);
        out.terms = std::max(out.terms, std::abs(values[k] * v[column]));
      }
    }
    moving_square += moving * moving;
    forced_square += forced * forced;
  }
  out.moving = std::sqrt(moving_square);
  out.forced = std::sqrt(forced_square);
  return out;
}

}  // namespace

void ActiveContacts::reserve(const System& system) {
  const std::size_t columns = system.velocityCount();
  for (std::vector<double>* x : {&way_, &more_, &further_, &predicted_, &change_})
    x->reserve(columns);
  for (std::vector<char>* x : {&fast_, &hit_, &passed_}) x->resize(system.velocityBlocks().size());
  passing_.reserve(system.contactCapacity());
  reserveContactRows(system, found_.directions);
  found_.contacts.reserve(system.contactCapacity());
  found_.parameters.reserve(system.contactCapacity());
  found_.drive.reserve(at(system.contactCapacity()) *
                       at(1 + system.tangentCount() + system.momentCount()));
  known_.reserve(system.contactCapacity());
}

void ActiveContacts::startStep(double h) {
  h_ = h;
  hops_ = 1;
  is_wider_ = false;
}

Reach ActiveContacts::reach(const ProblemBuilder& builder, const ContactProblem& problem) {
  way_.resize(problem.v_free.size());
  if (isByMargin()) {
    std::fill(way_.begin(), way_.end(), 0.0);
  } else {
    parallelFor(problem.M.blockCount(), kBlockGrain, [&](int begin, int end) {
      for (int block = begin; block < end; ++block) setWay(block, problem);
    });
    builder.widenReach(kReachAgain, h_, way_);
  }
  if (is_wider_)
    for (std::size_t k = 0; k < way_.size(); ++k) way_[k] = std::max(way_[k], more_[k]);
  return {.way = way_, .margin = watchedGap(), .time = h_};
}

// From the velocities at hand.
void ActiveContacts::setWay(int block, const ContactProblem& problem) {
  const ConstMatrixView mass = problem.M.block(block);
  const std::size_t first = problem.M.firstRow(block);
  const double *old = problem.v_old.data() + first, *free = problem.v_free.data() + first;
  double energy = 0;
  for (int i = 0; i < mass.rows; ++i) energy += mass(i, i) * old[i] * old[i];
  const double around = kReachAround * h_ * std::sqrt(energy);
  double* way = way_.data() + first;
  for (int i = 0; i < mass.rows; ++i)
    way[i] = std::max(kReach * h_ * (std::abs(old[i]) + std::abs(free[i])),
                      around / std::sqrt(mass(i, i)));
}

void ActiveContacts::dropPassing(const System& system, Configuration place, ProblemBuilder& builder,
                                 ContactProblem& problem) {
  passed_.assign(problem.M.blockCount(), 0);
  if (h_ == 0) return;
  const std::span<const double> expected = is_wider_ ? predicted_ : problem.v_free;
  passing_.resize(problem.contactCount());
  parallelFor(problem.contactCount(), kContactGrain, [&](int begin, int end) {
    for (int i = begin; i < end; ++i)
      passing_[i] = builder.contactData()[i].driven && problem.gap[i] > margin_ &&
                    maySeemToClose(i, expected, problem);
  });
  bool any = false;
  for (int i = 0; i < problem.contactCount(); ++i) {
    if (!passing_[i]) continue;
    passing_[i] = !system.meetsAhead(problem.contact_id[i], place.t, place.q, expected, h_);
    if (!passing_[i]) continue;
    any = true;
    for (const BlockRows::Strip& strip : problem.J.stripsOf(i))
      passed_[problem.M.blockOf(strip.first_column)] = 1;
  }
  if (any) builder.dropContacts(passing_, problem);
}

// Whether its row says that it closes, from clearly open to clearly overlapping, and not only
// because of forces or rounding.
bool ActiveContacts::maySeemToClose(int contact, std::span<const double> v,
                                    const ContactProblem& problem) const {
  const double gap = problem.gap[contact];
  if (!(gap > 0)) return false;
  const double after = gap + h_ * gapRate(problem.J, contact, problem.drive, v);
  if (!(after < 0)) return false;
  const RowSpeeds speeds = rowSpeeds(problem, contact, v);
  const double least = kClearly * h_ * speeds.moving;
  return gap > least && after < -least && speeds.moving > kOfTheTerms * speeds.terms &&
         speeds.moving > kFasterThanForces * speeds.forced;
}

bool ActiveContacts::misses(const System& system, Configuration place, std::span<const double> v,
                            const ProblemBuilder& builder, const ContactProblem& problem) {
  if (h_ == 0 || !markFast(system, v, problem)) return false;
  predicted_.resize(v.size());
  change_.resize(v.size());
  copyByAll(v, predicted_);
  known_.clear();
  is_known_sorted_ = false;
  bool any = false;
  for (int hop = 0; hop < hops_ && follow(system, place, builder, problem); ++hop) {
    any = true;
    if (!goOn(problem)) break;
  }
  if (any) hops_ *= 2;
  return any;
}

bool ActiveContacts::markFast(const System& system, std::span<const double> v,
                              const ContactProblem& problem) {
  further_.resize(isByMargin() ? v.size() : 0);
  parallelFor(problem.M.blockCount(), kBlockGrain, [&](int begin, int end) {
    for (int block = begin; block < end; ++block)
      fast_[block] = passed_[block] || isFast(system, block, v, problem) ? 1 : 0;
  });
  return std::any_of(fast_.begin(), fast_.end(), [](char is_fast) { return is_fast != 0; });
}

// Whether a body goes further than what is watched: with a margin by more than half of it, since
// two bodies close a gap.
bool ActiveContacts::isFast(const System& system, int block, std::span<const double> v,
                            const ContactProblem& problem) {
  const Columns columns = columnsOf(problem.M, block);
  bool is_further = false;
  for (std::size_t k = columns.begin; k < columns.end; ++k)
    is_further = is_further || h_ * std::abs(v[k]) > way_[k];
  if (!is_further) return false;
  if (isByMargin()) {
    for (std::size_t k = columns.begin; k < columns.end; ++k)
      further_[k] = std::max(0.0, h_ * std::abs(v[k]) - way_[k]);
    const std::span<const double> further(further_);
    if (system.farthestMove(block, further.subspan(columns.begin, columns.end - columns.begin)) <=
        margin_ / 2)
      return false;
  }
  const double excess = kineticNorm(problem.M, block, [&](std::size_t k) {
    return std::max(0.0, std::abs(v[k]) - way_[k] / h_);
  });
  return excess > allowance(problem, block, v);
}

// Looks for contacts that bodies which are fast close with the predicted velocities, and widens
// what is watched as far as these carry. False if there is none.
bool ActiveContacts::follow(const System& system, Configuration place,
                            const ProblemBuilder& builder, const ContactProblem& problem) {
  for (int block = 0; block < problem.M.blockCount(); ++block)
    if (fast_[block])
      for (auto [k, end] = columnsOf(problem.M, block); k < end; ++k)
        way_[k] = std::max(way_[k], h_ * std::abs(predicted_[k]));
  found_.clear();
  builder.lookOf(fast_, system, place, {.way = way_, .margin = watchedGap(), .time = h_}, found_);
  std::fill(hit_.begin(), hit_.end(), 0);
  std::fill(change_.begin(), change_.end(), 0.0);
  bool any = false;
  for (int i = 0; i < found_.directions.groupCount(); ++i) {
    const double speed = closingSpeed(i, predicted_, problem);
    const std::uint64_t id = found_.contacts[i].id;
    if (!(speed > 0) || isKnown(id, problem) ||
        !system.meetsAhead(id, place.t, place.q, predicted_, h_))
      continue;
    hit(i, speed, problem);
    any = true;
  }
  return any;
}

// How fast v is beyond what takes a contact just to its end, or 0 where that is allowed.
double ActiveContacts::closingSpeed(int i, std::span<const double> v,
                                    const ContactProblem& problem) const {
  const Contact& contact = found_.contacts[i];
  if (!found_.parametersOf(contact).isUnilateral()) return 0;
  const BlockRows& rows = found_.directions;
  const double speed = -(contact.gap / h_ + gapRate(rows, i, found_.drive, v));
  if (!(speed > 0)) return 0;
  double allowed = kByMotion * std::abs(driveOf(found_.drive, at(rows.firstRow(i))));
  for (const BlockRows::Strip& strip : rows.stripsOf(i)) {
    const int block = problem.M.blockOf(strip.first_column);
    const StripValues entries = rows.values(i, strip);
    allowed +=
        std::sqrt(mobilityOf(problem.M, block, entries.row(0))) * allowance(problem, block, v);
  }
  return speed > allowed ? speed : 0;
}

bool ActiveContacts::isKnown(std::uint64_t contact, const ContactProblem& problem) {
  const std::vector<std::uint64_t>& ids = problem.contact_id;
  if (!is_known_sorted_) {
    const bool is_sorted = std::is_sorted(ids.begin(), ids.end());
    if (!is_sorted) known_ = ids;
    std::sort(known_.begin(), known_.end());
    is_known_sorted_ = true;
  }
  const std::vector<std::uint64_t>& known = known_.empty() ? ids : known_;
  return std::binary_search(known.begin(), known.end(), contact);
}

// A contact is watched from now on, and the bodies that it stops or pushes are marked.
void ActiveContacts::hit(int i, double speed, const ContactProblem& problem) {
  for (const BlockRows::Strip& strip : found_.directions.stripsOf(i)) {
    const int block = problem.M.blockOf(strip.first_column);
    const StripValues entries = found_.directions.values(i, strip);
    const std::span<const double> normal = entries.row(0);
    const double mobility = mobilityOf(problem.M, block, normal);
    hit_[block] = 1;
    for (std::size_t k = 0; k < normal.size() && mobility > 0; ++k) {
      const std::size_t column = at(strip.first_column) + k;
      const double change = normal[k] * speed / (massOf(problem.M, block, column) * mobility);
      if (std::abs(change) > std::abs(change_[column])) change_[column] = change;
    }
  }
}

// Widens what is watched by the way of all that is hit or hits. What is hit goes on, and is what is
// fast then: false if there is nothing.
bool ActiveContacts::goOn(const ContactProblem& problem) {
  if (!is_wider_) more_.assign(predicted_.size(), 0.0);
  is_wider_ = true;
  bool any = false;
  for (int block = 0; block < problem.M.blockCount(); ++block) {
    const bool was_hit = hit_[block] && !fast_[block];
    if (was_hit)
      for (auto [k, end] = columnsOf(problem.M, block); k < end; ++k) predicted_[k] += change_[k];
    if (hit_[block]) widen(block, problem);
    fast_[block] = was_hit ? 1 : 0;
    any = any || was_hit;
  }
  return any;
}

void ActiveContacts::widen(int block, const ContactProblem& problem) {
  for (auto [k, end] = columnsOf(problem.M, block); k < end; ++k)
    more_[k] = std::max(more_[k], kReachAgain * h_ * std::abs(predicted_[k]));
}

}  // namespace stickslip
