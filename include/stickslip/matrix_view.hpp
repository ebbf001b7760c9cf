// Views of dense row-major matrices that somebody else owns.
//
// Public headers use these and std::span instead of a matrix library, so that a program that uses
// stickslip compiles fast and may bring any library of its own (Eigen::Map takes `data` as it is).
#pragma once

#include <cassert>
#include <cstddef>
#include <span>

namespace stickslip {

/// Read-only view of a rows x columns matrix, row-major, without gaps between rows.
struct ConstMatrixView {
  const double* data = nullptr;
  int rows = 0;
  int columns = 0;

  double operator()(int i, int j) const {
    assert(0 <= i && i < rows && 0 <= j && j < columns);
    return data[static_cast<std::size_t>(i) * static_cast<std::size_t>(columns) + j];
  }
  std::span<const double> row(int i) const {
    assert(0 <= i && i < rows);
    const std::size_t width = columns;
    return {data + static_cast<std::size_t>(i) * width, width};
  }
};

/// View of a rows x columns matrix, row-major, without gaps between rows.
struct MatrixView {
  double* data = nullptr;
  int rows = 0;
  int columns = 0;

  double& operator()(int i, int j) const {
    assert(0 <= i && i < rows && 0 <= j && j < columns);
    return data[static_cast<std::size_t>(i) * static_cast<std::size_t>(columns) + j];
  }
  std::span<double> row(int i) const {
    assert(0 <= i && i < rows);
    const std::size_t width = columns;
    return {data + static_cast<std::size_t>(i) * width, width};
  }
  operator ConstMatrixView() const { return {data, rows, columns}; }
};

}  // namespace stickslip
