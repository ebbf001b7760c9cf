#include "solver_study/siconos_lcp.hpp"

#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>

#include <vector>

namespace stickslip::study {

bool siconosIsThere() {
  return true;
}

// Its matrices go column by column. They are copied for every solve, since its solvers may write to
// them; next to a solve that costs little.
bool solveWithSiconos(const Lcp& lcp, std::span<double> z) {
  const int n = lcp.size();
  std::vector<double> N(z.size() * z.size()), q(lcp.q.begin(), lcp.q.end()), w(z.size());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) N[j * n + i] = lcp.N(i, j);
  NumericsMatrix* matrix = NM_create_from_data(NM_DENSE, n, n, N.data());
  LinearComplementarityProblem problem{n, matrix, q.data()};
  SolverOptions* options = solver_options_create(SICONOS_LCP_LEMKE);
  options->iparam[SICONOS_IPARAM_MAX_ITER] = 100 + 50 * n;
  const int failed = linearComplementarity_driver(&problem, z.data(), w.data(), options);
  solver_options_delete(options);
  matrix->matrix0 = nullptr;
  NM_free(matrix);
  return failed == 0;
}

}  // namespace stickslip::study
