#include "support/planar_problems.hpp"

#include <cmath>
#include <numbers>

namespace stickslip::testing {
namespace {

// sign (d.v + (r x d) u).
void fillRow(std::span<double> row, double sign, const double* r, const double* d) {
  row[0] = sign * d[0];
  row[1] = sign * d[1];
  row[2] = sign * (r[0] * d[1] - r[1] * d[0]);
}

void addContact(Random& random, const PlanarShape& shape, ContactProblem& problem) {
  ImpulseSet set;
  set.kind = ImpulseSet::Kind::planar;
  set.mu = random.uniform(0.05, 1);
  if (shape.rolling > 0) set.rolling = shape.rolling * std::pow(10, random.uniform(-2, 0));
  set.load_independent = shape.load_independent;
  const double angle = random.uniform(0, 2 * std::numbers::pi);
  const double n[] = {std::cos(angle), std::sin(angle)}, t[] = {-n[1], n[0]};
  const int a = random.integer(0, shape.bodies - 1);
  int b = random.integer(-1, shape.bodies - 1);
  if (b == a) b = -1;
  problem.J.addGroup(set.dimension());
  for (const int body : {a, b}) {
    if (body < 0) continue;
    const MatrixView strip = problem.J.addStrip(3 * body, 3);
    const double sign = body == a ? 1 : -1, r[] = {random.uniform(), random.uniform()};
    fillRow(strip.row(0), sign, r, n);
    fillRow(strip.row(1), sign, r, t);
    if (set.rolling > 0) strip(2, 2) = sign;
  }
  problem.sets.push_back(set);
}

}  // namespace

ContactProblem randomPlanarProblem(Random& random, const PlanarShape& shape) {
  ContactProblem problem;
  const std::vector<int> sizes(static_cast<std::size_t>(shape.bodies), 3);
  problem.M.resize(sizes);
  for (int body = 0; body < shape.bodies; ++body) {
    const double mass = random.uniform(0.3, 3);
    for (int k = 0; k < 3; ++k) problem.M.block(body)(k, k) = k < 2 ? mass : 0.5 * mass;
  }
  problem.v_old = random.vector(static_cast<std::size_t>(3 * shape.bodies));
  problem.v_free = problem.v_old;
  for (double& v : problem.v_free) v += random.uniform(-0.3, 0.3);
  for (int i = 0; i < shape.contacts; ++i) {
    addContact(random, shape, problem);
    problem.contact_id.push_back(static_cast<std::uint64_t>(i));
  }
  problem.b.assign(problem.J.rowCount(), 0.0);
  problem.drive = problem.b;
  problem.gap.assign(problem.sets.size(), 0.0);
  return problem;
}

}  // namespace stickslip::testing
