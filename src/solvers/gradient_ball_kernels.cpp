#include "solvers/gradient_ball_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace stickslip {
namespace {
namespace balls {

namespace narrow {
#include "sweeps/lanes_narrow_body.hpp"
// After the lanes.
#include "solvers/gradient_ball_body.hpp"
}  // namespace narrow

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC target("avx2")
namespace wide {
#include "sweeps/lanes_wide_body.hpp"
// After the lanes.
#include "solvers/gradient_ball_body.hpp"
}  // namespace wide
#pragma GCC pop_options

constexpr GradientBallKernels kAll[] = {narrow::kKernels, wide::kKernels};
std::size_t usable() {
  return __builtin_cpu_supports("avx2") ? 2 : 1;
}
#else
constexpr GradientBallKernels kAll[] = {narrow::kKernels};
std::size_t usable() {
  return 1;
}
#endif

}  // namespace balls
}  // namespace

std::span<const GradientBallKernels> allGradientBallKernels() {
  return {balls::kAll, balls::usable()};
}

const GradientBallKernels& gradientBallKernels() {
  return balls::kAll[balls::usable() - 1];
}

}  // namespace stickslip
