#include "stickslip/problem_forms.hpp"

#include <cassert>
#include <cmath>
#include <string>

#include "math/blocks/block_products.hpp"
#include "math/dense/cholesky.hpp"
#include "problem/reduced_problem.hpp"
#include "stickslip/input_error.hpp"

namespace stickslip {
namespace {

// x += J' p.
void addTransposed(const BlockRows& J, std::span<const double> p, std::span<double> x) {
  for (int g = 0; g < J.groupCount(); ++g)
    for (const BlockRows::Strip& strip : J.stripsOf(g)) {
      const StripValues entries = J.values(g, strip);
      for (int i = 0; i < J.rowsOf(g); ++i)
        addScaled(p[J.firstRow(g) + i], entries.row(i),
                  x.subspan(strip.first_column, strip.columns));
    }
}

}  // namespace

std::vector<double> massTimes(const BlockDiagonal& M, std::span<const double> v) {
  std::vector<double> f(v.size());
  multiply(M, v, f);
  return f;
}

std::vector<double> solveMass(const BlockDiagonal& M, std::span<const double> f) {
  BlockDiagonal factor = M;
  factorizeCholesky(factor);
  for (int b = 0; b < factor.blockCount(); ++b)
    for (int i = 0; i < factor.block(b).rows; ++i)
      if (!std::isfinite(factor.block(b)(i, i)) || !(factor.block(b)(i, i) > 0))
        throw InputError("M: is not positive definite at row " +
                         std::to_string(factor.firstRow(b) + i));
  std::vector<double> v(f.begin(), f.end());
  solveLower(factor, v);
  solveLowerTransposed(factor, v);
  return v;
}

ContactSolution solutionWith(const ContactProblem& problem, std::span<const double> p) {
  assert(p.size() == problem.b.size());
  ContactSolution solution;
  if (problem.G.rowCount() > 0) {
    ReducedProblem reduced;
    reduced.reduce(problem);
    reduced.recover(p, solution);
    return solution;
  }
  std::vector<double> impulse(problem.v_free.size());
  addTransposed(problem.J, p, impulse);
  solution.p.assign(p.begin(), p.end());
  solution.v = solveMass(problem.M, impulse);
  addScaled(1, problem.v_free, solution.v);
  return solution;
}

std::vector<double> contactVelocities(const ContactProblem& problem, std::span<const double> v) {
  std::vector<double> u(problem.b.size());
  multiply(problem.J, v, u);
  addScaled(1, problem.b, u);
  return u;
}

std::vector<double> contactVelocities(const LocalProblem& problem, std::span<const double> p) {
  std::vector<double> u = problem.q;
  const SparseRows& W = problem.W;
  for (std::size_t i = 0; i < u.size(); ++i)
    for (std::size_t k = W.start[i]; k < W.start[i + 1]; ++k) u[i] += W.value[k] * p[W.column[k]];
  return u;
}

LocalProblem localForm(const ContactProblem& problem) {
  ReducedProblem reduced;
  reduced.reduce(problem);
  const ConstMatrixView W = reduced.W();
  LocalProblem out{{W.rows, W.columns, {0}, {}, {}},
                   {reduced.q().begin(), reduced.q().end()},
                   problem.sets,
                   problem.law};
  for (int i = 0; i < W.rows; ++i) {
    for (int j = 0; j < W.columns; ++j) {
      if (W(i, j) == 0) continue;
      out.W.column.push_back(j);
      out.W.value.push_back(W(i, j));
    }
    out.W.start.push_back(out.W.column.size());
  }
  return out;
}

}  // namespace stickslip
