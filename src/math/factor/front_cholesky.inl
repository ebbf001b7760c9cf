// Cholesky factorization of the pivot rows of a front; part of front_kernels.inl.
//
// Left-looking, in groups of 6 columns.

// Rows and columns c ... c + count - 1, less what the columns before contribute.
void updateDiagonal(double* A, std::ptrdiff_t leading, int c, int count) {
  for (int i = c; i < c + count; i += kStrip) {
    Vector sum[kGroup][kVectors];
    multiplyTile<kVectors, kGroup>(A + i, 0, leading, A + c, leading, c, sum);
    for (int j = 0; j < count; ++j) {
      double rows[kStrip];
      for (int n = 0; n < kVectors; ++n) store(sum[j][n], rows + n * kWidth);
      for (int l = 0; l < smaller(kStrip, c + count - i); ++l)
        A[(c + j) * leading + i + l] -= rows[l];
    }
  }
}

// The square root of a pivot is not waited for: the columns after it need its inverse only.
template <int Count>
bool factorDiagonal(double* A, std::ptrdiff_t leading, const double* smallest, double* inverse) {
  double a[Count][Count];
#pragma GCC unroll 6
  for (int j = 0; j < Count; ++j)
#pragma GCC unroll 6
    for (int i = j; i < Count; ++i) a[j][i] = A[j * leading + i];
  bool is_definite = true;
#pragma GCC unroll 6
  for (int j = 0; j < Count; ++j) {
    is_definite &= a[j][j] > smallest[j];
    const double inverse_pivot = 1 / a[j][j];
#pragma GCC unroll 6
    for (int k = j + 1; k < Count; ++k) {
      const double factor = a[j][k] * inverse_pivot;
#pragma GCC unroll 6
      for (int i = k; i < Count; ++i) a[k][i] -= a[j][i] * factor;
    }
  }
  if (!is_definite) return false;
#pragma GCC unroll 6
  for (int j = 0; j < Count; ++j) {
    const double root = std::sqrt(a[j][j]);
    inverse[j] = 1 / root;
    A[j * leading + j] = root;
#pragma GCC unroll 6
    for (int i = j + 1; i < Count; ++i) A[j * leading + i] = a[j][i] * inverse[j];
  }
  return true;
}

// Rows `first` (a multiple of 4) ... first + 3 of the 6 columns from c on. Those that belong to the
// triangle above, the first `skip`, stay.
void solveRows(double* A, std::ptrdiff_t leading, const double* inverse, int c, int first,
               int skip) {
  Vector x[kGroup][kVectors];
  multiplyTile<kVectors, kGroup>(A + first, 0, leading, A + c, leading, c, x);
  double* rows = A + c * leading + first;
  solveTile<kVectors, kGroup, false>(rows, leading, A + c * leading + c, leading, inverse + c, x);
  for (int j = 0; j < kGroup; ++j) {
    double solved[kStrip];
    for (int n = 0; n < kVectors; ++n) store(x[j][n], solved + n * kWidth);
    for (int l = skip; l < kStrip; ++l) rows[j * leading + l] = solved[l];
  }
}

bool cholesky(double* A, int n, int leading, const double* smallest, double* inverse) {
  for (int c = 0; c < n; c += kGroup) {
    const int count = smaller(kGroup, n - c), end = c + count;
    if (c > 0) updateDiagonal(A, leading, c, count);
    bool is_definite = true;
    withColumns(count, [&](auto columns) {
      is_definite = factorDiagonal<columns.value>(A + std::ptrdiff_t{c} * leading + c, leading,
                                                  smallest + c, inverse + c);
    });
    if (!is_definite) return false;
    if (end == n) break;
    const int first = end / kStrip * kStrip;
    for (int i = first; i < n; i += kStrip)
      solveRows(A, leading, inverse, c, i, i < end ? end - i : 0);
  }
  return true;
}
