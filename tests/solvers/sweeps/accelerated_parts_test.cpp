// The parts of solver `accelerated`: kernels, colours, scaled joints, laws in scaled coordinates.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <set>

#include "cones/cone.hpp"
#include "problem/scaled_rows.hpp"
#include "solvers/sweeps/accelerated/accelerated_cones.hpp"
#include "solvers/sweeps/accelerated/record_kernels.hpp"
#include "solvers/sweeps/sweep_order.hpp"
#include "support/random.hpp"

namespace stickslip {
namespace {

using testing::Random;

// Four at a time, and some that are left over.
constexpr int kContacts = 43;
constexpr int kBodies = 2 * kContacts;

// No body has two; some have one body only; some stick, slide or open.
std::vector<ContactRecord> randomContacts(Random& random) {
  std::vector<ContactRecord> out(kContacts);
  for (std::size_t i = 0; i < kContacts; ++i) {
    ContactRecord& c = out[i];
    c.a = RecordKernels::kSlot * 2 * static_cast<int>(i);
    c.b = random.integer(0, 3) > 0 ? c.a + RecordKernels::kSlot : c.a;
    for (int k = 0; k < 36; ++k) {
      const int column = k % 12;
      const bool of_b = (column >= 4 && column < 8) || column >= 10;
      c.rows[k] = of_b && c.a == c.b ? 0 : random.uniform(-0.4, 0.4);
    }
    c.slope = random.integer(0, 4) > 0 ? random.uniform(0.05, 2) : 0;
    for (int k = 0; k < 3; ++k) {
      c.q[k] = random.uniform();
      c.p[k] = random.uniform();
      c.before[k] = random.uniform();
    }
  }
  return out;
}

// The velocity of a row, summed in another order.
double rowVelocity(const ContactRecord& c, int row, const std::vector<double>& w) {
  double sum = c.q[row];
  for (int j = 0; j < 6; ++j) {
    const int first = j < 4 ? j : j + 4, second = j < 4 ? 4 + j : j + 6;
    sum += c.rows[12 * row + first] * w[c.a + j];
    sum += c.rows[12 * row + second] * w[c.b + j];
  }
  return sum;
}

TEST(RecordKernels, HaveTheSameBitsForEveryWidth) {
  Random random(1);
  const std::vector<ContactRecord> contacts = randomContacts(random);
  const std::vector<ContactMeasure> measures(contacts.size(), {0.7, 1.3, 0.9, 1.1, 0.5, 1});
  const std::vector<double> w = random.vector(RecordKernels::kSlot * kBodies);
  const auto run = [&](const RecordKernels& kernels, bool coulomb) {
    std::vector<ContactRecord> c = contacts;
    std::vector<double> out = w, before = w;
    const double turn = kernels.sweep(c.data(), kContacts, 0.6, coulomb, out.data());
    const double worst =
        kernels.violation(c.data(), measures.data(), kContacts, coulomb, out.data());
    kernels.push(c.data(), kContacts, out.data(), before.data());
    kernels.extrapolate(out.data(), before.data(), static_cast<int>(out.size()), 0.7);
    out.insert(out.end(), before.begin(), before.end());
    out.insert(out.end(), {turn, worst});
    return out;
  };
  for (const bool coulomb : {false, true}) {
    const std::vector<double> first =
        run(kernelsFor<RecordKernels>(InstructionSet::baseline), coulomb);
    for (const InstructionSet set : instructionSets()) {
      const auto& kernels = kernelsFor<RecordKernels>(set);
      const std::vector<double> other = run(kernels, coulomb);
      EXPECT_EQ(std::memcmp(first.data(), other.data(), first.size() * sizeof(double)), 0);
    }
  }
}

// The impulses that contacts should have after a step, and the sum that tells where momentum goes.
struct Expected {
  std::vector<std::array<double, 3>> p;
  std::vector<std::array<double, 3>> change;
  double turn = 0;
};

Expected expectedStep(const std::vector<ContactRecord>& contacts, double momentum, bool coulomb,
                      const std::vector<double>& w) {
  Expected out;
  for (const ContactRecord& c : contacts) {
    AcceleratedLaw law;
    law.rows = 3;
    law.shapes[0] = {2, 0};
    law.slopes[0] = c.slope;
    std::array<double, 3> u{}, y{}, x{}, change{};
    for (int k = 0; k < 3; ++k) {
      const std::size_t i = k;
      u[i] = rowVelocity(c, k, w);
      y[i] = c.p[k] + momentum * (c.p[k] - c.before[k]);
      x[i] = y[i] - u[i];
    }
    if (coulomb) x[0] -= slipOfLaw(law, u);
    projectOnLaw(law, x);
    for (std::size_t k = 0; k < 3; ++k) {
      change[k] = x[k] - y[k];
      out.turn -= change[k] * (x[k] - c.p[k]);
    }
    out.p.push_back(x);
    out.change.push_back(change);
  }
  return out;
}

// What an impulse does to the velocity of a row is W times its change.
double velocityChange(const ContactRecord& c, int row, const std::array<double, 3>& change) {
  double sum = 0;
  for (int j = 0; j < 3; ++j) {
    double entry = 0;
    for (int m = 0; m < 12; ++m) entry += c.rows[12 * row + m] * c.rows[12 * j + m];
    sum += entry * change[j];
  }
  return sum;
}

TEST(RecordKernels, DoTheStepOfTheLaw) {
  Random random(2);
  for (const bool coulomb : {false, true}) {
    const std::vector<ContactRecord> before = randomContacts(random);
    std::vector<ContactRecord> contacts = before;
    const std::vector<double> w = random.vector(RecordKernels::kSlot * kBodies);
    std::vector<double> after = w;
    const Expected expected = expectedStep(before, 0.6, coulomb, w);
    const double turn = machineKernels<RecordKernels>().sweep(contacts.data(), kContacts, 0.6,
                                                              coulomb, after.data());
    EXPECT_NEAR(turn, expected.turn, 1e-12);
    for (std::size_t i = 0; i < kContacts; ++i)
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(contacts[i].p[k], expected.p[i][k], 1e-14);
        EXPECT_EQ(contacts[i].before[k], before[i].p[k]);
        EXPECT_NEAR(rowVelocity(before[i], k, after) - rowVelocity(before[i], k, w),
                    velocityChange(before[i], k, expected.change[i]), 1e-13);
      }
  }
}

TEST(RecordKernels, ExtrapolateVelocities) {
  Random random(6);
  const std::vector<double> w = random.vector(RecordKernels::kSlot * 3);
  const std::vector<double> before = random.vector(w.size());
  std::vector<double> next = w, last = before;
  machineKernels<RecordKernels>().extrapolate(next.data(), last.data(), static_cast<int>(w.size()),
                                              0.7);
  for (std::size_t k = 0; k < w.size(); ++k) {
    EXPECT_DOUBLE_EQ(next[k], w[k] + 0.7 * (w[k] - before[k]));
    EXPECT_EQ(last[k], w[k]);
  }
}

TEST(SweepColours, NoTwoOfAColourTouchTheSameBody) {
  Random random(3);
  SweepColours colours;
  colours.start(30);
  std::vector<std::vector<int>> bodies;
  for (int k = 0; k < 900; ++k) {
    std::vector<int> touched{random.integer(0, 29)};
    if (k % 5 > 0) touched.push_back((touched[0] + random.integer(1, 29)) % 30);
    colours.add({k, 0, false, static_cast<SweepClass>(k % 2)}, touched);
    bodies.push_back(touched);
  }
  colours.finish();
  std::set<int> seen;
  for (const SweepColour& colour : colours.colours()) {
    std::set<int> used;
    const auto check = [&](const SweepUnit& unit) {
      EXPECT_TRUE(seen.insert(unit.group).second);
      for (const int body : bodies[unit.group]) EXPECT_TRUE(used.insert(body).second);
    };
    for (const SweepClass by : {SweepClass::record, SweepClass::cone})
      for (int k = colour.of(by).first; k < colour.of(by).end; ++k) check(colours.units(by)[k]);
  }
  EXPECT_EQ(seen.size(), 900u);
}

TEST(JointScaling, MakesRowsOrthonormalAndLeavesOutWhatTheySayTwice) {
  Random random(4);
  constexpr int kRows = 5, kColumns = 9;
  std::array<std::array<double, kColumns>, kRows> G{};
  for (auto& row : G)
    for (double& x : row) x = random.uniform();
  for (std::size_t k = 0; k < kColumns; ++k) G[3][k] = 2 * G[0][k] - G[1][k];
  JointScaling::Block W{};
  for (std::size_t i = 0; i < kRows; ++i)
    for (std::size_t j = 0; j < kRows; ++j)
      for (std::size_t k = 0; k < kColumns; ++k) W[kMostRows * i + j] += G[i][k] * G[j][k];
  const JointScaling scaling(kRows, W);
  auto scaled = G;
  for (std::size_t k = 0; k < kColumns; ++k) {
    std::array<double, kRows> column{};
    for (std::size_t i = 0; i < kRows; ++i) column[i] = G[i][k];
    scaling.toScaled(column);
    for (std::size_t i = 0; i < kRows; ++i) scaled[i][k] = column[i];
  }
  for (std::size_t i = 0; i < kRows; ++i)
    for (std::size_t j = 0; j < kRows; ++j) {
      double product = 0;
      for (std::size_t k = 0; k < kColumns; ++k) product += scaled[i][k] * scaled[j][k];
      EXPECT_NEAR(product, i == j && i != 3 ? 1 : 0, 1e-11);
    }
  // G' c is the same from both, and impulses come back.
  const std::array<double, kRows> impulses{0.3, -0.7, 0.2, 0, 0.9};
  std::array<double, kRows> c{}, back{};
  scaling.toImpulses(impulses, c);
  scaling.fromImpulses(c, back);
  for (std::size_t k = 0; k < kColumns; ++k) {
    double direct = 0, through = 0;
    for (std::size_t i = 0; i < kRows; ++i) {
      direct += scaled[i][k] * impulses[i];
      through += G[i][k] * c[i];
    }
    EXPECT_NEAR(direct, through, 1e-12);
  }
  for (std::size_t i = 0; i < kRows; ++i) EXPECT_NEAR(back[i], impulses[i], 1e-12);
}

// The block of W of a scaled cone is at most the identity, and the set is the one it was: a point
// of the set scaled back is in the set of the problem.
TEST(AcceleratedLaw, ScalesBlocksToOneAndKeepsSets) {
  Random random(5);
  for (int n = 0; n < 40; ++n) {
    ImpulseSet set;
    set.kind = n % 2 == 0 ? ImpulseSet::Kind::elliptic : ImpulseSet::Kind::polyhedral;
    set.mu = random.uniform(0.05, 1);
    set.mu_2 = n % 3 == 0 ? set.mu : random.uniform(0.05, 1);
    set.directions = 8;
    set.torsion = n % 4 > 1 ? 0.2 : 0;
    set.rolling = n % 5 > 2 ? 0.1 : 0;
    const int rows = set.dimension();
    std::vector<double> A = random.vector(static_cast<std::size_t>(rows * 8));
    std::vector<double> W(static_cast<std::size_t>(rows * rows));
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < rows; ++j)
        for (int k = 0; k < 8; ++k) W[i * rows + j] += A[8 * i + k] * A[8 * j + k];
    const ConstMatrixView view{W.data(), rows, rows};
    const ConeLayout part = layoutOf(set).parts[0];
    const ScaledLaw scaled =
        scaleLaw(set, part, view, rowLengths(set, [&](int k) { return view(k, k); }));
    std::vector<double> x = random.vector(static_cast<std::size_t>(rows));
    double square = 0, product = 0;
    for (int i = 0; i < rows; ++i) {
      const std::size_t k = i;
      square += x[k] * x[k];
      for (int j = 0; j < rows; ++j)
        product += x[k] * x[j] * view(i, j) / (scaled.scale[k] * scaled.scale[j]);
    }
    EXPECT_LE(product, square * (1 + 1e-12)) << n;
    // Projected, in units of the cone: what the cone's own projection leaves as it is.
    x[0] = std::abs(x[0]);
    projectOnLaw(scaled.law, x);
    std::vector<double> cone = x;
    for (std::size_t k = 0; k < cone.size(); ++k)
      cone[k] = x[k] / (scaled.scale[k] * part.factor[k]);
    std::vector<double> projected = cone;
    project(part.cone, projected);
    for (std::size_t k = 0; k < cone.size(); ++k) EXPECT_NEAR(projected[k], cone[k], 1e-9) << n;
  }
}

}  // namespace
}  // namespace stickslip
