#include "contact/split_operator.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/index.hpp"

namespace stickslip {
namespace {

ContactItem sectionAlone(const FrictionShape& shape) {
  ContactItem item;
  item.shapes[0] = shape;
  item.directions = shape.directions;
  if (shape.directions > 0)
    item.kind = shape.rows == 2 && shape.given == nullptr ? ContactItem::Kind::polygon
                                                          : ContactItem::Kind::sections;
  return item;
}

}  // namespace

void SplitOperator::build(ContactIsland& island) {
  island_ = &island;
  clearItems();
  items_.clear();
  source_row_.clear();
  source_item_.clear();
  unit_.clear();
  for (int i = 0; i < static_cast<int>(island.items().size()); ++i) {
    const ContactItem& item = island.items()[at(i)];
    if (item.rows == 1 || !item.hasNormal()) {
      addWhole(i);
      continue;
    }
    add({}, 1, i);
    source_row_.push_back(item.first);
    if (item.kind != ContactItem::Kind::sections) {
      addBounded(item, item.rows, i, item.first + 1);
      continue;
    }
    int row = item.first + 1;
    for (const FrictionShape& shape : item.shapes) {
      if (shape.rows == 0) continue;
      addBounded(sectionAlone(shape), 1 + shape.rows, i, row);
      row += shape.rows;
    }
  }
  for (auto* x : {&x_, &y_, &r_, &s_}) x->resize(at(island.rowCount()));
  S_.resize(blockEntries());
  source_S_.resize(island.W().blockEntries());
}

void SplitOperator::add(ContactItem item, int rows, int source_item) {
  item.first = rowCount();
  item.rows = rows;
  items_.push_back(item);
  source_item_.push_back(source_item);
  unit_.insert(unit_.end(), at(rows), 1.0);
  addItem(rows);
}

// 1 / sqrt(W) of some rows of an item of the island.
double SplitOperator::unitOf(int item, int first, int rows) const {
  const int all = island_->W().rowsOf(item);
  std::array<double, kMostRows * kMostRows> block{};
  island_->W().diagonalBlock(item, {block.data(), all, all});
  double trace = 0;
  for (int k = first; k < first + rows; ++k) trace += block[at(k * (all + 1))];
  return trace > 0 ? 1 / std::sqrt(trace / rows) : 1;
}

void SplitOperator::addWhole(int item) {
  const ContactItem& source = island_->items()[at(item)];
  add(source, source.rows, item);
  for (int k = 0; k < source.rows; ++k) source_row_.push_back(source.first + k);
}

void SplitOperator::addBounded(ContactItem part, int rows, int item, int first_tangent) {
  add(part, rows, item);
  source_row_.push_back(kNone);
  for (int k = 0; k + 1 < rows; ++k) source_row_.push_back(first_tangent + k);
  const int first = first_tangent - island_->items()[at(item)].first;
  std::fill(unit_.end() - (rows - 1), unit_.end(), unitOf(item, first, rows - 1));
}

void SplitOperator::freeVelocities(std::span<const double> omega, std::span<double> q) const {
  velocitiesToSplit(island_->q(), q);
  std::array<double, kMostRows> sliding{};
  for (const ContactItem& item : items_) {
    const std::size_t first = at(item.first), rows = at(item.rows);
    if (source_row_[first] != kNone) continue;
    for (std::size_t k = 1; k < rows; ++k)
      sliding[k] = unit_[first + k] * omega[at(source_row_[first + k])];
    q[first] = slipOf(item, island_->law(), std::span<const double>(sliding).first(rows));
  }
}

void SplitOperator::toSplit(std::span<const double> pi, std::span<double> split) const {
  for (std::size_t k = 0; k < source_row_.size(); ++k)
    split[k] = source_row_[k] == kNone ? 0 : pi[at(source_row_[k])] / unit_[k];
}

void SplitOperator::velocitiesToSplit(std::span<const double> omega,
                                      std::span<double> split) const {
  for (std::size_t k = 0; k < source_row_.size(); ++k)
    split[k] = source_row_[k] == kNone ? 0 : unit_[k] * omega[at(source_row_[k])];
}

void SplitOperator::fromSplit(std::span<const double> split, std::span<double> pi) const {
  for (std::size_t k = 0; k < source_row_.size(); ++k)
    if (source_row_[k] != kNone) pi[at(source_row_[k])] = unit_[k] * split[k];
}

void SplitOperator::apply(std::span<const double> pi, std::span<double> out) const {
  fromSplit(pi, x_);
  island_->W().apply(x_, y_);
  velocitiesToSplit(y_, out);
}

void SplitOperator::diagonalBlock(int item, MatrixView out) const {
  const int source = source_item_[at(item)], rows = island_->W().rowsOf(source);
  std::array<double, kMostRows * kMostRows> block{};
  island_->W().diagonalBlock(source, {block.data(), rows, rows});
  const int first = island_->W().firstRow(source);
  for (int i = 0; i < out.rows; ++i)
    for (int j = 0; j < out.columns; ++j) {
      const int a = source_row_[at(firstRow(item) + i)], b = source_row_[at(firstRow(item) + j)];
      const double unit = unit_[at(firstRow(item) + i)] * unit_[at(firstRow(item) + j)];
      out(i, j) = a == kNone || b == kNone ? 0 : unit * block[at((a - first) * rows + b - first)];
    }
}

bool SplitOperator::factor(std::span<const double> S, Symmetry symmetry) {
  const ImpulseOperator& W = island_->W();
  std::copy(S.begin(), S.end(), S_.begin());
  std::fill(source_S_.begin(), source_S_.end(), 0.0);
  for (int item = 0; item < itemCount(); ++item) {
    const int source = source_item_[at(item)], rows = W.rowsOf(source), first = W.firstRow(source);
    double* block = source_S_.data() + W.firstOfBlock(source);
    for (int i = 0; i < rowsOf(item); ++i)
      for (int j = 0; j < rowsOf(item); ++j) {
        const int a = source_row_[at(firstRow(item) + i)], b = source_row_[at(firstRow(item) + j)];
        if (a == kNone || b == kNone) continue;
        const double unit = unit_[at(firstRow(item) + i)] * unit_[at(firstRow(item) + j)];
        block[(a - first) * rows + b - first] =
            unit * S_[firstOfBlock(item) + at(i * rowsOf(item) + j)];
      }
  }
  return island_->W().factor(source_S_, symmetry);
}

void SplitOperator::finish(std::span<const double> r, std::span<const double> s,
                           std::span<double> d_pi, std::span<double> d_omega) const {
  toSplit(x_, d_pi);
  velocitiesToSplit(y_, d_omega);
  for (int item = 0; item < itemCount(); ++item) {
    const std::size_t first = at(firstRow(item));
    if (source_row_[first] != kNone) continue;
    d_omega[first] = s[first];
    d_pi[first] = r[first];
    for (int j = 0; j < rowsOf(item); ++j)
      d_pi[first] -= S_[firstOfBlock(item) + at(j)] * d_omega[first + at(j)];
  }
}

// A bound that changes pushes pi_t, too.
void SplitOperator::gather(std::span<const double> r, std::span<const double> s) {
  fromSplit(r, r_);
  for (std::size_t k = 0; k < source_row_.size(); ++k)
    if (source_row_[k] != kNone) s_[at(source_row_[k])] = s[k] / unit_[k];
  for (int item = 0; item < itemCount(); ++item) {
    const std::size_t first = at(firstRow(item));
    if (source_row_[first] != kNone) continue;
    for (int i = 1; i < rowsOf(item); ++i)
      r_[at(source_row_[first + at(i)])] -=
          unit_[first + at(i)] * S_[firstOfBlock(item) + at(i * rowsOf(item))] * s[first];
  }
}

void SplitOperator::solveOnce(std::span<const double> r, std::span<const double> s,
                              std::span<double> d_pi, std::span<double> d_omega) {
  gather(r, s);
  island_->W().solveOnce(r_, s_, x_, y_);
  finish(r, s, d_pi, d_omega);
}

double SplitOperator::solve(std::span<const double> r, std::span<const double> s,
                            std::span<double> d_pi, std::span<double> d_omega) {
  gather(r, s);
  const double error = island_->W().solve(r_, s_, x_, y_);
  finish(r, s, d_pi, d_omega);
  return error;
}

void SplitOperator::startSweeps(std::span<const double> pi) {
  fromSplit(pi, x_);
  island_->W().startSweeps(x_);
}

void SplitOperator::sweepVelocity(int item, std::span<double> out) const {
  const int source = source_item_[at(item)], first = island_->W().firstRow(source);
  std::array<double, kMostRows> omega{};
  island_->W().sweepVelocity(source, std::span(omega).first(at(island_->W().rowsOf(source))));
  for (std::size_t k = 0; k < out.size(); ++k) {
    const int row = source_row_[at(firstRow(item)) + k];
    out[k] = row == kNone ? 0 : unit_[at(firstRow(item)) + k] * omega[at(row - first)];
  }
}

void SplitOperator::sweepChange(int item, std::span<const double> change) {
  const int source = source_item_[at(item)], first = island_->W().firstRow(source);
  std::array<double, kMostRows> all{};
  for (std::size_t k = 0; k < change.size(); ++k) {
    const int row = source_row_[at(firstRow(item)) + k];
    if (row != kNone) all[at(row - first)] = unit_[at(firstRow(item)) + k] * change[k];
  }
  island_->W().sweepChange(source, std::span(all).first(at(island_->W().rowsOf(source))));
}

}  // namespace stickslip
