// Groups of rows (BlockRows) in a dumped problem. Of each group the number of rows and strips, of
// each strip its columns, and the entries of all strips, row by row, one strip after the other.
#pragma once

#include <string>

#include "io/problem_file.hpp"
#include "stickslip/block_matrix.hpp"

namespace stickslip {

/// Creates the datasets <prefix>rows, strips, first_column, columns and values. Throws hdf5::Error.
void writeBlockRows(hid_t file, const std::string& prefix, const BlockRows& rows);

/// Reads them; there are `rows` rows as in the dataset `rows_name`, all columns are below
/// `columns`, and no two strips of a group overlap. Throws InputError.
BlockRows readBlockRows(const ProblemFile& file, const std::string& prefix, std::size_t rows,
                        const std::string& rows_name, int columns);

}  // namespace stickslip
