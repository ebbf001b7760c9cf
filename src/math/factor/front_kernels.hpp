// Dense kernels of the multifrontal factorization (front_kernels.inl).
//
// Triangles (the pivot rows of a front) are column-major. Rows below are kept in strips of 4 rows:
// a strip holds its 4 rows of the first column, then those of the next, so that all kernels read
// memory in one stream. Rows are padded with zeros to a multiple of 4.
#pragma once

#include "simd/instruction_set.hpp"

namespace stickslip {

/// Lower triangle, column-major.
struct TriangleView {
  const double* data;
  int columns;
  int leading;  ///< from one column to the next
};

struct FrontKernels {
  static constexpr int kStrip = 4;

  /// Replaces the lower triangle of the symmetric A (n x n, column-major, `leading` a multiple of 4
  /// not below n) by its Cholesky factor; `inverse` receives 1 / diagonal. False if a pivot is not
  /// above `smallest`.
  bool (*cholesky)(double* A, int n, int leading, const double* smallest, double* inverse);
  /// Replaces A by its factors, L with a unit diagonal. Rows change places: row c with exchange[c]
  /// of those from c on, the one with the largest entry relative to its `row_scale` (which moves
  /// along). False if a pivot is not above row_scale times column_scale. `multipliers` is a
  /// workspace of `leading` numbers; below row n the columns of A hold zeros.
  bool (*lu)(double* A, int n, int leading, double* row_scale, const double* column_scale,
             double* inverse, int* exchange, double* multipliers);
  /// strips := X T^-T for T lower triangular, where X is column-major with `rows` rows. The
  /// diagonal of T is 1 / inverse, or 1 without.
  void (*solveStrips)(const double* X, int leading, int rows, TriangleView T, const double* inverse,
                      double* strips);
  /// S := -A A', lower triangle, column-major (rows x rows), A in strips.
  void (*updateLower)(double* S, int rows, const double* A, int depth);
  /// S := -A B', A and B in strips.
  void (*updateFull)(double* S, int rows, const double* A, const double* B, int depth);
  /// x := T^-1 x, where the diagonal of T is 1 / inverse, or 1 without; y := A x for the rows
  /// below, A in strips. Reads and writes x up to the next multiple of 4, where T has zeros.
  void (*forward)(TriangleView T, const double* inverse, const double* A, int rows, double* x,
                  double* y);
  /// x := T^-T (x - A' y).
  void (*backward)(TriangleView T, const double* inverse, const double* A, int rows,
                   const double* y, double* x);
};

STICKSLIP_KERNELS(FrontKernels);

}  // namespace stickslip
