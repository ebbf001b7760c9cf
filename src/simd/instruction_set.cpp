#include "simd/instruction_set.hpp"

#include <cstddef>

namespace stickslip {
namespace {

constexpr InstructionSet kInstructionSets[] = {InstructionSet::baseline, InstructionSet::avx2};

std::size_t usableSets() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") ? 2 : 1;
#else
  return 1;
#endif
}

}  // namespace

InstructionSet instructionSet() {
  return kInstructionSets[usableSets() - 1];
}

std::span<const InstructionSet> instructionSets() {
  return {kInstructionSets, usableSets()};
}

}  // namespace stickslip
