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
  sweeps,
  newton,
  interior_point,
  convex_start,
  corners,
  pair_path,
  central_path,
  theta_path,
};

inline constexpr std::array<std::string_view, 9> kExactStageNames{
    "start",   "sweeps",    "newton",       "interior point", "convex start",
    "corners", "pair path", "central path", "theta path"};

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
