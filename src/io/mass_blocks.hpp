// The mass matrix of a problem that comes without bodies: where its blocks are.
#pragma once

#include <span>
#include <vector>

#include "stickslip/block_matrix.hpp"
#include "stickslip/local_problem.hpp"

namespace stickslip {

/// Sizes of the smallest blocks of neighbouring velocities that M couples to no other. If they fit
/// into blocks of a rigid body's size (6 in space or 3 in both), they are joined to such.
std::vector<int> massBlockSizes(const SparseRows& M, int space_dimension);

/// Largest |M_ij - M_ji| relative to sqrt(M_ii M_jj), or infinity if a diagonal entry is not
/// positive.
double asymmetry(const SparseRows& M);

/// The mean of M and its transpose in blocks; the sizes are those of massBlockSizes.
void fillBlocks(const SparseRows& M, std::span<const int> sizes, BlockDiagonal& blocks);

}  // namespace stickslip
