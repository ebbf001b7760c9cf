// The inverse of a basis as a product of pivots (Dantzig & Orchard-Hays 1954), for small dense
// problems. Columns are stored in whole fours; what is beyond their size is zero.
#pragma once

#include <cstddef>
#include <vector>

namespace stickslip {

class PivotProduct {
 public:
  /// Length of a column of n entries with its zeros.
  static std::size_t paddedSize(std::size_t n) { return (n + 3) / 4 * 4; }

  void reserve(std::size_t n, std::size_t pivots) {
    row_.reserve(pivots);
    factor_.reserve(pivots * paddedSize(n));
  }
  /// The identity of size n, with room for so many pivots.
  void start(std::size_t n, std::size_t pivots) {
    size_ = paddedSize(n);
    row_.clear();
    factor_.resize(pivots * size_);
  }
  void clear() { row_.clear(); }
  /// Pivots so far.
  std::size_t count() const { return row_.size(); }

  /// `column` (transformed by the pivots so far) takes the place of the unit vector of row r.
  void append(int r, const double* column) {
    double* factor = factor_.data() + row_.size() * size_;
    const double inverse = 1.0 / column[r];
    for (std::size_t i = 0; i < size_; ++i) factor[i] = -inverse * column[i];
    factor[r] = inverse;
    row_.push_back(r);
  }
  /// x := B^-1 x, by all pivots or by those from `first` on.
  void apply(double* x, std::size_t first = 0) const {
    const double* factor = factor_.data() + first * size_;
    for (std::size_t k = first; k < row_.size(); ++k, factor += size_) {
      const double entry = x[row_[k]];
      if (entry == 0) continue;
      x[row_[k]] = 0;
      addScaled(entry, factor, x);
    }
  }

 private:
  // Written out in fours, which compilers turn into vector instructions without a remainder.
  void addScaled(double a, const double* __restrict from, double* __restrict to) const {
    for (const double* end = from + size_; from != end; from += 4, to += 4) {
      to[0] += a * from[0];
      to[1] += a * from[1];
      to[2] += a * from[2];
      to[3] += a * from[3];
    }
  }

  std::size_t size_ = 0;
  std::vector<int> row_;
  std::vector<double> factor_;  ///< what a pivot adds to a column, per unit of its entry in row r
};

}  // namespace stickslip
