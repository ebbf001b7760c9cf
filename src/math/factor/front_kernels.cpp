#include "math/factor/front_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

namespace stickslip {
namespace {

namespace narrow {
using Vector = double __attribute__((vector_size(16)));
#include "math/factor/front_kernels_body.hpp"
}  // namespace narrow

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC target("avx2")
namespace wide {
using Vector = double __attribute__((vector_size(32)));
#include "math/factor/front_kernels_body.hpp"
}  // namespace wide
#pragma GCC pop_options

constexpr FrontKernels kAll[] = {narrow::kKernels, wide::kKernels};
std::size_t usable() {
  return __builtin_cpu_supports("avx2") ? 2 : 1;
}
#else
constexpr FrontKernels kAll[] = {narrow::kKernels};
std::size_t usable() {
  return 1;
}
#endif

}  // namespace

std::span<const FrontKernels> allFrontKernels() {
  return {kAll, usable()};
}

const FrontKernels& frontKernels() {
  return kAll[usable() - 1];
}

}  // namespace stickslip
