#include "stepping/contact_watch.hpp"

#include <algorithm>
#include <cmath>

#include "math/index.hpp"
#include "math/loan.hpp"
#include "parallel/parallel_copy.hpp"
#include "parallel/parallel_for.hpp"
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
// What a body may be off: see the head of contact_watch.hpp. What forces make within a step is the
// noise of sweeps that end early in a pile at rest, which must not take rounds.
constexpr double kByForces = 1;
constexpr double kByMotion = 0.01;
constexpr int kBlockGrain = 512;

struct Columns {
  std::size_t begin, end;
};

Columns columnsOf(const BlockDiagonal& M, int block) {
  const std::size_t first = at(M.firstRow(block));
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

}  // namespace

void ContactWatch::reserve(const System& system) {
  const std::size_t columns = at(system.velocityCount());
  for (std::vector<double>* x : {&way_, &more_}) x->reserve(columns);
  for (std::vector<char>* x : {&fast_, &hit_, &passed_}) x->resize(system.velocityBlocks().size());
  passing_.reserve(at(system.contactCapacity()));
  reserveContactRows(system, found_.directions);
  found_.contacts.reserve(at(system.contactCapacity()));
  found_.parameters.reserve(at(system.contactCapacity()));
  found_.drive.reserve(at(system.contactCapacity()) *
                       at(1 + system.tangentCount() + system.momentCount()));
  known_.reserve(at(system.contactCapacity()));
}

void ContactWatch::startStep(double h) {
  h_ = h;
  hops_ = 1;
  is_wider_ = false;
}

Reach ContactWatch::reach(const ProblemBuilder& builder, const ContactProblem& problem) {
  way_.resize(problem.v_free.size());
  if (isByMargin()) {
    std::fill(way_.begin(), way_.end(), 0.0);
    return {.way = way_, .margin = margin_, .time = h_};
  }
  parallelFor(problem.M.blockCount(), kBlockGrain, [&](int begin, int end) {
    for (int block = begin; block < end; ++block) setWay(block, problem);
  });
  builder.widenReach(kReachAgain, h_, way_);
  if (is_wider_)
    for (std::size_t k = 0; k < way_.size(); ++k) way_[k] = std::max(way_[k], more_[k]);
  return {.way = way_, .time = h_};
}

// From the velocities at hand.
void ContactWatch::setWay(int block, const ContactProblem& problem) {
  const ConstMatrixView mass = problem.M.block(block);
  const std::size_t first = at(problem.M.firstRow(block));
  const double *old = problem.v_old.data() + first, *free = problem.v_free.data() + first;
  double energy = 0;
  for (int i = 0; i < mass.rows; ++i) energy += mass(i, i) * old[i] * old[i];
  const double around = kReachAround * h_ * std::sqrt(energy);
  double* way = way_.data() + first;
  for (int i = 0; i < mass.rows; ++i)
    way[i] = std::max(kReach * h_ * (std::abs(old[i]) + std::abs(free[i])),
                      around / std::sqrt(mass(i, i)));
}

bool ContactWatch::misses(const System& system, Place place, std::span<const double> v,
                          const ProblemBuilder& builder, const ContactProblem& problem) {
  if (h_ == 0 || isByMargin() || !markFast(v, problem)) return false;
  const Loan predicted(predicted_, v.size()), change(change_, v.size()),
      search_way(search_way_, v.size());
  copyByAll(v, predicted_);
  copyByAll(way_, search_way_);
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

bool ContactWatch::markFast(std::span<const double> v, const ContactProblem& problem) {
  parallelFor(problem.M.blockCount(), kBlockGrain, [&](int begin, int end) {
    for (int block = begin; block < end; ++block)
      fast_[at(block)] = passed_[at(block)] || isFast(block, v, problem) ? 1 : 0;
  });
  return std::any_of(fast_.begin(), fast_.end(), [](char is_fast) { return is_fast != 0; });
}

// Whether a body goes further than what is watched.
bool ContactWatch::isFast(int block, std::span<const double> v,
                          const ContactProblem& problem) const {
  bool further = false;
  for (auto [k, end] = columnsOf(problem.M, block); k < end; ++k)
    further = further || h_ * std::abs(v[k]) > way_[k];
  if (!further) return false;
  const double excess = kineticNorm(problem.M, block, [&](std::size_t k) {
    return std::max(0.0, std::abs(v[k]) - way_[k] / h_);
  });
  return excess > allowance(problem, block, v);
}

// Looks for contacts that bodies which are fast close with the predicted velocities. False if there
// is none.
bool ContactWatch::follow(const System& system, Place place, const ProblemBuilder& builder,
                          const ContactProblem& problem) {
  for (int block = 0; block < problem.M.blockCount(); ++block)
    if (fast_[at(block)])
      for (auto [k, end] = columnsOf(problem.M, block); k < end; ++k)
        search_way_[k] = std::max(search_way_[k], h_ * std::abs(predicted_[k]));
  found_.clear();
  builder.look(system, place, {.way = search_way_, .time = h_, .only = fast_}, found_);
  std::fill(hit_.begin(), hit_.end(), 0);
  std::fill(change_.begin(), change_.end(), 0.0);
  bool any = false;
  for (int i = 0; i < found_.directions.groupCount(); ++i) {
    const double speed = closingSpeed(i, predicted_, problem);
    const std::uint64_t id = found_.contacts[at(i)].id;
    if (!(speed > 0) || isKnown(id, problem) ||
        !system.meetsAhead(id, place.t, place.q, predicted_, h_))
      continue;
    hit(i, speed, problem);
    any = true;
  }
  return any;
}

// How fast v is beyond what takes a contact just to its end, or 0 where that is allowed.
double ContactWatch::closingSpeed(int i, std::span<const double> v,
                                  const ContactProblem& problem) const {
  const Contact& contact = found_.contacts[at(i)];
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

bool ContactWatch::isKnown(std::uint64_t contact, const ContactProblem& problem) {
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
void ContactWatch::hit(int i, double speed, const ContactProblem& problem) {
  for (const BlockRows::Strip& strip : found_.directions.stripsOf(i)) {
    const int block = problem.M.blockOf(strip.first_column);
    const StripValues entries = found_.directions.values(i, strip);
    const std::span<const double> normal = entries.row(0);
    const double mobility = mobilityOf(problem.M, block, normal);
    hit_[at(block)] = 1;
    for (std::size_t k = 0; k < normal.size() && mobility > 0; ++k) {
      const std::size_t column = at(strip.first_column) + k;
      const double change = normal[k] * speed / (massOf(problem.M, block, column) * mobility);
      if (std::abs(change) > std::abs(change_[column])) change_[column] = change;
    }
  }
}

// Widens what is watched by the way of all that is hit or hits. What is hit goes on, and is what is
// fast then: false if there is nothing.
bool ContactWatch::goOn(const ContactProblem& problem) {
  if (!is_wider_) more_.assign(predicted_.size(), 0.0);
  is_wider_ = true;
  bool any = false;
  for (int block = 0; block < problem.M.blockCount(); ++block) {
    const bool was_hit = hit_[at(block)] && !fast_[at(block)];
    if (was_hit)
      for (auto [k, end] = columnsOf(problem.M, block); k < end; ++k) predicted_[k] += change_[k];
    if (hit_[at(block)]) widen(block, problem);
    fast_[at(block)] = was_hit ? 1 : 0;
    any = any || was_hit;
  }
  return any;
}

void ContactWatch::widen(int block, const ContactProblem& problem) {
  for (auto [k, end] = columnsOf(problem.M, block); k < end; ++k)
    more_[k] = std::max(more_[k], kReachAgain * h_ * std::abs(predicted_[k]));
}

}  // namespace stickslip
