#include "solvers/sweeps/island_sweeps.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace stickslip {
namespace {

// Gershgorin's bound of the eigenvalues.
double eigenvalueBound(ConstMatrixView A) {
  double bound = 0;
  for (int i = 0; i < A.rows; ++i) {
    double sum = 0;
    for (const double entry : A.row(i)) sum += std::abs(entry);
    bound = std::max(bound, sum);
  }
  return bound;
}

IslandSweeps::Problem problemOf(const ScaledIsland& island) {
  return {island.cones(), island.q(), island.law()};
}

}  // namespace

void IslandSweeps::reserve(int cones, int rows) {
  solves_.reserve(cones, rows);
}

void IslandSweeps::clear() {
  solves_.clear();
  bounds_.clear();
}

void IslandSweeps::add(const Cone& cone, ConstMatrixView block) {
  if (step_ == Step::exact)
    solves_.add(cone, block);
  else
    bounds_.push_back(eigenvalueBound(block));
}

void IslandSweeps::prepare(const Delassus& W, std::span<const Cone> cones) {
  std::array<double, kMostRows * kMostRows> block{};
  clear();
  for (int i = 0; i < W.coneCount(); ++i) {
    const MatrixView A{block.data(), W.rowsOf(i), W.rowsOf(i)};
    W.diagonalBlock(i, A);
    add(cones[i], A);
  }
}

void IslandSweeps::visit(SweepRows& rows, const Problem& problem, int index,
                         std::span<double> p) const {
  if (step_ == Step::projected && !(bounds_[index] > 0)) return;
  const Cone& cone = problem.cones[index];
  const std::size_t first = cone.first;
  const std::size_t count = cone.rows;
  const std::span<double> part = p.subspan(first, count);
  std::array<double, kMostRows> velocity, change;
  const std::span<double> u = std::span(velocity).first(count);
  rows.sweepVelocity(index, u);
  for (std::size_t k = 0; k < count; ++k) {
    if (!problem.q.empty()) u[k] += problem.q[first + k];
    change[k] = -part[k];
  }
  if (step_ == Step::exact) {
    solveExactly(index, cone, problem.law, u, part);
  } else {
    for (std::size_t k = 0; k < count; ++k) part[k] -= u[k] / bounds_[index];
    project(cone, part);
  }
  for (std::size_t k = 0; k < count; ++k) change[k] += part[k];
  rows.sweepChange(index, std::span(change).first(count));
}

// From u, without what p itself does to it.
void IslandSweeps::solveExactly(int index, const Cone& cone, Law law, std::span<double> u,
                                std::span<double> p) const {
  const double* A = solves_.block(index).data;
  for (double& b : u)
    for (const double impulse : p) b -= *A++ * impulse;
  solves_.solve(index, cone, law, u, p);
}

void IslandSweeps::sweep(SweepRows& rows, const Problem& problem, std::span<double> p) const {
  const int cones = static_cast<int>(problem.cones.size());
  for (int i = 0; i < cones; ++i) visit(rows, problem, i, p);
}

void IslandSweeps::sweepBack(SweepRows& rows, const Problem& problem, std::span<double> p) const {
  for (int i = static_cast<int>(problem.cones.size()); i-- > 0;) visit(rows, problem, i, p);
}

void IslandSweeps::sweep(ScaledIsland& island, int count, std::span<double> p) const {
  island.W().startSweeps(p);
  for (int pass = 0; pass < count; ++pass) sweep(island.W(), problemOf(island), p);
}

void IslandSweeps::sweepThereAndBack(ScaledIsland& island, int count, std::span<double> p) const {
  island.W().startSweeps(p);
  for (int pass = 0; pass < count; ++pass) {
    sweep(island.W(), problemOf(island), p);
    sweepBack(island.W(), problemOf(island), p);
  }
}

void ProjectedSweeps::start(const ConvexProblem& problem, const ConvexIterate& from) {
  sweeps_.prepare(problem.W, problem.cones);
  point_ = from;
  problem.W.startSweeps(point_.p);
}

void ProjectedSweeps::sweep(const ConvexProblem& problem, int count) {
  for (int k = 0; k < count; ++k)
    sweeps_.sweep(problem.W, {problem.cones, problem.q, Law::relaxed}, point_.p);
  point_.evaluate(problem);
}

void ProjectedSweeps::run(const ConvexProblem& problem, int most, ConvexIterate& best) {
  start(problem, best);
  for (int k = 0; k < most; k += settings_.between_looks) {
    const double before = best.residual;
    sweep(problem, settings_.between_looks);
    if (point_.residual < best.residual) best = point_;
    if (!(best.residual <= before / settings_.worthwhile)) return;
  }
}

void ProjectedSweeps::runAll(const ConvexProblem& problem, int sweeps, ConvexIterate& best) {
  start(problem, best);
  sweep(problem, sweeps);
  best = point_;
}

}  // namespace stickslip
