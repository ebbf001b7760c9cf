#include "stepping/resting_islands.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "stickslip/memory_stream.hpp"

namespace stickslip {
namespace {

// A body is quiet if it is slower than this many tolerances of what the forces on it would make it
// within a step, but no faster than a hundredth of that: 1 mm/s under gravity with steps of 10 ms.
constexpr double kTolerances = 10;
constexpr double kMostQuiet = 0.01;
// Relative change of an acceleration that is more than rounding.
constexpr double kSameForce = 1e-9;

std::span<const double> part(std::span<const double> x, const BlockDiagonal& M, int block) {
  return x.subspan(M.firstRow(block), M.block(block).rows);
}

double energyNorm(const BlockDiagonal& M, int block, std::span<const double> x) {
  const ConstMatrixView m = M.block(block);
  double sum = 0;
  for (int i = 0; i < m.rows; ++i)
    for (int j = 0; j < m.rows; ++j) sum += x[i] * m(i, j) * x[j];
  return sum;
}

}  // namespace

void Sleepers::reserve(const System& system) {
  const std::size_t blocks = system.velocityBlocks().size();
  first_.assign(1, 0);
  for (const int size : system.velocityBlocks()) first_.push_back(first_.back() + size);
  asleep_.assign(blocks, 0);
  next_.assign(blocks, 0);
  acceleration_.assign(system.velocityCount(), 0.0);
  count_ = 0;
}

void Sleepers::putToSleep(std::span<const int> island) {
  int before = island.back();
  for (const int block : island) {
    asleep_[block] = 1;
    next_[before] = block;
    before = block;
    ++count_;
  }
}

void Sleepers::wakeAll() {
  std::fill(asleep_.begin(), asleep_.end(), 0);
  count_ = 0;
}

void Sleepers::wakeIsland(int block) {
  for (int b = block; asleep_[b]; b = next_[b]) {
    asleep_[b] = 0;
    --count_;
  }
}

void Sleepers::checkVelocities(std::span<const double> u) {
  if (count_ == 0) return;
  for (std::size_t block = 0; block < asleep_.size(); ++block) {
    if (!asleep_[block]) continue;
    for (int k = first_[block]; k < first_[block + 1]; ++k)
      if (u[k] != 0) wakeIsland(static_cast<int>(block));
  }
}

void Sleepers::wakeAccelerated(const BlockDiagonal& M, std::span<const double> acceleration) {
  for (int block = 0; block < M.blockCount(); ++block) {
    if (!asleep_[block]) continue;
    const std::span<const double> now = part(acceleration, M, block);
    const std::span<const double> then = part(acceleration_, M, block);
    double size = 0, change = 0;
    for (std::size_t k = 0; k < now.size(); ++k) {
      size = std::max(size, std::abs(then[k]));
      change = std::max(change, std::abs(now[k] - then[k]));
    }
    if (change > kSameForce * size) wakeIsland(block);
  }
  for (int block = 0; block < M.blockCount(); ++block)
    if (!asleep_[block])
      std::copy_n(acceleration.begin() + M.firstRow(block), M.block(block).rows,
                  acceleration_.begin() + M.firstRow(block));
}

void Sleepers::hold(const BlockDiagonal& M, std::span<double> v_free) const {
  for (int block = 0; block < M.blockCount(); ++block)
    if (asleep_[block]) std::fill_n(v_free.begin() + M.firstRow(block), M.block(block).rows, 0.0);
}

bool Sleepers::wakeTouched(const ContactProblem& problem) {
  if (count_ == 0) return false;
  const int before = count_;
  for (int i = 0; i < problem.contactCount(); ++i)
    for (const BlockRows::Strip& strip : problem.J.stripsOf(i)) {
      const int block = problem.M.blockOf(strip.first_column);
      if (asleep_[block]) wakeIsland(block);
    }
  return count_ < before;
}

void Sleepers::widenReach(double factor, double h, std::span<double> way) const {
  if (count_ == 0) return;
  for (std::size_t block = 0; block < asleep_.size(); ++block) {
    if (!asleep_[block]) continue;
    for (int k = first_[block]; k < first_[block + 1]; ++k)
      way[k] = factor * h * h * std::abs(acceleration_[k]);
  }
}

void Sleepers::saveMemory(MemoryWriter& to) const {
  to(asleep_, next_, acceleration_);
}

void Sleepers::restoreMemory(MemoryReader& from) {
  const std::size_t blocks = asleep_.size();
  std::vector<char> asleep;
  std::vector<int> next;
  std::vector<double> acceleration;
  from(asleep, next, acceleration);
  const auto isBlock = [&](int block) {
    return block >= 0 && static_cast<std::size_t>(block) < blocks;
  };
  from.expect(asleep.size() == blocks && next.size() == blocks &&
                  acceleration.size() == acceleration_.size() &&
                  std::all_of(next.begin(), next.end(), isBlock),
              "what sleeps is not of this system");
  count_ = static_cast<int>(blocks) - static_cast<int>(std::count(asleep.begin(), asleep.end(), 0));
  asleep_ = std::move(asleep);
  next_ = std::move(next);
  acceleration_ = std::move(acceleration);
}

RestingIslands::RestingIslands(double sleep_time, double tolerance)
    : sleep_time_(sleep_time), quiet_(std::min(kMostQuiet, kTolerances * tolerance)) {}

void RestingIslands::reserve(const System& system) {
  sleepers_.reserve(system);
  rest_time_.assign(system.velocityBlocks().size(), 0.0);
  islands_.reserve(system.velocityCount(), system.contactCapacity(), system.jointCapacity());
}

void RestingIslands::wakeAll() {
  sleepers_.wakeAll();
  std::fill(rest_time_.begin(), rest_time_.end(), 0.0);
}

bool RestingIslands::isQuiet(const BlockDiagonal& M, int block, std::span<const double> u,
                             double h) const {
  const double limit = quiet_ * h;
  return energyNorm(M, block, part(u, M, block)) <=
         limit * limit * energyNorm(M, block, part(sleepers_.acceleration(), M, block));
}

bool RestingIslands::mayRest(const ContactProblem& problem, std::span<const Contact> contacts,
                             int island) const {
  if (!islands_.joints(island).empty()) return false;
  for (const int contact : islands_.contacts(island)) {
    if (problem.sets[contact].kind == ImpulseSet::Kind::interval) return false;
    if (contacts[contact].driven) return false;
  }
  const std::span<const int> blocks = islands_.blocks(island);
  return !islands_.contacts(island).empty() &&
         std::all_of(blocks.begin(), blocks.end(),
                     [&](int block) { return rest_time_[block] >= sleep_time_; });
}

void RestingIslands::endStep(const ContactProblem& problem, std::span<const Contact> contacts,
                             double h, bool certified, std::span<double> u) {
  if (h == 0) return;
  for (int block = 0; block < problem.M.blockCount(); ++block) {
    if (sleepers_.isAsleep(block)) continue;
    double& time = rest_time_[block];
    time = certified && isQuiet(problem.M, block, u, h) ? time + h : 0;
  }
  islands_.find(problem);
  for (int island = 0; island < islands_.count(); ++island) {
    if (!mayRest(problem, contacts, island)) continue;
    sleepers_.putToSleep(islands_.blocks(island));
    for (const int block : islands_.blocks(island)) {
      rest_time_[block] = 0;
      std::fill_n(u.begin() + problem.M.firstRow(block), problem.M.block(block).rows, 0.0);
    }
  }
}

void RestingIslands::saveMemory(MemoryWriter& to) const {
  sleepers_.saveMemory(to);
  to(rest_time_);
}

void RestingIslands::restoreMemory(MemoryReader& from) {
  sleepers_.restoreMemory(from);
  std::vector<double> rest_time;
  from(rest_time);
  from.expect(rest_time.size() == rest_time_.size(), "what rests is not of this system");
  rest_time_ = std::move(rest_time);
}

}  // namespace stickslip
