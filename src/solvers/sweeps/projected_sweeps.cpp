#include "solvers/sweeps/projected_sweeps.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace stickslip {
namespace {

// Sweeps between two looks at the residual, and the factor by which they have to lower it.
constexpr int kAtOnce = 5;
constexpr double kWorthwhile = 1.2;

}  // namespace

// Gershgorin's bound of the eigenvalues.
void ProjectedSweeps::measureItems(const ConvexProblem& problem) {
  std::array<double, kMostRows * kMostRows> block{};
  bounds_.resize(problem.cones.size());
  for (std::size_t i = 0; i < bounds_.size(); ++i) {
    const int rows = problem.cones[i].rows;
    problem.W.diagonalBlock(static_cast<int>(i), {block.data(), rows, rows});
    bounds_[i] = 0;
    for (int k = 0; k < rows; ++k) {
      double sum = 0;
      for (int j = 0; j < rows; ++j) sum += std::abs(block[k * rows + j]);
      bounds_[i] = std::max(bounds_[i], sum);
    }
  }
}

void ProjectedSweeps::sweep(const ConvexProblem& problem, std::span<double> p) const {
  std::array<double, kMostRows> u{}, change{};
  for (std::size_t i = 0; i < problem.cones.size(); ++i) {
    if (!(bounds_[i] > 0)) continue;
    const Cone& cone = problem.cones[i];
    const auto first = static_cast<std::size_t>(cone.first);
    const auto rows = static_cast<std::size_t>(cone.rows);
    const std::span<double> part = p.subspan(first, rows);
    problem.W.sweepVelocity(static_cast<int>(i), std::span(u).first(rows));
    for (std::size_t k = 0; k < rows; ++k) {
      change[k] = -part[k];
      part[k] -= (u[k] + problem.q[first + k]) / bounds_[i];
    }
    project(cone, part);
    for (std::size_t k = 0; k < rows; ++k) change[k] += part[k];
    problem.W.sweepChange(static_cast<int>(i), std::span(change).first(rows));
  }
}

void ProjectedSweeps::run(const ConvexProblem& problem, int most, ConvexIterate& best) {
  measureItems(problem);
  point_ = best;
  problem.W.startSweeps(point_.p);
  for (int k = 0; k < most; k += kAtOnce) {
    const double before = best.residual;
    for (int pass = 0; pass < kAtOnce; ++pass) sweep(problem, point_.p);
    point_.evaluate(problem);
    if (point_.residual < best.residual) best = point_;
    if (!(best.residual <= before / kWorthwhile)) return;
  }
}

void ProjectedSweeps::runAll(const ConvexProblem& problem, int sweeps, ConvexIterate& best) {
  measureItems(problem);
  point_ = best;
  problem.W.startSweeps(point_.p);
  for (int k = 0; k < sweeps; ++k) sweep(problem, point_.p);
  point_.evaluate(problem);
  best = point_;
}

}  // namespace stickslip
