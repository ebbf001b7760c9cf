// Matrix Market files: dense ("array") and sparse ("coordinate") real matrices, as text.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "stickslip/matrix_view.hpp"

namespace stickslip {

/// A dense matrix that owns its entries, row-major.
struct DenseMatrix {
  int rows = 0;
  int columns = 0;
  std::vector<double> values;

  ConstMatrixView view() const { return {values.data(), rows, columns}; }
};

/// Reads a matrix with real or integer entries that is general, symmetric or skew-symmetric. Throws
/// InputError with file and line.
DenseMatrix readMatrixMarket(const std::filesystem::path& file);

/// Writes a column vector in the dense format, numbers with all their digits. Throws InputError.
void writeMatrixMarket(const std::filesystem::path& file, std::span<const double> vector);

}  // namespace stickslip
