// A basis of a MixedLcp with an artificial variable z0, and systems with its matrix.
//
//   F x + Z z            + c z0 = r,q      c: the column of z0
//   -R x - T z + w
//
// Variables are numbered x, z, w, z0. Basic are all of x and one of each pair, but for one pair
// when z0 is basic; what belongs to a basic variable is stored in a slot, one per x, per pair and
// for z0. A basic w_i only appears in its own row, so that what has to be factorized is the kernel:
// the columns of x, basic z and z0 in the free rows and in the rows whose w is not basic. Later
// exchanges are kept in product form (Dantzig & Orchard-Hays 1954) on the kernel and on the rows
// that have changed; all other basic w follow from their rows.
//
// The columns are factorized in an order that was found once for all of them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "math/factor/sparse_lu.hpp"
#include "solvers/lemke/lemke_settings.hpp"
#include "solvers/lemke/mixed_lcp.hpp"

namespace stickslip {

class SparseBasis {
 public:
  /// Basic are x, the z of the pairs listed, and the w of the others. The problem must stay as it
  /// is while the basis is in use.
  void start(const MixedLcp& lcp, std::span<const int> basic_z);
  /// The column of z0, one entry per row; before z0 enters.
  void setCover(std::span<const double> column) { cover_.assign(column.begin(), column.end()); }
  /// The column that makes the basic variables fall by `amounts` (by slots) per unit of z0.
  void setCoverOfBasic(std::span<const double> amounts);
  std::span<const double> cover() const { return cover_; }

  /// Factorizes the present basis and computes the values of its variables. False if the basis is
  /// singular to rounding.
  bool factorize();
  /// Improves the values by one step of refinement.
  void refine();
  /// How the basic variables fall per unit of `entering`, which is not basic.
  void findDirection(int entering);
  /// `entering` grows by `step` along the direction just found and takes the place of `leaving`.
  void exchange(int leaving, int entering, double step);
  /// True when more exchanges would make solves dearer than a new factorization.
  bool isWorn() const { return updates_ >= kLemke.most_updates; }
  bool isFresh() const { return updates_ == 0; }
  /// True if nothing has changed since refine().
  bool isRefined() const { return refined_; }

  /// By slots; 0 where there is no basic variable.
  std::span<const double> values() const { return value_; }
  std::span<const double> directions() const { return direction_; }
  /// The basic variable of a pair, -1: none.
  int basicOf(int pair) const { return basic_[pair]; }
  bool isBasic(int variable) const { return place_[variable] != kNonbasic; }

  int zOf(int pair) const { return free_ + pair; }
  int wOf(int pair) const { return free_ + pairs_ + pair; }
  int coverVariable() const { return free_ + 2 * pairs_; }
  int coverSlot() const { return free_ + pairs_; }
  int slotOf(int variable) const { return variable < wOf(0) ? variable : variable - pairs_; }
  int complementOf(int variable) const {
    return variable < wOf(0) ? variable + pairs_ : variable - pairs_;
  }

 private:
  static constexpr int kNonbasic = -2;
  static constexpr int kOwnRow = -1;  ///< a basic w outside the kernel

  void findOrder();
  void buildKernel();
  void appendColumn(int variable);
  template <typename Visit>
  void visitColumn(int variable, Visit visit) const;
  void startExtraPlaces();
  void spread(std::span<double> out);
  void applyUpdates();
  void solveForValues(std::span<const double> right_side, std::span<double> out);
  void addBasis(double factor, std::span<const double> values, std::span<double> to) const;
  int makePlace(int leaving);

  const MixedLcp* lcp_ = nullptr;
  int free_ = 0;
  int pairs_ = 0;
  std::vector<double> cover_;
  std::vector<int> place_;  ///< of each variable: in the kernel, kOwnRow or kNonbasic
  std::vector<int> basic_;  ///< variable of each pair
  std::vector<double> value_;
  std::vector<double> direction_;

  ColumnOrder column_order_;
  std::vector<int> order_;          ///< of x and z
  std::vector<int> order_pattern_;  ///< the pattern it was found for
  std::vector<int> pattern_;
  SparseColumns kernel_;
  SparseLu lu_;
  std::vector<int> kernel_row_;  ///< of each row of the problem, -1: not in the kernel
  int kernel_size_ = 0;
  std::vector<int> kernel_column_;  ///< of each slot when factorized, -1: none
  std::vector<int> at_place_;       ///< variable in each place; those behind the kernel are rows
  std::vector<int> extra_pair_;     ///< that have changed since, and these are their pairs
  std::size_t updates_ = 0;
  bool refined_ = false;
  std::vector<int> update_place_;
  std::vector<double> update_;       ///< one column after the other, with room for all places
  std::vector<double> update_rows_;  ///< what the same columns have in the rows of own w
  std::vector<double> work_;         ///< by places
  std::vector<double> column_;       ///< by rows: the column that enters; zero between calls
  std::vector<double> row_sum_;      ///< by pairs
  std::vector<double> residual_;
  std::vector<double> correction_;
};

}  // namespace stickslip
