// Orthonormal basis of the space that the rows of a matrix span, with the rank decided on the way.
//
// Gram-Schmidt with row pivoting, every projection done twice (which keeps the basis orthonormal
// to rounding). A row counts as dependent when less than `kDependent` of its own length is left,
// so the scale or unit of a row does not matter.
#pragma once

#include <span>
#include <vector>

#include "stickslip/matrix_view.hpp"

namespace stickslip {

class OrthonormalRows {
 public:
  void reserve(int rows, int columns);
  void factorize(ConstMatrixView B);

  int rank() const { return rank_; }
  /// Basis vector k.
  std::span<const double> basis(int k) const {
    return {basis_.data() + static_cast<std::size_t>(k) * columns_, columns_};
  }
  /// x := x - Q' Q x: the part of x that is orthogonal to all rows.
  void removeRowSpace(std::span<double> x) const;
  /// The shortest y with B_s y = r_s on the independent rows s.
  void solveRows(std::span<const double> r, std::span<double> y);
  /// c with B' c = d for d in the row space; zero on the dependent rows.
  void solveTransposed(std::span<const double> d, std::span<double> c);

 private:
  int largestRemainder(ConstMatrixView B) const;

  std::size_t columns_ = 0;
  int rank_ = 0;
  std::vector<double> basis_;        ///< rank x columns
  std::vector<double> remainder_;    ///< what is left of every row
  std::vector<double> length_;       ///< length of every row of B
  std::vector<double> coefficient_;  ///< rows x rows: B = coefficient * basis
  std::vector<int> chosen_;          ///< row of B behind each basis vector
  std::vector<bool> used_;
  std::vector<double> work_;
  std::size_t rows_ = 0;
};

}  // namespace stickslip
