#include "solvers/sweeps/record_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

namespace stickslip {
namespace {

using Two = double __attribute__((vector_size(16)));

namespace record_narrow {
struct Four {
  Two first;
  Two second;
};
[[gnu::always_inline]] inline Four operator+(const Four& a, const Four& b) {
  return {a.first + b.first, a.second + b.second};
}
[[gnu::always_inline]] inline Four operator-(const Four& a, const Four& b) {
  return {a.first - b.first, a.second - b.second};
}
[[gnu::always_inline]] inline Four operator*(const Four& a, const Four& b) {
  return {a.first * b.first, a.second * b.second};
}
[[gnu::always_inline]] inline Four operator*(const Four& a, double b) {
  return {a.first * b, a.second * b};
}
[[gnu::always_inline]] inline Four join(const Two& a, const Two& b) {
  return {a, b};
}
[[gnu::always_inline]] inline Two low(const Four& x) {
  return x.first;
}
[[gnu::always_inline]] inline Two high(const Four& x) {
  return x.second;
}
#include "solvers/sweeps/gradient_contact_body.hpp"

template <bool Coulomb>
[[gnu::always_inline]] inline void sweepFour(GradientContact* contacts, double momentum, double* w,
                                             double (&turns)[4]) {
  for (int k = 0; k < 4; ++k) sweepOne<Coulomb>(contacts[k], momentum, w, turns[k]);
}
#include "solvers/sweeps/gradient_kernels_body.hpp"
}  // namespace record_narrow

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC target("avx2")
namespace record_wide {
using Four = double __attribute__((vector_size(32)));
[[gnu::always_inline]] inline Four join(const Two& a, const Two& b) {
  return __builtin_shufflevector(a, b, 0, 1, 2, 3);
}
[[gnu::always_inline]] inline Two low(const Four& x) {
  return __builtin_shufflevector(x, x, 0, 1);
}
[[gnu::always_inline]] inline Two high(const Four& x) {
  return __builtin_shufflevector(x, x, 2, 3);
}
[[gnu::always_inline]] inline Two firsts(const Two& a, const Two& b) {
  return __builtin_shufflevector(a, b, 0, 2);
}
[[gnu::always_inline]] inline Two seconds(const Two& a, const Two& b) {
  return __builtin_shufflevector(a, b, 1, 3);
}
template <class FourMask>
[[gnu::always_inline]] inline Four select(const FourMask& m, const Four& a, const Four& b) {
  return m ? a : b;
}
[[gnu::always_inline]] inline Four fill(double x) {
  return Four{x, x, x, x};
}
[[gnu::always_inline]] inline Four squareRoot(const Four& x) {
  return __builtin_ia32_sqrtpd256(x);
}
[[gnu::always_inline]] inline void transpose(Four (&x)[4]) {
  const Four ab_first = __builtin_shufflevector(x[0], x[1], 0, 4, 2, 6);
  const Four ab_second = __builtin_shufflevector(x[0], x[1], 1, 5, 3, 7);
  const Four cd_first = __builtin_shufflevector(x[2], x[3], 0, 4, 2, 6);
  const Four cd_second = __builtin_shufflevector(x[2], x[3], 1, 5, 3, 7);
  x[0] = __builtin_shufflevector(ab_first, cd_first, 0, 1, 4, 5);
  x[1] = __builtin_shufflevector(ab_second, cd_second, 0, 1, 4, 5);
  x[2] = __builtin_shufflevector(ab_first, cd_first, 2, 3, 6, 7);
  x[3] = __builtin_shufflevector(ab_second, cd_second, 2, 3, 6, 7);
}
#include "solvers/sweeps/gradient_contact_body.hpp"
#include "solvers/sweeps/gradient_four_body.hpp"
#include "solvers/sweeps/gradient_kernels_body.hpp"
}  // namespace record_wide
#pragma GCC pop_options

constexpr RecordKernels kAllRecord[] = {record_narrow::kKernels, record_wide::kKernels};
std::size_t usableRecord() {
  return __builtin_cpu_supports("avx2") ? 2 : 1;
}
#else
constexpr RecordKernels kAllRecord[] = {record_narrow::kKernels};
std::size_t usableRecord() {
  return 1;
}
#endif

}  // namespace

std::span<const RecordKernels> allRecordKernels() {
  return {kAllRecord, usableRecord()};
}

const RecordKernels& recordKernels() {
  return kAllRecord[usableRecord() - 1];
}

}  // namespace stickslip
