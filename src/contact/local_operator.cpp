#include "contact/local_operator.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace stickslip {
namespace {

constexpr int kRefinements = 2;

double largest(std::span<const double> x) {
  double most = 0;
  for (const double value : x) most = std::max(most, std::abs(value));
  return most;
}

}  // namespace

void LocalOperator::start() {
  clearItems();
  blocks_.clear();
  values_.clear();
}

MatrixView LocalOperator::addBlock(int row_item, int column_item) {
  assert(blocks_.empty() || blocks_.back().row_item <= row_item);
  const int rows = rowsOf(row_item), columns = rowsOf(column_item);
  blocks_.push_back({row_item, column_item, values_.size()});
  values_.resize(values_.size() + static_cast<std::size_t>(rows * columns), 0.0);
  return {values_.data() + blocks_.back().first_value, rows, columns};
}

void LocalOperator::finish() {
  sizes_.clear();
  couplings_.clear();
  first_block_.assign(static_cast<std::size_t>(itemCount()) + 1, 0);
  for (int item = 0; item < itemCount(); ++item) sizes_.push_back(rowsOf(item));
  for (const Block& block : blocks_) {
    ++first_block_[static_cast<std::size_t>(block.row_item) + 1];
    if (block.row_item != block.column_item)
      couplings_.emplace_back(block.row_item, block.column_item);
  }
  for (std::size_t k = 1; k < first_block_.size(); ++k) first_block_[k] += first_block_[k - 1];
  is_analysed_ = false;
  residual_.resize(static_cast<std::size_t>(rowCount()));
}

// Put off until a system has to be solved: sweeps alone often suffice.
void LocalOperator::analyse() {
  factor_.analyze(sizes_, couplings_);
  entries_.clear();
  for (const Block& block : blocks_)
    entries_.push_back(factor_.entry(block.row_item, block.column_item));
  is_analysed_ = true;
}

ConstMatrixView LocalOperator::values(const Block& block) const {
  return {values_.data() + block.first_value, rowsOf(block.row_item), rowsOf(block.column_item)};
}

std::span<const LocalOperator::Block> LocalOperator::blocksOf(int row_item) const {
  const std::size_t first = first_block_[static_cast<std::size_t>(row_item)];
  return std::span(blocks_).subspan(first,
                                    first_block_[static_cast<std::size_t>(row_item) + 1] - first);
}

void LocalOperator::rowsTimes(int item, std::span<const double> pi, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (const Block& block : blocksOf(item)) {
    const ConstMatrixView W = values(block);
    const double* source = pi.data() + firstRow(block.column_item);
    for (int i = 0; i < W.rows; ++i)
      for (int j = 0; j < W.columns; ++j) out[static_cast<std::size_t>(i)] += W(i, j) * source[j];
  }
}

void LocalOperator::apply(std::span<const double> pi, std::span<double> out) const {
  for (int item = 0; item < itemCount(); ++item)
    rowsTimes(item, pi,
              out.subspan(static_cast<std::size_t>(firstRow(item)),
                          static_cast<std::size_t>(rowsOf(item))));
}

void LocalOperator::diagonalBlock(int item, MatrixView out) const {
  for (const Block& block : blocksOf(item))
    if (block.column_item == item)
      std::copy_n(values(block).data, out.rows * out.columns, out.data);
}

bool LocalOperator::factor(std::span<const double> S, Symmetry) {
  if (!is_analysed_) analyse();
  S_.assign(S.begin(), S.end());
  factor_.clear();
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    const Block& block = blocks_[k];
    const ConstMatrixView W = values(block);
    const double* S_column = S_.data() + firstOfBlock(block.column_item);
    const MatrixView K = factor_.block(entries_[k]);
    for (int i = 0; i < W.rows; ++i)
      for (int m = 0; m < W.columns; ++m)
        for (int j = 0; j < W.columns; ++j) K(i, j) += W(i, m) * S_column[m * W.columns + j];
    if (block.row_item == block.column_item)
      for (int i = 0; i < W.rows; ++i) K(i, i) += 1;
  }
  return factor_.factorLu();
}

// d_pi = r - S d_omega.
void LocalOperator::impulsesFrom(std::span<const double> r, std::span<const double> d_omega,
                                 std::span<double> d_pi) const {
  for (int item = 0; item < itemCount(); ++item) {
    const int rows = rowsOf(item), first = firstRow(item);
    const double* S = S_.data() + firstOfBlock(item);
    for (int i = 0; i < rows; ++i) {
      double sum = r[static_cast<std::size_t>(first + i)];
      for (int j = 0; j < rows; ++j)
        sum -= S[i * rows + j] * d_omega[static_cast<std::size_t>(first + j)];
      d_pi[static_cast<std::size_t>(first + i)] = sum;
    }
  }
}

// (1 + W S) d_omega = W r + s.
void LocalOperator::solveOnce(std::span<const double> r, std::span<const double> s,
                              std::span<double> d_pi, std::span<double> d_omega) {
  apply(r, d_omega);
  for (std::size_t k = 0; k < d_omega.size(); ++k) d_omega[k] += s[k];
  factor_.solve(d_omega);
  impulsesFrom(r, d_omega, d_pi);
}

double LocalOperator::solve(std::span<const double> r, std::span<const double> s,
                            std::span<double> d_pi, std::span<double> d_omega) {
  std::fill(d_omega.begin(), d_omega.end(), 0.0);
  double error = 1;
  for (int pass = 0; pass <= kRefinements + 1; ++pass) {
    impulsesFrom(r, d_omega, d_pi);
    // What is missing from d_omega = W d_pi + s.
    apply(d_pi, residual_);
    for (std::size_t k = 0; k < residual_.size(); ++k) residual_[k] += s[k] - d_omega[k];
    const double size = std::max(largest(d_omega), largest(s)), missing = largest(residual_);
    if (missing == 0) return 0;
    if (pass > 0) error = size > 0 ? missing / size : 1;
    if (pass > kRefinements || (pass > 0 && error <= refined())) break;
    factor_.solve(residual_);
    for (std::size_t k = 0; k < residual_.size(); ++k) d_omega[k] += residual_[k];
  }
  return error;
}

void LocalOperator::startSweeps(std::span<const double> pi) {
  sweep_pi_.assign(pi.begin(), pi.end());
}

void LocalOperator::sweepVelocity(int item, std::span<double> out) const {
  rowsTimes(item, sweep_pi_, out);
}

void LocalOperator::sweepChange(int item, std::span<const double> change) {
  const auto first = static_cast<std::size_t>(firstRow(item));
  for (std::size_t k = 0; k < change.size(); ++k) sweep_pi_[first + k] += change[k];
}

}  // namespace stickslip
