#include "solvers/exact/polyhedral/state_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/index.hpp"
#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

using PairKind = LawPairs::Item::Kind;

// States; those of a sliding contact are kSliding + 2 k at corner k, kSliding + 2 k + 1 behind it.
constexpr int kOpen = 0;  // bounded rows: at the base
constexpr int kSticking = 1;
constexpr int kSliding = 2;  // bounded rows: at the other bound

// Joints are held tight, however soft the contacts.
constexpr double kJointProx = 1e-8;
constexpr double kAccurateStates = 1e-3;  // residual of a linear system that can be used

// The part of [0, inf) in which a + alpha b >= 0.
double roomAbove(double a, double b) {
  if (b >= 0) return std::numeric_limits<double>::infinity();
  return std::max(a, 0.0) / -b;
}

}  // namespace

void StateNewton::build(const LawPairs& pairs, ScaledIsland& island) {
  pairs_ = &pairs;
  island_ = &island;
  states_.assign(pairs.cones().size(), -1);
  S_.resize(island.W().blockEntries());
  const auto rows = at(island.rowCount());
  for (auto* x : {&r_, &shifted_, &d_p_, &d_u_}) x->resize(rows);
  none_.assign(rows, 0.0);
}

// E of a row; for what is fixed it does not matter.
double StateNewton::mobility(const Item& cone, int row) const {
  if (cone.kind == PairKind::fixed) return 1;
  return pairs_->E()[cone.first + (row == 0 ? 0 : 2)];
}

double StateNewton::softness(const Item& cone, int row, double prox) const {
  return mobility(cone, row) * (cone.kind == PairKind::free ? std::min(prox, kJointProx) : prox);
}

int StateNewton::classify(const Iterate& point, std::span<const double> centre, double prox) {
  int changes = 0;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const Item& cone = pairs_->cones()[i];
    std::array<double, 3> y{};
    for (int k = 0; k <= cone.tangents; ++k) {
      const std::size_t row = at(cone.row + k);
      y[k] = point.p[row] - point.u[row] / mobility(cone, k) - prox * (point.p[row] - centre[row]);
    }
    const int state = stateOf(cone, y.data());
    changes += state != states_[i];
    states_[i] = state;
  }
  return changes;
}

int StateNewton::stateOf(const Item& cone, const double* y) const {
  switch (cone.kind) {
    case PairKind::friction:
      return y[0] > 0 ? slideOf(cone, y) : kOpen;
    case PairKind::above:
      return y[0] > cone.base ? kSticking : kOpen;
    case PairKind::below:
      return y[0] < cone.base ? kSticking : kOpen;
    case PairKind::between:
      if (!(y[0] > cone.base)) return kOpen;
      return y[0] < cone.base + cone.range ? kSticking : kSliding;
    case PairKind::fixed:
      return kOpen;
    case PairKind::free:
      return kSticking;
  }
  return kOpen;
}

// Where y_t is, seen from the polygon y_n D.
int StateNewton::slideOf(const Item& cone, const double* y) const {
  if (cone.tangents == 1) {
    if (std::abs(y[1]) <= y[0]) return kSticking;
    return kSliding + (y[1] > 0 ? 0 : 2);
  }
  const double* d = pairs_->directionsOf(cone);
  const int m = cone.directions;
  // Only the edge under y_t and its two corners can be nearest.
  int k = 0;
  double most = -1;
  for (int i = 0; i < m; ++i) {
    const int j = (i + 1) % m;
    const double along = (d[2 * i] + d[2 * j]) * y[1] + (d[2 * i + 1] + d[2 * j + 1]) * y[2];
    if (along > most) {
      most = along;
      k = i;
    }
  }
  const int next = (k + 1) % m;
  const double middle[] = {(d[2 * k] + d[2 * next]) / 2, (d[2 * k + 1] + d[2 * next + 1]) / 2};
  const double edge[] = {d[2 * next] - d[2 * k], d[2 * next + 1] - d[2 * k + 1]};
  const double reach = middle[0] * middle[0] + middle[1] * middle[1];
  if (middle[0] * y[1] + middle[1] * y[2] <= y[0] * reach) return kSticking;
  const double place = edge[0] * y[1] + edge[1] * y[2];
  const double half = y[0] * (edge[0] * edge[0] + edge[1] * edge[1]) / 2;
  if (place <= -half) return kSliding + 2 * k;
  return place < half ? kSliding + 2 * k + 1 : kSliding + 2 * next;
}

StateNewton::Slide StateNewton::slide(const Item& cone, int state) const {
  const double* d = pairs_->directionsOf(cone);
  const int k = (state - kSliding) / 2;
  if (cone.tangents == 1) return {{d[k], 0}, {}};
  if ((state - kSliding) % 2 == 0) return {{d[2 * k], d[2 * k + 1]}, {}};
  const int next = (k + 1) % cone.directions;
  const double x = d[2 * next] - d[2 * k], y = d[2 * next + 1] - d[2 * k + 1];
  const double length = math::hypot(x, y);
  return {{(d[2 * k] + d[2 * next]) / 2, (d[2 * k + 1] + d[2 * next + 1]) / 2},
          {x / length, y / length}};
}

// d_p = r - S d_u of one cone.
void StateNewton::linearize(const Item& cone, int state, const double* p, const double* u,
                            double prox, double* S, double* r) const {
  const int rows = cone.tangents + 1;
  std::fill_n(S, rows * rows, 0.0);
  if (state == kOpen || (state >= kSliding && cone.kind != PairKind::friction)) {
    for (int k = 0; k < rows; ++k) r[k] = -p[k];
    r[0] += state == kOpen ? cone.base : cone.base + cone.range;
    return;
  }
  for (int k = 0; k < rows; ++k) {
    S[k * (rows + 1)] = 1 / softness(cone, k, prox);
    r[k] = -u[k] * S[k * (rows + 1)];
  }
  if (state < kSliding) return;
  const Slide line = slide(cone, state);
  double s = 0, change = 0;
  for (int k = 1; k < rows; ++k) {
    s += line.along[k - 1] * p[k];
    change += line.along[k - 1] * r[k];
  }
  for (int i = 1; i < rows; ++i) {
    const double middle = line.middle[i - 1], along = line.along[i - 1];
    r[i] = middle * (p[0] + r[0]) + along * (s + change) - p[i];
    S[i * rows] = middle * S[0];
    const double stiffness = 1 / softness(cone, 1, prox);
    for (int j = 1; j < rows; ++j) S[i * rows + j] = along * line.along[j - 1] * stiffness;
  }
}

bool StateNewton::step(Iterate& point, std::span<const double> centre, double prox) {
  Delassus& W = island_->W();
  for (int i = 0; i < W.coneCount(); ++i) {
    const Item& cone = pairs_->cones()[i];
    for (int k = 0; k <= cone.tangents; ++k) {
      const std::size_t row = at(cone.row + k);
      shifted_[row] = point.u[row] + softness(cone, k, prox) * (point.p[row] - centre[row]);
    }
    linearize(cone, states_[i], point.p.data() + cone.row, shifted_.data() + cone.row, prox,
              S_.data() + W.firstOfBlock(i), r_.data() + cone.row);
  }
  if (!W.factor(S_, Delassus::Symmetry::general)) return false;
  if (!(W.solve(r_, none_, d_p_, d_u_) <= kAccurateStates)) return false;
  for (std::size_t k = 0; k < d_p_.size(); ++k) point.p[k] += d_p_[k];
  point.evaluate(*island_);
  return std::isfinite(point.residual);
}

double StateNewton::room(std::span<const double> p, std::span<const double> change) const {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const Item& cone = pairs_->cones()[i];
    least =
        std::min(least, roomOf(cone, states_[i], p.data() + cone.row, change.data() + cone.row));
  }
  return least;
}

double StateNewton::roomOf(const Item& cone, int state, const double* p,
                           const double* change) const {
  const double forever = std::numeric_limits<double>::infinity();
  if (state == kOpen || cone.kind == PairKind::free) return forever;
  if (cone.kind == PairKind::below) return roomAbove(cone.base - p[0], -change[0]);
  double least = roomAbove(p[0] - cone.base, change[0]);
  if (cone.kind == PairKind::between)
    return std::min(least, roomAbove(cone.base + cone.range - p[0], -change[0]));
  if (cone.kind != PairKind::friction || state != kSticking) return least;
  const int sides = cone.directions;
  for (int k = 0; k < sides; ++k) {
    const Slide line = slide(cone, kSliding + 2 * k + (cone.tangents == 1 ? 0 : 1));
    double a = 0, b = 0, reach = 0;
    for (int i = 1; i <= cone.tangents; ++i) {
      const double middle = line.middle[i - 1];
      a -= middle * p[i];
      b -= middle * change[i];
      reach += middle * middle;
    }
    least = std::min(least, roomAbove(a + reach * p[0], b + reach * change[0]));
  }
  return least;
}

}  // namespace stickslip
