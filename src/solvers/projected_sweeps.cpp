#include "solvers/projected_sweeps.hpp"

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
  bounds_.resize(problem.items.size());
  for (std::size_t i = 0; i < bounds_.size(); ++i) {
    const int rows = problem.items[i].rows;
    problem.W.diagonalBlock(static_cast<int>(i), {block.data(), rows, rows});
    bounds_[i] = 0;
    for (int k = 0; k < rows; ++k) {
      double sum = 0;
      for (int j = 0; j < rows; ++j) sum += std::abs(block[static_cast<std::size_t>(k * rows + j)]);
      bounds_[i] = std::max(bounds_[i], sum);
    }
  }
}

void ProjectedSweeps::sweep(const ConvexProblem& problem, std::span<double> pi) const {
  std::array<double, kMostRows> omega{}, change{};
  for (std::size_t i = 0; i < problem.items.size(); ++i) {
    if (!(bounds_[i] > 0)) continue;
    const ContactItem& item = problem.items[i];
    const auto first = static_cast<std::size_t>(item.first);
    const auto rows = static_cast<std::size_t>(item.rows);
    const std::span<double> part = pi.subspan(first, rows);
    problem.W.sweepVelocity(static_cast<int>(i), std::span(omega).first(rows));
    for (std::size_t k = 0; k < rows; ++k) {
      change[k] = -part[k];
      part[k] -= (omega[k] + problem.q[first + k]) / bounds_[i];
    }
    projectOnItem(item, part);
    for (std::size_t k = 0; k < rows; ++k) change[k] += part[k];
    problem.W.sweepChange(static_cast<int>(i), std::span(change).first(rows));
  }
}

void ProjectedSweeps::run(const ConvexProblem& problem, int most, ConvexPoint& best) {
  measureItems(problem);
  point_ = best;
  problem.W.startSweeps(point_.pi);
  for (int k = 0; k < most; k += kAtOnce) {
    const double before = best.residual;
    for (int pass = 0; pass < kAtOnce; ++pass) sweep(problem, point_.pi);
    point_.evaluate(problem);
    if (point_.residual < best.residual) best = point_;
    if (!(best.residual <= before / kWorthwhile)) return;
  }
}

void ProjectedSweeps::runAll(const ConvexProblem& problem, int sweeps, ConvexPoint& best) {
  measureItems(problem);
  point_ = best;
  problem.W.startSweeps(point_.pi);
  for (int k = 0; k < sweeps; ++k) sweep(problem, point_.pi);
  point_.evaluate(problem);
  best = point_;
}

}  // namespace stickslip
