// LU factors of a general sparse matrix, for unsymmetric systems and basis matrices.
//
// P A Q = L U, column by column (Gilbert & Peierls 1988): the pattern of each column of the factors
// is found by a depth-first search in that of L, so that the work is proportional to the
// arithmetic. Q is a column order that keeps the factors sparse (ColumnOrder). P
// comes from partial pivoting with a threshold: of the entries that are at least a tenth of the
// largest, the one whose row is sparsest. A column of which nothing but rounding is left beside
// those before it is dependent; with more rows than columns this is a test of rank.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace stickslip {

// A sparse matrix, column after column. Columns are appended at the end and keep their order of
// entries; memory stays for the next matrix.
class SparseColumns {
 public:
  void reserve(int columns, std::size_t entries) {
    first_.reserve(static_cast<std::size_t>(columns) + 1);
    row_.reserve(entries);
    value_.reserve(entries);
  }
  /// Drops all columns.
  void start(int rows) {
    rows_ = rows;
    first_.assign(1, 0);
    row_.clear();
    value_.clear();
  }
  /// An entry of the column that is being appended; rows of a column must differ.
  void add(int row, double value) {
    row_.push_back(row);
    value_.push_back(value);
  }
  void endColumn() { first_.push_back(row_.size()); }

  int rows() const { return rows_; }
  int columns() const { return static_cast<int>(first_.size()) - 1; }
  std::size_t entries() const { return row_.size(); }
  std::span<const int> rowsOf(int column) const {
    const std::size_t k = column;
    return {row_.data() + first_[k], first_[k + 1] - first_[k]};
  }
  std::span<const double> valuesOf(int column) const {
    const std::size_t k = column;
    return {value_.data() + first_[k], first_[k + 1] - first_[k]};
  }

 private:
  int rows_ = 0;
  std::vector<std::size_t> first_{0};
  std::vector<int> row_;
  std::vector<double> value_;
};

// An order of the columns of a sparse matrix that keeps its LU factors sparse whatever rows the
// pivots are taken from: minimum degree on the pattern of A'A, which is never formed.
//
// Every row is a clique of columns. Eliminating a column merges the cliques it is in; the degree of
// a column is estimated as the size of the new clique plus that of what its other cliques have
// outside it (Davis, Gilbert, Larimore & Ng, "A column approximate minimum degree ordering
// algorithm", 2004). The order depends on the pattern alone.
class ColumnOrder {
 public:
  /// Fills `order` with the columns of A, first to be eliminated first.
  void find(const SparseColumns& A, std::vector<int>& order);

 private:
  void build(const SparseColumns& A);
  void eliminate(int column);
  void measureOutside();
  void updateDegrees();
  void enqueue(int column, int degree);
  void dequeue(int column);
  int leastDegree();

  struct List {
    int first = 0;
    int size = 0;
  };
  int columns_ = 0;
  std::vector<List> column_;  ///< cliques of each column, in cliques_of_
  std::vector<int> cliques_of_;
  std::vector<List> clique_;  ///< columns of each clique, in members_; size 0: merged
  std::vector<int> members_;
  std::vector<int> outside_;       ///< of each clique: members that are not in the newest one
  std::vector<int> outside_mark_;  ///< the elimination that outside_ belongs to
  std::vector<int> mark_;          ///< of each column: the last elimination whose clique it is in
  std::vector<int> degree_;
  std::vector<int> head_, next_, previous_;  ///< lists of columns of equal degree
  int least_ = 0;
  int newest_ = 0;
  int stamp_ = 0;
};

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
