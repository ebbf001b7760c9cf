// Vectors of numbers: two of them, which every machine has, and as many as an instruction of the
// set at hand takes.
//
// All of it is in a namespace with the name of the instruction set that the file is compiled for.
// What is compiled for AVX2 is thus never taken for what the rest of the program calls. For the
// same reason kernels call no inline functions of the standard library: the linker keeps one of all
// equal ones, which may be that for AVX2.
#pragma once

#include <cstdint>
#include <cstring>

// Sources of kernels have these from the build; everything else is compiled for the baseline.
#if !defined(STICKSLIP_INSTRUCTION_SET)
#define STICKSLIP_INSTRUCTION_SET baseline
#define STICKSLIP_VECTOR_BYTES 16
#endif

namespace stickslip {

/// Numbers of Lanes (lanes.hpp), for all sets.
inline constexpr int kLanes = 4;

/// A place among numbers that lanes are loaded from and stored to which is nobody's: what is there
/// is zero, and nothing is written to it.
inline constexpr int kNoSlot = 0;

inline namespace STICKSLIP_INSTRUCTION_SET {

using Pair = double __attribute__((vector_size(16)));
using PairOfIndices = std::int64_t __attribute__((vector_size(16)));
using Vector = double __attribute__((vector_size(STICKSLIP_VECTOR_BYTES)));

/// Numbers of a Vector.
constexpr int kWidth = STICKSLIP_VECTOR_BYTES / static_cast<int>(sizeof(double));

template <class Numbers>
[[gnu::always_inline]] inline Numbers loadNumbers(const double* from) {
  Numbers out;
  std::memcpy(&out, from, sizeof out);
  return out;
}

template <class Numbers>
[[gnu::always_inline]] inline void storeNumbers(const Numbers& x, double* to) {
  std::memcpy(to, &x, sizeof x);
}

}  // namespace STICKSLIP_INSTRUCTION_SET
}  // namespace stickslip
