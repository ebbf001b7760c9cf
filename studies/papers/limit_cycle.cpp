#include "papers/limit_cycle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stickslip {
namespace {

double quantityAt(const Trajectory& motion, std::size_t step, std::size_t k) {
  return k < motion.positions ? motion.position(step, k)
                              : motion.velocity(step, k - motion.positions);
}

// A passage through the section, between two steps.
struct Passage {
  std::size_t step = 0;  ///< the first after it
  double time = 0;
  std::vector<double> values;
};

std::vector<Passage> passagesOf(const Trajectory& motion, double after, std::size_t coordinate) {
  std::vector<Passage> passages;
  const double level = motion.position(0, coordinate);
  for (std::size_t step = 1; step < motion.count(); ++step) {
    const double before = motion.position(step - 1, coordinate);
    const double here = motion.position(step, coordinate);
    if (motion.times[step] <= after || !(before > level && here <= level)) continue;
    const double part = (level - before) / (here - before);
    const auto between = [&](double a, double b) { return a + part * (b - a); };
    Passage passage{step, between(motion.times[step - 1], motion.times[step]), {}};
    for (std::size_t k = 0; k < motion.positions + motion.velocities; ++k)
      passage.values.push_back(
          between(quantityAt(motion, step - 1, k), quantityAt(motion, step, k)));
    passages.push_back(std::move(passage));
  }
  return passages;
}

CycleRange rangeOf(const Trajectory& motion, std::size_t begin, std::size_t end, std::size_t k) {
  CycleRange range{std::numeric_limits<double>::infinity(),
                   -std::numeric_limits<double>::infinity()};
  for (std::size_t step = begin; step < end; ++step) {
    range.least = std::min(range.least, quantityAt(motion, step, k));
    range.most = std::max(range.most, quantityAt(motion, step, k));
  }
  return range;
}

CycleRange meanRange(const Trajectory& motion, const std::vector<Passage>& passages,
                     std::size_t k) {
  CycleRange mean;
  const auto count = static_cast<double>(passages.size() - 1);
  for (std::size_t i = 0; i + 1 < passages.size(); ++i) {
    const CycleRange range = rangeOf(motion, passages[i].step, passages[i + 1].step, k);
    mean.least += range.least / count;
    mean.most += range.most / count;
  }
  return mean;
}

double spreadOf(const std::vector<Passage>& passages, const LimitCycle& cycle) {
  double spread = 0;
  for (std::size_t k = 1; k < cycle.ranges.size(); ++k) {
    const auto [least, most] = std::minmax_element(
        passages.begin(), passages.end(),
        [&](const Passage& a, const Passage& b) { return a.values[k] < b.values[k]; });
    spread = std::max(spread, (most->values[k] - least->values[k]) / cycle.ranges[k].width());
  }
  for (std::size_t i = 0; i + 1 < passages.size(); ++i)
    spread =
        std::max(spread, std::abs((passages[i + 1].time - passages[i].time) / cycle.period - 1));
  return spread;
}

}  // namespace

LimitCycle measureCycle(const Trajectory& motion, double after, std::size_t section_coordinate) {
  const std::vector<Passage> passages = passagesOf(motion, after, section_coordinate);
  const std::size_t quantities = motion.positions + motion.velocities;
  LimitCycle cycle;
  cycle.section.resize(quantities);
  cycle.ranges.resize(quantities);
  if (passages.size() < 2) return cycle;
  cycle.count = static_cast<int>(passages.size()) - 1;
  cycle.period = (passages.back().time - passages.front().time) / cycle.count;
  cycle.drop = (passages.front().values[0] - passages.back().values[0]) / cycle.count;
  cycle.ranges[0] = rangeOf(motion, passages.front().step, passages.back().step, 0);
  for (std::size_t k = 1; k < quantities; ++k) cycle.ranges[k] = meanRange(motion, passages, k);
  for (const Passage& passage : passages)
    for (std::size_t k = 0; k < quantities; ++k)
      cycle.section[k] += passage.values[k] / static_cast<double>(passages.size());
  cycle.spread = spreadOf(passages, cycle);
  return cycle;
}

}  // namespace stickslip
