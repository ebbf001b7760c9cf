// LU factorization of the pivot rows of a front; part of front_kernels.inl.

// The row from c on whose entry in column c is the largest beside the scale of the row.
int choosePivot(const double* column, const double* row_scale, int c, int n) {
  int best = c;
  for (int i = c + 1; i < n; ++i)
    if (__builtin_fabs(column[i]) * row_scale[best] > __builtin_fabs(column[best]) * row_scale[i])
      best = i;
  return best;
}

// Column j less its pivot entry times the multipliers, which are zero up to the pivot row.
void eliminateColumn(double* column, const double* multipliers, double pivot_entry, int first,
                     int end) {
  for (int i = first; i < end; i += kWidth) {
    Vector v, m;
    load(column + i, v);
    load(multipliers + i, m);
    v -= m * pivot_entry;
    store(v, column + i);
  }
}

bool lu(double* A, int n, int leading, double* row_scale, const double* column_scale,
        double* inverse, int* exchange, double* multipliers) {
  for (int c = 0; c < n; ++c) {
    double* column = A + std::ptrdiff_t{c} * leading;
    const int pivot = exchange[c] = choosePivot(column, row_scale, c, n);
    if (pivot != c) {
      exchangeNumbers(row_scale[c], row_scale[pivot]);
      for (int j = 0; j < n; ++j) exchangeNumbers(A[j * leading + c], A[j * leading + pivot]);
    }
    if (!(__builtin_fabs(column[c]) > row_scale[c] * column_scale[c])) return false;
    inverse[c] = 1 / column[c];
    const int first = (c + 1) / kStrip * kStrip;
    for (int i = first; i <= c; ++i) multipliers[i] = 0;
    for (int i = c + 1; i < leading; ++i) multipliers[i] = column[i] *= inverse[c];
    for (int j = c + 1; j < n; ++j)
      eliminateColumn(A + std::ptrdiff_t{j} * leading, multipliers, A[j * leading + c], first,
                      leading);
  }
  return true;
}
