// LU factors of a general sparse matrix, for unsymmetric systems and basis matrices.
//
// P A Q = L U, column by column (Gilbert & Peierls 1988): the pattern of each column of the factors
// is found by a depth-first search in that of L, so that the work is proportional to the
// arithmetic. Q is a column order that keeps the factors sparse (math/ordering/column_order). P
// comes from partial pivoting with a threshold: of the entries that are at least a tenth of the
// largest, the one whose row is sparsest. A column of which nothing but rounding is left beside
// those before it is dependent; with more rows than columns this is a test of rank.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "math/blocks/sparse_columns.hpp"
#include "math/ordering/column_order.hpp"

namespace stickslip {

class SparseLu {
 public:
  /// What is left of a column of a matrix that is singular to rounding.
  static constexpr double kSingular = 1e-14;

  /// Factorizes A. True if no column is dependent: of each more than `dependent` times its largest
  /// entry must be left. Dependent columns are left out and listed.
  bool factorize(const SparseColumns& A, double dependent = kSingular);
  /// The same with the columns in the order in which they are.
  bool factorizeInOrder(const SparseColumns& A, double dependent = kSingular);
  std::span<const int> dependentColumns() const { return dependent_; }

  // For square matrices without dependent columns:
  /// x := A^-1 x.
  void solve(std::span<double> x);
  /// x := A^-T x.
  void solveTransposed(std::span<double> x);
  /// +1 or -1.
  int determinantSign() const;

  /// Entries of both factors: the cost of a solve.
  std::size_t entries() const { return L_row_.size() + U_row_.size() + U_diagonal_.size(); }

 private:
  bool eliminateColumns(const SparseColumns& A, double dependent);
  void countRows(const SparseColumns& A);
  void findPattern(std::span<const int> rows);
  void search(int row);
  void eliminate();
  int choosePivot(double floor) const;
  void store(int pivot_row);
  void prune(int pivot_row);
  void renumber();

  int n_ = 0;
  ColumnOrder column_order_;
  std::vector<int> order_;      ///< column of A behind each step
  std::vector<int> row_count_;  ///< entries of each row of A
  std::vector<int> step_of_;    ///< step whose pivot each row is, -1: none yet
  std::vector<int> pivot_row_;  ///< of each step
  std::vector<int> dependent_;

  std::vector<std::size_t> L_first_;   ///< columns of L without the diagonal of ones
  std::vector<std::size_t> L_search_;  ///< end of the part of each column that the search needs
  std::vector<int> L_row_;             ///< rows of A during the factorization, steps afterwards
  std::vector<double> L_value_;
  std::vector<std::size_t> U_first_;  ///< columns of U without the diagonal
  std::vector<int> U_row_;            ///< steps
  std::vector<double> U_value_;
  std::vector<double> U_diagonal_;

  std::vector<double> x_;     ///< the column being eliminated, by rows of A; zero between columns
  std::vector<int> pattern_;  ///< its rows without a pivot
  std::vector<int> reached_;  ///< the steps that act on it, last first
  std::vector<int> mark_;     ///< of each row: the last column whose pattern it was in
  std::vector<int> stack_;
  std::vector<std::size_t> stack_place_;
  int stamp_ = 0;
  std::vector<double> work_;
};

}  // namespace stickslip
