#include "solver_callbacks.hpp"

#include <array>
#include <utility>

#include "problem.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/memory_stream.hpp"
#include "stickslip/registry.hpp"

namespace stickslip::python {
namespace {

constexpr std::array kStatuses{SolveStatus::solved,          SolveStatus::ray,
                               SolveStatus::iteration_limit, SolveStatus::solver_limit,
                               SolveStatus::diverged,        SolveStatus::inaccurate};

SolveStatus statusNamed(const std::string& name) {
  for (const SolveStatus status : kStatuses)
    if (name == toString(status)) return status;
  return SolveStatus::inaccurate;
}

}  // namespace

SolverTraits PythonSolver::traitsOf(const nb::object& description) {
  const auto flag = [&](const char* name) { return nb::cast<bool>(description.attr(name)); };
  using Doubt = SolverTraits::Doubt;
  const auto doubt = nb::cast<std::string>(description.attr("doubt"));
  return {.takes_coulomb = flag("takes_coulomb"),
          .takes_relaxed = flag("takes_relaxed"),
          .takes_circular = flag("takes_circular"),
          .fixed_effort = flag("fixed_effort"),
          .takes_initial_slip = flag("takes_initial_slip"),
          .doubt = doubt == "after_any_failure"  ? Doubt::after_any_failure
                   : doubt == "after_inaccurate" ? Doubt::after_inaccurate
                                                 : Doubt::never};
}

PythonSolver::PythonSolver(const nb::object& description, const Method& method)
    : name_(nb::cast<std::string>(description.attr("name"))),
      traits_(traitsOf(description)),
      tolerance_(method.tolerance),
      budget_(method.budget) {
  hold(description.attr("answer")());
}

// The function's answer, completed in Python to v, p, c, status, iterations.
SolveReport PythonSolver::solve(const ContactProblem& problem, ContactSolution& solution) {
  const WithLock lock;
  const nb::object function = held(0);
  nb::object answer;
  {
    const LentProblem lent(problem);
    answer = call(function, {lent.object(), nb::float_(tolerance_), nb::int_(budget_)});
  }
  const auto take = [&](std::size_t i, std::vector<double>& to, std::size_t size,
                        const char* what) {
    to.resize(size);
    takeNumbers(nb::object(answer[i]), {size}, to, {name_, what}, true);
  };
  take(0, solution.v, problem.v_free.size(), "v");
  take(1, solution.p, problem.b.size(), "p");
  take(2, solution.c, problem.g.size(), "c");
  return {.status = statusNamed(nb::cast<std::string>(answer[3])),
          .iterations = nb::cast<std::int64_t>(answer[4])};
}

void PythonSolver::saveMemory(MemoryWriter& to) const {
  const WithLock lock;
  to(savedBy(held(0), name_));
}

void PythonSolver::restoreMemory(MemoryReader& from) {
  std::string saved;
  from(saved);
  const WithLock lock;
  restoreTo(held(0), saved);
}

}  // namespace stickslip::python
