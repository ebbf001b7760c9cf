#include "contact/velocity_operator.hpp"

#include <algorithm>

#include "contact/strip_kernels.hpp"

namespace stickslip {

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

void VelocityOperator::reserve(int blocks, int items, int rows) {
  constexpr std::size_t kStrips = 2, kColumns = 6;
  const auto b = static_cast<std::size_t>(blocks), n = static_cast<std::size_t>(items),
             m = static_cast<std::size_t>(rows);
  reserveItems(items);
  block_sizes_.reserve(b);
  block_first_.reserve(b + 1);
  first_strip_.reserve(n + 1);
  strips_.reserve(kStrips * n);
  values_.reserve(kStrips * kColumns * m);
  compliance_.reserve(m);
  couplings_.reserve(n);
  runs_.reserve(n);
  compliant_rows_.reserve(m);
  places_.reserve(kStrips * kStrips * n);
  first_place_.reserve(n + 1);
  S_.reserve(3 * m);
  for (auto* y : {&y_, &correction_, &sweep_y_}) y->reserve(kColumns * b);
  for (auto* x : {&zero_, &sweep_pi_}) x->reserve(m);
}

void VelocityOperator::startItem(int rows) {
  addItem(rows);
  first_strip_.push_back(strips_.size());
  compliance_.resize(static_cast<std::size_t>(rowCount()), 0.0);
}

MatrixView VelocityOperator::addStrip(int block) {
  const int rows = rowsOf(itemCount() - 1), columns = block_sizes_[static_cast<std::size_t>(block)];
  strips_.push_back({block, firstOfVelocityBlock(block), values_.size()});
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
  is_analysed_ = false;
  findRuns();
  findCompliantRows();
  S_.resize(blockEntries());
  y_.resize(static_cast<std::size_t>(velocityCount()));
  correction_.resize(y_.size());
}

// Put off until a system has to be solved: sweeps alone often suffice.
void VelocityOperator::analyse() {
  couplings_.clear();
  for (int item = 0; item < itemCount(); ++item) {
    const std::span<const Strip> strips = stripsOf(item);
    for (std::size_t a = 0; a < strips.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) couplings_.emplace_back(strips[a].block, strips[b].block);
  }
  factor_.analyze(block_sizes_, couplings_);
  findPlaces();
  is_analysed_ = true;
}

void VelocityOperator::findRuns() {
  runs_.clear();
  for (int item = 0; item < itemCount(); ++item) {
    int columns = -1;
    for (const Strip& strip : stripsOf(item))
      columns = columns == -1 || columns == columnsOf(strip) ? columnsOf(strip) : 0;
    if (columns == -1 && !runs_.empty()) columns = runs_.back().columns;
    if (!runs_.empty() && runs_.back().rows == rowsOf(item) && runs_.back().columns == columns)
      runs_.back().end_item = item + 1;
    else
      runs_.push_back({item, item + 1, rowsOf(item), std::max(columns, 0)});
  }
}

// The factor's entries stay where they are until another pattern is analysed.
void VelocityOperator::findPlaces() {
  places_.clear();
  first_place_.clear();
  for (int item = 0; item < itemCount(); ++item) {
    first_place_.push_back(places_.size());
    for (const Strip& a : stripsOf(item))
      for (const Strip& b : stripsOf(item)) {
        const int entry = factor_.entry(a.block, b.block);
        places_.push_back({factor_.block(entry).data, factor_.isLower(entry)});
      }
  }
}

void VelocityOperator::findCompliantRows() {
  compliant_rows_.clear();
  for (int item = 0; item < itemCount(); ++item)
    for (int k = 0; k < rowsOf(item); ++k) {
      const auto row = static_cast<std::size_t>(firstRow(item) + k);
      const auto diagonal = static_cast<std::size_t>(k * (rowsOf(item) + 1));
      if (compliance_[row] > 0) compliant_rows_.push_back({row, firstOfBlock(item) + diagonal});
    }
}

std::span<const VelocityOperator::Strip> VelocityOperator::stripsOf(int item) const {
  const std::size_t first = first_strip_[static_cast<std::size_t>(item)];
  return std::span(strips_).subspan(first,
                                    first_strip_[static_cast<std::size_t>(item) + 1] - first);
}

void VelocityOperator::velocities(std::span<const double> pi, std::span<double> y) const {
  std::fill(y.begin(), y.end(), 0.0);
  for (const Run& run : runs_)
    withStripKernels(run.rows, run.columns, [&](auto kernels) {
      const double* x = pi.data() + firstRow(run.first_item);
      for (int item = run.first_item; item < run.end_item; ++item, x += kernels.rows())
        for (const Strip& strip : stripsOf(item))
          kernels.with(columnsOf(strip))
              .addTransposed(values_.data() + strip.first_value, x, y.data() + strip.column);
    });
}

void VelocityOperator::rowsTimes(std::span<const double> y, std::span<const double> s,
                                 std::span<double> out) const {
  std::copy(s.begin(), s.end(), out.begin());
  for (const Run& run : runs_)
    withStripKernels(run.rows, run.columns, [&](auto kernels) {
      double* target = out.data() + firstRow(run.first_item);
      for (int item = run.first_item; item < run.end_item; ++item, target += kernels.rows())
        for (const Strip& strip : stripsOf(item))
          kernels.with(columnsOf(strip))
              .addProduct(values_.data() + strip.first_value, y.data() + strip.column, target);
    });
}

void VelocityOperator::apply(std::span<const double> pi, std::span<double> out) const {
  velocities(pi, y_);
  zero_.assign(out.size(), 0.0);
  rowsTimes(y_, zero_, out);
  for (const CompliantRow& row : compliant_rows_)
    out[row.row] += compliance_[row.row] * pi[row.row];
}

void VelocityOperator::diagonalBlock(int item, MatrixView out) const {
  std::fill_n(out.data, out.rows * out.columns, 0.0);
  for (const Strip& strip : stripsOf(item)) {
    const ConstMatrixView A{values_.data() + strip.first_value, rowsOf(item), columnsOf(strip)};
    for (int i = 0; i < A.rows; ++i)
      for (int j = 0; j < A.rows; ++j)
        for (int k = 0; k < A.columns; ++k) out(i, j) += A(i, k) * A(j, k);
  }
  for (int i = 0; i < out.rows; ++i)
    out(i, i) += compliance_[static_cast<std::size_t>(firstRow(item) + i)];
}

void VelocityOperator::startSweeps(std::span<const double> pi) {
  sweep_y_.resize(static_cast<std::size_t>(velocityCount()));
  velocities(pi, sweep_y_);
  sweep_pi_.assign(pi.begin(), pi.end());
}

void VelocityOperator::sweepVelocity(int item, std::span<double> out) const {
  const auto first = static_cast<std::size_t>(firstRow(item));
  for (std::size_t k = 0; k < out.size(); ++k)
    out[k] = compliance_[first + k] * sweep_pi_[first + k];
  for (const Strip& strip : stripsOf(item))
    withStripKernels(rowsOf(item), columnsOf(strip), [&](auto kernels) {
      kernels.addProduct(values_.data() + strip.first_value, sweep_y_.data() + strip.column,
                         out.data());
    });
}

void VelocityOperator::sweepChange(int item, std::span<const double> change) {
  for (const Strip& strip : stripsOf(item))
    withStripKernels(rowsOf(item), columnsOf(strip), [&](auto kernels) {
      kernels.addTransposed(values_.data() + strip.first_value, change.data(),
                            sweep_y_.data() + strip.column);
    });
  const auto first = static_cast<std::size_t>(firstRow(item));
  for (std::size_t k = 0; k < change.size(); ++k) sweep_pi_[first + k] += change[k];
}

}  // namespace stickslip
