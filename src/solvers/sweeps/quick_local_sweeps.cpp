#include "solvers/sweeps/quick_local_sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/index.hpp"

namespace stickslip {
namespace {

// Each sweep must change this much less than the one before.
constexpr double kQuick = 0.01;

// u of a row, with the impulses as they are.
double velocityOf(const LocalProblem& problem, int row, std::span<const double> p) {
  double sum = problem.q[row];
  for (std::size_t k = problem.W.start[row]; k < problem.W.start[row + 1]; ++k)
    sum += problem.W.value[k] * p[problem.W.column[k]];
  return sum;
}

}  // namespace

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

void QuickLocalSweeps::prepare(const LocalProblem& problem) {
  contacts_.resize(problem.sets.size());
  velocity_ = 0;
  int first = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    Contact& contact = contacts_[i];
    const ImpulseSet& set = problem.sets[i];
    contact.first = first;
    contact.rows = set.dimension();
    contact.factor = {1, set.mu, set.mu_2};
    contact.mobility = 0;
    double square = 0;
    for (int k = 0; k < contact.rows; ++k) {
      for (int j = 0; j < contact.rows; ++j)
        contact.block[k * contact.rows + j] =
            contact.factor[k] * contact.factor[j] * problem.W.entry(first + k, first + j);
      contact.mobility = std::max(contact.mobility, problem.W.entry(first + k, first + k));
      square += problem.q[first + k] * problem.q[first + k];
    }
    contact.law.prepare({contact.block.data(), contact.rows, contact.rows});
    velocity_ = std::max(velocity_, std::sqrt(square));
    first += contact.rows;
  }
}

double QuickLocalSweeps::sweep(const LocalProblem& problem, std::span<double> p) const {
  double most = 0;
  Rows b{}, before{}, after{};
  for (const Contact& contact : contacts_) {
    const std::size_t rows = at(contact.rows);
    for (std::size_t k = 0; k < rows; ++k) {
      before[k] = p[contact.first + k] / contact.factor[k];
      b[k] = contact.factor[k] * velocityOf(problem, contact.first + static_cast<int>(k), p);
    }
    for (std::size_t k = 0; k < rows; ++k)
      for (std::size_t j = 0; j < rows; ++j) b[k] -= contact.block[k * rows + j] * before[j];
    contact.law.solve(std::span<const double>(b).first(rows), std::span(after).first(rows));
    for (std::size_t k = 0; k < rows; ++k) {
      most = std::max(most, contact.mobility * contact.factor[k] * std::abs(after[k] - before[k]));
      p[contact.first + k] = contact.factor[k] * after[k];
    }
  }
  return most;
}

bool QuickLocalSweeps::run(const LocalProblem& problem, double tolerance, std::int64_t most,
                           std::vector<double>& p, std::int64_t& count) {
  prepare(problem);
  p.assign(problem.q.size(), 0.0);
  double last = 0;
  for (std::int64_t k = 0; k < most; ++k) {
    ++count;
    const double change = sweep(problem, p);
    if (change <= tolerance * velocity_) return true;
    if (k > 0 && !(change <= kQuick * last)) return false;
    last = change;
  }
  return false;
}

}  // namespace stickslip
