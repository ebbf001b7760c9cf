// Solving with a factorized front; part of front_kernels.inl.
//
// Sums over rows are four sums, one for each row of a strip, whatever the vector width.

[[gnu::always_inline]] inline double sumOfLanes(const Vector (&sum)[kVectors]) {
  double s[kStrip];
  for (int n = 0; n < kVectors; ++n) store(sum[n], s + n * kWidth);
  return (s[0] + s[2]) + (s[1] + s[3]);
}

// y := A x, A in strips.
void multiply(const double* A, int rows, int depth, const double* x, double* y) {
  for (int i = 0; i < rows; i += kStrip, A += std::ptrdiff_t{kStrip} * depth) {
    Vector sum[kVectors] = {};
    for (int q = 0; q < depth; ++q)
      for (int n = 0; n < kVectors; ++n) {
        Vector a;
        load(A + kStrip * q + n * kWidth, a);
        sum[n] += a * x[q];
      }
    for (int n = 0; n < kVectors; ++n) store(sum[n], y + i + n * kWidth);
  }
}

// x := x - A' y, A in strips. Four columns at a time. Every column has four sums, one a row of the
// strip.
void subtractTransposed(const double* A, int rows, int depth, const double* y, double* x) {
  const std::ptrdiff_t strip = std::ptrdiff_t{kStrip} * depth;
  const auto columns = [&]<int Columns>(int q, Constant<Columns>) __attribute__((always_inline)) {
    Vector sum[Columns][kVectors] = {};
    const double* a = A + kStrip * q;
    for (int i = 0; i < rows; i += kStrip, a += strip)
      for (int n = 0; n < kVectors; ++n) {
        Vector v;
        load(y + i + n * kWidth, v);
        for (int k = 0; k < Columns; ++k) {
          Vector w;
          load(a + kStrip * k + n * kWidth, w);
          sum[k][n] += v * w;
        }
      }
    for (int k = 0; k < Columns; ++k) {
      x[q + k] -= sumOfLanes(sum[k]);
    }
  };
  int q = 0;
  for (; q + 4 <= depth; q += 4) columns(q, Constant<4>{});
  for (; q < depth; ++q) columns(q, Constant<1>{});
}

// x := T^-1 x, four columns at a time: the triangle in the corner, then the rows below it.
template <bool Unit>
void solveTriangle(TriangleView T, const double* inverse, double* x) {
  for (int c = 0; c < T.columns; c += kStrip) {
    const int count = smaller(kStrip, T.columns - c);
    const double* column = T.data + std::ptrdiff_t{c} * T.leading;
    double solved[kStrip] = {};
    for (int j = 0; j < count; ++j) {
      double value = x[c + j];
      for (int i = 0; i < j; ++i) value -= column[i * T.leading + c + j] * solved[i];
      solved[j] = x[c + j] = Unit ? value : value * inverse[c + j];
    }
    // Here all four columns are there, as this is not the last group.
    for (int i = c + kStrip; i < T.columns; i += kWidth) {
      Vector v;
      load(x + i, v);
      for (int j = 0; j < kStrip; ++j) {
        Vector t;
        load(column + j * T.leading + i, t);
        v -= t * solved[j];
      }
      store(v, x + i);
    }
  }
}

// x := T^-T x.
void solveTriangleTransposed(TriangleView T, const double* inverse, double* x) {
  for (int c = (T.columns - 1) / kStrip * kStrip; c >= 0; c -= kStrip) {
    const int count = smaller(kStrip, T.columns - c);
    const double* column = T.data + std::ptrdiff_t{c} * T.leading;
    Vector sum[kStrip][kVectors] = {};
    for (int i = c + kStrip; i < T.columns; i += kStrip)
      for (int n = 0; n < kVectors; ++n) {
        Vector v;
        load(x + i + n * kWidth, v);
        for (int j = 0; j < kStrip; ++j) {
          Vector t;
          load(column + j * T.leading + i + n * kWidth, t);
          sum[j][n] += t * v;
        }
      }
    for (int j = count; j-- > 0;) {
      double value = x[c + j] - sumOfLanes(sum[j]);
      for (int i = j + 1; i < count; ++i) value -= column[j * T.leading + c + i] * x[c + i];
      x[c + j] = value * inverse[c + j];
    }
  }
}

void forward(TriangleView T, const double* inverse, const double* strips, int rows, double* x,
             double* y) {
  if (inverse)
    solveTriangle<false>(T, inverse, x);
  else
    solveTriangle<true>(T, inverse, x);
  multiply(strips, rows, T.columns, x, y);
}

void backward(TriangleView T, const double* inverse, const double* strips, int rows,
              const double* y, double* x) {
  subtractTransposed(strips, rows, T.columns, y, x);
  solveTriangleTransposed(T, inverse, x);
}
