#include "solvers/exact/dense_island.hpp"

#include <array>

#include "math/dense/cholesky.hpp"

namespace stickslip {
namespace {

// Beside the ones on the diagonal of W; makes redundant joints regular. Newton's method, which
// starts from what is found with it, knows nothing of it.
constexpr double kJointSoftness = 1e-12;

}  // namespace

void DenseIsland::reserve(int rows, int joint_rows) {
  const std::size_t n = rows, m = joint_rows;
  cones_.reserve(n);
  rows_.reserve(n);
  joints_.reserve(m);
  W_.reserve(n * n);
  q_.reserve(n);
  joint_W_.reserve(n * m);
  joint_q_.reserve(m);
  joint_p_.reserve(m);
  unit_.reserve(n + m);
  column_.reserve(n + m);
}

void DenseIsland::build(const ScaledIsland& island) {
  split(island);
  fillColumns(island);
  if (!joints_.empty()) eliminateJoints();
}

void DenseIsland::split(const ScaledIsland& island) {
  cones_.clear();
  rows_.clear();
  joints_.clear();
  for (const Cone& cone : island.cones()) {
    std::vector<int>& rows = cone.kind == Cone::Kind::joint ? joints_ : rows_;
    if (cone.kind != Cone::Kind::joint) {
      cones_.push_back(cone);
      cones_.back().first = static_cast<int>(rows_.size());
    }
    for (int k = 0; k < cone.rows; ++k) rows.push_back(cone.first + k);
  }
}

// W by its products with unit vectors.
void DenseIsland::fillColumns(const ScaledIsland& island) {
  const std::size_t n = rows_.size(), m = joints_.size();
  W_.resize(n * n);
  q_.resize(n);
  joint_L_.resize(std::array{static_cast<int>(m)});
  joint_W_.resize(n * m);
  joint_q_.resize(m);
  unit_.assign(island.rowCount(), 0.0);
  column_.resize(island.rowCount());
  const auto columnOf = [&](int row) {
    unit_[row] = 1;
    island.W().apply(unit_, column_);
    unit_[row] = 0;
  };
  for (std::size_t j = 0; j < n; ++j) {
    columnOf(rows_[j]);
    for (std::size_t i = 0; i < n; ++i) W_[i * n + j] = column_[rows_[i]];
    for (std::size_t i = 0; i < m; ++i) joint_W_[j * m + i] = column_[joints_[i]];
    q_[j] = island.q()[rows_[j]];
  }
  for (std::size_t j = 0; j < m; ++j) {
    columnOf(joints_[j]);
    const MatrixView L = joint_L_.block(0);
    const int k = static_cast<int>(j);
    for (int i = 0; i < L.rows; ++i) L(i, k) = column_[joints_[i]];
    L(k, k) += kJointSoftness;
    joint_q_[j] = island.q()[joints_[j]];
  }
}

void DenseIsland::eliminateJoints() {
  const std::size_t n = rows_.size(), m = joints_.size();
  factorizeCholesky(joint_L_);
  solveLower(joint_L_, joint_q_);
  for (std::size_t j = 0; j < n; ++j) solveLower(joint_L_, std::span(joint_W_).subspan(j * m, m));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < m; ++k) q_[i] -= joint_W_[i * m + k] * joint_q_[k];
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < m; ++k)
        W_[i * n + j] -= joint_W_[i * m + k] * joint_W_[j * m + k];
  }
}

void DenseIsland::velocity(std::span<const double> p, std::span<double> u) const {
  for (int i = 0; i < size(); ++i) {
    const std::span<const double> row = W().row(i);
    double sum = q_[i];
    for (std::size_t k = 0; k < row.size(); ++k) sum += row[k] * p[k];
    u[i] = sum;
  }
}

void DenseIsland::toIsland(std::span<const double> p, std::span<double> island_pi) const {
  const std::size_t n = rows_.size(), m = joints_.size();
  for (std::size_t k = 0; k < n; ++k) island_pi[rows_[k]] = p[k];
  if (m == 0) return;
  // L L' c = -(q + W p), of the joints.
  joint_p_.resize(m);
  for (std::size_t k = 0; k < m; ++k) {
    joint_p_[k] = -joint_q_[k];
    for (std::size_t j = 0; j < n; ++j) joint_p_[k] -= joint_W_[j * m + k] * p[j];
  }
  solveLowerTransposed(joint_L_, joint_p_);
  for (std::size_t k = 0; k < m; ++k) island_pi[joints_[k]] = joint_p_[k];
}

void DenseIsland::fromIsland(std::span<const double> island_pi, std::span<double> p) const {
  for (std::size_t k = 0; k < rows_.size(); ++k) p[k] = island_pi[rows_[k]];
}

}  // namespace stickslip
