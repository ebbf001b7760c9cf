// A contact problem from a file, solved and certified.
#pragma once

#include <cstdint>
#include <string>

#include "stickslip/certificate.hpp"
#include "stickslip/io/problem_dump.hpp"
#include "stickslip/io/stored_solution.hpp"
#include "stickslip/method.hpp"
#include "stickslip/solver.hpp"

namespace stickslip::cli {

struct SolvedContacts {
  ProblemKind kind;
  int velocities = 0;  ///< 0 in local problems
  int contacts = 0;
  int size = 0;  ///< rows of contact velocities
  int joint_rows = 0;
  std::string solver;
  std::int64_t budget = 0;                   ///< of the method
  SolveStatus status = SolveStatus::solved;  ///< after the certificate has had its say
  std::int64_t iterations = 0;
  StageSummary stages{};
  StageTrace trace{};  ///< empty unless asked for
  double seconds = 0;  ///< of the solver alone
  Certificate certificate{};
  StoredSolution solution{};
};

/// How a problem is to be solved; what is empty or zero is up to the problem.
struct SolveRequest {
  std::string file;
  std::string solver;
  std::string law;
  double tolerance = 0;
  std::int64_t budget = 0;
  bool trace = false;  ///< what each stage did on each island
};

/// Reads, solves and certifies. Throws InputError.
SolvedContacts solveContactFile(const SolveRequest& request);

}  // namespace stickslip::cli
