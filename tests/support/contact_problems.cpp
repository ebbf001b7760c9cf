#include "support/contact_problems.hpp"

#include <algorithm>
#include <cmath>

namespace stickslip::testing {
namespace {

void fillMass(Random& random, int n, BlockDiagonal& M) {
  const int sizes[] = {n};
  M.resize(sizes);
  const auto B = random.vector(static_cast<std::size_t>(n * n));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = i == j ? 0.2 : 0.0;
      for (int k = 0; k < n; ++k) sum += B[i * n + k] * B[j * n + k];
      M.block(0)(i, j) = sum;
    }
}

void addRandomRows(Random& random, int rows, int columns, BlockRows& to) {
  to.addGroup(rows);
  const MatrixView strip = to.addStrip(0, columns);
  for (int i = 0; i < rows; ++i)
    for (double& x : strip.row(i)) x = random.uniform();
}

double product(const std::vector<double>& row, const std::vector<double>& v) {
  double sum = 0;
  for (std::size_t k = 0; k < v.size(); ++k) sum += row[k] * v[k];
  return sum;
}

}  // namespace

ContactProblem closingWalls(double mass, double velocity) {
  ContactProblem problem;
  const int sizes[] = {1};
  problem.M.resize(sizes);
  problem.M.block(0)(0, 0) = mass;
  problem.v_free = problem.v_old = {velocity};
  for (const double normal : {1.0, -1.0}) {
    problem.J.addGroup(1);
    problem.J.addStrip(0, 1)(0, 0) = normal;
    problem.b.push_back(-1);
    problem.drive.push_back(-1);
    problem.sets.push_back({});
    problem.contact_id.push_back(0);
    problem.gap.push_back(0);
  }
  return problem;
}

std::vector<double> denseRow(const BlockRows& rows, int row, int columns) {
  std::vector<double> dense(static_cast<std::size_t>(columns), 0.0);
  for (int group = 0; group < rows.groupCount(); ++group) {
    const int i = row - rows.firstRow(group);
    if (i < 0 || i >= rows.rowsOf(group)) continue;
    for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
      const StripValues entries = rows.values(group, strip);
      const auto values = entries.row(i);
      std::copy(values.begin(), values.end(), dense.begin() + strip.first_column);
    }
  }
  return dense;
}

ContactProblem randomContactProblem(Random& random, const ProblemShape& shape) {
  const int n = shape.velocities;
  ContactProblem problem;
  fillMass(random, n, problem.M);
  problem.v_old = random.vector(static_cast<std::size_t>(n));
  problem.v_free = problem.v_old;
  for (double& v : problem.v_free) v += random.uniform(-0.3, 0.3);

  for (int i = 0; i < shape.contacts; ++i) {
    const bool frictionless = shape.some_frictionless && i % 2 == 1;
    addRandomRows(random, frictionless ? 1 : 2, n, problem.J);
    problem.sets.push_back(frictionless ? ImpulseSet{}
                                        : ImpulseSet{ImpulseSet::Kind::planar,
                                                     random.uniform(0.01, shape.largest_mu)});
    problem.contact_id.push_back(i);
    problem.gap.push_back(0);
  }
  const double e = shape.restitution ? random.uniform(0, 1) : 0;
  for (int row = 0; row < problem.J.rowCount(); ++row) {
    problem.b.push_back(e * product(denseRow(problem.J, row, n), problem.v_old));
    problem.drive.push_back(0);
  }
  for (int j = 0; j < shape.joints; ++j) addRandomRows(random, 1, n, problem.G);
  for (int j = 0; j < shape.repeated_joints; ++j) {
    const std::vector<double> original = denseRow(problem.G, j, n);
    problem.G.addGroup(1);
    const MatrixView strip = problem.G.addStrip(0, n);
    for (int k = 0; k < n; ++k) strip(0, k) = -3 * original[k];
  }
  const std::size_t joint_rows = problem.G.rowCount();
  problem.g.assign(joint_rows, 0.0);
  problem.compliance.assign(joint_rows, 0.0);
  problem.joint_gap.assign(joint_rows, 0.0);
  problem.joint_drive.assign(joint_rows, 0.0);
  return problem;
}

double largestDifference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(a[k] - b[k]));
  return most;
}

}  // namespace stickslip::testing
