// Contact problems in the format of FCLIB, the frictional contact library (HDF5).
//
//   /fclib_local    u = W r + q                                  -> LocalProblem
//   /fclib_global   M v = H r + G l + f,  u = H' v + w,
//                   G' v + b = 0                                 -> ContactProblem
//
// with Coulomb's law between r and u, the normal component first, and one coefficient mu a contact.
// docs/problem-format.md lists the datasets.
#pragma once

#include <filesystem>
#include <vector>

#include "stickslip/contact_problem.hpp"
#include "stickslip/local_problem.hpp"

namespace stickslip {

/// Read a problem. Throw InputError with one line that names file, dataset and remedy.
LocalProblem readFclibLocal(const std::filesystem::path& file);
ContactProblem readFclibGlobal(const std::filesystem::path& file);

/// Write a problem to a new file; one that is there is replaced. Throw InputError if the format
/// cannot hold the problem, which is the case for cones that are not circular, bounded rows,
/// compliant joints and the relaxed law, or if the file cannot be written. In a problem with
/// friction, contacts without it get tangents of zeros.
void writeFclibLocal(const std::filesystem::path& file, const LocalProblem& problem);
void writeFclibGlobal(const std::filesystem::path& file, const ContactProblem& problem);

/// What the group /solution of a problem's file holds.
struct FclibSolution {
  std::vector<double> r;  ///< impulses of the contacts
  std::vector<double> u;  ///< velocities of the contacts
  std::vector<double> v;  ///< velocities; empty in a local problem
  std::vector<double> l;  ///< impulses of the joints; empty if there are none
};

/// Copies `problem` to `file`, which may be the same one, with `solution` in place of a solution
/// that was there. Throws InputError if that is not possible; nothing is changed then.
void writeFclibSolution(const std::filesystem::path& problem, const std::filesystem::path& file,
                        const FclibSolution& solution);
/// Throws InputError if there is none.
FclibSolution readFclibSolution(const std::filesystem::path& file);

}  // namespace stickslip
