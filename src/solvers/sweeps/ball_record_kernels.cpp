#include "solvers/sweeps/ball_record_kernels.hpp"

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

namespace ballrecord_narrow {
#include "simd/lanes_narrow_body.hpp"
// After the lanes.
#include "solvers/sweeps/gradient_ball_body.hpp"
}  // namespace ballrecord_narrow

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC target("avx2")
namespace ballrecord_wide {
#include "simd/lanes_wide_body.hpp"
// After the lanes.
#include "solvers/sweeps/gradient_ball_body.hpp"
}  // namespace ballrecord_wide
#pragma GCC pop_options

constexpr BallRecordKernels kAllBallRecord[] = {ballrecord_narrow::kKernels,
                                                ballrecord_wide::kKernels};
std::size_t usableBallRecord() {
  return __builtin_cpu_supports("avx2") ? 2 : 1;
}
#else
constexpr BallRecordKernels kAllBallRecord[] = {ballrecord_narrow::kKernels};
std::size_t usableBallRecord() {
  return 1;
}
#endif

}  // namespace balls
}  // namespace

std::span<const BallRecordKernels> allBallRecordKernels() {
  return {balls::kAllBallRecord, balls::usableBallRecord()};
}

const BallRecordKernels& ballRecordKernels() {
  return balls::kAllBallRecord[balls::usableBallRecord() - 1];
}

}  // namespace stickslip
