// The kernels of front_kernels.hpp. Compiled once for each instruction set.
//
// Everything is built on one tile, whose sums stay in registers while the depth is run through: two
// vectors of rows times 4 or 6 columns.
#include <cmath>
#include <cstddef>

#include "math/factor/front_kernels.hpp"
#include "simd/vectors.hpp"

namespace stickslip {
inline namespace STICKSLIP_INSTRUCTION_SET {
namespace {

constexpr int kStrip = FrontKernels::kStrip;
constexpr int kVectors = kStrip / kWidth;         // of a strip
constexpr int kTileStrips = 2 * kWidth / kStrip;  // of a full tile
constexpr int kGroup = 6;  // columns that are solved for together: a block of a body in space

/// A number that is known when the code is compiled.
template <int N>
struct Constant {
  static constexpr int value = N;
};

[[gnu::always_inline]] inline void load(const double* from, Vector& v) {
  v = loadNumbers<Vector>(from);
}

[[gnu::always_inline]] inline void store(const Vector& v, double* to) {
  storeNumbers(v, to);
}

[[gnu::always_inline]] inline int smaller(int a, int b) {
  return a < b ? a : b;
}

[[gnu::always_inline]] inline void exchangeNumbers(double& a, double& b) {
  const double last = a;
  a = b;
  b = last;
}

// Where vector n of the rows of a tile is, if strips are `strip` apart.
[[gnu::always_inline]] inline std::ptrdiff_t offset(int n, std::ptrdiff_t strip) {
  return n / kVectors * strip + n % kVectors * kWidth;
}

// sum(i, j) = sum over q < depth of A(i, q) B(j, q). A's strips are `strip` apart and its columns
// `a_step`; B(j, q) is at B[q b_step + j].
template <int N, int Columns>
[[gnu::always_inline]] inline void multiplyTile(const double* A, std::ptrdiff_t strip,
                                                std::ptrdiff_t a_step, const double* B,
                                                std::ptrdiff_t b_step, int depth,
                                                Vector (&sum)[Columns][N]) {
#pragma GCC unroll 6
  for (int j = 0; j < Columns; ++j)
#pragma GCC unroll 4
    for (int n = 0; n < N; ++n) sum[j][n] = Vector{};
  for (int q = 0; q < depth; ++q, A += a_step, B += b_step) {
    Vector a[N];
#pragma GCC unroll 4
    for (int n = 0; n < N; ++n) load(A + offset(n, strip), a[n]);
#pragma GCC unroll 6
    for (int j = 0; j < Columns; ++j)
#pragma GCC unroll 4
      for (int n = 0; n < N; ++n) sum[j][n] += a[n] * B[j];
  }
}

// x := (X - x) T^-T for a triangle of Columns columns; X is column-major.
template <int N, int Columns, bool Unit>
[[gnu::always_inline]] inline void solveTile(const double* X, std::ptrdiff_t leading,
                                             const double* T, std::ptrdiff_t t_leading,
                                             const double* inverse, Vector (&x)[Columns][N]) {
#pragma GCC unroll 6
  for (int j = 0; j < Columns; ++j)
#pragma GCC unroll 4
    for (int n = 0; n < N; ++n) {
      Vector v;
      load(X + j * leading + n * kWidth, v);
      v -= x[j][n];
#pragma GCC unroll 6
      for (int i = 0; i < j; ++i) v -= x[i][n] * T[i * t_leading + j];
      if constexpr (!Unit) v *= inverse[j];
      x[j][n] = v;
    }
}

// Calls f with the number of columns as a constant.
template <class F>
[[gnu::always_inline]] inline void withColumns(int columns, const F& f) {
  switch (columns) {
    case 1:
      return f(Constant<1>{});
    case 2:
      return f(Constant<2>{});
    case 3:
      return f(Constant<3>{});
    case 4:
      return f(Constant<4>{});
    case 5:
      return f(Constant<5>{});
    default:
      return f(Constant<kGroup>{});
  }
}

// Columns c ... c + Columns - 1 of some strips, the ones before being done.
template <int Strips, int Columns, bool Unit>
[[gnu::always_inline]] inline void solveStripColumns(const double* X, std::ptrdiff_t leading,
                                                     TriangleView T, const double* inverse, int c,
                                                     double* strips) {
  constexpr int N = Strips * kVectors;
  const std::ptrdiff_t strip = std::ptrdiff_t{kStrip} * T.columns;
  Vector x[Columns][N];
  multiplyTile<N, Columns>(strips, strip, kStrip, T.data + c, T.leading, c, x);
  solveTile<N, Columns, Unit>(X + c * leading, leading, T.data + std::ptrdiff_t{c} * T.leading + c,
                              T.leading, inverse + c, x);
#pragma GCC unroll 6
  for (int j = 0; j < Columns; ++j)
#pragma GCC unroll 4
    for (int n = 0; n < N; ++n) store(x[j][n], strips + kStrip * (c + j) + offset(n, strip));
}

template <int Strips, bool Unit>
void solveSomeStrips(const double* X, std::ptrdiff_t leading, TriangleView T, const double* inverse,
                     double* strips) {
  int c = 0;
  for (; c + kGroup <= T.columns; c += kGroup)
    solveStripColumns<Strips, kGroup, Unit>(X, leading, T, inverse, c, strips);
  if (c == T.columns) return;
  withColumns(T.columns - c, [&](auto columns) {
    solveStripColumns<Strips, columns.value, Unit>(X, leading, T, inverse, c, strips);
  });
}

template <bool Unit>
void solveAllStrips(const double* X, int leading, int rows, TriangleView T, const double* inverse,
                    double* strips) {
  int i = 0;
  for (; i + kTileStrips * kStrip <= rows; i += kTileStrips * kStrip)
    solveSomeStrips<kTileStrips, Unit>(X + i, leading, T, inverse,
                                       strips + std::ptrdiff_t{i} * T.columns);
  for (; i < rows; i += kStrip)
    solveSomeStrips<1, Unit>(X + i, leading, T, inverse, strips + std::ptrdiff_t{i} * T.columns);
}

void solveStrips(const double* X, int leading, int rows, TriangleView T, const double* inverse,
                 double* strips) {
  if (inverse)
    solveAllStrips<false>(X, leading, rows, T, inverse, strips);
  else
    solveAllStrips<true>(X, leading, rows, T, inverse, strips);
}

// Columns j ... j + 3 of -A B', rows from `first` on.
void updateColumns(double* S, int rows, const double* A, const double* B, int depth, int j,
                   int first) {
  const std::ptrdiff_t strip = std::ptrdiff_t{kStrip} * depth;
  B += std::ptrdiff_t{j} * depth;
  S += std::ptrdiff_t{j} * rows;
  int i = first;
  const auto tile = [&]<int N>(Constant<N>) __attribute__((always_inline)) {
    Vector sum[kStrip][N];
    multiplyTile<N, kStrip>(A + std::ptrdiff_t{i} * depth, strip, kStrip, B, kStrip, depth, sum);
#pragma GCC unroll 4
    for (int k = 0; k < kStrip; ++k)
#pragma GCC unroll 4
      for (int n = 0; n < N; ++n) store(-sum[k][n], S + k * rows + i + n * kWidth);
  };
  for (; i + kTileStrips * kStrip <= rows; i += kTileStrips * kStrip)
    tile(Constant<kTileStrips * kVectors>{});
  for (; i < rows; i += kStrip) tile(Constant<kVectors>{});
}

void updateLower(double* S, int rows, const double* A, int depth) {
  for (int j = 0; j < rows; j += kStrip) updateColumns(S, rows, A, A, depth, j, j);
}

void updateFull(double* S, int rows, const double* A, const double* B, int depth) {
  for (int j = 0; j < rows; j += kStrip) updateColumns(S, rows, A, B, depth, j, 0);
}

#include "math/factor/front_cholesky.inl"
#include "math/factor/front_lu.inl"
#include "math/factor/front_solve.inl"

}  // namespace
}  // namespace STICKSLIP_INSTRUCTION_SET

template <>
const FrontKernels& compiledKernels<FrontKernels, InstructionSet::STICKSLIP_INSTRUCTION_SET>() {
  static constexpr FrontKernels kTable{cholesky,   lu,      solveStrips, updateLower,
                                       updateFull, forward, backward};
  return kTable;
}

}  // namespace stickslip
