// The solution of a contact problem inside the problem's own HDF5 file, in the group /solution as
// FCLIB has it.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "stickslip/local_problem.hpp"

namespace stickslip {

/// Impulses and velocities as FCLIB's files have them.
struct StoredSolution {
  std::vector<double> r;  ///< impulses of the contacts
  std::vector<double> u;  ///< velocities of the contacts
  std::vector<double> v;  ///< velocities; empty in a local problem
  std::vector<double> l;  ///< impulses of the joints; empty if there are none
};

/// The solution of a problem, with the velocities of its contacts.
StoredSolution storedSolution(const LocalProblem& problem, std::span<const double> r);
StoredSolution storedSolution(const ContactProblem& problem, const ContactSolution& solution);

/// Copies `problem` to `file`, which may be the same one, with `solution` in place of a solution
/// that was there. Throws InputError if that is not possible; nothing is changed then.
void writeStoredSolution(const std::filesystem::path& problem, const std::filesystem::path& file,
                         const StoredSolution& solution);

/// Throws InputError if there is none.
StoredSolution readStoredSolution(const std::filesystem::path& file);

}  // namespace stickslip
