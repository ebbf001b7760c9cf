#include "support/spatial_problems.hpp"

#include <array>
#include <cmath>

#include "stickslip/vector.hpp"
#include "support/contact_problems.hpp"

namespace stickslip::testing {
namespace {

struct Frame {
  std::array<Vec3, 3> axis;  ///< normal first
};

Vec3 randomVector(Random& random) {
  return {random.uniform(), random.uniform(), random.uniform()};
}

Frame randomFrame(Random& random, const Vec3& normal) {
  const Vec3 n = normalized(normal);
  Vec3 t = cross(n, randomVector(random));
  while (dot(t, t) < 0.01) t = cross(n, randomVector(random));
  t = normalized(t);
  return {{n, t, cross(n, t)}};
}

Frame randomFrame(Random& random) {
  Vec3 n = randomVector(random);
  while (dot(n, n) < 0.1) n = randomVector(random);
  return randomFrame(random, n);
}

// sign (d.v + (r x d).u) in the row's strip.
void fillRow(std::span<double> row, double sign, const Vec3& r, const Vec3& d) {
  const Vec3 turn = cross(r, d);
  const double values[] = {d.x, d.y, d.z, turn.x, turn.y, turn.z};
  for (std::size_t k = 0; k < 6; ++k) row[k] = sign * values[k];
}

// A group of rows along the first `count` axes at one point of body a and, if b >= 0, of body b;
// and of the spin and rolling that a set has beside them.
void addPoint(BlockRows& rows, int count, int a, int b, const Vec3& r_a, const Vec3& r_b,
              const Frame& frame, const ImpulseSet& set = {}) {
  const int spin = set.spinRows(), all = count + spin + set.rollingRows();
  rows.addGroup(all);
  for (const int body : {a, b}) {
    if (body < 0) continue;
    const MatrixView strip = rows.addStrip(6 * body, 6);
    for (int k = 0; k < count; ++k)
      fillRow(strip.row(k), body == a ? 1 : -1, body == a ? r_a : r_b, frame.axis[k]);
    for (int k = count; k < all; ++k) {
      const Vec3 axis = frame.axis[k < count + spin ? 0 : k - count - spin + 1];
      const double values[] = {axis.x, axis.y, axis.z};
      for (int i = 0; i < 3; ++i) strip(k, 3 + i) = (body == a ? 1 : -1) * values[i];
    }
  }
}

void fillMasses(Random& random, const SpatialShape& shape, BlockDiagonal& M) {
  const std::vector<int> sizes(static_cast<std::size_t>(shape.bodies), 6);
  M.resize(sizes);
  for (int body = 0; body < shape.bodies; ++body) {
    const double mass = std::pow(shape.mass_ratio, random.uniform(0, 1));
    for (int k = 0; k < 3; ++k) M.block(body)(k, k) = mass;
    const Vec3 a = randomVector(random);
    const double entries[] = {a.x, a.y, a.z};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        M.block(body)(3 + i, 3 + j) = mass * ((i == j ? 0.3 : 0) + 0.2 * entries[i] * entries[j]);
  }
}

double rowProduct(const BlockRows& rows, int row, const std::vector<double>& v) {
  const std::vector<double> dense = denseRow(rows, row, static_cast<int>(v.size()));
  double sum = 0;
  for (std::size_t k = 0; k < v.size(); ++k) sum += dense[k] * v[k];
  return sum;
}

ImpulseSet randomFriction(Random& random, const SpatialShape& shape) {
  ImpulseSet set;
  set.kind = shape.polyhedral ? ImpulseSet::Kind::polyhedral : ImpulseSet::Kind::elliptic;
  set.mu = random.uniform(0.05, shape.largest_mu);
  set.mu_2 = shape.circular ? set.mu : random.uniform(0.05, shape.largest_mu);
  set.directions = shape.polyhedral ? shape.directions : 0;
  if (shape.torsion > 0) set.torsion = shape.torsion * std::pow(10, random.uniform(-2, 0));
  if (shape.rolling > 0) set.rolling = shape.rolling * std::pow(10, random.uniform(-2, 0));
  set.load_independent = shape.load_independent;
  return set;
}

void addPatch(Random& random, const SpatialShape& shape, bool frictionless,
              ContactProblem& problem) {
  const int a = random.integer(0, shape.bodies - 1);
  int b = random.integer(-1, shape.bodies - 1);
  if (b == a) b = -1;
  const Frame frame = randomFrame(random);
  const Vec3 centre_a = randomVector(random), centre_b = randomVector(random);
  const ImpulseSet set = frictionless ? ImpulseSet{} : randomFriction(random, shape);
  for (int k = 0; k < shape.points; ++k) {
    const Vec3 offset = shape.points == 1 ? Vec3{}
                                          : 0.5 * random.uniform() * frame.axis[1] +
                                                0.5 * random.uniform() * frame.axis[2];
    addPoint(problem.J, set.linearRows(), a, b, centre_a + offset, centre_b + offset, frame, set);
    problem.sets.push_back(set);
  }
}

void completeReport(ContactProblem& problem) {
  const std::size_t contacts = problem.contactCount();
  problem.drive.assign(problem.b.size(), 0.0);
  problem.gap.assign(contacts, 0.0);
  problem.contact_id.clear();
  for (std::size_t i = 0; i < contacts; ++i) problem.contact_id.push_back(i);
  problem.joint_gap.assign(problem.g.size(), 0.0);
  problem.joint_drive.assign(problem.g.size(), 0.0);
}

// One body at random velocities; restitution e_n, e_t of every contact.
void complete(Random& random, double e_n, double e_t, ContactProblem& problem) {
  problem.v_free = problem.v_old;
  for (double& v : problem.v_free) v += random.uniform(-0.1, 0.1);
  for (int row = 0; row < problem.J.rowCount(); ++row)
    problem.b.push_back((row % 3 == 0 ? e_n : e_t) * rowProduct(problem.J, row, problem.v_old));
  completeReport(problem);
}

ContactProblem jammed(Random& random, int contacts, bool tangential_restitution) {
  ContactProblem problem;
  fillMasses(random, {.bodies = 1}, problem.M);
  problem.v_old = random.vector(6);
  const Frame slot = randomFrame(random);
  const double width = random.uniform(0.1, 1), outside = random.integer(0, 1) == 0 ? -1 : 1;
  const double tilt = std::pow(10, random.uniform(-4, -0.3)), shift = random.uniform(0, 0.3);
  const Vec3 centre = randomVector(random);
  std::array<Vec3, 2> point, normal;
  for (int i = 0; i < contacts; ++i) {
    const std::size_t side = i % 2;
    const double sign = side == 0 ? 1 : -1;
    normal[side] = normalized(sign * slot.axis[0] + tilt * randomVector(random));
    point[side] =
        centre + sign * outside * width * slot.axis[0] +
        shift * width * (random.uniform() * slot.axis[1] + random.uniform() * slot.axis[2]);
    addPoint(problem.J, 3, 0, -1, point[side], {}, randomFrame(random, normal[side]));
  }
  // The friction that holds the last two, more or less of it.
  const Vec3 line = normalized(point[0] - point[1]);
  const double cosine = std::min(std::abs(dot(line, normal[0])), std::abs(dot(line, normal[1])));
  const double mu = random.uniform(0.9, 3) * std::sqrt(1 - cosine * cosine) / cosine;
  problem.sets.clear();
  for (int i = 0; i < contacts; ++i)
    problem.sets.push_back({ImpulseSet::Kind::elliptic, std::max(mu, 0.05), std::max(mu, 0.05)});
  const double e = random.integer(0, 1) == 0 ? 0 : random.uniform(0, 1);
  complete(random, e, tangential_restitution ? e : 0, problem);
  return problem;
}

}  // namespace

ContactProblem jammedProblem(Random& random, int contacts) {
  return jammed(random, contacts, true);
}

ContactProblem jammedReboundProblem(Random& random, int contacts) {
  return jammed(random, contacts, false);
}

ContactProblem patchProblem(Random& random, int contacts) {
  ContactProblem problem;
  fillMasses(random, {.bodies = 1}, problem.M);
  const double speed = std::pow(10, random.uniform(-5, 0));
  problem.v_old = random.vector(6, -speed, speed);
  const double tilt = std::pow(10, random.uniform(-7, -2));
  const double mu = random.uniform(0.05, 1);
  Vec3 point{};
  for (int i = 0; i < contacts; ++i) {
    const bool next_to_last = i > 0 && random.integer(0, 3) == 0;
    point = next_to_last ? point + Vec3{1e-3 * random.uniform(), 1e-3 * random.uniform(), 0}
                         : Vec3{random.uniform(), random.uniform(), -0.5};
    const Vec3 normal = Vec3{0, 0, 1} + tilt * randomVector(random);
    addPoint(problem.J, 3, 0, -1, point, {}, randomFrame(random, normal));
    problem.sets.push_back({ImpulseSet::Kind::elliptic, mu, mu});
  }
  complete(random, random.integer(0, 2) == 0 ? 0 : random.uniform(0, 1), 0, problem);
  for (std::size_t k = 0; k < 6; ++k) problem.v_free[k] = problem.v_old[k] - (k == 2 ? 0.02 : 0);
  return problem;
}

ContactProblem randomSpatialProblem(Random& random, const SpatialShape& shape) {
  ContactProblem problem;
  fillMasses(random, shape, problem.M);
  const std::size_t n = 6 * shape.bodies;
  problem.v_old = random.vector(n);
  problem.v_free = problem.v_old;
  for (double& v : problem.v_free) v += random.uniform(-0.3, 0.3);
  for (int i = 0; i < shape.patches; ++i)
    addPatch(random, shape, shape.frictionless && i % 2 == 1, problem);
  const double e = shape.restitution ? random.uniform(0, 1) : 0;
  for (int row = 0; row < problem.J.rowCount(); ++row)
    problem.b.push_back(e * rowProduct(problem.J, row, problem.v_old));
  for (int i = 0; i < shape.motors; ++i) {
    addPoint(problem.J, 1, i % shape.bodies, -1, randomVector(random), {}, randomFrame(random));
    ImpulseSet set;
    set.kind = ImpulseSet::Kind::interval;
    set.lower = -random.uniform(0, 0.5);
    set.upper = random.uniform(0, 0.5);
    problem.sets.push_back(set);
    problem.b.push_back(random.uniform());
  }
  for (int j = 0; j < shape.joints; ++j) {
    const int a = j % shape.bodies, b = a > 0 ? a - 1 : -1;
    addPoint(problem.G, 3, a, b, randomVector(random), randomVector(random), randomFrame(random));
    for (int k = 0; k < 3; ++k) problem.compliance.push_back(0);
  }
  for (int j = 0; j < shape.springs; ++j) {
    addPoint(problem.G, 1, j % shape.bodies, -1, randomVector(random), {}, randomFrame(random));
    problem.compliance.push_back(std::pow(10.0, random.uniform(-4, 2)));
  }
  // Joints that move could press bodies into each other, and no motion would fit.
  for (const double compliance : problem.compliance)
    problem.g.push_back(compliance > 0 ? random.uniform() : 0);
  completeReport(problem);
  return problem;
}

ContactProblem towerProblem(int levels, double ratio, double mu, double sideways_velocity) {
  ContactProblem problem;
  const std::vector<int> sizes(static_cast<std::size_t>(levels), 6);
  problem.M.resize(sizes);
  const Frame up{{Vec3{0, 0, 1}, Vec3{1, 0, 0}, Vec3{0, 1, 0}}};
  double mass = 1;
  for (int level = 0; level < levels; ++level, mass *= ratio) {
    for (int k = 0; k < 3; ++k) {
      problem.M.block(level)(k, k) = mass;
      problem.M.block(level)(3 + k, 3 + k) = mass / 6;
    }
    problem.v_old.insert(problem.v_old.end(), 6, 0.0);
    problem.v_old[6 * level] = sideways_velocity * (level + 1);
    for (const double x : {-0.5, 0.5})
      for (const double y : {-0.5, 0.5}) {
        addPoint(problem.J, 3, level, level - 1, {x, y, -0.5}, {x, y, 0.5}, up);
        problem.sets.push_back({ImpulseSet::Kind::elliptic, mu, mu});
      }
  }
  problem.v_free = problem.v_old;
  for (int level = 0; level < levels; ++level) problem.v_free[6 * level + 2] -= 0.0981;
  problem.b.assign(problem.J.rowCount(), 0.0);
  completeReport(problem);
  return problem;
}

}  // namespace stickslip::testing
