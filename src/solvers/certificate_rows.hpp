// Rows of a contact times the velocities of a step, for the certificate; no solver uses this file.
//
// One walk over the rows gives all sums that the contact law needs. Strips of bodies in space and in
// the plane have sizes that the compiler knows; two sums run side by side in each row, so that two
// numbers are worked on at once.
#pragma once

#include <array>
#include <cmath>
#include <span>

#include "stickslip/contact_problem.hpp"

namespace stickslip::certificate {

using RowValues = std::array<double, ImpulseSet::kMostRows>;

struct ContactSums {
  RowValues now{};       ///< J v
  RowValues free{};      ///< J v_free
  RowValues mobility{};  ///< diagonal of J M^-1 J', where masses are diagonal
};

/// What the rows of a strip are multiplied with, from its first column on.
struct StripFactors {
  const double* v;
  const double* v_free;
  const double* inverse_root;  ///< M_kk^-1/2
};

template <int kRows, int kColumns>
inline void addStripSums(const double* row, const StripFactors& x, ContactSums& sums) {
  for (std::size_t i = 0; i < kRows; ++i, row += kColumns) {
    double now[2] = {}, free[2] = {}, mobility[2] = {};
    for (int k = 0; k + 1 < kColumns; k += 2)
      for (int lane = 0; lane < 2; ++lane) {
        const double w = row[k + lane], scaled = w * x.inverse_root[k + lane];
        now[lane] += w * x.v[k + lane];
        free[lane] += w * x.v_free[k + lane];
        mobility[lane] += scaled * scaled;
      }
    if constexpr (kColumns % 2 == 1) {
      constexpr int k = kColumns - 1;
      const double w = row[k], scaled = w * x.inverse_root[k];
      now[0] += w * x.v[k];
      free[0] += w * x.v_free[k];
      mobility[0] += scaled * scaled;
    }
    sums.now[i] += now[0] + now[1];
    sums.free[i] += free[0] + free[1];
    sums.mobility[i] += mobility[0] + mobility[1];
  }
}

inline void addStripSums(ConstMatrixView values, const StripFactors& x, ContactSums& sums) {
  if (values.rows == 3 && values.columns == 6) return addStripSums<3, 6>(values.data, x, sums);
  if (values.rows == 2 && values.columns == 3) return addStripSums<2, 3>(values.data, x, sums);
  for (int i = 0; i < values.rows; ++i)
    for (int k = 0; k < values.columns; ++k) {
      const double w = values(i, k), scaled = w * x.inverse_root[k];
      sums.now[static_cast<std::size_t>(i)] += w * x.v[k];
      sums.free[static_cast<std::size_t>(i)] += w * x.v_free[k];
      sums.mobility[static_cast<std::size_t>(i)] += scaled * scaled;
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
    const ConstMatrixView values = rows.values(group, strip);
    for (int k = 0; k < strip.columns; ++k) {
      const double term = values(row, k) * x[static_cast<std::size_t>(strip.first_column + k)];
      product.value += term;
      product.size += std::abs(term);
    }
  }
  return product;
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

inline void addTransposed(ConstMatrixView values, const double* factor, double* sum,
                          double* size) {
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

}  // namespace stickslip::certificate
