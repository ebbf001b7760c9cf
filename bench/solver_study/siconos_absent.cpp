#include "solver_study/study_solvers.hpp"

namespace stickslip::study {

std::vector<StudySolver> siconosSolvers() {
  return {};
}

}  // namespace stickslip::study
