// The kernels of front_kernels.hpp for one vector type. Included once per instruction set, inside a
// namespace that defines `Vector`; no include guard, on purpose.
//
// Everything is built on one tile: 4 or 8 rows times up to 6 columns, whose sums stay in registers
// while the depth is run through.

constexpr int kLanes = static_cast<int>(sizeof(Vector) / sizeof(double));

[[gnu::always_inline]] inline void load(const double* from, Vector& v) {
  std::memcpy(&v, from, sizeof v);
}

[[gnu::always_inline]] inline void store(const Vector& v, double* to) {
  std::memcpy(to, &v, sizeof v);
}

// sum(i, j) = sum over q of A(i, q) B(j, q).
template <int N, int Columns>
[[gnu::always_inline]] inline void multiplyTile(const double* A, const double* B,
                                                std::ptrdiff_t leading, int depth,
                                                Vector (&sum)[Columns][N]) {
  for (int j = 0; j < Columns; ++j)
    for (int n = 0; n < N; ++n) sum[j][n] = Vector{};
  for (int q = 0; q < depth; ++q, A += leading, B += leading) {
    Vector a[N];
    for (int n = 0; n < N; ++n) load(A + n * kLanes, a[n]);
#pragma GCC unroll 6
    for (int j = 0; j < Columns; ++j)
      for (int n = 0; n < N; ++n) sum[j][n] += a[n] * B[j];
  }
}

// Columns c ... c + Columns - 1 of some rows of X T^-T, the ones before being done. The first
// `skip` rows are left as they are.
template <int N, int Columns, bool Unit, bool Skip = false>
[[gnu::always_inline]] inline void solveTile(double* X, const double* T, const double* inverse,
                                             std::ptrdiff_t leading, int c, int skip = 0) {
  Vector x[Columns][N];
  multiplyTile<N, Columns>(X, T + c, leading, c, x);
  X += c * leading;
  T += c * leading + c;
#pragma GCC unroll 6
  for (int j = 0; j < Columns; ++j)
    for (int n = 0; n < N; ++n) {
      Vector v;
      load(X + j * leading + n * kLanes, v);
      v -= x[j][n];
#pragma GCC unroll 6
      for (int i = 0; i < j; ++i) v -= x[i][n] * T[i * leading + j];
      if constexpr (!Unit) v *= inverse[c + j];
      x[j][n] = v;
    }
  for (int j = 0; j < Columns; ++j) {
    double rows[N * kLanes];
    for (int n = 0; n < N; ++n)
      store(x[j][n], Skip ? rows + n * kLanes : X + j * leading + n * kLanes);
    if constexpr (Skip) std::copy(rows + skip, rows + N * kLanes, X + j * leading + skip);
  }
}

// The same for rows `first` (a multiple of 4) to `end`.
template <int Columns, bool Unit>
void solveRows(double* X, const double* T, const double* inverse, std::ptrdiff_t leading, int c,
               int first, int end) {
  int i = first;
  for (; i + 2 * kLanes <= end; i += 2 * kLanes)
    solveTile<2, Columns, Unit>(X + i, T, inverse, leading, c);
  for (; i < end; i += kLanes) solveTile<1, Columns, Unit>(X + i, T, inverse, leading, c);
}

template <bool Unit>
void solveGroup(double* X, const double* T, const double* inverse, std::ptrdiff_t leading, int c,
                int columns, int first, int end) {
  switch (columns) {
    case 1:
      return solveRows<1, Unit>(X, T, inverse, leading, c, first, end);
    case 2:
      return solveRows<2, Unit>(X, T, inverse, leading, c, first, end);
    case 3:
      return solveRows<3, Unit>(X, T, inverse, leading, c, first, end);
    case 4:
      return solveRows<4, Unit>(X, T, inverse, leading, c, first, end);
    case 5:
      return solveRows<5, Unit>(X, T, inverse, leading, c, first, end);
    default:
      return solveRows<6, Unit>(X, T, inverse, leading, c, first, end);
  }
}

template <bool Unit>
void solveAllGroups(double* panel, PanelShape shape, const double* triangle,
                    const double* inverse) {
  for (int c = 0; c < shape.columns; c += 6)
    solveGroup<Unit>(panel, triangle, inverse, shape.leading, c, std::min(6, shape.columns - c),
                     shape.first_below, shape.leading);
}

void solveBelow(double* panel, PanelShape shape, const double* triangle, const double* inverse) {
  if (inverse)
    solveAllGroups<false>(panel, shape, triangle, inverse);
  else
    solveAllGroups<true>(panel, shape, triangle, inverse);
}

// Rows and columns c ... c + count - 1 of the pivot rows, less what the columns before contribute.
void updateDiagonal(double* panel, std::ptrdiff_t leading, int c, int count) {
  for (int i = c; i < c + count; i += kLanes) {
    double sums[6][kLanes];
    Vector sum[6][1];
    multiplyTile<1, 6>(panel + i, panel + c, leading, c, sum);
    for (int j = 0; j < 6; ++j) store(sum[j][0], sums[j]);
    for (int j = 0; j < count; ++j)
      for (int l = 0; l < std::min(kLanes, c + count - i); ++l)
        panel[(c + j) * leading + i + l] -= sums[j][l];
  }
}

bool factorDiagonal(double* panel, std::ptrdiff_t leading, int c, int count, const double* smallest,
                    double* inverse) {
  for (int j = c; j < c + count; ++j) {
    double* column = panel + j * leading;
    for (int q = c; q < j; ++q)
      for (int i = j; i < c + count; ++i)
        column[i] -= panel[q * leading + i] * panel[q * leading + j];
    if (!(column[j] > smallest[j])) return false;
    column[j] = std::sqrt(column[j]);
    inverse[j] = 1 / column[j];
    for (int i = j + 1; i < c + count; ++i) column[i] *= inverse[j];
  }
  return true;
}

// Rows between a group of 6 columns that has just been factorized and the next multiple of 4. The
// tile that holds them begins with rows of the group.
void solveHead(double* panel, const double* inverse, std::ptrdiff_t leading, int c) {
  const int end = c + 6, first = end / 4 * 4;
  solveTile<4 / kLanes, 6, false, true>(panel + first, panel, inverse, leading, c, end - first);
}

bool cholesky(double* panel, PanelShape shape, const double* smallest, double* inverse) {
  const int leading = shape.leading;
  for (int c = 0; c < shape.columns; c += 6) {
    const int count = std::min(6, shape.columns - c), end = c + count;
    if (c > 0) updateDiagonal(panel, leading, c, count);
    if (!factorDiagonal(panel, leading, c, count, smallest, inverse)) return false;
    int first = shape.first_below;
    if (end < shape.columns) {
      if (end % 4 != 0) solveHead(panel, inverse, leading, c);
      first = (end + 3) / 4 * 4;
    }
    solveGroup<false>(panel, panel, inverse, leading, c, count, first, leading);
  }
  return true;
}

template <int Columns>
void updateColumns(double* S, const double* A, const double* B, int leading, int depth, int first,
                   int end) {
  int i = first;
  const auto tile = [&]<int N>(std::integral_constant<int, N>) {
    Vector sum[Columns][N];
    multiplyTile<N, Columns>(A + i, B, leading, depth, sum);
    for (int j = 0; j < Columns; ++j)
      for (int n = 0; n < N; ++n) store(-sum[j][n], S + j * end + i + n * kLanes);
  };
  for (; i + 2 * kLanes <= end; i += 2 * kLanes) tile(std::integral_constant<int, 2>{});
  for (; i < end; i += kLanes) tile(std::integral_constant<int, 1>{});
}

template <bool Lower>
void update(double* S, int rows, const double* panel, const double* other, PanelShape shape) {
  const int end = shape.leading - shape.first_below, leading = shape.leading, depth = shape.columns;
  const double *A = panel + shape.first_below, *B = other + shape.first_below;
  for (int j = 0; j < rows; j += 6) {
    double* column = S + std::ptrdiff_t{j} * end;
    const int first = Lower ? j / 4 * 4 : 0;
    switch (rows - j) {
      case 1:
        updateColumns<1>(column, A, B + j, leading, depth, first, end);
        break;
      case 2:
        updateColumns<2>(column, A, B + j, leading, depth, first, end);
        break;
      case 3:
        updateColumns<3>(column, A, B + j, leading, depth, first, end);
        break;
      case 4:
        updateColumns<4>(column, A, B + j, leading, depth, first, end);
        break;
      case 5:
        updateColumns<5>(column, A, B + j, leading, depth, first, end);
        break;
      default:
        updateColumns<6>(column, A, B + j, leading, depth, first, end);
    }
  }
}

void updateLower(double* S, int rows, const double* panel, PanelShape shape) {
  update<true>(S, rows, panel, panel, shape);
}

void updateFull(double* S, int rows, const double* panel, const double* other, PanelShape shape) {
  update<false>(S, rows, panel, other, shape);
}

constexpr FrontKernels kKernels{cholesky, solveBelow, updateLower, updateFull};
