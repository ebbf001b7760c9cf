#include "solvers/ball_contact.hpp"

#include <algorithm>
#include <cmath>

#include "math/index.hpp"

namespace stickslip {
namespace {

constexpr int kVelocities = 6;
// What directions of length one may be off by rounding.
constexpr double kOff = 1e-14;

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

bool areAxes(ConstMatrixView rows) {
  bool are = true;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j)
      are &= std::abs(productOf(rows.row(i).data(), rows.row(j).data()) - (i == j)) <= kOff;
  return are;
}

bool areOppositeAxes(ConstMatrixView a, ConstMatrixView b) {
  bool are = true;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) are &= a(i, k) == -b(i, k);
  return are;
}

// By how much the first tangent turns a ball about the second.
double leverAbout(ConstMatrixView rows, const double* second) {
  return productOf(rows.row(1).data() + 3, second);
}

// True if the normal turns nothing, and each tangent turns what the other one is about.
bool turnsBall(ConstMatrixView rows) {
  const double lever = leverAbout(rows, rows.row(2).data()), most = kOff * std::abs(lever);
  bool is = true;
  for (int k = 0; k < 3; ++k)
    is &= (rows(0, 3 + k) == 0) & (std::abs(rows(1, 3 + k) - lever * rows(2, k)) <= most) &
          (std::abs(rows(2, 3 + k) + lever * rows(1, k)) <= most);
  return is;
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
  const std::span<const BlockRows::Strip> strips = problem.J.stripsOf(contact);
  if (strips.empty() || strips.size() > 2 || !hasRoundFriction(problem.sets[at(contact)]))
    return false;
  for (const BlockRows::Strip& strip : strips) {
    const int block = block_of_column[at(strip.first_column)];
    if (!masses.isBall(block) || strip.columns != kVelocities ||
        strip.first_column != L.firstRow(block))
      return false;
    const auto values = problem.J.values(contact, strip);
    if (!turnsBall(values)) return false;
  }
  const auto first = problem.J.values(contact, strips.front());
  const auto last = problem.J.values(contact, strips.back());
  return areAxes(first) &&
         (strips.size() == 1 ||
          (strips[0].first_column != strips[1].first_column && areOppositeAxes(first, last)));
}

BallContact ballContact(const ContactProblem& problem, const BallMasses& masses,
                        std::span<const int> block_of_column, int contact) {
  BallContact out;
  for (const BlockRows::Strip& strip : problem.J.stripsOf(contact)) {
    const auto values = problem.J.values(contact, strip);
    const ConstMatrixView rows = values;
    const int block = block_of_column[at(strip.first_column)], side = out.count++;
    if (side == 0)
      for (int i = 0; i < 3; ++i) std::copy_n(rows.row(i).data(), 3, out.axes[i]);
    out.blocks[at(side)] = block;
    out.share[side] = (side == 0 ? 1 : -1) * masses.share(block);
    out.turn[side] = leverAbout(rows, out.axes[2]) * masses.turn(block);
  }
  return out;
}

}  // namespace stickslip
