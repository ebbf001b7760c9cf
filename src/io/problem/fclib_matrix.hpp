// Sparse matrices as FCLIB stores them: a group with the numbers of rows m and columns n, and
//   nz >= 0   nz triplets: column p[k], row i[k], value x[k]; entries of the same place add up
//   nz = -1   compressed columns: those of column j are p[j] ... p[j + 1] - 1, with rows i
//   nz = -2   compressed rows: the same with rows and columns exchanged
// where i and x have room for nzmax entries, which may be more than there are.
#pragma once

#include <string>

#include "io/problem/problem_file.hpp"
#include "stickslip/local_problem.hpp"

namespace stickslip {

SparseRows transposed(const SparseRows& matrix);

/// What a matrix must have as many rows or columns as.
struct FclibLength {
  std::size_t count = 0;
  std::string vector;  ///< name of the dataset that is so long
};

/// Reads a matrix, after its sizes have been found to be right: nothing is allocated on the word of
/// its header alone. Throws InputError.
SparseRows readFclibMatrix(const ProblemFile& file, const std::string& group,
                           const FclibLength& rows, const FclibLength& columns);

/// The same of a matrix that is symmetric by what it means, of which a file may hold one triangle
/// only, lower or upper, as siconos writes them: FCLIB has no mark for that. Where nothing but
/// zeros is on one side of the diagonal, and something on the other, that side is mirrored.
SparseRows readFclibSymmetricMatrix(const ProblemFile& file, const std::string& group,
                                    const FclibLength& size);

enum class FclibStorage { triplets, compressed_columns };
/// Writes `matrix` as the new group `group`. Throws hdf5::Error.
void writeFclibMatrix(hid_t file, const std::string& group, const SparseRows& matrix,
                      FclibStorage storage);

}  // namespace stickslip
