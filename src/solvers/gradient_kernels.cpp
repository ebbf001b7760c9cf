#include "solvers/gradient_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

namespace stickslip {
namespace {

using Two = double __attribute__((vector_size(16)));

namespace narrow {
struct Four {
  Two first;
  Two second;
};
[[gnu::always_inline]] inline Four operator+(const Four& a, const Four& b) {
  return {a.first + b.first, a.second + b.second};
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
#include "solvers/gradient_kernels_body.hpp"
}  // namespace narrow

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC target("avx2")
namespace wide {
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
#include "solvers/gradient_kernels_body.hpp"
}  // namespace wide
#pragma GCC pop_options

constexpr GradientKernels kAll[] = {narrow::kKernels, wide::kKernels};
std::size_t usable() {
  return __builtin_cpu_supports("avx2") ? 2 : 1;
}
#else
constexpr GradientKernels kAll[] = {narrow::kKernels};
std::size_t usable() {
  return 1;
}
#endif

}  // namespace

std::span<const GradientKernels> allGradientKernels() {
  return {kAll, usable()};
}

const GradientKernels& gradientKernels() {
  return kAll[usable() - 1];
}

}  // namespace stickslip
