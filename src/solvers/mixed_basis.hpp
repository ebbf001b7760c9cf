// A basis of a MixedLcp with an artificial variable z0, and systems with its matrix.
//
//   F x + Z z            + c z0 = r,q      c: the column of z0
//   -R x - T z + w
//
// Variables are numbered x, z, w, z0. Basic are all of x and one of each pair, but for one pair
// when z0 is basic. A basic w_i only appears in its own row, so that what has to be factorized is
// the kernel: the columns of x, basic z and z0 in the free rows and in the rows whose w is not
// basic. Later exchanges are kept in product form (Dantzig & Orchard-Hays 1954) on the kernel and
// on the rows that have changed; all other basic w follow from their rows.
#pragma once

#include <span>
#include <vector>

#include "math/mixed_lcp.hpp"
#include "math/sparse_lu.hpp"

namespace stickslip {

class MixedBasis {
 public:
  /// The basis of all w. The problem must stay as it is while the basis is in use.
  void start(const MixedLcp& lcp);
  /// Basic are x, the z of the pairs listed, and the w of the others.
  void start(const MixedLcp& lcp, std::span<const int> basic_z);
  /// The column of z0, one entry per row; before z0 enters.
  void setCover(std::span<const double> column) { cover_.assign(column.begin(), column.end()); }
  /// The column that makes the basic variables fall by `amounts` per unit of z0.
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
  bool isWorn() const { return updates_ >= kMostUpdates; }
  bool isFresh() const { return updates_ == 0; }

  bool isBasic(int variable) const { return place_[index(variable)] != kNonbasic; }
  /// Of each variable; 0 for those that are not basic.
  std::span<const double> values() const { return value_; }
  std::span<const double> directions() const { return direction_; }
  int variableCount() const { return free_ + 2 * pairs_ + 1; }
  int freeCount() const { return free_; }
  int pairCount() const { return pairs_; }

  int zOf(int pair) const { return free_ + pair; }
  int wOf(int pair) const { return free_ + pairs_ + pair; }
  int coverVariable() const { return free_ + 2 * pairs_; }
  int pairOf(int variable) const { return (variable - free_) % pairs_; }
  int complementOf(int variable) const {
    return variable < wOf(0) ? variable + pairs_ : variable - pairs_;
  }

 private:
  static constexpr int kNonbasic = -2;
  static constexpr int kOwnRow = -1;  ///< a basic w outside the kernel
  static constexpr int kMostUpdates = 64;

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  void buildKernel();
  void appendColumn(int variable);
  template <typename Visit>
  void visitColumn(int variable, Visit visit) const;
  void startExtraPlaces();
  void applyUpdates();
  double rowProduct(int pair, std::span<const double> by_variable) const;
  void solveForValues(std::span<const double> right_side, std::span<double> out);
  void addBasis(double factor, std::span<const double> values, std::span<double> to) const;
  int makePlace(int leaving);

  const MixedLcp* lcp_ = nullptr;
  int free_ = 0;
  int pairs_ = 0;
  std::vector<double> cover_;
  std::vector<int> place_;     ///< of each variable: in the kernel, kOwnRow or kNonbasic
  std::vector<double> value_;  ///< of each variable
  std::vector<double> direction_;

  SparseColumns kernel_;
  SparseLu lu_;
  std::vector<int> kernel_row_;  ///< of each row of the problem, -1: not in the kernel
  int kernel_size_ = 0;
  std::vector<int> kernel_column_;  ///< of each x, z and z0 when factorized, -1: none
  std::vector<int> at_place_;    ///< variable in each place; those behind the kernel are rows that
  std::vector<int> extra_pair_;  ///< have changed since, and these are their pairs
  int updates_ = 0;
  std::vector<int> update_place_;
  std::vector<double> update_;       ///< one column after the other, with room for all places
  std::vector<double> update_rows_;  ///< what the same columns have in the rows of own w
  std::vector<double> work_;         ///< by places
  std::vector<double> column_;       ///< by rows: the column that enters; zero between calls
  std::vector<double> residual_;
  std::vector<double> correction_;
};

}  // namespace stickslip
