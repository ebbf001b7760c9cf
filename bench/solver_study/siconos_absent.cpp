#include "solver_study/siconos_lcp.hpp"
#include "solver_study/study_solvers.hpp"

namespace stickslip::study {

std::vector<StudySolver> siconosSolvers() {
  return {};
}

bool siconosIsThere() {
  return false;
}

bool solveWithSiconos(const Lcp&, std::span<double>) {
  return false;
}

}  // namespace stickslip::study
