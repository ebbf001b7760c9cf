#include "solvers/ball_contact.hpp"

#include <algorithm>
#include <cmath>

#include "math/index.hpp"

namespace stickslip {
namespace {

constexpr int kVelocities = BallRows::kColumns;

bool isMassOfBall(ConstMatrixView L) {
  if (L.rows != kVelocities) return false;
  bool is = true;
  for (int i = 0; i < kVelocities; ++i) {
    for (int j = 0; j < i; ++j) is &= L(i, j) == 0;
    is &= L(i, i) == L(i < 3 ? 0 : 3, i < 3 ? 0 : 3);
  }
  return is;
}

double productOf(const double* a, const double* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

bool hasRoundFriction(const ImpulseSet& set) {
  return set.kind == ImpulseSet::Kind::elliptic && !set.load_independent && set.mu > 0 &&
         set.mu == set.mu_2 && set.dimension() == set.linearRows() && set.tangents() == 2;
}

}  // namespace

void BallMasses::build(const BlockDiagonal& L) {
  masses_.assign(at(L.blockCount()), {});
  for (int b = 0; b < L.blockCount(); ++b) {
    const ConstMatrixView block = L.block(b);
    if (!L.isOriginal(b))
      masses_[at(b)] = masses_[at(L.original(b))];
    else if (isMassOfBall(block))
      masses_[at(b)] = {1 / block(0, 0), 1 / block(3, 3)};
  }
}

double BallContact::normalMobility() const {
  return (share[0] * share[0] + share[1] * share[1]) * productOf(axes[0], axes[0]);
}

double BallContact::tangentMobility() const {
  return (share[0] * share[0] + share[1] * share[1]) * productOf(axes[1], axes[1]) +
         (turn[0] * turn[0] + turn[1] * turn[1]) * productOf(axes[2], axes[2]);
}

bool isBallContact(const ContactProblem& problem, const BlockDiagonal& L, const BallMasses& masses,
                   std::span<const int> block_of_column, int contact) {
  if (!problem.J.isOfBalls(contact) || !hasRoundFriction(problem.sets[at(contact)])) return false;
  const std::span<const BlockRows::Strip> strips = problem.J.stripsOf(contact);
  for (const BlockRows::Strip& strip : strips) {
    const int block = block_of_column[at(strip.first_column)];
    if (!masses.isBall(block) || strip.first_column != L.firstRow(block)) return false;
  }
  return strips.front().first_column != strips.back().first_column || strips.size() == 1;
}

BallContact ballContact(const ContactProblem& problem, const BallMasses& masses,
                        std::span<const int> block_of_column, int contact) {
  BallContact out;
  const BallRows balls = problem.J.balls(contact);
  const std::array<double, 3> other = balls.other();
  for (std::size_t k = 0; k < 3; ++k) {
    out.axes[0][k] = balls.normal[k];
    out.axes[1][k] = balls.tangent[k];
    out.axes[2][k] = other[k];
  }
  for (const BlockRows::Strip& strip : problem.J.stripsOf(contact)) {
    const int ball = BlockRows::ballOf(strip), block = block_of_column[at(strip.first_column)];
    const int side = out.count++;
    out.blocks[at(side)] = block;
    out.share[side] = (ball == 0 ? -1 : 1) * masses.share(block);
    out.turn[side] = balls.lever[at(ball)] * masses.turn(block);
  }
  return out;
}

}  // namespace stickslip
