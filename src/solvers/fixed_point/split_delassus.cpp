#include "solvers/fixed_point/split_delassus.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/index.hpp"

namespace stickslip {
namespace {

Cone sectionAlone(const FrictionShape& shape) {
  Cone cone;
  cone.shapes[0] = shape;
  cone.directions = shape.directions;
  if (shape.directions > 0)
    cone.kind =
        shape.rows == 2 && shape.given == nullptr ? Cone::Kind::polygon : Cone::Kind::sections;
  return cone;
}

}  // namespace

void SplitDelassus::build(ScaledIsland& island) {
  island_ = &island;
  clearCones();
  cones_.clear();
  source_row_.clear();
  source_cone_.clear();
  unit_.clear();
  for (int i = 0; i < static_cast<int>(island.cones().size()); ++i) {
    const Cone& cone = island.cones()[i];
    if (cone.rows == 1 || !cone.hasNormal()) {
      addWhole(i);
      continue;
    }
    add({}, 1, i);
    source_row_.push_back(cone.first);
    if (cone.kind != Cone::Kind::sections) {
      addBounded(cone, cone.rows, i, cone.first + 1);
      continue;
    }
    int row = cone.first + 1;
    for (const FrictionShape& shape : cone.shapes) {
      if (shape.rows == 0) continue;
      addBounded(sectionAlone(shape), 1 + shape.rows, i, row);
      row += shape.rows;
    }
  }
  for (auto* x : {&x_, &y_, &r_, &s_}) x->resize(island.rowCount());
  S_.resize(blockEntries());
  source_S_.resize(island.W().blockEntries());
}

void SplitDelassus::add(Cone cone, int rows, int source_cone) {
  cone.first = rowCount();
  cone.rows = rows;
  cones_.push_back(cone);
  source_cone_.push_back(source_cone);
  unit_.insert(unit_.end(), at(rows), 1.0);
  addCone(rows);
}

// 1 / sqrt(W) of some rows of a cone of the island.
double SplitDelassus::unitOf(int cone, int first, int rows) const {
  const int all = island_->W().rowsOf(cone);
  std::array<double, kMostRows * kMostRows> block{};
  island_->W().diagonalBlock(cone, {block.data(), all, all});
  double trace = 0;
  for (int k = first; k < first + rows; ++k) trace += block[k * (all + 1)];
  return trace > 0 ? 1 / std::sqrt(trace / rows) : 1;
}

void SplitDelassus::addWhole(int cone) {
  const Cone& source = island_->cones()[cone];
  add(source, source.rows, cone);
  for (int k = 0; k < source.rows; ++k) source_row_.push_back(source.first + k);
}

void SplitDelassus::addBounded(Cone part, int rows, int cone, int first_tangent) {
  add(part, rows, cone);
  source_row_.push_back(kNone);
  for (int k = 0; k + 1 < rows; ++k) source_row_.push_back(first_tangent + k);
  const int first = first_tangent - island_->cones()[cone].first;
  std::fill(unit_.end() - (rows - 1), unit_.end(), unitOf(cone, first, rows - 1));
}

void SplitDelassus::freeVelocities(std::span<const double> u, std::span<double> q) const {
  velocitiesToSplit(island_->q(), q);
  std::array<double, kMostRows> sliding{};
  for (const Cone& cone : cones_) {
    const std::size_t first = cone.first, rows = cone.rows;
    if (source_row_[first] != kNone) continue;
    for (std::size_t k = 1; k < rows; ++k)
      sliding[k] = unit_[first + k] * u[source_row_[first + k]];
    q[first] = slipOf(cone, island_->law(), std::span<const double>(sliding).first(rows));
  }
}

void SplitDelassus::toSplit(std::span<const double> p, std::span<double> split) const {
  for (std::size_t k = 0; k < source_row_.size(); ++k)
    split[k] = source_row_[k] == kNone ? 0 : p[source_row_[k]] / unit_[k];
}

void SplitDelassus::velocitiesToSplit(std::span<const double> u, std::span<double> split) const {
  for (std::size_t k = 0; k < source_row_.size(); ++k)
    split[k] = source_row_[k] == kNone ? 0 : unit_[k] * u[source_row_[k]];
}

void SplitDelassus::fromSplit(std::span<const double> split, std::span<double> p) const {
  for (std::size_t k = 0; k < source_row_.size(); ++k)
    if (source_row_[k] != kNone) p[source_row_[k]] = unit_[k] * split[k];
}

void SplitDelassus::apply(std::span<const double> p, std::span<double> out) const {
  fromSplit(p, x_);
  island_->W().apply(x_, y_);
  velocitiesToSplit(y_, out);
}

void SplitDelassus::diagonalBlock(int cone, MatrixView out) const {
  const int source = source_cone_[cone], rows = island_->W().rowsOf(source);
  std::array<double, kMostRows * kMostRows> block{};
  island_->W().diagonalBlock(source, {block.data(), rows, rows});
  const int first = island_->W().firstRow(source);
  for (int i = 0; i < out.rows; ++i)
    for (int j = 0; j < out.columns; ++j) {
      const int a = source_row_[firstRow(cone) + i], b = source_row_[firstRow(cone) + j];
      const double unit = unit_[firstRow(cone) + i] * unit_[firstRow(cone) + j];
      out(i, j) = a == kNone || b == kNone ? 0 : unit * block[(a - first) * rows + b - first];
    }
}

bool SplitDelassus::factor(std::span<const double> S, Symmetry symmetry) {
  const Delassus& W = island_->W();
  std::copy(S.begin(), S.end(), S_.begin());
  std::fill(source_S_.begin(), source_S_.end(), 0.0);
  for (int cone = 0; cone < coneCount(); ++cone) {
    const int source = source_cone_[cone], rows = W.rowsOf(source), first = W.firstRow(source);
    double* block = source_S_.data() + W.firstOfBlock(source);
    for (int i = 0; i < rowsOf(cone); ++i)
      for (int j = 0; j < rowsOf(cone); ++j) {
        const int a = source_row_[firstRow(cone) + i], b = source_row_[firstRow(cone) + j];
        if (a == kNone || b == kNone) continue;
        const double unit = unit_[firstRow(cone) + i] * unit_[firstRow(cone) + j];
        block[(a - first) * rows + b - first] =
            unit * S_[firstOfBlock(cone) + i * rowsOf(cone) + j];
      }
  }
  return island_->W().factor(source_S_, symmetry);
}

void SplitDelassus::finish(std::span<const double> r, std::span<const double> s,
                           std::span<double> d_p, std::span<double> d_u) const {
  toSplit(x_, d_p);
  velocitiesToSplit(y_, d_u);
  for (int cone = 0; cone < coneCount(); ++cone) {
    const std::size_t first = firstRow(cone);
    if (source_row_[first] != kNone) continue;
    d_u[first] = s[first];
    d_p[first] = r[first];
    for (int j = 0; j < rowsOf(cone); ++j)
      d_p[first] -= S_[firstOfBlock(cone) + j] * d_u[first + j];
  }
}

// A bound that changes pushes p_t, too.
void SplitDelassus::gather(std::span<const double> r, std::span<const double> s) {
  fromSplit(r, r_);
  for (std::size_t k = 0; k < source_row_.size(); ++k)
    if (source_row_[k] != kNone) s_[source_row_[k]] = s[k] / unit_[k];
  for (int cone = 0; cone < coneCount(); ++cone) {
    const std::size_t first = firstRow(cone);
    if (source_row_[first] != kNone) continue;
    for (int i = 1; i < rowsOf(cone); ++i)
      r_[source_row_[first + i]] -=
          unit_[first + i] * S_[firstOfBlock(cone) + i * rowsOf(cone)] * s[first];
  }
}

void SplitDelassus::solveOnce(std::span<const double> r, std::span<const double> s,
                              std::span<double> d_p, std::span<double> d_u) {
  gather(r, s);
  island_->W().solveOnce(r_, s_, x_, y_);
  finish(r, s, d_p, d_u);
}

double SplitDelassus::solve(std::span<const double> r, std::span<const double> s,
                            std::span<double> d_p, std::span<double> d_u) {
  gather(r, s);
  const double error = island_->W().solve(r_, s_, x_, y_);
  finish(r, s, d_p, d_u);
  return error;
}

void SplitDelassus::startSweeps(std::span<const double> p) {
  fromSplit(p, x_);
  island_->W().startSweeps(x_);
}

void SplitDelassus::sweepVelocity(int cone, std::span<double> out) const {
  const int source = source_cone_[cone], first = island_->W().firstRow(source);
  std::array<double, kMostRows> u{};
  island_->W().sweepVelocity(source, std::span(u).first(island_->W().rowsOf(source)));
  for (std::size_t k = 0; k < out.size(); ++k) {
    const int row = source_row_[firstRow(cone) + k];
    out[k] = row == kNone ? 0 : unit_[firstRow(cone) + k] * u[row - first];
  }
}

void SplitDelassus::sweepChange(int cone, std::span<const double> change) {
  const int source = source_cone_[cone], first = island_->W().firstRow(source);
  std::array<double, kMostRows> all{};
  for (std::size_t k = 0; k < change.size(); ++k) {
    const int row = source_row_[firstRow(cone) + k];
    if (row != kNone) all[row - first] = unit_[firstRow(cone) + k] * change[k];
  }
  island_->W().sweepChange(source, std::span(all).first(island_->W().rowsOf(source)));
}

}  // namespace stickslip
