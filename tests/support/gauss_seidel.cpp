#include "support/gauss_seidel.hpp"

#include <algorithm>
#include <cmath>

namespace stickslip::testing {

void GaussSeidel::solve(const ContactProblem& problem, int sweeps, ContactSolution& solution) {
  start(problem, solution);
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (int i = 0; i < problem.contactCount(); ++i) relax(problem, i, solution);
  last_.clear();
  for (int i = 0; i < problem.contactCount(); ++i) {
    const auto first = solution.p.begin() + problem.J.firstRow(i);
    Impulse& impulse = last_[problem.contact_id[i]];
    std::copy(first, first + problem.J.rowsOf(i), impulse.begin());
  }
}

void GaussSeidel::start(const ContactProblem& problem, ContactSolution& solution) {
  inverse_mass_.clear();
  for (int b = 0; b < problem.M.blockCount(); ++b)
    for (int k = 0; k < problem.M.block(b).rows; ++k)
      inverse_mass_.push_back(1 / problem.M.block(b)(k, k));
  solution.v = problem.v_free;
  solution.p.assign(problem.J.rowCount(), 0.0);
  solution.c.clear();
  mobility_.assign(problem.sets.size(), 0.0);
  for (int i = 0; i < problem.contactCount(); ++i) {
    const std::size_t contact = i;
    for (int k = 0; k < problem.J.rowsOf(i); ++k) {
      double mobility = 0;
      for (const BlockRows::Strip& strip : problem.J.stripsOf(i))
        for (int j = 0; j < strip.columns; ++j)
          mobility +=
              std::pow(problem.J.values(i, strip)(k, j), 2) * inverse_mass_[strip.first_column + j];
      mobility_[contact] = std::max(mobility_[contact], mobility);
    }
    const auto found = last_.find(problem.contact_id[contact]);
    if (found != last_.end()) change(problem, i, found->second, solution);
  }
}

// p_n >= 0 first, then p_t in the disk that p_n allows.
void GaussSeidel::relax(const ContactProblem& problem, int contact,
                        ContactSolution& solution) const {
  const int first = problem.J.firstRow(contact), rows = problem.J.rowsOf(contact);
  const std::size_t i = contact;
  Impulse p{};
  for (int k = 0; k < rows; ++k) {
    const std::size_t row = first + k;
    double u = problem.b[row];
    for (const BlockRows::Strip& strip : problem.J.stripsOf(contact))
      for (int j = 0; j < strip.columns; ++j)
        u += problem.J.values(contact, strip)(k, j) * solution.v[strip.first_column + j];
    p[k] = solution.p[row] - u / mobility_[i];
  }
  p[0] = std::max(p[0], 0.0);
  const double friction = std::hypot(p[1], p[2]), most = problem.sets[i].mu * p[0];
  if (friction > most)
    for (const std::size_t k : {1, 2}) p[k] *= most / friction;
  change(problem, contact, p, solution);
}

void GaussSeidel::change(const ContactProblem& problem, int contact, const Impulse& to,
                         ContactSolution& solution) const {
  for (int k = 0; k < problem.J.rowsOf(contact); ++k) {
    double& p = solution.p[problem.J.firstRow(contact) + k];
    const double more = to[k] - p;
    p = to[k];
    for (const BlockRows::Strip& strip : problem.J.stripsOf(contact))
      for (int j = 0; j < strip.columns; ++j) {
        const std::size_t column = strip.first_column + j;
        solution.v[column] += inverse_mass_[column] * problem.J.values(contact, strip)(k, j) * more;
      }
  }
}

}  // namespace stickslip::testing
