// Four numbers at once against one after the other, and the choice of the instruction set.
#include "simd/lanes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "math/factor/front_kernels.hpp"
#include "simd/instruction_set.hpp"
#include "support/random.hpp"

namespace stickslip {
namespace {

using testing::Random;

std::array<double, kLanes> numbersOf(const Lanes& x) {
  return {x[0], x[1], x[2], x[3]};
}

TEST(Lanes, ComputeWhatEachNumberWould) {
  Random random(41);
  for (int trial = 0; trial < 100; ++trial) {
    const std::vector<double> x = random.vector(kLanes), y = random.vector(kLanes);
    const Lanes a = Lanes::load(x.data()), b = Lanes::load(y.data());
    const double factor = random.uniform(-2, 2);
    for (int lane = 0; lane < kLanes; ++lane) {
      const double p = x[lane], q = y[lane];
      EXPECT_EQ((a + b)[lane], p + q);
      EXPECT_EQ((a - b)[lane], p - q);
      EXPECT_EQ((a * b)[lane], p * q);
      EXPECT_EQ((a * factor)[lane], p * factor);
      EXPECT_EQ((a / b)[lane], p / q);
      EXPECT_EQ(squareRoot(a * a)[lane], std::sqrt(p * p));
      EXPECT_EQ(magnitude(a)[lane], std::abs(p));
      EXPECT_EQ(larger(a, b)[lane], std::max(p, q));
      EXPECT_EQ(select((a < b) & ~(b <= Lanes(0.0)), a, b)[lane], p < q && !(q <= 0) ? p : q);
    }
    EXPECT_EQ(
        any(a < b),
        std::mismatch(x.begin(), x.end(), y.begin(), std::greater_equal<>()).first != x.end());
    EXPECT_EQ(sumOfLanes(a), (x[0] + x[2]) + (x[1] + x[3]));
    EXPECT_EQ(largestLane(a), std::max(0.0, *std::max_element(x.begin(), x.end())));
  }
  EXPECT_TRUE(std::signbit(Lanes(-0.0)[3]));
}

TEST(Lanes, TakeNumbersFromFourPlacesAndBringThemBack) {
  Random random(42);
  constexpr int kSlot = 8;
  const std::vector<double> from = random.vector(6 * kSlot);
  const int slot[kLanes] = {3 * kSlot, kNoSlot, 5 * kSlot, kSlot};
  Lanes lanes[6];
  loadSlots(from.data(), slot, 3, lanes);
  for (int k = 0; k < 6; ++k)
    for (int lane = 0; lane < kLanes; ++lane) EXPECT_EQ(lanes[k][lane], from[slot[lane] + k]);
  std::vector<double> to(from.size(), 0.0);
  storeSlots(lanes, slot, 3, to.data());
  for (int k = 0; k < kSlot; ++k) {
    EXPECT_EQ(to[k], 0) << "nothing is written to kNoSlot";
    for (const int begin : {kSlot, 3 * kSlot, 5 * kSlot})
      EXPECT_EQ(to[begin + k], k < 6 ? from[begin + k] : 0);
  }
  const double* place[kLanes] = {&from[1], &from[9], &from[20], &from[2]};
  loadPlaces<3>(place, lanes);
  for (int k = 0; k < 3; ++k)
    for (int lane = 0; lane < kLanes; ++lane) EXPECT_EQ(lanes[k][lane], place[lane][k]);
}

TEST(Lanes, Transpose) {
  Random random(43);
  Lanes rows[kLanes];
  std::array<std::array<double, kLanes>, kLanes> x;
  for (int i = 0; i < kLanes; ++i) {
    rows[i] = Lanes::load(random.vector(kLanes).data());
    x[i] = numbersOf(rows[i]);
  }
  transpose(rows);
  for (int i = 0; i < kLanes; ++i)
    for (int j = 0; j < kLanes; ++j) EXPECT_EQ(rows[i][j], x[j][i]);
}

// Whatever the compiler: what the machine has is used.
TEST(InstructionSet, IsTheWidestOfTheMachine) {
  ASSERT_GE(instructionSets().size(), 1u);
  EXPECT_EQ(instructionSets().front(), InstructionSet::baseline);
  EXPECT_EQ(instructionSets().back(), instructionSet());
#if defined(__x86_64__)
  const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  EXPECT_EQ(instructionSet(), has_avx2 ? InstructionSet::avx2 : InstructionSet::baseline);
  // One source, compiled twice.
  EXPECT_NE(kernelsFor<FrontKernels>(InstructionSet::baseline).forward,
            kernelsFor<FrontKernels>(InstructionSet::avx2).forward);
#endif
  EXPECT_EQ(&machineKernels<FrontKernels>(), &kernelsFor<FrontKernels>(instructionSet()));
}

}  // namespace
}  // namespace stickslip
