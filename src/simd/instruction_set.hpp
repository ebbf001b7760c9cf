// Which instructions the machine has, and the kernels that were compiled for them: the one place
// where this is asked.
//
// A kernel is an inner loop that is worth a wider vector. Its source, *_kernels.inl, is compiled
// once for each instruction set (cmake/Rooms.cmake) in a namespace of that name, and offers a table
// of functions:
//
//   struct SumKernels { double (*sum)(const double* x, int count); };   // sum_kernels.hpp
//   STICKSLIP_KERNELS(SumKernels);
//   double s = machineKernels<SumKernels>().sum(x, count);                     // anywhere
//
// All sets do the same operations in the same order and fuse none, so that results have the same
// bits on every machine.
#pragma once

#include <span>

namespace stickslip {

enum class InstructionSet {
  baseline,  ///< what the whole library is compiled for; vectors of two numbers
  avx2,      ///< x86-64 with AVX2; vectors of four
};

/// The widest one that this machine has.
InstructionSet instructionSet();

/// All that this machine has, the baseline first; for tests.
std::span<const InstructionSet> instructionSets();

/// The table of one instruction set; the source of the kernels defines it.
template <class Kernels, InstructionSet set>
const Kernels& compiledKernels();

/// Declares the tables of a type of kernels. At the scope of the namespace, in its header.
#if defined(__x86_64__)
#define STICKSLIP_KERNELS(...)                                                 \
  template <>                                                                  \
  const __VA_ARGS__& compiledKernels<__VA_ARGS__, InstructionSet::baseline>(); \
  template <>                                                                  \
  const __VA_ARGS__& compiledKernels<__VA_ARGS__, InstructionSet::avx2>()
#else
#define STICKSLIP_KERNELS(...) \
  template <>                  \
  const __VA_ARGS__& compiledKernels<__VA_ARGS__, InstructionSet::baseline>()
#endif

template <class Kernels>
const Kernels& kernelsFor([[maybe_unused]] InstructionSet set) {
#if defined(__x86_64__)
  if (set == InstructionSet::avx2) return compiledKernels<Kernels, InstructionSet::avx2>();
#endif
  return compiledKernels<Kernels, InstructionSet::baseline>();
}

/// The kernels for this machine.
template <class Kernels>
const Kernels& machineKernels() {
  return kernelsFor<Kernels>(instructionSet());
}

}  // namespace stickslip
