#include "problem/scaled_rows.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/index.hpp"
#include "math/dense/cholesky.hpp"

namespace stickslip {
namespace {

// What is left of a row beside the others, squared: below this part it is rounding.
constexpr double kDependentJoint = 1e-12;

}  // namespace

JointScaling::JointScaling(int rows, const Block& W) {
  const auto at = [&](Block& B, int i, int j) -> double& { return B[kMostRows * i + j]; };
  for (int j = 0; j < rows; ++j) {
    const double whole = W[kMostRows * j + j];
    double left = whole;
    for (int k = 0; k < j; ++k) left -= entry(j, k) * entry(j, k);
    if (!(left > kDependentJoint * whole)) continue;
    at(R_, j, j) = std::sqrt(left);
    for (int i = j + 1; i < rows; ++i) {
      double sum = W[kMostRows * i + j];
      for (int k = 0; k < j; ++k) sum -= entry(i, k) * entry(j, k);
      at(R_, i, j) = sum / entry(j, j);
    }
  }
}

void JointScaling::toScaled(std::span<double> x) const {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const int row = static_cast<int>(i);
    double sum = x[i];
    for (std::size_t k = 0; k < i; ++k) sum -= entry(row, static_cast<int>(k)) * x[k];
    x[i] = entry(row, row) > 0 ? sum / entry(row, row) : 0;
  }
}

void JointScaling::toImpulses(std::span<const double> scaled, std::span<double> c) const {
  for (std::size_t i = c.size(); i-- > 0;) {
    const int row = static_cast<int>(i);
    double sum = scaled[i];
    for (std::size_t k = i + 1; k < c.size(); ++k) sum -= entry(static_cast<int>(k), row) * c[k];
    c[i] = entry(row, row) > 0 ? sum / entry(row, row) : 0;
  }
}

void JointScaling::fromImpulses(std::span<const double> c, std::span<double> scaled) const {
  for (std::size_t i = 0; i < c.size(); ++i) {
    const int row = static_cast<int>(i);
    scaled[i] = 0;
    for (std::size_t k = i; k < c.size(); ++k) scaled[i] += entry(static_cast<int>(k), row) * c[k];
  }
}

void ScaledRows::clear() {
  groups_.clear();
  group_of_row_.clear();
  strips_.clear();
  values_.clear();
}

// Contacts and joints have two strips of six columns, as a rule.
void ScaledRows::reserve(int groups, int rows) {
  groups_.reserve(groups);
  group_of_row_.reserve(rows);
  strips_.reserve(2 * at(groups));
  values_.reserve(12 * at(rows));
}

void ScaledRows::startGroup(int rows) {
  group_of_row_.insert(group_of_row_.end(), at(rows), groupCount());
  groups_.push_back({rows, rowCount() - rows, strips_.size()});
}

MatrixView ScaledRows::addStrip(int block, int first, int columns) {
  const int rows = groups_.back().rows;
  strips_.push_back({block, first, columns, values_.size()});
  values_.resize(values_.size() + at(rows * columns), 0.0);
  return {values_.data() + strips_.back().first_value, rows, columns};
}

// Of the last group.
std::size_t ScaledRows::stripOf(int block, int first, int columns) {
  for (std::size_t s = groups_.back().first_strip; s < strips_.size(); ++s)
    if (strips_[s].block == block) return s;
  addStrip(block, first, columns);
  return strips_.size() - 1;
}

// `rowAt(i)` is the row of the group of J that becomes row i.
template <class RowAt>
void ScaledRows::addRows(const BlockDiagonal& L, const BlockRows& J, int group, int rows,
                         RowAt rowAt) {
  startGroup(rows);
  for (const BlockRows::Strip& source : J.stripsOf(group)) {
    const StripValues entries = J.values(group, source);
    const int end = source.first_column + source.columns;
    for (int begin = source.first_column, next = begin; begin < end; begin = next) {
      const int block = L.blockOf(begin), first = L.firstRow(block), columns = L.block(block).rows;
      next = std::min(end, first + columns);
      const std::size_t strip = stripOf(block, first, columns);
      double* to = values_.data() + strips_[strip].first_value;
      for (int i = 0; i < rows; ++i, to += columns) {
        const double* from = entries.row(rowAt(i)).data();
        for (int k = begin; k < next; ++k) to[k - first] += from[k - source.first_column];
      }
    }
  }
  for (const Strip& strip : strips(groupCount() - 1)) {
    const ConstMatrixView block = L.block(strip.block);
    double* x = values_.data() + strip.first_value;
    for (int i = 0; i < rows; ++i, x += strip.columns) solveLower(block, {x, at(strip.columns)});
  }
}

void ScaledRows::add(const BlockDiagonal& L, const BlockRows& J, int group,
                     std::span<const int> kept) {
  addRows(L, J, group, static_cast<int>(kept.size()), [&](int i) { return kept[i]; });
}

void ScaledRows::add(const BlockDiagonal& L, const BlockRows& J, int group) {
  addRows(L, J, group, J.rowsOf(group), [](int i) { return i; });
}

void ScaledRows::add(const ScaledRows& others, std::span<const int> kept) {
  startGroup(static_cast<int>(kept.size()));
  for (const Strip& strip : others.strips(others.groupCount() - 1)) {
    const MatrixView to = addStrip(strip.block, strip.first, strip.columns);
    for (std::size_t i = 0; i < kept.size(); ++i)
      std::copy_n(others.values(strip) + kept[i] * strip.columns, strip.columns,
                  to.row(static_cast<int>(i)).begin());
  }
}

void ScaledRows::scaleRow(int row, double factor) {
  for (const Strip& strip : strips(groupCount() - 1)) {
    double* x = values_.data() + strip.first_value + at(row * strip.columns);
    for (int k = 0; k < strip.columns; ++k) x[k] *= factor;
  }
}

void ScaledRows::divideRow(int row, double divisor) {
  for (const Strip& strip : strips(groupCount() - 1)) {
    double* x = values_.data() + strip.first_value + at(row * strip.columns);
    for (int k = 0; k < strip.columns; ++k) x[k] /= divisor;
  }
}

void ScaledRows::scale(const JointScaling& scaling) {
  const std::size_t rows = groups_.back().rows;
  std::array<double, kMostRows> column{};
  for (const Strip& strip : strips(groupCount() - 1))
    for (int k = 0; k < strip.columns; ++k) {
      double* x = values_.data() + strip.first_value + k;
      for (std::size_t i = 0; i < rows; ++i) column[i] = x[i * at(strip.columns)];
      scaling.toScaled(std::span(column).first(rows));
      for (std::size_t i = 0; i < rows; ++i) x[i * at(strip.columns)] = column[i];
    }
}

double ScaledRows::product(int group, int i, int j) const {
  double sum = 0;
  for (const Strip& strip : strips(group)) {
    const double *a = values(strip) + i * strip.columns, *b = values(strip) + j * strip.columns;
    for (int k = 0; k < strip.columns; ++k) sum += a[k] * b[k];
  }
  return sum;
}

void ScaledRows::velocity(int group, std::span<const double> y, std::span<double> u) const {
  std::fill(u.begin(), u.end(), 0.0);
  for (const Strip& strip : strips(group)) {
    const double *a = values(strip), *x = y.data() + strip.first;
    for (double& sum : u)
      for (int k = 0; k < strip.columns; ++k) sum += *a++ * x[k];
  }
}

void ScaledRows::push(int group, std::span<const double> p, std::span<double> y) const {
  for (const Strip& strip : strips(group)) {
    const double* a = values(strip);
    double* x = y.data() + strip.first;
    for (const double impulse : p)
      for (int k = 0; k < strip.columns; ++k) x[k] += *a++ * impulse;
  }
}

namespace {

// y += T x, where T is lower triangular and x has the numbers from `from` to `to` only.
void addTriangleTimes(ConstMatrixView T, const double* x, int from, int to, double* y) {
  for (int r = from; r < T.rows; ++r) {
    const double* weights = T.row(r).data() + from;
    double sum = 0;
    for (int k = 0; k < std::min(to, r + 1) - from; ++k) sum += weights[k] * x[k];
    y[r] += sum;
  }
}

}  // namespace

PairRows::PairRows(const BlockDiagonal& L, const BlockDiagonal& inverse_L, const BlockRows& J,
                   int contact, std::span<const int> block_of_column) {
  for (const BlockRows::Strip& strip : J.stripsOf(contact)) {
    const StripValues entries = J.values(contact, strip);
    const ConstMatrixView values = entries.view();
    const int end = strip.first_column + strip.columns;
    for (int begin = strip.first_column, next = begin; begin < end; begin = next) {
      const int block = block_of_column[begin], first = L.firstRow(block);
      const std::size_t side = sideOf(block);
      next = std::min(end, first + L.block(block).rows);
      for (int i = 0; i < values.rows; ++i)
        addTriangleTimes(inverse_L.block(block),
                         values.row(i).data() + (begin - strip.first_column), begin - first,
                         next - first, rows[i].data() + kColumns * side);
    }
  }
}

std::size_t PairRows::sideOf(int block) {
  for (int side = 0; side < count; ++side)
    if (blocks[side] == block) return at(side);
  assert(count < 2);
  blocks[count] = block;
  return at(count++);
}

double PairRows::product(int i, int j) const {
  double sum = 0;
  for (std::size_t k = 0; k < 2 * kColumns; ++k) sum += rows[i][k] * rows[j][k];
  return sum;
}

}  // namespace stickslip
