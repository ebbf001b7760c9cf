#include "solvers/sweeps/accelerated/accelerated_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "base/index.hpp"

namespace stickslip {

double largestVelocity(const LocalProblem& problem) {
  double most = 0;
  int first = 0;
  for (const ImpulseSet& set : problem.sets) {
    const auto lengths =
        rowLengths(set, [&](int k) { return problem.W.entry(first + k, first + k); });
    double square = 0;
    for (int k = 0; k < set.dimension(); ++k) {
      const double u = lengths[k] * problem.q[first + k];
      square += u * u;
    }
    most = std::max(most, std::sqrt(square));
    first += set.dimension();
  }
  return most;
}

void AcceleratedMatrix::build(const LocalProblem& problem, std::span<const int> contacts,
                              double velocity_scale) {
  coulomb_ = problem.law == Law::coulomb;
  velocity_scale_ = velocity_scale;
  first_rows_.clear();
  int next = 0;
  for (const ImpulseSet& set : problem.sets) {
    first_rows_.push_back(next);
    next += set.dimension();
  }
  row_of_.assign(next, -1);
  sources_.clear();
  cones_.clear();
  for (const int contact : contacts) addContact(problem, contact);
  addRows(problem);
}

void AcceleratedMatrix::addContact(const LocalProblem& problem, int contact) {
  const ImpulseSet& set = problem.sets[contact];
  const int first = first_rows_[contact], rows = set.dimension();
  std::array<double, kMostRows * kMostRows> W{};
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < rows; ++j)
      W[rows * i + j] =
          (problem.W.entry(first + i, first + j) + problem.W.entry(first + j, first + i)) / 2;
  const ConstMatrixView view{W.data(), rows, rows};
  const auto lengths = rowLengths(set, [&](int k) { return view(k, k); });
  const SetLayout layout = layoutOf(set);
  for (const ConeLayout& part : layout.cones()) {
    std::array<int, kMostRows> source{};
    std::array<double, kMostRows> q{};
    for (std::size_t k = 0; k < part.rows().size(); ++k) {
      source[k] = first + part.kept[k];
      q[k] = problem.q[source[k]];
      row_of_[source[k]] = cones_.rowCount() + static_cast<int>(k);
      sources_.push_back(source[k]);
    }
    cones_.add(scaleLaw(set, part, view, lengths), std::span(source).first(part.rows().size()), q);
  }
}

void AcceleratedMatrix::addRows(const LocalProblem& problem) {
  start_.assign(1, 0);
  column_.clear();
  value_.clear();
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const std::size_t source = sources_[i];
    for (std::size_t k = problem.W.start[source]; k < problem.W.start[source + 1]; ++k) {
      const int column = row_of_[problem.W.column[k]];
      if (column < 0) continue;
      column_.push_back(column);
      value_.push_back(problem.W.value[k] /
                       (cones_.scale(static_cast<int>(i)) * cones_.scale(column)));
    }
    start_.push_back(column_.size());
  }
}

void AcceleratedMatrix::startAtZero() {
  for (int k = 0; k < cones_.count(); ++k) std::fill(cones_.p(k).begin(), cones_.p(k).end(), 0.0);
  cones_.forgetLast();
}

void AcceleratedMatrix::takeBack() {
  cones_.takeBack();
  cones_.forgetLast();
}

void AcceleratedMatrix::sweepVelocity(int cone, std::span<double> u) const {
  const std::span<const double> q = cones_.q(cone), p = cones_.p();
  for (std::size_t i = 0; i < u.size(); ++i) {
    const std::size_t row = at(cones_.firstRow(cone)) + i;
    u[i] = q[i];
    for (std::size_t k = start_[row]; k < start_[row + 1]; ++k) u[i] += value_[k] * p[column_[k]];
  }
}

double AcceleratedMatrix::sweep(double momentum) {
  cones_.extrapolate(momentum);
  return cones_.sweep(*this, 0, cones_.count(), coulomb_);
}

double AcceleratedMatrix::residual() {
  const double worst =
      cones_.violation(*this, 0, cones_.count(), AcceleratedCones::Which::contacts, coulomb_);
  return worst > 0 ? worst / velocity_scale_ : 0;
}

double AcceleratedMatrix::energy() {
  std::array<double, kMostRows> u{};
  double sum = 0;
  for (int cone = 0; cone < cones_.count(); ++cone) {
    const std::span<const double> p = cones_.p(cone), q = cones_.q(cone);
    sweepVelocity(cone, std::span(u).first(p.size()));
    for (std::size_t k = 0; k < p.size(); ++k) sum += p[k] * (u[k] + q[k]) / 2;
  }
  return sum;
}

}  // namespace stickslip
