// Contacts of balls in solver `accelerated`: which they are, and that they are solved as others
// are.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "math/dense/cholesky.hpp"
#include "problem/scaled_rows.hpp"
#include "solvers/sweeps/accelerated/accelerated_balls.hpp"
#include "solvers/sweeps/accelerated/ball_record_kernels.hpp"
#include "solvers/sweeps/accelerated/record_kernels.hpp"
#include "stickslip/solver.hpp"
#include "stickslip/threads.hpp"
#include "support/contact_problems.hpp"
#include "support/random.hpp"
#include "support/sphere_box.hpp"

namespace stickslip {
namespace {

using testing::Random;

constexpr int kSlotSize = RecordKernels::kSlot;

// A problem with what is needed to read its contacts.
struct ReadProblem {
  ContactProblem problem;
  BlockDiagonal L;
  MassFactor masses;
  std::vector<int> block_of_column;

  explicit ReadProblem(ContactProblem from) : problem(std::move(from)), L(problem.M) {
    factorizeCholesky(L);
    masses.start(problem.M);
    for (int b = 0; b < L.blockCount(); ++b) block_of_column.insert(block_of_column.end(), 6, b);
  }
  bool isBalls(int contact) const {
    return isBallContact(problem, L, masses, block_of_column, contact);
  }
};

ContactProblem spheres(int side, int steps) {
  return testing::settledSpheres(side, 0.5, steps).nextProblem();
}

TEST(BallContact, HasTheRowsThatPairsHave) {
  const ReadProblem read(spheres(3, 80));
  ASSERT_GT(read.problem.contactCount(), 30);
  BlockDiagonal inverse = read.L;
  for (int b = 0; b < inverse.blockCount(); ++b)
    if (inverse.isOriginal(b))
      for (int k = 0; k < 6; ++k) inverse.block(b)(k, k) = 1 / inverse.block(b)(k, k);
  for (int i = 0; i < read.problem.contactCount(); ++i) {
    ASSERT_TRUE(read.isBalls(i));
    const BallContact ball = ballContact(read.problem, read.masses, read.block_of_column, i);
    const PairRows pair(read.L, inverse, read.problem.J, i, read.block_of_column);
    ASSERT_EQ(ball.count, pair.count);
    for (std::size_t side = 0; side < static_cast<std::size_t>(ball.count); ++side) {
      EXPECT_EQ(ball.blocks[side], pair.blocks[side]);
      for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t row = 0; row < 3; ++row)
          EXPECT_NEAR(ball.share[side] * ball.axes[row][k], pair.rows[row][6 * side + k], 1e-14);
        EXPECT_NEAR(ball.turn[side] * ball.axes[2][k], pair.rows[1][6 * side + 3 + k], 1e-14);
        EXPECT_NEAR(-ball.turn[side] * ball.axes[1][k], pair.rows[2][6 * side + 3 + k], 1e-14);
      }
    }
    EXPECT_NEAR(ball.normalMobility(), pair.product(0, 0), 1e-13);
    EXPECT_NEAR(ball.tangentMobility(), pair.product(1, 1), 1e-13);
    EXPECT_NEAR(ball.tangentMobility(), pair.product(2, 2), 1e-13);
  }
}

// Makes something other than a ball of every block of M from `first` on.
void spoilMasses(ContactProblem& problem, int first, double factor) {
  BlockDiagonal M;
  M.resize(std::vector<int>(static_cast<std::size_t>(problem.M.blockCount()), 6));
  for (int b = 0; b < M.blockCount(); ++b)
    for (int k = 0; k < 6; ++k)
      M.block(b)(k, k) =
          std::as_const(problem.M).block(b)(k, k) * (b >= first && k == 5 ? factor : 1);
  problem.M = M;
}

TEST(BallContact, IsOfBallsWithRoundConesOnly) {
  const ContactProblem balls = spheres(2, 80);
  ASSERT_GT(balls.contactCount(), 0);
  EXPECT_TRUE(ReadProblem(balls).isBalls(0));
  ContactProblem other = balls;
  spoilMasses(other, 0, 1 + 1e-12);
  EXPECT_FALSE(ReadProblem(other).isBalls(0));
  other = balls;
  other.sets.own(0).mu_2 = 0.4;
  EXPECT_FALSE(ReadProblem(other).isBalls(0));
  other = balls;
  other.sets.own(0).mu = other.sets.own(0).mu_2 = 0;
  EXPECT_FALSE(ReadProblem(other).isBalls(0));
  other = balls;
  other.sets.own(0).load_independent = true;
  EXPECT_FALSE(ReadProblem(other).isBalls(0));
  other = balls;
  other.J.clear();
  other.J.addGroup(3);
  other.J.addStrip(0, 6)(0, 2) = 1;
  EXPECT_FALSE(ReadProblem(other).isBalls(0));
}

// Packets with the records of the same contacts; no body has two. The last lane is left over.
struct BothForms {
  static constexpr int kPackets = 5;
  std::vector<BallRecordPacket> packets{kPackets};
  std::vector<PacketMeasure> measures{kPackets};
  std::vector<ContactRecord> records;
  std::vector<ContactMeasure> record_measures;
  std::vector<double> w;

  explicit BothForms(Random& random) : w(kSlotSize * (1 + 2 * kLanes * kPackets)) {
    for (std::size_t k = kSlotSize; k < w.size(); ++k) w[k] = random.uniform();
    for (int k = 0; k < kPackets * kLanes; ++k) add(random, k);
  }

 private:
  void add(Random& random, int number) {
    BallRecordPacket& packet = packets[number / kLanes];
    PacketMeasure& measure = measures[number / kLanes];
    const int lane = number % kLanes;
    measure.normal_scale[lane] = measure.tangent_scale[lane] = 1;
    if (number + 1 == kPackets * kLanes) return;
    ContactRecord record{};
    for (auto& axis : packet.axes)
      for (auto& x : axis) x[lane] = random.uniform(-0.4, 0.4);
    record.a = kSlotSize * (1 + 2 * number);
    record.b = number % 3 > 0 ? record.a + kSlotSize : record.a;
    for (int side = 0; side < (number % 3 > 0 ? 2 : 1); ++side) {
      packet.share[side][lane] = random.uniform();
      packet.turn[side][lane] = random.uniform();
      packet.slot[side][lane] = side == 0 ? record.a : record.b;
      for (int k = 0; k < 3; ++k) {
        for (int row = 0; row < 3; ++row)
          entry(record, row, side, k) = packet.share[side][lane] * packet.axes[row][k][lane];
        entry(record, 1, side, 3 + k) = packet.turn[side][lane] * packet.axes[2][k][lane];
        entry(record, 2, side, 3 + k) = -packet.turn[side][lane] * packet.axes[1][k][lane];
      }
    }
    for (int k = 0; k < 3; ++k) {
      record.q[k] = packet.q[k][lane] = random.uniform();
      record.p[k] = packet.p[k][lane] = random.uniform();
      record.before[k] = packet.before[k][lane] = random.uniform();
    }
    record.slope = packet.slope[lane] = random.uniform(0.05, 2);
    packet.inverse[lane] = 1 / (1 + record.slope * record.slope);
    measure.normal_scale[lane] = random.uniform(0.5, 2);
    measure.tangent_scale[lane] = random.uniform(0.5, 2);
    measure.mobility[lane] = random.uniform(0.5, 2);
    measure.mu[lane] = random.uniform(0.1, 1);
    records.push_back(record);
    record_measures.push_back(
        {measure.normal_scale[lane], measure.mobility[lane] / measure.normal_scale[lane],
         measure.tangent_scale[lane], measure.mobility[lane] / measure.tangent_scale[lane],
         measure.mu[lane], 1});
  }
  static double& entry(ContactRecord& record, int row, int side, int column) {
    return record.rows[12 * row + (column < 4 ? 4 * side + column : 4 + 2 * side + column)];
  }
};

TEST(BallRecordKernels, DoWhatThoseOfRecordsDo) {
  Random random(1);
  for (const bool coulomb : {false, true}) {
    BothForms both(random);
    const auto& balls = machineKernels<BallRecordKernels>();
    const auto& records = machineKernels<RecordKernels>();
    const int count = static_cast<int>(both.records.size());
    std::vector<double> w = both.w, w_before = both.w;
    EXPECT_NEAR(balls.sweep(both.packets.data(), BothForms::kPackets, 0.6, coulomb, both.w.data()),
                records.sweep(both.records.data(), count, 0.6, coulomb, w.data()), 1e-12);
    EXPECT_LE(testing::largestDifference(both.w, w), 1e-13);
    EXPECT_NEAR(balls.violation(both.packets.data(), both.measures.data(), BothForms::kPackets,
                                coulomb, both.w.data()),
                records.violation(both.records.data(), both.record_measures.data(), count, coulomb,
                                  w.data()),
                1e-12);
    std::vector<double> ball_before = w_before;
    balls.push(both.packets.data(), BothForms::kPackets, both.w.data(), ball_before.data());
    records.push(both.records.data(), count, w.data(), w_before.data());
    EXPECT_LE(testing::largestDifference(both.w, w), 1e-13);
    EXPECT_LE(testing::largestDifference(ball_before, w_before), 1e-13);
    for (int k = 0; k < count; ++k)
      for (int row = 0; row < 3; ++row) {
        const BallRecordPacket& packet = both.packets[k / kLanes];
        const ContactRecord& record = both.records[k];
        EXPECT_NEAR(packet.p[row][k % kLanes], record.p[row], 1e-13);
        EXPECT_EQ(packet.before[row][k % kLanes], record.before[row]);
      }
    for (int k = 0; k < kSlotSize; ++k) EXPECT_EQ(both.w[k], 0);
  }
}

TEST(BallRecordKernels, HaveTheSameBitsForEveryWidth) {
  Random random(2);
  const BothForms start(random);
  for (const bool coulomb : {false, true}) {
    std::vector<double> first;
    for (const InstructionSet set : instructionSets()) {
      const auto& kernels = kernelsFor<BallRecordKernels>(set);
      BothForms both = start;
      BallRecordPacket* packets = both.packets.data();
      const PacketMeasure* measures = both.measures.data();
      constexpr int kCount = BothForms::kPackets;
      std::vector<double> out = both.w;
      out.push_back(kernels.sweep(packets, kCount, 0.6, coulomb, both.w.data()));
      out.push_back(kernels.violation(packets, measures, kCount, coulomb, both.w.data()));
      out.push_back(kernels.speed(packets, measures, kCount, both.w.data()));
      kernels.push(packets, kCount, both.w.data(), out.data());
      out.insert(out.end(), both.w.begin(), both.w.end());
      if (first.empty()) first = out;
      EXPECT_EQ(std::memcmp(first.data(), out.data(), out.size() * sizeof(double)), 0);
    }
  }
}

TEST(BallRecordKernels, SayWhatIsNoNumber) {
  Random random(3);
  BothForms both(random);
  both.packets[2].p[1][3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isinf(machineKernels<BallRecordKernels>().violation(
      both.packets.data(), both.measures.data(), BothForms::kPackets, false, both.w.data())));
}

// With so few sweeps that the order of contacts matters.
ContactSolution solveSome(const ContactProblem& problem, Law law, long budget = 24) {
  Method method;
  method.solver = "accelerated";
  method.tolerance = 1e-12;
  method.budget = budget;
  ContactProblem with_law = problem;
  with_law.law = law;
  ContactSolution out;
  makeSolver(method)->solve(with_law, out);
  return out;
}

// What is no ball by so little is swept in the same order as records.
TEST(AcceleratedBalls, AreSolvedAsOtherBodiesAre) {
  const ContactProblem problem = spheres(4, 80);
  ContactProblem other = problem;
  spoilMasses(other, 0, 1 + 1e-13);
  for (const Law law : {Law::relaxed, Law::coulomb}) {
    const ContactSolution balls = solveSome(problem, law), records = solveSome(other, law);
    EXPECT_LE(testing::largestDifference(balls.v, records.v), 1e-9);
    EXPECT_GT(testing::largestDifference(balls.p, std::vector<double>(balls.p.size())), 0.01);
  }
}

// Balls come first then, so that both have to be solved to the end.
TEST(AcceleratedBalls, AreSolvedBesideOtherBodies) {
  const ContactProblem problem = spheres(4, 80);
  ContactProblem mixed = problem;
  spoilMasses(mixed, problem.M.blockCount() / 2, 1 + 1e-13);
  constexpr long kSweeps = 20000;
  EXPECT_LE(testing::largestDifference(solveSome(problem, Law::relaxed, kSweeps).v,
                                       solveSome(mixed, Law::relaxed, kSweeps).v),
            1e-9);
}

TEST(AcceleratedBalls, HaveTheSameBitsForEveryNumberOfThreads) {
  const ContactProblem problem = spheres(7, 60);
  for (const Law law : {Law::relaxed, Law::coulomb}) {
    const ContactSolution one = solveSome(problem, law);
    for (const int threads : {2, 4}) {
      setThreadCount(threads);
      const ContactSolution many = solveSome(problem, law);
      setThreadCount(1);
      EXPECT_EQ(std::memcmp(one.p.data(), many.p.data(), one.p.size() * sizeof(double)), 0);
      EXPECT_EQ(std::memcmp(one.v.data(), many.v.data(), one.v.size() * sizeof(double)), 0);
    }
  }
}

}  // namespace
}  // namespace stickslip
