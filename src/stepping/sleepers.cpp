#include "stickslip/sleepers.hpp"

#include <algorithm>
#include <cmath>

#include "base/index.hpp"

namespace stickslip {
namespace {

// Relative change of an acceleration that is more than rounding.
constexpr double kSameForce = 1e-9;

std::span<const double> entriesOf(std::span<const double> x, const BlockDiagonal& M, int block) {
  return x.subspan(at(M.firstRow(block)), at(M.block(block).rows));
}

}  // namespace

void Sleepers::reserve(const System& system) {
  const std::size_t blocks = system.velocityBlocks().size();
  first_.assign(1, 0);
  for (const int size : system.velocityBlocks()) first_.push_back(first_.back() + size);
  asleep_.assign(blocks, 0);
  next_.assign(blocks, 0);
  acceleration_.assign(at(system.velocityCount()), 0.0);
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
    const std::span<const double> now = entriesOf(acceleration, M, block);
    const std::span<const double> then = entriesOf(acceleration_, M, block);
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

}  // namespace stickslip
