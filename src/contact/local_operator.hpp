// W given as a sparse matrix, in blocks between items. The linear systems of impulse_operator.hpp
// become
//
//   (I + W S) d_omega = W r + s,
//
// block LU on the pattern of W. W is taken as it is, even if it is not exactly symmetric.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "contact/impulse_operator.hpp"
#include "math/block_factor.hpp"

namespace stickslip {

class LocalOperator final : public ImpulseOperator {
 public:
  // Building: items, then their blocks in the order of rows and then of columns, then finish().
  void start();
  void startItem(int rows) { addItem(rows); }
  /// The block of W between two items, zero so far; valid until the next one is added. Blocks must
  /// come in the order of their row items; diagonal ones must not be left out.
  MatrixView addBlock(int row_item, int column_item);
  /// Analyses the pattern, unless it is that of the last time.
  void finish();

  void apply(std::span<const double> pi, std::span<double> out) const override;
  void diagonalBlock(int item, MatrixView out) const override;
  bool factor(std::span<const double> S, Symmetry symmetry) override;
  double solve(std::span<const double> r, std::span<const double> s, std::span<double> d_pi,
               std::span<double> d_omega) override;
  void solveOnce(std::span<const double> r, std::span<const double> s, std::span<double> d_pi,
                 std::span<double> d_omega) override;
  int determinantSign() const override { return factor_.determinantSign(); }
  void startSweeps(std::span<const double> pi) override;
  void sweepVelocity(int item, std::span<double> out) const override;
  void sweepChange(int item, std::span<const double> change) override;

 private:
  struct Block {
    int row_item;
    int column_item;
    std::size_t first_value;
  };
  void analyse();
  ConstMatrixView values(const Block& block) const;
  std::span<const Block> blocksOf(int row_item) const;
  /// omega = W pi of one item.
  void rowsTimes(int item, std::span<const double> pi, std::span<double> out) const;
  void impulsesFrom(std::span<const double> r, std::span<const double> d_omega,
                    std::span<double> d_pi) const;

  std::vector<Block> blocks_;
  std::vector<std::size_t> first_block_;  ///< of each row item, and the end
  std::vector<double> values_;
  std::vector<int> sizes_;
  std::vector<std::pair<int, int>> couplings_;
  std::vector<int> entries_;  ///< of the factor, one for each block
  BlockFactor factor_;
  bool is_analysed_ = false;  ///< factor_ and entries_ belong to the blocks
  std::vector<double> S_;
  std::vector<double> residual_;
  std::vector<double> sweep_pi_;
};

}  // namespace stickslip
