// Contact problems in the format of FCLIB, the frictional contact library (HDF5).
//
//   /fclib_local    u = W r + q                                  -> LocalProblem
//   /fclib_global   M v = H r + G l + f,  u = H' v + w,
//                   G' v + b = 0                                 -> ContactProblem
//
// with Coulomb's law between r and u, the normal component first, and one coefficient mu a contact.
// docs/problem-format.md lists the datasets; for solutions see stored_solution.hpp.
#pragma once

#include <filesystem>

#include "stickslip/contact_problem.hpp"
#include "stickslip/local_problem.hpp"
#include "stickslip/problem_forms.hpp"

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

}  // namespace stickslip
