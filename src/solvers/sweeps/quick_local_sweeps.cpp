#include "solvers/sweeps/quick_local_sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace stickslip {

bool QuickLocalSweeps::covers(const LocalProblem& problem) {
  using Kind = ImpulseSet::Kind;
  return problem.law == Law::coulomb &&
         std::all_of(problem.sets.begin(), problem.sets.end(), [](const ImpulseSet& set) {
           if (set.kind == Kind::frictionless) return true;
           if (set.load_independent || set.dimension() > set.linearRows()) return false;
           if (set.kind == Kind::planar) return set.mu > 0;
           return set.kind == Kind::elliptic && set.mu > 0 && set.mu_2 > 0;
         });
}

// Returns the largest velocity of q.
double QuickLocalSweeps::Rows::prepare(const LocalProblem& problem, IslandSweeps& sweeps) {
  problem_ = &problem;
  cones_.resize(problem.sets.size());
  mobility_.assign(problem.sets.size(), 0.0);
  factor_.clear();
  sweeps.clear();
  double velocity = 0;
  int first = 0;
  for (std::size_t i = 0; i < cones_.size(); ++i) {
    const ImpulseSet& set = problem.sets[i];
    const int rows = set.dimension();
    const std::array<double, 3> factor{1, set.mu, set.mu_2};
    cones_[i].first = first;
    cones_[i].rows = rows;
    std::array<double, 9> block{};
    double square = 0;
    for (int k = 0; k < rows; ++k) {
      for (int j = 0; j < rows; ++j)
        block[k * rows + j] = factor[k] * factor[j] * problem.W.entry(first + k, first + j);
      mobility_[i] = std::max(mobility_[i], problem.W.entry(first + k, first + k));
      square += problem.q[first + k] * problem.q[first + k];
      factor_.push_back(factor[k]);
    }
    sweeps.add(cones_[i], {block.data(), rows, rows});
    velocity = std::max(velocity, std::sqrt(square));
    first += rows;
  }
  return velocity;
}

void QuickLocalSweeps::Rows::start(std::span<double> p) {
  p_ = p;
  scaled_p_.assign(p.size(), 0.0);
}

double QuickLocalSweeps::Rows::sweep(const IslandSweeps& sweeps) {
  most_ = 0;
  sweeps.sweep(*this, {cones_, {}, Law::coulomb}, scaled_p_);
  return most_;
}

void QuickLocalSweeps::Rows::sweepVelocity(int contact, std::span<double> out) const {
  const SparseRows& W = problem_->W;
  std::size_t row = cones_[contact].first;
  for (double& u : out) {
    double sum = problem_->q[row];
    for (std::size_t k = W.start[row]; k < W.start[row + 1]; ++k)
      sum += W.value[k] * p_[W.column[k]];
    u = factor_[row++] * sum;
  }
}

void QuickLocalSweeps::Rows::sweepChange(int contact, std::span<const double> change) {
  std::size_t row = cones_[contact].first;
  for (const double step : change) {
    most_ = std::max(most_, mobility_[contact] * factor_[row] * std::abs(step));
    p_[row] = factor_[row] * scaled_p_[row];
    ++row;
  }
}

bool QuickLocalSweeps::run(const LocalProblem& problem, double tolerance, std::int64_t most,
                           std::vector<double>& p, std::int64_t& count) {
  const double velocity = rows_.prepare(problem, sweeps_);
  p.assign(problem.q.size(), 0.0);
  rows_.start(p);
  double last = 0;
  for (std::int64_t k = 0; k < most; ++k) {
    ++count;
    const double change = rows_.sweep(sweeps_);
    if (change <= tolerance * velocity) return true;
    if (k > 0 && !(change <= settings_.quick * last)) return false;
    last = change;
  }
  return false;
}

}  // namespace stickslip
