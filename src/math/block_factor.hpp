// Factorization of a square sparse matrix in dense blocks whose pattern is symmetric.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "stickslip/matrix_view.hpp"

namespace stickslip {

class BlockFactor {
 public:
  bool analyze(std::span<const int> block_sizes, std::span<const std::pair<int, int>> couplings);
  int size() const { return size_; }
  int entry(int a, int b) const;
  bool isLower(int entry) const;
  void clear();
  MatrixView block(int entry);
  bool factorCholesky();
  bool factorLu();
  int determinantSign() const { return sign_; }
  void solve(std::span<double> x) const;
  void multiply(std::span<const double> x, std::span<double> y) const;

 private:
  int size_ = 0;
  int count_ = 0;
  int sign_ = 1;
  std::vector<int> sizes_, first_;
  std::vector<std::size_t> offset_;
  std::vector<double> values_;
  std::vector<double> dense_;
  std::vector<int> exchanges_;
};

}  // namespace stickslip
