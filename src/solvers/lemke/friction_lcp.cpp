#include "solvers/lemke/friction_lcp.hpp"

#include <algorithm>
#include <cmath>

namespace stickslip {

void FrictionLcp::reserve(int contacts, int directions) {
  const std::size_t count = contacts;
  const std::size_t n = count * static_cast<std::size_t>(2 + directions);
  variables_.reserve(contacts, directions);
  W_column_.reserve(ImpulseSet::kMostRows * count);
  N_.reserve(n * n);
  rhs_.reserve(n);
}

void FrictionLcp::build(Form form, ConstMatrixView W, std::span<const double> q, const BlockRows& J,
                        const ImpulseSets& sets, std::span<const double> angles) {
  variables_.build(
      form, [&](int row) { return W(row, row); }, J, sets, angles);
  const std::size_t n = variables_.size();
  N_.assign(n * n, 0.0);
  rhs_.assign(n, 0.0);
  fillImpulseColumns(W);
  fillConstants(W, q);
  const MatrixView N = matrix();
  for (const FrictionVariables::Coupling& entry : variables_.couplings())
    N(entry.row, entry.column) = entry.value;
  for (const FrictionVariables::ConeVariables& cone : variables_.cones())
    if (cone.last >= 0) rhs_[cone.last] = cone.bound;
}

// w = scale row.(W p + q), p = base + scale column z.
void FrictionLcp::fillImpulseColumns(ConstMatrixView W) {
  const MatrixView N = matrix();
  W_column_.resize(W.rows);
  for (int b = 0; b < variables_.impulseCount(); ++b) {
    const FrictionVariables::ConeVariables& from = variables_.ownerOf(b);
    const FrictionVariables::Row& column = variables_.variable(b).column;
    for (int i = 0; i < W.rows; ++i) {
      double sum = 0;
      for (int k = 0; k < from.rows; ++k)
        if (column[k] != 0) sum += column[k] * W(i, from.first_row + k);
      W_column_[i] = sum;
    }
    for (int a = 0; a < variables_.impulseCount(); ++a) {
      const FrictionVariables::ConeVariables& to = variables_.ownerOf(a);
      double sum = 0;
      for (int k = 0; k < to.rows; ++k)
        sum += variables_.variable(a).row[k] * W_column_[to.first_row + k];
      N(a, b) = to.scale * from.scale * sum;
    }
  }
}

void FrictionLcp::fillConstants(ConstMatrixView W, std::span<const double> q) {
  W_column_.assign(q.begin(), q.end());
  for (const FrictionVariables::ConeVariables& cone : variables_.cones())
    if (cone.base != 0)
      for (int i = 0; i < W.rows; ++i) W_column_[i] += W(i, cone.first_row) * cone.base;
  for (int a = 0; a < variables_.impulseCount(); ++a) {
    const FrictionVariables::ConeVariables& cone = variables_.ownerOf(a);
    double sum = 0;
    for (int k = 0; k < cone.rows; ++k)
      sum += variables_.variable(a).row[k] * W_column_[cone.first_row + k];
    rhs_[a] = cone.scale * sum;
  }
}

VelocityError FrictionLcp::velocityError(std::span<const double> z) const {
  VelocityError error;
  const auto look = [&](int row, double scale) {
    const std::size_t i = row;
    double w = rhs_[i];
    for (int j = 0; j < variables_.size(); ++j)
      w += N_[i * static_cast<std::size_t>(variables_.size()) + j] * z[j];
    error.add(z[i], w, scale);
    // The constants of the other rows are impulses.
    if (row < variables_.impulseCount())
      error.reference = std::max(error.reference, std::abs(rhs_[i]) / scale);
  };
  for (const FrictionVariables::ConeVariables& cone : variables_.cones()) {
    if (cone.main >= 0) look(cone.main, cone.scale);
    for (int k = 0; k < cone.directions; ++k) look(cone.first_direction + k, cone.scale);
    if (cone.last >= 0) look(cone.last, cone.scale);
  }
  return error;
}

}  // namespace stickslip
