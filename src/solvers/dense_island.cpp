#include "solvers/dense_island.hpp"

#include <array>

#include "math/cholesky.hpp"
#include "math/index.hpp"

namespace stickslip {
namespace {

// Beside the ones on the diagonal of W; makes redundant joints regular. Newton's method, which
// starts from what is found with it, knows nothing of it.
constexpr double kJointSoftness = 1e-12;

}  // namespace

void DenseIsland::reserve(int rows, int joint_rows) {
  const std::size_t n = at(rows), m = at(joint_rows);
  items_.reserve(n);
  rows_.reserve(n);
  joints_.reserve(m);
  W_.reserve(n * n);
  q_.reserve(n);
  joint_W_.reserve(n * m);
  joint_q_.reserve(m);
  joint_pi_.reserve(m);
  unit_.reserve(n + m);
  column_.reserve(n + m);
}

void DenseIsland::build(const ContactIsland& island) {
  split(island);
  fillColumns(island);
  if (!joints_.empty()) eliminateJoints();
}

void DenseIsland::split(const ContactIsland& island) {
  items_.clear();
  rows_.clear();
  joints_.clear();
  for (const ContactItem& item : island.items()) {
    std::vector<int>& rows = item.kind == ContactItem::Kind::joint ? joints_ : rows_;
    if (item.kind != ContactItem::Kind::joint) {
      items_.push_back(item);
      items_.back().first = static_cast<int>(rows_.size());
    }
    for (int k = 0; k < item.rows; ++k) rows.push_back(item.first + k);
  }
}

// W by its products with unit vectors.
void DenseIsland::fillColumns(const ContactIsland& island) {
  const std::size_t n = rows_.size(), m = joints_.size();
  W_.resize(n * n);
  q_.resize(n);
  joint_L_.resize(std::array{static_cast<int>(m)});
  joint_W_.resize(n * m);
  joint_q_.resize(m);
  unit_.assign(at(island.rowCount()), 0.0);
  column_.resize(at(island.rowCount()));
  const auto columnOf = [&](int row) {
    unit_[at(row)] = 1;
    island.W().apply(unit_, column_);
    unit_[at(row)] = 0;
  };
  for (std::size_t j = 0; j < n; ++j) {
    columnOf(rows_[j]);
    for (std::size_t i = 0; i < n; ++i) W_[i * n + j] = column_[at(rows_[i])];
    for (std::size_t i = 0; i < m; ++i) joint_W_[j * m + i] = column_[at(joints_[i])];
    q_[j] = island.q()[at(rows_[j])];
  }
  for (std::size_t j = 0; j < m; ++j) {
    columnOf(joints_[j]);
    const MatrixView L = joint_L_.block(0);
    const int k = static_cast<int>(j);
    for (int i = 0; i < L.rows; ++i) L(i, k) = column_[at(joints_[at(i)])];
    L(k, k) += kJointSoftness;
    joint_q_[j] = island.q()[at(joints_[j])];
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

void DenseIsland::velocity(std::span<const double> pi, std::span<double> omega) const {
  for (int i = 0; i < size(); ++i) {
    const std::span<const double> row = W().row(i);
    double sum = q_[at(i)];
    for (std::size_t k = 0; k < row.size(); ++k) sum += row[k] * pi[k];
    omega[at(i)] = sum;
  }
}

void DenseIsland::toIsland(std::span<const double> pi, std::span<double> island_pi) const {
  const std::size_t n = rows_.size(), m = joints_.size();
  for (std::size_t k = 0; k < n; ++k) island_pi[at(rows_[k])] = pi[k];
  if (m == 0) return;
  // L L' c = -(q + W pi), of the joints.
  joint_pi_.resize(m);
  for (std::size_t k = 0; k < m; ++k) {
    joint_pi_[k] = -joint_q_[k];
    for (std::size_t j = 0; j < n; ++j) joint_pi_[k] -= joint_W_[j * m + k] * pi[j];
  }
  solveLowerTransposed(joint_L_, joint_pi_);
  for (std::size_t k = 0; k < m; ++k) island_pi[at(joints_[k])] = joint_pi_[k];
}

void DenseIsland::fromIsland(std::span<const double> island_pi, std::span<double> pi) const {
  for (std::size_t k = 0; k < rows_.size(); ++k) pi[k] = island_pi[at(rows_[k])];
}

}  // namespace stickslip
