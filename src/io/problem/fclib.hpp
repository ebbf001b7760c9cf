// What local and global problems of FCLIB have in common: the number of rows of a contact and its
// coefficient of friction.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "io/problem/problem_file.hpp"
#include "stickslip/contact_problem.hpp"

namespace stickslip {

/// <group>/spacedim: 2 or 3.
int readSpaceDimension(const ProblemFile& file, const std::string& group);

/// The cones of <group>/vectors/mu; `rows` of contact velocity are in the dataset `rows_name`.
ImpulseSets readCones(const ProblemFile& file, const std::string& group, std::size_t rows,
                      const std::string& rows_name);

/// How contacts appear in a file: each with as many rows as the dimension of space says, and where
/// those are that a contact has.
struct FclibRows {
  int space_dimension = 3;
  std::vector<double> mu;
  std::vector<int> row;  ///< row in the file of each row of the problem
  int rowCount() const { return space_dimension * static_cast<int>(mu.size()); }
};

/// Throws InputError, naming `file`, if FCLIB's format cannot hold these contacts or this law.
FclibRows fclibRows(const ImpulseSets& sets, Law law, const std::string& file);

/// `values` at their rows of the file, zero elsewhere.
std::vector<double> placed(const FclibRows& rows, std::span<const double> values);

}  // namespace stickslip
