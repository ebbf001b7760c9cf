#include "problem/matrix_delassus.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace stickslip {
namespace {

constexpr int kMatrixRefinements = 2;

double largestEntry(std::span<const double> x) {
  double most = 0;
  for (const double value : x) most = std::max(most, std::abs(value));
  return most;
}

}  // namespace

void MatrixDelassus::start() {
  clearCones();
  blocks_.clear();
  values_.clear();
}

MatrixView MatrixDelassus::addBlock(int row_cone, int column_cone) {
  assert(blocks_.empty() || blocks_.back().row_cone <= row_cone);
  const int rows = rowsOf(row_cone), columns = rowsOf(column_cone);
  blocks_.push_back({row_cone, column_cone, values_.size()});
  values_.resize(values_.size() + static_cast<std::size_t>(rows * columns), 0.0);
  return {values_.data() + blocks_.back().first_value, rows, columns};
}

void MatrixDelassus::finish() {
  sizes_.clear();
  couplings_.clear();
  first_block_.assign(static_cast<std::size_t>(coneCount()) + 1, 0);
  for (int cone = 0; cone < coneCount(); ++cone) sizes_.push_back(rowsOf(cone));
  for (const Block& block : blocks_) {
    ++first_block_[block.row_cone + 1];
    if (block.row_cone != block.column_cone)
      couplings_.emplace_back(block.row_cone, block.column_cone);
  }
  for (std::size_t k = 1; k < first_block_.size(); ++k) first_block_[k] += first_block_[k - 1];
  is_analysed_ = false;
  residual_.resize(rowCount());
}

// Put off until a system has to be solved: sweeps alone often suffice.
void MatrixDelassus::analyse() {
  factor_.analyze(sizes_, couplings_);
  entries_.clear();
  for (const Block& block : blocks_)
    entries_.push_back(factor_.entry(block.row_cone, block.column_cone));
  is_analysed_ = true;
}

ConstMatrixView MatrixDelassus::values(const Block& block) const {
  return {values_.data() + block.first_value, rowsOf(block.row_cone), rowsOf(block.column_cone)};
}

std::span<const MatrixDelassus::Block> MatrixDelassus::blocksOf(int row_cone) const {
  const std::size_t first = first_block_[row_cone];
  return std::span(blocks_).subspan(first, first_block_[row_cone + 1] - first);
}

void MatrixDelassus::rowsTimes(int cone, std::span<const double> p, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (const Block& block : blocksOf(cone)) {
    const ConstMatrixView W = values(block);
    const double* source = p.data() + firstRow(block.column_cone);
    for (int i = 0; i < W.rows; ++i)
      for (int j = 0; j < W.columns; ++j) out[i] += W(i, j) * source[j];
  }
}

void MatrixDelassus::apply(std::span<const double> p, std::span<double> out) const {
  for (int cone = 0; cone < coneCount(); ++cone)
    rowsTimes(cone, p, out.subspan(firstRow(cone), rowsOf(cone)));
}

void MatrixDelassus::diagonalBlock(int cone, MatrixView out) const {
  for (const Block& block : blocksOf(cone))
    if (block.column_cone == cone)
      std::copy_n(values(block).data, out.rows * out.columns, out.data);
}

bool MatrixDelassus::factor(std::span<const double> S, Symmetry) {
  if (!is_analysed_) analyse();
  S_.assign(S.begin(), S.end());
  factor_.clear();
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    const Block& block = blocks_[k];
    const ConstMatrixView W = values(block);
    const double* S_column = S_.data() + firstOfBlock(block.column_cone);
    const MatrixView K = factor_.block(entries_[k]);
    for (int i = 0; i < W.rows; ++i)
      for (int m = 0; m < W.columns; ++m)
        for (int j = 0; j < W.columns; ++j) K(i, j) += W(i, m) * S_column[m * W.columns + j];
    if (block.row_cone == block.column_cone)
      for (int i = 0; i < W.rows; ++i) K(i, i) += 1;
  }
  return factor_.factorLu();
}

// d_p = r - S d_u.
void MatrixDelassus::impulsesFrom(std::span<const double> r, std::span<const double> d_u,
                                  std::span<double> d_p) const {
  for (int cone = 0; cone < coneCount(); ++cone) {
    const int rows = rowsOf(cone), first = firstRow(cone);
    const double* S = S_.data() + firstOfBlock(cone);
    for (int i = 0; i < rows; ++i) {
      double sum = r[first + i];
      for (int j = 0; j < rows; ++j) sum -= S[i * rows + j] * d_u[first + j];
      d_p[first + i] = sum;
    }
  }
}

// (1 + W S) d_u = W r + s.
void MatrixDelassus::solveOnce(std::span<const double> r, std::span<const double> s,
                               std::span<double> d_p, std::span<double> d_u) {
  apply(r, d_u);
  for (std::size_t k = 0; k < d_u.size(); ++k) d_u[k] += s[k];
  factor_.solve(d_u);
  impulsesFrom(r, d_u, d_p);
}

double MatrixDelassus::solve(std::span<const double> r, std::span<const double> s,
                             std::span<double> d_p, std::span<double> d_u) {
  std::fill(d_u.begin(), d_u.end(), 0.0);
  double error = 1;
  for (int pass = 0; pass <= kMatrixRefinements + 1; ++pass) {
    impulsesFrom(r, d_u, d_p);
    // What is missing from d_u = W d_p + s.
    apply(d_p, residual_);
    for (std::size_t k = 0; k < residual_.size(); ++k) residual_[k] += s[k] - d_u[k];
    const double size = std::max(largestEntry(d_u), largestEntry(s)),
                 missing = largestEntry(residual_);
    if (missing == 0) return 0;
    if (pass > 0) error = size > 0 ? missing / size : 1;
    if (pass > kMatrixRefinements || (pass > 0 && error <= refined())) break;
    factor_.solve(residual_);
    for (std::size_t k = 0; k < residual_.size(); ++k) d_u[k] += residual_[k];
  }
  return error;
}

void MatrixDelassus::startSweeps(std::span<const double> p) {
  sweep_p_.assign(p.begin(), p.end());
}

void MatrixDelassus::sweepVelocity(int cone, std::span<double> out) const {
  rowsTimes(cone, sweep_p_, out);
}

void MatrixDelassus::sweepChange(int cone, std::span<const double> change) {
  const std::size_t first = firstRow(cone);
  for (std::size_t k = 0; k < change.size(); ++k) sweep_p_[first + k] += change[k];
}

}  // namespace stickslip
