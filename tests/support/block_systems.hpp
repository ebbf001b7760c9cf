// Block-sparse matrices for tests, each beside a dense copy.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "math/factor/block_factor.hpp"
#include "support/random.hpp"

namespace stickslip::testing {

struct BlockPattern {
  std::string name;
  std::vector<int> sizes;
  std::vector<std::pair<int, int>> couplings;

  int rows() const;
  /// Row where each block starts.
  std::vector<int> firstRows() const;
};

BlockPattern chainPattern(int blocks, int size);
/// Blocks in a square, each coupled with those beside, above and below.
BlockPattern gridPattern(int side, int size);
/// One block that is coupled with all others.
BlockPattern arrowPattern(int blocks, int size);
/// Sizes 1 ... 7, couplings by chance, some of them repeated.
BlockPattern randomPattern(Random& random, int blocks, int couplings);
/// Two patterns side by side, numbers interleaved.
BlockPattern disconnected(const BlockPattern& a, const BlockPattern& b);
/// One of each kind.
std::vector<BlockPattern> samplePatterns(Random& random);

/// A matrix with that pattern, row-major: positive definite like M + J' S J (the identity, and for
/// every coupling some rows times weights), and for `skew` > 0 with an unsymmetric part.
std::vector<double> randomMatrix(Random& random, const BlockPattern& pattern, double skew = 0);

/// Analyses the pattern and sets the entries; with `lower_only` those that Cholesky does not read
/// get nonsense.
void assemble(const BlockPattern& pattern, const std::vector<double>& A, bool lower_only,
              BlockFactor& K);

/// Largest entry of A x - b, relative to that of A times that of x.
double relativeResidual(const std::vector<double>& A, const std::vector<double>& x,
                        const std::vector<double>& b);

/// Sign of det A by elimination with partial pivoting.
int denseDeterminantSign(std::vector<double> A);

}  // namespace stickslip::testing
