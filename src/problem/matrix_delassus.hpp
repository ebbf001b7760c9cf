// W given as a sparse matrix, in blocks between cones. The linear systems of delassus.hpp
// become
//
//   (I + W S) d_u = W r + s,
//
// block LU on the pattern of W. W is taken as it is, even if it is not exactly symmetric.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "math/factor/block_factor.hpp"
#include "problem/delassus.hpp"

namespace stickslip {

class MatrixDelassus final : public Delassus {
 public:
  // Building: cones, then their blocks in the order of rows and then of columns, then finish().
  void start();
  void startCone(int rows) { addCone(rows); }
  /// The block of W between two cones, zero so far; valid until the next one is added. Blocks must
  /// come in the order of their row cones; diagonal ones must not be left out.
  MatrixView addBlock(int row_cone, int column_cone);
  /// Analyses the pattern, unless it is that of the last time.
  void finish();

  void apply(std::span<const double> p, std::span<double> out) const override;
  void diagonalBlock(int cone, MatrixView out) const override;
  bool factor(std::span<const double> S, Symmetry symmetry) override;
  double solve(std::span<const double> r, std::span<const double> s, std::span<double> d_p,
               std::span<double> d_u) override;
  void solveOnce(std::span<const double> r, std::span<const double> s, std::span<double> d_p,
                 std::span<double> d_u) override;
  int determinantSign() const override { return factor_.determinantSign(); }
  void startSweeps(std::span<const double> p) override;
  void sweepVelocity(int cone, std::span<double> out) const override;
  void sweepChange(int cone, std::span<const double> change) override;

 private:
  struct Block {
    int row_cone;
    int column_cone;
    std::size_t first_value;
  };
  void analyse();
  ConstMatrixView values(const Block& block) const;
  std::span<const Block> blocksOf(int row_cone) const;
  /// u = W p of one cone.
  void rowsTimes(int cone, std::span<const double> p, std::span<double> out) const;
  void impulsesFrom(std::span<const double> r, std::span<const double> d_u,
                    std::span<double> d_p) const;

  std::vector<Block> blocks_;
  std::vector<std::size_t> first_block_;  ///< of each row cone, and the end
  std::vector<double> values_;
  std::vector<int> sizes_;
  std::vector<std::pair<int, int>> couplings_;
  std::vector<int> entries_;  ///< of the factor, one for each block
  BlockFactor factor_;
  bool is_analysed_ = false;  ///< factor_ and entries_ belong to the blocks
  std::vector<double> S_;
  std::vector<double> residual_;
  std::vector<double> sweep_p_;
};

}  // namespace stickslip
