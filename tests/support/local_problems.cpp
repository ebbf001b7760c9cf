#include "support/local_problems.hpp"

#include <cassert>

#include "contact/reduced_problem.hpp"

namespace stickslip::testing {

LocalProblem localForm(const ContactProblem& problem) {
  assert(problem.G.rowCount() == 0);
  ReducedProblem reduced;
  reduced.reduce(problem);
  LocalProblem local;
  local.law = problem.law;
  local.sets = problem.sets;
  local.q.assign(reduced.q().begin(), reduced.q().end());
  const int rows = problem.J.rowCount();
  local.W.rows = local.W.columns = rows;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < rows; ++j) {
      if (reduced.W()(i, j) == 0) continue;
      local.W.column.push_back(j);
      local.W.value.push_back(reduced.W()(i, j));
    }
    local.W.start.push_back(local.W.column.size());
  }
  return local;
}

}  // namespace stickslip::testing
