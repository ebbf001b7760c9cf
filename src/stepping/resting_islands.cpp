#include "stepping/resting_islands.hpp"

#include <algorithm>
#include <cmath>

#include "base/index.hpp"

namespace stickslip {
namespace {

// A body is quiet if it is slower than this many tolerances of what the forces on it would make it
// within a step, but no faster than a hundredth of that: 1 mm/s under gravity with steps of 10 ms.
constexpr double kTolerances = 10;
constexpr double kMostQuiet = 0.01;

std::span<const double> part(std::span<const double> x, const BlockDiagonal& M, int block) {
  return x.subspan(at(M.firstRow(block)), at(M.block(block).rows));
}

double energyNorm(const BlockDiagonal& M, int block, std::span<const double> x) {
  const ConstMatrixView m = M.block(block);
  double sum = 0;
  for (int i = 0; i < m.rows; ++i)
    for (int j = 0; j < m.rows; ++j) sum += x[i] * m(i, j) * x[j];
  return sum;
}

}  // namespace

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

}  // namespace stickslip
