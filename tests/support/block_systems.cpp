#include "support/block_systems.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace stickslip::testing {

int BlockPattern::rows() const {
  return std::accumulate(sizes.begin(), sizes.end(), 0);
}

std::vector<int> BlockPattern::firstRows() const {
  std::vector<int> first(sizes.size(), 0);
  std::partial_sum(sizes.begin(), sizes.end() - 1, first.begin() + 1);
  return first;
}

BlockPattern chainPattern(int blocks, int size) {
  BlockPattern pattern{"chain", std::vector<int>(std::size_t(blocks), size), {}};
  for (int i = 1; i < blocks; ++i) pattern.couplings.emplace_back(i - 1, i);
  return pattern;
}

BlockPattern gridPattern(int side, int size) {
  BlockPattern pattern{"grid", std::vector<int>(std::size_t(side * side), size), {}};
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      if (j > 0) pattern.couplings.emplace_back(i * side + j, i * side + j - 1);
      if (i > 0) pattern.couplings.emplace_back(i * side + j, (i - 1) * side + j);
    }
  return pattern;
}

BlockPattern arrowPattern(int blocks, int size) {
  BlockPattern pattern{"arrow", std::vector<int>(std::size_t(blocks), size), {}};
  for (int i = 1; i < blocks; ++i) pattern.couplings.emplace_back(0, i);
  return pattern;
}

BlockPattern randomPattern(Random& random, int blocks, int couplings) {
  BlockPattern pattern{"random", {}, {}};
  for (int i = 0; i < blocks; ++i) pattern.sizes.push_back(random.integer(1, 7));
  while (int(pattern.couplings.size()) < couplings) {
    const int a = random.integer(0, blocks - 1), b = random.integer(0, blocks - 1);
    if (a == b) continue;
    pattern.couplings.emplace_back(a, b);
    if (random.uniform() > 0.7) pattern.couplings.emplace_back(b, a);
  }
  return pattern;
}

BlockPattern disconnected(const BlockPattern& a, const BlockPattern& b) {
  BlockPattern both{"disconnected", {}, {}};
  const std::size_t shared = std::min(a.sizes.size(), b.sizes.size());
  std::vector<int> from_a, from_b;
  for (std::size_t i = 0; i < std::max(a.sizes.size(), b.sizes.size()); ++i) {
    if (i < a.sizes.size()) from_a.push_back(int(i < shared ? 2 * i : shared + i));
    if (i < b.sizes.size()) from_b.push_back(int(i < shared ? 2 * i + 1 : shared + i));
  }
  both.sizes.resize(a.sizes.size() + b.sizes.size());
  for (std::size_t i = 0; i < from_a.size(); ++i) both.sizes[from_a[i]] = a.sizes[i];
  for (std::size_t i = 0; i < from_b.size(); ++i) both.sizes[from_b[i]] = b.sizes[i];
  for (const auto& [i, j] : a.couplings) both.couplings.emplace_back(from_a[i], from_a[j]);
  for (const auto& [i, j] : b.couplings) both.couplings.emplace_back(from_b[i], from_b[j]);
  return both;
}

std::vector<BlockPattern> samplePatterns(Random& random) {
  std::vector<BlockPattern> patterns{{"empty", {}, {}},       {"one number", {1}, {}},
                                     {"one block", {75}, {}}, {"no couplings", {3, 1, 6, 2}, {}},
                                     chainPattern(20, 6),     gridPattern(7, 3),
                                     arrowPattern(15, 6)};
  for (int i = 0; i < 12; ++i)
    patterns.push_back(randomPattern(random, 5 + 4 * i, random.integer(4, 12 * (i + 1))));
  patterns.push_back(disconnected(gridPattern(4, 3), chainPattern(9, 6)));
  return patterns;
}

std::vector<double> randomMatrix(Random& random, const BlockPattern& pattern, double skew) {
  const auto n = std::size_t(pattern.rows());
  std::vector<double> A(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) A[i * n + i] = 1;
  const auto first = pattern.sizes.empty() ? std::vector<int>{} : pattern.firstRows();
  const auto addRow = [&](std::initializer_list<int> blocks, double weight) {
    std::vector<std::size_t> places;
    for (const int b : blocks)
      for (int k = 0; k < pattern.sizes[b]; ++k) places.push_back(std::size_t(first[b] + k));
    const auto left = random.vector(places.size()), other = random.vector(places.size());
    for (std::size_t i = 0; i < places.size(); ++i)
      for (std::size_t j = 0; j < places.size(); ++j)
        A[places[i] * n + places[j]] += weight * left[i] * (left[j] + skew * other[j]);
  };
  for (const auto& [a, b] : pattern.couplings)
    for (int row = 0; row < 3; ++row) addRow({a, b}, std::pow(10, random.uniform(-1, 2)));
  for (int b = 0; b < int(pattern.sizes.size()); ++b) addRow({b}, 1);
  return A;
}

void assemble(const BlockPattern& pattern, const std::vector<double>& A, bool lower_only,
              BlockFactor& K) {
  K.analyze(pattern.sizes, pattern.couplings);
  K.clear();
  const auto n = std::size_t(pattern.rows());
  const auto first = pattern.sizes.empty() ? std::vector<int>{} : pattern.firstRows();
  const auto set = [&](int a, int b) {
    const int entry = K.entry(a, b);
    const MatrixView block = K.block(entry);
    for (int i = 0; i < block.rows; ++i)
      for (int j = 0; j < block.columns; ++j)
        block(i, j) = lower_only && !K.isLower(entry)
                          ? std::numeric_limits<double>::quiet_NaN()
                          : A[std::size_t(first[a] + i) * n + std::size_t(first[b] + j)];
  };
  for (int b = 0; b < int(pattern.sizes.size()); ++b) set(b, b);
  for (const auto& [a, b] : pattern.couplings) {
    set(a, b);
    set(b, a);
  }
}

double relativeResidual(const std::vector<double>& A, const std::vector<double>& x,
                        const std::vector<double>& b) {
  const std::size_t n = b.size();
  double residual = 0, size = 0, length = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = -b[i];
    for (std::size_t j = 0; j < n; ++j) {
      sum += A[i * n + j] * x[j];
      size = std::max(size, std::abs(A[i * n + j]));
    }
    if (!(std::abs(sum) <= residual)) residual = std::abs(sum);
    length = std::max(length, std::abs(x[i]));
  }
  return residual == 0 ? 0 : residual / (size * length);
}

int denseDeterminantSign(std::vector<double> A) {
  const auto n = std::size_t(std::lround(std::sqrt(double(A.size()))));
  int sign = 1;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(A[i * n + k]) > std::abs(A[pivot * n + k])) pivot = i;
    if (pivot != k) {
      for (std::size_t j = 0; j < n; ++j) std::swap(A[k * n + j], A[pivot * n + j]);
      sign = -sign;
    }
    if (A[k * n + k] < 0) sign = -sign;
    for (std::size_t i = k + 1; i < n; ++i)
      for (std::size_t j = n; j-- > k;) A[i * n + j] -= A[i * n + k] / A[k * n + k] * A[k * n + j];
  }
  return sign;
}

}  // namespace stickslip::testing
