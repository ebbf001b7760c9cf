// The part of the certificate that adds up: momentum, joints, kinetic energy, work.
#include <algorithm>

#include "solvers/certificate_workspace.hpp"

namespace stickslip {

using namespace certificate;

namespace {

// Adds factor * row to `sum`, and the magnitudes to `size`.
void addRow(const BlockRows& rows, int group, int row, double factor, std::span<double> sum,
            std::span<double> size) {
  for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
    const ConstMatrixView values = rows.values(group, strip);
    for (int k = 0; k < strip.columns; ++k) {
      const double term = factor * values(row, k);
      sum[static_cast<std::size_t>(strip.first_column + k)] += term;
      size[static_cast<std::size_t>(strip.first_column + k)] += std::abs(term);
    }
  }
}

}  // namespace

// v.M v / 2 for the three velocities of a step, in one go over M.
void Certifier::Workspace::measureKineticEnergy(const ContactProblem& problem,
                                                std::span<const double> v_end,
                                                Certificate& out) const {
  for (int b = 0; b < problem.M.blockCount(); ++b) {
    const ConstMatrixView block = problem.M.block(b);
    const double* start = problem.v_old.data() + problem.M.firstRow(b);
    const double* free = problem.v_free.data() + problem.M.firstRow(b);
    const double* end = v_end.data() + problem.M.firstRow(b);
    for (int i = 0; i < block.rows; ++i) {
      double start_momentum = 0, free_momentum = 0, end_momentum = 0;
      for (int j = 0; j < block.columns; ++j) {
        const double mass = block(i, j);
        start_momentum += mass * start[j];
        free_momentum += mass * free[j];
        end_momentum += mass * end[j];
      }
      out.kinetic_energy_start += start[i] * start_momentum / 2;
      out.kinetic_energy_free += free[i] * free_momentum / 2;
      out.kinetic_energy_end += end[i] * end_momentum / 2;
    }
  }
}

void Certifier::Workspace::measureSpeed(const ContactProblem& problem, const ContactSolution& s) {
  double most = 0;
  for (int b = 0; b < problem.M.blockCount(); ++b) {
    const ConstMatrixView M = problem.M.block(b);
    const auto first = static_cast<std::size_t>(problem.M.firstRow(b));
    double now = 0, free = 0;
    for (int i = 0; i < M.rows; ++i)
      for (int j = 0; j < M.columns; ++j) {
        const auto row = first + static_cast<std::size_t>(i);
        const auto column = first + static_cast<std::size_t>(j);
        now += s.v[row] * M(i, j) * s.v[column];
        free += problem.v_free[row] * M(i, j) * problem.v_free[column];
      }
    most = std::max({most, now, free});
  }
  speed = std::sqrt(most);
}

void Certifier::Workspace::measurePush(const ContactProblem& problem, const ContactSolution& s) {
  push.assign(s.v.size(), 0.0);
  if (problem.G.rowCount() > 0) joints.start(problem.M);
  for (int group = 0; group < problem.G.groupCount(); ++group) joints.addGroup(problem.G, group);
  for (int row = 0; row < problem.G.rowCount(); ++row) {
    const std::span<const double> values = joints.values(row);
    for (std::size_t k = 0; k < values.size(); ++k)
      push[static_cast<std::size_t>(joints.columns(row)[k])] +=
          values[k] * s.c[static_cast<std::size_t>(row)];
  }
}

void Certifier::Workspace::checkJoints(const ContactProblem& problem, const ContactSolution& s,
                                       Certificate& out) {
  for (int group = 0; group < problem.G.groupCount(); ++group) {
    for (int i = 0; i < problem.G.rowsOf(group); ++i) {
      const auto row = static_cast<std::size_t>(problem.G.firstRow(group) + i);
      const Product now = rowTimes(problem.G, group, i, s.v);
      const Product before = rowTimes(problem.G, group, i, problem.v_old);
      const Product free = rowTimes(problem.G, group, i, problem.v_free);
      const double give = problem.compliance[row] * s.c[row];
      const double error = std::abs(now.value + problem.g[row] + give);
      const double terms =
          std::max(now.size, free.size) + std::abs(problem.g[row]) + std::abs(give);
      const double most = speed * std::sqrt(squareNorm(joints.values(static_cast<int>(row))));
      const double size = std::max(terms, kNoise * most);
      if (error > kUnderflow) out.joint_residual = std::max(out.joint_residual, error / size);
      // A spring keeps what it takes: no work of constraints.
      if (problem.compliance[row] > 0) continue;
      out.contact_work += s.c[row] * ((now.value + before.value) / 2 + problem.joint_drive[row]);
    }
  }
  out.joint_drift = largestMagnitude(problem.joint_gap);
}

void Certifier::Workspace::checkMomentum(const ContactProblem& problem, const ContactSolution& s,
                                         Certificate& out) {
  balance.assign(s.v.size(), 0.0);
  balance_size.assign(s.v.size(), 0.0);
  for (int b = 0; b < problem.M.blockCount(); ++b) {
    const ConstMatrixView M = problem.M.block(b);
    const auto first = static_cast<std::size_t>(problem.M.firstRow(b));
    for (int i = 0; i < M.rows; ++i)
      for (int j = 0; j < M.columns; ++j) {
        const auto row = first + static_cast<std::size_t>(i);
        const auto column = first + static_cast<std::size_t>(j);
        balance[row] += M(i, j) * (s.v[column] - problem.v_free[column]);
        balance_size[row] +=
            std::abs(M(i, j)) * (std::abs(s.v[column]) + std::abs(problem.v_free[column]));
      }
  }
  const auto subtract = [&](const BlockRows& rows, std::span<const double> impulses) {
    for (int group = 0; group < rows.groupCount(); ++group)
      for (int k = 0; k < rows.rowsOf(group); ++k)
        addRow(rows, group, k, -impulses[static_cast<std::size_t>(rows.firstRow(group) + k)],
               balance, balance_size);
  };
  subtract(problem.J, s.p);
  subtract(problem.G, s.c);
  for (int b = 0; b < problem.M.blockCount(); ++b) {
    const ConstMatrixView M = problem.M.block(b);
    for (int i = 0; i < M.rows; ++i) {
      const auto k = static_cast<std::size_t>(problem.M.firstRow(b) + i);
      if (std::abs(balance[k]) <= kUnderflow) continue;
      const double size = std::max(balance_size[k], kNoise * std::sqrt(M(i, i)) * speed);
      const double error = std::abs(balance[k]) / size;
      if (!(error <= out.momentum_residual)) out.momentum_residual = error;
    }
  }
}

}  // namespace stickslip
