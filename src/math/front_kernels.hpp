// Dense kernels of the multifrontal factorization, column-major, for the vector width of the
// machine.
//
// Every entry sees the same operations in the same order whatever the width, and none is fused, so
// results do not depend on the machine.
//
// A panel holds `columns` columns of `leading` rows: the pivot rows, then from row `first_below` on
// the rows below. Rows are padded to multiples of 4, and the padding holds zeros.
#pragma once

#include <span>

namespace stickslip {

struct PanelShape {
  int columns;
  int first_below;
  int leading;
};

struct FrontKernels {
  /// Replaces the lower triangle of the pivot rows by its Cholesky factor L and the rows below by
  /// their product with L^-T. `inverse` receives 1 / diagonal. False if a pivot is not above
  /// `smallest`.
  bool (*cholesky)(double* panel, PanelShape shape, const double* smallest, double* inverse);
  /// Rows below X := X T^-T, T lower triangular in the pivot rows of another panel of the same
  /// shape; its diagonal is 1 / inverse, or 1 without.
  void (*solveBelow)(double* panel, PanelShape shape, const double* triangle,
                     const double* inverse);
  /// S := -A A', lower triangle, where A are the rows below of a panel.
  void (*updateLower)(double* S, int rows, const double* panel, PanelShape shape);
  /// S := -A B', where A and B are the rows below of two panels.
  void (*updateFull)(double* S, int rows, const double* panel, const double* other,
                     PanelShape shape);
};

/// The kernels for this machine.
const FrontKernels& frontKernels();

/// All kernels that run on this machine, for tests: they give the same bits.
std::span<const FrontKernels> allFrontKernels();

}  // namespace stickslip
