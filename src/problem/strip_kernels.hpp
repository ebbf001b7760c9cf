// Products with dense strips of rows x columns numbers, row-major, with sizes known to the compiler
// for the strips of bodies in the plane and in space: the innermost loops of velocity_operator.cpp.
#pragma once

namespace stickslip {

/// R rows and C columns; 0 means that the size is given at run time.
template <int R, int C>
class StripKernels {
 public:
  StripKernels(int rows, int columns) : rows_(R > 0 ? R : rows), columns_(C > 0 ? C : columns) {}
  int rows() const { return R > 0 ? R : rows_; }
  int columns() const { return C > 0 ? C : columns_; }
  int size() const { return rows() * columns(); }
  /// Kernels for another strip of the same cone.
  StripKernels with(int columns) const { return {rows_, columns}; }

  /// y += A' x.
  void addTransposed(const double* A, const double* x, double* y) const {
    for (int i = 0; i < rows(); ++i)
      for (int k = 0; k < columns(); ++k) y[k] += x[i] * A[i * columns() + k];
  }
  /// out += A y.
  void addProduct(const double* A, const double* y, double* out) const {
    for (int i = 0; i < rows(); ++i) {
      double sum = 0;
      for (int k = 0; k < columns(); ++k) sum += A[i * columns() + k] * y[k];
      out[i] += sum;
    }
  }
  /// out = S A.
  void scale(const double* S, const double* A, double* out) const {
    for (int i = 0; i < rows(); ++i)
      for (int k = 0; k < columns(); ++k) {
        double sum = 0;
        for (int j = 0; j < rows(); ++j) sum += S[i * rows() + j] * A[j * columns() + k];
        out[i * columns() + k] = sum;
      }
  }
  /// K += A' B, where B has as many columns as `other` says.
  void addGram(const double* A, const double* B, const StripKernels& other, double* K) const {
    for (int m = 0; m < columns(); ++m)
      for (int k = 0; k < other.columns(); ++k) {
        double sum = 0;
        for (int i = 0; i < rows(); ++i) sum += A[i * columns() + m] * B[i * other.columns() + k];
        K[m * other.columns() + k] += sum;
      }
  }
  /// d_p = r - S d_u.
  void impulses(const double* S, const double* r, const double* d_u, double* d_p) const {
    for (int i = 0; i < rows(); ++i) {
      double sum = r[i];
      for (int j = 0; j < rows(); ++j) sum -= S[i * rows() + j] * d_u[j];
      d_p[i] = sum;
    }
  }

 private:
  int rows_;
  int columns_;
};

/// Calls `use` with the kernels for strips of these sizes; 0 columns for sizes that differ.
template <class Use>
void withStripKernels(int rows, int columns, Use use) {
  if (columns == 3 && rows == 2) return use(StripKernels<2, 3>(2, 3));
  if (columns == 6 && rows == 3) return use(StripKernels<3, 6>(3, 6));
  if (columns == 3 && rows == 1) return use(StripKernels<1, 3>(1, 3));
  if (columns == 6 && rows == 1) return use(StripKernels<1, 6>(1, 6));
  return use(StripKernels<0, 0>(rows, columns));
}

}  // namespace stickslip
