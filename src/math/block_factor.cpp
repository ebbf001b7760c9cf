#include "math/block_factor.hpp"

#include <algorithm>

#include "math/dense_lu.hpp"

namespace stickslip {

bool BlockFactor::analyze(std::span<const int> block_sizes,
                          std::span<const std::pair<int, int>> couplings) {
  (void)couplings;
  sizes_.assign(block_sizes.begin(), block_sizes.end());
  count_ = static_cast<int>(sizes_.size());
  first_.clear();
  size_ = 0;
  for (int s : sizes_) {
    first_.push_back(size_);
    size_ += s;
  }
  offset_.clear();
  std::size_t o = 0;
  for (int a : sizes_)
    for (int b : sizes_) {
      offset_.push_back(o);
      o += static_cast<std::size_t>(a * b);
    }
  values_.assign(o, 0.0);
  return false;
}
int BlockFactor::entry(int a, int b) const {
  return a * count_ + b;
}
bool BlockFactor::isLower(int e) const {
  return e / count_ >= e % count_;
}
void BlockFactor::clear() {
  std::fill(values_.begin(), values_.end(), 0.0);
}
MatrixView BlockFactor::block(int e) {
  return {values_.data() + offset_[static_cast<std::size_t>(e)],
          sizes_[static_cast<std::size_t>(e / count_)],
          sizes_[static_cast<std::size_t>(e % count_)]};
}
bool BlockFactor::factorCholesky() {
  for (int a = 0; a < count_; ++a)
    for (int b = 0; b < a; ++b)
      for (int i = 0; i < sizes_[static_cast<std::size_t>(a)]; ++i)
        for (int j = 0; j < sizes_[static_cast<std::size_t>(b)]; ++j)
          block(entry(b, a))(j, i) = block(entry(a, b))(i, j);
  return factorLu();
}
bool BlockFactor::factorLu() {
  const auto n = static_cast<std::size_t>(size_);
  dense_.assign(n * n, 0.0);
  exchanges_.resize(n);
  for (int a = 0; a < count_; ++a)
    for (int b = 0; b < count_; ++b)
      for (int i = 0; i < sizes_[static_cast<std::size_t>(a)]; ++i)
        for (int j = 0; j < sizes_[static_cast<std::size_t>(b)]; ++j)
          dense_[static_cast<std::size_t>(first_[static_cast<std::size_t>(a)] + i) * n +
                 static_cast<std::size_t>(first_[static_cast<std::size_t>(b)] + j)] =
              block(entry(a, b))(i, j);
  const bool ok = factorizeLu(dense_, exchanges_);
  sign_ = 1;
  for (std::size_t i = 0; i < n; ++i) {
    if (dense_[i * n + i] < 0) sign_ = -sign_;
    if (exchanges_[i] != static_cast<int>(i)) sign_ = -sign_;
  }
  return ok;
}
void BlockFactor::solve(std::span<double> x) const {
  solveLu(dense_, exchanges_, x);
}
void BlockFactor::multiply(std::span<const double> x, std::span<double> y) const {
  for (int a = 0; a < count_; ++a)
    for (int i = 0; i < sizes_[static_cast<std::size_t>(a)]; ++i) {
      double sum = 0;
      for (int b = 0; b < count_; ++b)
        for (int j = 0; j < sizes_[static_cast<std::size_t>(b)]; ++j)
          sum += const_cast<BlockFactor*>(this)->block(entry(a, b))(i, j) *
                 x[static_cast<std::size_t>(first_[static_cast<std::size_t>(b)] + j)];
      y[static_cast<std::size_t>(first_[static_cast<std::size_t>(a)] + i)] = sum;
    }
}

}  // namespace stickslip
