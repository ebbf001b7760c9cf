// The stages of solver `exact`, in the order in which it tries them: their names, and sets of them
// to be left out, which tell what each is good for (docs/stages.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace stickslip {

enum class ExactStage : std::uint8_t {
  start,  ///< the better of zero and the impulses of the last solve; cannot be left out
  // Islands whose laws are polyhedral, PolyhedralExact:
  last_states,
  pair_interior_point,
  last_impulses,
  pair_relaxed_law,
  wandering_sweeps,
  pair_paths,
  // All islands:
  sweeps,
  newton,
  interior_point,
  convex_start,
  many_sweeps,
  closing_corners,
  pivoting,
  central_path,
  smoothed_path,
};

inline constexpr std::array<std::string_view, 16> kExactStageNames{
    "start",           "last states",      "pair interior point",
    "last impulses",   "pair relaxed law", "wandering sweeps",
    "pair paths",      "sweeps",           "newton",
    "interior point",  "convex start",     "many sweeps",
    "closing corners", "pivoting",         "central path",
    "smoothed path"};

constexpr std::string_view toString(ExactStage stage) {
  return kExactStageNames[static_cast<std::size_t>(stage)];
}

class ExactStages {
 public:
  constexpr ExactStages() = default;
  constexpr ExactStages(std::initializer_list<ExactStage> stages) {
    for (const ExactStage stage : stages) bits_ |= bit(stage);
  }
  constexpr ExactStages with(ExactStage stage) const {
    ExactStages more = *this;
    more.bits_ |= bit(stage);
    return more;
  }
  constexpr bool has(ExactStage stage) const { return (bits_ & bit(stage)) != 0; }

 private:
  static constexpr std::uint32_t bit(ExactStage stage) {
    return std::uint32_t{1} << static_cast<unsigned>(stage);
  }
  std::uint32_t bits_ = 0;
};

}  // namespace stickslip
