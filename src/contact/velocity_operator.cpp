#include "contact/velocity_operator.hpp"

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

void VelocityOperator::start(std::span<const int> block_sizes) {
  clearItems();
  block_sizes_.assign(block_sizes.begin(), block_sizes.end());
  block_first_.resize(1);
  for (const int size : block_sizes_) block_first_.push_back(block_first_.back() + size);
  first_strip_.resize(1);
  strips_.clear();
  values_.clear();
  compliance_.clear();
}

void VelocityOperator::startItem(int rows) {
  addItem(rows);
  first_strip_.push_back(strips_.size());
  compliance_.resize(static_cast<std::size_t>(rowCount()), 0.0);
}

MatrixView VelocityOperator::addStrip(int block) {
  const int rows = rowsOf(itemCount() - 1), columns = block_sizes_[static_cast<std::size_t>(block)];
  strips_.push_back({block, values_.size()});
  first_strip_.back() = strips_.size();
  values_.resize(values_.size() + static_cast<std::size_t>(rows * columns), 0.0);
  return {values_.data() + strips_.back().first_value, rows, columns};
}

void VelocityOperator::scaleLastRow(int row, double factor) {
  const int item = itemCount() - 1;
  for (const Strip& strip : stripsOf(item)) {
    const int columns = block_sizes_[static_cast<std::size_t>(strip.block)];
    double* first = values_.data() + strip.first_value + static_cast<std::size_t>(row * columns);
    for (int k = 0; k < columns; ++k) first[k] *= factor;
  }
}

void VelocityOperator::setCompliance(int row, double compliance) {
  compliance_[static_cast<std::size_t>(row)] = compliance;
}

void VelocityOperator::finish() {
  couplings_.clear();
  for (int item = 0; item < itemCount(); ++item) {
    const std::span<const Strip> strips = stripsOf(item);
    for (std::size_t a = 0; a < strips.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) couplings_.emplace_back(strips[a].block, strips[b].block);
  }
  factor_.analyze(block_sizes_, couplings_);
  entries_.clear();
  first_entry_.clear();
  for (int item = 0; item < itemCount(); ++item) {
    first_entry_.push_back(entries_.size());
    for (const Strip& a : stripsOf(item))
      for (const Strip& b : stripsOf(item)) entries_.push_back(factor_.entry(a.block, b.block));
  }
  S_.resize(blockEntries());
  y_.resize(static_cast<std::size_t>(velocityCount()));
  correction_.resize(y_.size());
}

std::span<const VelocityOperator::Strip> VelocityOperator::stripsOf(int item) const {
  const std::size_t first = first_strip_[static_cast<std::size_t>(item)];
  return std::span(strips_).subspan(first,
                                    first_strip_[static_cast<std::size_t>(item) + 1] - first);
}

ConstMatrixView VelocityOperator::values(int item, const Strip& strip) const {
  return {values_.data() + strip.first_value, rowsOf(item),
          block_sizes_[static_cast<std::size_t>(strip.block)]};
}

// y += A_i' x for the rows of an item.
void VelocityOperator::addTransposed(int item, std::span<const double> x,
                                     std::span<double> y) const {
  for (const Strip& strip : stripsOf(item)) {
    const ConstMatrixView A = values(item, strip);
    double* target = y.data() + firstOfVelocityBlock(strip.block);
    for (int i = 0; i < A.rows; ++i) {
      const double factor = x[static_cast<std::size_t>(i)];
      const double* row = A.data + i * A.columns;
      for (int k = 0; k < A.columns; ++k) target[k] += factor * row[k];
    }
  }
}

// out = A_i y.
void VelocityOperator::rowsTimes(int item, std::span<const double> y, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (const Strip& strip : stripsOf(item)) {
    const ConstMatrixView A = values(item, strip);
    const double* source = y.data() + firstOfVelocityBlock(strip.block);
    for (int i = 0; i < A.rows; ++i) {
      const double* row = A.data + i * A.columns;
      double sum = 0;
      for (int k = 0; k < A.columns; ++k) sum += row[k] * source[k];
      out[static_cast<std::size_t>(i)] += sum;
    }
  }
}

void VelocityOperator::velocities(std::span<const double> pi, std::span<double> y) const {
  std::fill(y.begin(), y.end(), 0.0);
  for (int item = 0; item < itemCount(); ++item)
    addTransposed(item, pi.subspan(static_cast<std::size_t>(firstRow(item))), y);
}

void VelocityOperator::apply(std::span<const double> pi, std::span<double> out) const {
  velocities(pi, y_);
  for (int item = 0; item < itemCount(); ++item) {
    const auto first = static_cast<std::size_t>(firstRow(item));
    rowsTimes(item, y_, out.subspan(first, static_cast<std::size_t>(rowsOf(item))));
  }
  for (std::size_t k = 0; k < compliance_.size(); ++k) out[k] += compliance_[k] * pi[k];
}

void VelocityOperator::diagonalBlock(int item, MatrixView out) const {
  std::fill_n(out.data, out.rows * out.columns, 0.0);
  for (const Strip& strip : stripsOf(item)) {
    const ConstMatrixView A = values(item, strip);
    for (int i = 0; i < A.rows; ++i)
      for (int j = 0; j < A.rows; ++j)
        for (int k = 0; k < A.columns; ++k) out(i, j) += A(i, k) * A(j, k);
  }
  for (int i = 0; i < out.rows; ++i)
    out(i, i) += compliance_[static_cast<std::size_t>(firstRow(item) + i)];
}

bool VelocityOperator::factor(std::span<const double> S, Symmetry symmetry) {
  std::copy(S.begin(), S.end(), S_.begin());
  for (int item = 0; item < itemCount(); ++item)
    for (int k = 0; k < rowsOf(item); ++k) {
      const double D = compliance_[static_cast<std::size_t>(firstRow(item) + k)];
      double& diagonal = S_[firstOfBlock(item) + static_cast<std::size_t>(k * (rowsOf(item) + 1))];
      if (D > 0) diagonal /= 1 + diagonal * D;
    }
  factor_.clear();
  for (int block = 0; block < static_cast<int>(block_sizes_.size()); ++block) {
    const MatrixView K = factor_.block(factor_.entry(block, block));
    for (int k = 0; k < K.rows; ++k) K(k, k) = 1;
  }
  for (int item = 0; item < itemCount(); ++item) addProducts(item, symmetry);
  return symmetry == Symmetry::symmetric ? factor_.factorCholesky() : factor_.factorLu();
}

// K_ab += A_a' S~ A_b for all pairs of strips of an item.
void VelocityOperator::addProducts(int item, Symmetry symmetry) {
  const int rows = rowsOf(item);
  const ConstMatrixView S{S_.data() + firstOfBlock(item), rows, rows};
  const int* entry = entries_.data() + first_entry_[static_cast<std::size_t>(item)];
  const std::span<const Strip> strips = stripsOf(item);
  for (std::size_t b = 0; b < strips.size(); ++b) {
    const ConstMatrixView B = values(item, strips[b]);
    product_.assign(static_cast<std::size_t>(rows * B.columns), 0.0);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < rows; ++j)
        for (int k = 0; k < B.columns; ++k)
          product_[static_cast<std::size_t>(i * B.columns + k)] += S(i, j) * B(j, k);
    for (std::size_t a = 0; a < strips.size(); ++a) {
      const int place = entry[a * strips.size() + b];
      if (symmetry == Symmetry::symmetric && !factor_.isLower(place)) continue;
      const ConstMatrixView A = values(item, strips[a]);
      const MatrixView K = factor_.block(place);
      for (int i = 0; i < rows; ++i) {
        const double* scaled = product_.data() + i * B.columns;
        for (int m = 0; m < A.columns; ++m) {
          const double factor = A(i, m);
          double* target = K.data + m * K.columns;
          for (int k = 0; k < B.columns; ++k) target[k] += factor * scaled[k];
        }
      }
    }
  }
}

// From y: d_omega = A y + D d_pi + s and d_pi = r - S d_omega.
void VelocityOperator::eliminatedImpulses(std::span<const double> r, std::span<const double> s,
                                          std::span<double> d_pi, std::span<double> d_omega) {
  for (int item = 0; item < itemCount(); ++item) {
    const auto first = static_cast<std::size_t>(firstRow(item));
    const int rows = rowsOf(item);
    rowsTimes(item, y_, d_omega.subspan(first, static_cast<std::size_t>(rows)));
    for (int i = 0; i < rows; ++i)
      d_omega[first + static_cast<std::size_t>(i)] += s[first + static_cast<std::size_t>(i)];
    const double* S = S_.data() + firstOfBlock(item);
    for (int i = 0; i < rows; ++i) {
      const std::size_t row = first + static_cast<std::size_t>(i);
      // S~ = S / (1 + S D), and hence 1 / (1 + S D) = 1 - S~ D.
      const double D = compliance_[row];
      double sum = r[row] * (D > 0 ? 1 - S[i * rows + i] * D : 1);
      for (int j = 0; j < rows; ++j)
        sum -= S[i * rows + j] * d_omega[first + static_cast<std::size_t>(j)];
      d_pi[row] = sum;
    }
    for (int i = 0; i < rows; ++i) {
      const std::size_t row = first + static_cast<std::size_t>(i);
      if (compliance_[row] > 0) d_omega[row] += compliance_[row] * d_pi[row];
    }
  }
}

double VelocityOperator::solve(std::span<const double> r, std::span<const double> s,
                               std::span<double> d_pi, std::span<double> d_omega) {
  std::fill(y_.begin(), y_.end(), 0.0);
  double error = 1;
  for (int pass = 0; pass <= kRefinements + 1; ++pass) {
    eliminatedImpulses(r, s, d_pi, d_omega);
    // What is missing from y = A' d_pi.
    velocities(d_pi, correction_);
    for (std::size_t k = 0; k < y_.size(); ++k) correction_[k] -= y_[k];
    const double size = largest(y_), missing = largest(correction_);
    if (missing == 0) return 0;
    if (pass > 0) error = size > 0 ? missing / size : 1;
    if (pass > kRefinements || (pass > 0 && error <= refined())) break;
    factor_.solve(correction_);
    for (std::size_t k = 0; k < y_.size(); ++k) y_[k] += correction_[k];
  }
  return error;
}

void VelocityOperator::startSweeps(std::span<const double> pi) {
  sweep_y_.resize(static_cast<std::size_t>(velocityCount()));
  velocities(pi, sweep_y_);
  sweep_pi_.assign(pi.begin(), pi.end());
}

void VelocityOperator::sweepVelocity(int item, std::span<double> out) const {
  rowsTimes(item, sweep_y_, out);
  const auto first = static_cast<std::size_t>(firstRow(item));
  for (std::size_t k = 0; k < out.size(); ++k)
    out[k] += compliance_[first + k] * sweep_pi_[first + k];
}

void VelocityOperator::sweepChange(int item, std::span<const double> change) {
  addTransposed(item, change, sweep_y_);
  const auto first = static_cast<std::size_t>(firstRow(item));
  for (std::size_t k = 0; k < change.size(); ++k) sweep_pi_[first + k] += change[k];
}

}  // namespace stickslip
