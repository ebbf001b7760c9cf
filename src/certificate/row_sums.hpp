// Contacts of balls for the certificate, at a third of the operations; no solver uses this file.
// With x the sum of s v over the two balls, y that of lever omega, and o = n x t (BallRows), the
// rows times velocities are n.x, t.x + o.y and o.x - t.y.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "certificate/impulse_law.hpp"
#include "stickslip/block_rows.hpp"
#include "stickslip/contact_problem.hpp"

namespace stickslip::certificate {

// Rows of a contact times the velocities of a step, for the certificate; no solver uses this file.
//
// One walk over the rows gives all sums that the contact law needs. Strips of bodies in space and
// in the plane have sizes that the compiler knows.

/// Sums over the columns of each row, as two sums each that are added up in the end.
template <int kRows>
struct RowSums {
  double now[kRows][2];       ///< J v
  double free[kRows][2];      ///< J v_free
  double mobility[kRows][2];  ///< diagonal of J M^-1 J', where masses are diagonal
};

/// Some of the velocities, or of the columns of a strip.
struct Columns {
  int begin;
  int end;
};

/// What the rows of a strip are multiplied with, from its first column on.
struct StripFactors {
  const double* v;
  const double* v_free;
  const double* inverse_root;  ///< M_kk^-1/2
};

// Bodies in space. The compiler works on both lanes at once, but only where they are in memory: not
// in line.
template <int kRows>
[[gnu::noinline]] void addSpatialSums(const double* row, const StripFactors& x,
                                      RowSums<kRows>& sums) {
  const double *v = x.v, *f = x.v_free, *r = x.inverse_root;
  for (int i = 0; i < 3; ++i, row += 6) {
    double s[6], now[2], free[2], mobility[2];
    for (int k = 0; k < 6; ++k) s[k] = row[k] * r[k];
    for (int l = 0; l < 2; ++l) {
      now[l] = row[l] * v[l] + row[2 + l] * v[2 + l] + row[4 + l] * v[4 + l];
      free[l] = row[l] * f[l] + row[2 + l] * f[2 + l] + row[4 + l] * f[4 + l];
      mobility[l] = s[l] * s[l] + s[2 + l] * s[2 + l] + s[4 + l] * s[4 + l];
    }
    // Stored only now, as the compiler cannot know that these are other places.
    for (int l = 0; l < 2; ++l) sums.now[i][l] += now[l];
    for (int l = 0; l < 2; ++l) sums.free[i][l] += free[l];
    for (int l = 0; l < 2; ++l) sums.mobility[i][l] += mobility[l];
  }
}

template <int kColumns, int kRows>
inline void addRowSums(const double* row, int columns, const StripFactors& x, int i,
                       RowSums<kRows>& sums) {
  double now = 0, free = 0, mobility = 0;
  for (int k = 0; k < (kColumns > 0 ? kColumns : columns); ++k) {
    const double w = row[k], scaled = w * x.inverse_root[k];
    now += w * x.v[k];
    free += w * x.v_free[k];
    mobility += scaled * scaled;
  }
  sums.now[i][0] += now;
  sums.free[i][0] += free;
  sums.mobility[i][0] += mobility;
}

inline void addStripSums(ConstMatrixView values, const StripFactors& x,
                         RowSums<ImpulseSet::kMostRows>& sums) {
  if (values.rows == 3 && values.columns == 6) return addSpatialSums(values.data, x, sums);
  const bool planar = values.columns == 3;
  for (int i = 0; i < values.rows; ++i) {
    const double* row = values.data + static_cast<std::ptrdiff_t>(i) * values.columns;
    planar ? addRowSums<3>(row, 3, x, i, sums) : addRowSums<0>(row, values.columns, x, i, sums);
  }
}

/// Row `row` of group `group` times x, and the sum of the magnitudes that were added.
struct Product {
  double value = 0;
  double size = 0;
};

inline Product rowTimes(const BlockRows& rows, int group, int row, std::span<const double> x) {
  Product product;
  for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
    const StripValues entries = rows.values(group, strip);
    const ConstMatrixView values = entries.view();
    for (int k = 0; k < strip.columns; ++k) {
      const double term = values(row, k) * x[strip.first_column + k];
      product.value += term;
      product.size += std::abs(term);
    }
  }
  return product;
}

/// u = J v + b of contact i.
inline ImpulseVector velocityOf(const ContactProblem& problem, int i, std::span<const double> v) {
  ImpulseVector u{};
  for (std::size_t k = 0; k < static_cast<std::size_t>(problem.J.rowsOf(i)); ++k)
    u[k] = problem.b[problem.J.firstRow(i) + k];
  for (const BlockRows::Strip& strip : problem.J.stripsOf(i)) {
    const StripValues entries = problem.J.values(i, strip);
    for (int row = 0; row < problem.J.rowsOf(i); ++row)
      for (int k = 0; k < strip.columns; ++k) u[row] += entries(row, k) * v[strip.first_column + k];
  }
  return u;
}

/// sum += values' factor, and the magnitudes to `size`.
template <int kRows, int kColumns>
inline void addTransposed(const double* row, const double* factor, double* sum, double* size) {
  // Kept apart until the end, as the compiler cannot know that these are not the same places.
  double total[kColumns], total_size[kColumns];
  for (int k = 0; k < kColumns; ++k) {
    total[k] = sum[k];
    total_size[k] = size[k];
  }
  for (int i = 0; i < kRows; ++i, row += kColumns)
    for (int k = 0; k < kColumns; ++k) {
      const double term = factor[i] * row[k];
      total[k] += term;
      total_size[k] += std::abs(term);
    }
  for (int k = 0; k < kColumns; ++k) {
    sum[k] = total[k];
    size[k] = total_size[k];
  }
}

inline void addTransposed(ConstMatrixView values, const double* factor, double* sum, double* size) {
  if (values.rows == 3 && values.columns == 6)
    return addTransposed<3, 6>(values.data, factor, sum, size);
  if (values.rows == 2 && values.columns == 3)
    return addTransposed<2, 3>(values.data, factor, sum, size);
  for (int i = 0; i < values.rows; ++i)
    for (int k = 0; k < values.columns; ++k) {
      const double term = factor[i] * values(i, k);
      sum[k] += term;
      size[k] += std::abs(term);
    }
}

struct BallMotion {
  double linear[3] = {};
  double angular[3] = {};
};

inline void addMotion(double s, double lever, const double* v, BallMotion& sum) {
  for (int k = 0; k < 3; ++k) {
    sum.linear[k] += s * v[k];
    sum.angular[k] += lever * v[3 + k];
  }
}

inline double dot(const std::array<double, 3>& a, const double* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// The sums of a group of balls; factors(strip) are those of a strip.
template <class Factors>
inline RowSums<3> ballSums(const BlockRows& rows, int group, const Factors& factors) {
  const BallRows balls = rows.balls(group);
  BallMotion now, free;
  double light[3] = {}, nimble[3] = {};  // inverse masses and inertias
  for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
    const int ball = BlockRows::ballOf(strip);
    const double s = ball == 0 ? -1 : 1, lever = balls.lever[ball];
    const StripFactors x = factors(strip);
    addMotion(s, lever, x.v, now);
    addMotion(s, lever, x.v_free, free);
    for (int k = 0; k < 3; ++k) {
      const double turn = lever * x.inverse_root[3 + k];
      light[k] += x.inverse_root[k] * x.inverse_root[k];
      nimble[k] += turn * turn;
    }
  }
  const std::array<double, 3>&n = balls.normal, &t = balls.tangent, o = balls.other();
  const auto squares = [](const std::array<double, 3>& x) {
    return std::array{x[0] * x[0], x[1] * x[1], x[2] * x[2]};
  };
  const std::array<double, 3> t_squares = squares(t), o_squares = squares(o);
  const auto products = [&](const BallMotion& x, double(&out)[3][2]) {
    out[0][0] = dot(n, x.linear);
    out[0][1] = 0;
    out[1][0] = dot(t, x.linear);
    out[1][1] = dot(o, x.angular);
    out[2][0] = dot(o, x.linear);
    out[2][1] = -dot(t, x.angular);
  };
  RowSums<3> sums;
  products(now, sums.now);
  products(free, sums.free);
  sums.mobility[0][0] = dot(squares(n), light);
  sums.mobility[0][1] = 0;
  sums.mobility[1][0] = dot(t_squares, light);
  sums.mobility[1][1] = dot(o_squares, nimble);
  sums.mobility[2][0] = dot(o_squares, light);
  sums.mobility[2][1] = dot(t_squares, nimble);
  return sums;
}

/// What the impulse of a contact of balls does to them, up to s and lever, and the magnitudes that
/// were added up for it.
struct BallPush {
  double along[3], along_size[3];
  double about[3], about_size[3];

  BallPush(const BallRows& balls, const double* p) {
    const std::array<double, 3> o = balls.other();
    for (std::size_t k = 0; k < 3; ++k) {
      const double n = balls.normal[k] * p[0], t = balls.tangent[k] * p[1], other = o[k] * p[2];
      along[k] = n + t + other;
      along_size[k] = std::abs(n) + std::abs(t) + std::abs(other);
      const double first = o[k] * p[1], second = balls.tangent[k] * p[2];
      about[k] = first - second;
      about_size[k] = std::abs(first) + std::abs(second);
    }
  }
  /// To the six velocities of a ball,
  void addTo(double s, double lever, double* sum, double* size) const {
    for (int k = 0; k < 3; ++k) {
      sum[k] += s * along[k];
      sum[3 + k] += lever * about[k];
      size[k] += along_size[k];
      size[3 + k] += std::abs(lever) * about_size[k];
    }
  }
  /// or to those that are asked for.
  void addTo(double s, double lever, Columns columns, double* sum, double* size) const {
    for (int k = std::max(0, columns.begin); k < std::min(3, columns.end); ++k) {
      sum[k] += s * along[k];
      size[k] += along_size[k];
    }
    for (int k = std::max(0, columns.begin - 3); k < std::min(3, columns.end - 3); ++k) {
      sum[3 + k] += lever * about[k];
      size[3 + k] += std::abs(lever) * about_size[k];
    }
  }
};

}  // namespace stickslip::certificate
