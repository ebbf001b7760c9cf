// What the stages of a solver did: which of them solved how many islands, and what that took.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace stickslip {

/// What one stage did, in one solve or in several.
struct StageEffort {
  std::string_view name;        ///< of static storage, as "newton"
  std::int64_t solved = 0;      ///< islands that were solved when it ended, and not before
  std::int64_t tried = 0;       ///< islands that it was tried on
  std::int64_t iterations = 0;  ///< that it took
};

/// What all stages did, in the order in which they were first tried. Of fixed size, so that
/// a step allocates nothing: what finds no room is counted under "other".
class StageSummary {
 public:
  static constexpr int kMost = 20;

  // Reports are made and copied several times a step: only what is used of the room is touched.
  StageSummary() {}  // NOLINT(modernize-use-equals-default): that would fill it
  StageSummary(const StageSummary& other) { *this = other; }
  StageSummary& operator=(const StageSummary& other) {
    if (this == &other) return *this;
    count_ = other.count_;
    std::uninitialized_copy_n(other.first(), count_, first());
    return *this;
  }

  std::span<const StageEffort> efforts() const { return {first(), count_}; }
  void add(const StageEffort& effort) {
    StageEffort& sum = find(effort.name);
    sum.solved += effort.solved;
    sum.tried += effort.tried;
    sum.iterations += effort.iterations;
  }
  void add(const StageSummary& other) {
    for (const StageEffort& effort : other.efforts()) add(effort);
  }
  /// The same without the islands that were solved: what an attempt cost whose solution is not
  /// the one that is kept.
  void addCost(const StageSummary& other) {
    for (StageEffort effort : other.efforts()) {
      effort.solved = 0;
      add(effort);
    }
  }
  void clear() { count_ = 0; }

 private:
  StageEffort& find(std::string_view name) {
    for (StageEffort& effort : std::span(first(), count_))
      if (effort.name == name) return effort;
    if (count_ == kMost) return first()[kMost - 1];
    const bool is_last = count_ + 1 == kMost;
    return *std::construct_at(first() + count_++, StageEffort{.name = is_last ? "other" : name});
  }
  StageEffort* first() { return reinterpret_cast<StageEffort*>(room_.data()); }
  const StageEffort* first() const { return reinterpret_cast<const StageEffort*>(room_.data()); }

  static_assert(std::is_trivially_copyable_v<StageEffort>);
  std::size_t count_ = 0;
  alignas(StageEffort) std::array<std::byte, kMost * sizeof(StageEffort)> room_;
};

/// One stage on one island. Solvers write these to the trace that they are given.
struct StageRecord {
  std::string_view solver;
  std::string_view stage;
  int island = 0;  ///< of the problem, in the solver's order
  int rows = 0;    ///< of contacts and joints in it
  std::int64_t iterations = 0;
  double before = 0;  ///< residual of the best point; not a number where the solver has none
  double after = 0;
  double seconds = 0;
  bool solved = false;  ///< by this stage
};
using StageTrace = std::vector<StageRecord>;

}  // namespace stickslip
