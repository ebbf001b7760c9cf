// Direct solution of K x = b for block-sparse K with a symmetric pattern: the linear algebra of the
// contact solvers, where K = M + J' S J (or I + S W, block by block).
//
// Multifrontal Cholesky, or LU for unsymmetric values on the same pattern. The order of elimination
// is the better one of minimum degree and nested dissection. LU exchanges rows only within a front
// (several blocks that are eliminated together), which is enough where the symmetric part of K is
// definite or nearly so; elsewhere compare K x with b and refine, or take another method.
//
// The analysis of a pattern is kept until another pattern comes. Vectors keep their memory, so
// nothing is allocated once the largest problem has been seen.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "math/factor/front_kernels.hpp"
#include "math/factor/front_tree.hpp"
#include "math/ordering/block_graph.hpp"
#include "math/ordering/minimum_degree.hpp"
#include "math/ordering/nested_dissection.hpp"
#include "stickslip/matrix_view.hpp"

namespace stickslip {

class BlockFactor {
 public:
  /// Analyses a pattern: the sizes of the diagonal blocks and the pairs (a, b), a != b, that are
  /// coupled (in any order, repetitions allowed). If the pattern equals that of the last call
  /// nothing is done and true is returned; the numbers of entries are the same, then, as well.
  bool analyze(std::span<const int> block_sizes, std::span<const std::pair<int, int>> couplings);

  /// Rows in all.
  int size() const { return size_; }

  /// Number of the block in block row a and block column b, which must be coupled or equal.
  int entry(int a, int b) const;
  /// Whether factorCholesky reads the entry. Of (a, b) and (b, a) it reads one; diagonal entries
  /// must be given in full.
  bool isLower(int entry) const { return is_lower_[entry] != 0; }
  /// Sets all entries to zero.
  void clear();
  /// The values of an entry, to be added to. They stay as they are when K is factorized.
  MatrixView block(int entry) {
    const EntryPlace& place = places_[entry];
    return {values_.data() + place.first_value, place.rows, place.columns};
  }

  /// K = L L' from the lower entries. False: not positive definite to rounding; no solving then.
  bool factorCholesky();
  /// K = L U. False: singular to rounding (as far as exchanges within fronts can tell).
  bool factorLu();
  /// Sign of det K after factorLu.
  int determinantSign() const { return determinant_sign_; }

  /// x := K^-1 x with the last factorization. Uses a workspace of the object.
  void solve(std::span<double> x) const;
  /// y := K x with the entries: the lower ones if the last factorization was Cholesky's, all
  /// otherwise.
  void multiply(std::span<const double> x, std::span<double> y) const;

  /// Multiplications that factorCholesky takes by the analysis, without those on stored zeros.
  double cost() const { return tree_.cost(); }

 private:
  struct EntryPlace {
    std::size_t first_value;
    int rows, columns;
  };
  /// A lower entry and its mirror image on the way into the front that eliminates its column.
  struct Arrival {
    std::size_t lower_value, upper_value;
    int lower_place;  ///< in the lower panel
    int upper_place;  ///< in the upper panel, or in the lower one for pivot rows
    int rows, columns;
    bool among_pivots;  ///< the mirror image belongs to the pivot rows as well
  };

  void chooseOrder();
  void placeEntries();
  void placeArrivals();
  Arrival arrivalOf(int front, int row_block, int column_block) const;
  void resizeStorage();

  void assembleLower(std::size_t f);
  void expectDiagonal(const Front& front);
  void addToPanel(const Front& child, const Front& parent);
  void addToUpdate(const Front& child, const Front& parent, bool full);
  void copyPivots(const Front& front);

  void measureRows();
  void assembleUpper(std::size_t f);
  void addToPanels(const Front& child, const Front& parent);
  bool eliminatePivots(const FrontKernels& kernels, const Front& front);
  void copyUpperTriangle(const Front& front);

  void forward(const FrontKernels& kernels, const Front& front, double* x) const;
  void backward(const FrontKernels& kernels, const Front& front, const double* upper,
                double* x) const;

  BlockGraph graph_;
  MinimumDegree minimum_degree_;
  NestedDissection dissection_;
  EliminationTree tree_, other_tree_;
  FrontTree fronts_;
  std::vector<int> stages_, order_;

  int size_ = 0;
  std::vector<int> first_row_;  ///< of each block, in the numbering of the user
  std::vector<EntryPlace> places_;
  std::vector<char> is_lower_;
  std::vector<double> values_;
  std::vector<Arrival> arrivals_;
  std::vector<int> first_arrival_;  ///< of each front
  std::vector<int> place_;

  std::vector<double> lower_, upper_;              ///< L and U'
  std::vector<double> lower_panel_, upper_panel_;  ///< columns of a front while it is assembled
  std::vector<double> updates_;
  std::vector<double> scale_;  ///< by row in the order of elimination: size of pivots to expect
  std::vector<double> row_scale_, column_scale_, multipliers_;  ///< of the pivots of a front
  std::vector<double> inverse_;                                 ///< 1 / pivot
  std::vector<int> exchange_;  ///< row that changed places with a pivot row, within its front
  bool is_lu_ = false;
  int determinant_sign_ = 0;
  mutable std::vector<double> work_, below_;
};

}  // namespace stickslip
