#include "support/pile_problems.hpp"

#include <cmath>
#include <numbers>

namespace stickslip::testing {
namespace {

constexpr double kGravity = 9.81;
constexpr double kRadius = 3;

struct Disk {
  double mass = 1;
  double radius = kRadius;
};

// Rows (normal, tangent) of the velocity of disk `a` seen from `b` (the floor if b < 0), at the
// point where they touch; (n_x, n_y) points from b to a.
void addContact(ContactProblem& problem, const std::vector<Disk>& disks, int a, int b, double n_x,
                double n_y, double mu) {
  problem.J.addGroup(2);
  for (const int body : {a, b}) {
    if (body < 0) continue;
    const double sign = body == a ? 1 : -1;
    const MatrixView strip = problem.J.addStrip(3 * body, 3);
    strip(0, 0) = sign * n_x;
    strip(0, 1) = sign * n_y;
    strip(1, 0) = -sign * n_y;
    strip(1, 1) = sign * n_x;
    strip(1, 2) = -disks[body].radius;
  }
  problem.sets.push_back({ImpulseSet::Kind::planar, mu});
  const auto floor = static_cast<std::uint64_t>(disks.size());
  const auto other = b < 0 ? floor : static_cast<std::uint64_t>(b);
  problem.contact_id.push_back(static_cast<std::uint64_t>(a) * (floor + 1) + other);
  problem.gap.push_back(0);
  problem.b.insert(problem.b.end(), 2, 0.0);
  problem.drive.insert(problem.drive.end(), 2, 0.0);
}

ContactProblem freeDisks(const std::vector<Disk>& disks, double h, double speed, Random& random) {
  ContactProblem problem;
  const std::vector<int> sizes(disks.size(), 3);
  problem.M.resize(sizes);
  for (std::size_t body = 0; body < disks.size(); ++body) {
    const auto [mass, radius] = disks[body];
    const MatrixView M = problem.M.block(static_cast<int>(body));
    M(0, 0) = M(1, 1) = mass;
    M(2, 2) = mass * radius * radius / 2;
    problem.v_old.push_back(speed * random.uniform());
    problem.v_old.push_back(speed * random.uniform());
    problem.v_old.push_back(speed * random.uniform() / radius);
    problem.v_free.insert(problem.v_free.end(), problem.v_old.end() - 3, problem.v_old.end());
    problem.v_free[3 * body + 1] -= kGravity * h;
  }
  return problem;
}

}  // namespace

ContactProblem cannonballPile(int bottom_row, double mu, double h, double speed, Random& random) {
  const std::vector<Disk> disks(static_cast<std::size_t>(bottom_row * (bottom_row + 1) / 2));
  ContactProblem problem = freeDisks(disks, h, speed, random);
  const double high = std::sqrt(3.0) / 2;
  int first = 0, first_below = -1;
  for (int count = bottom_row; count > 0; --count) {
    for (int k = 0; k < count; ++k) {
      if (k > 0) addContact(problem, disks, first + k, first + k - 1, 1, 0, mu);
      if (first_below < 0) {
        addContact(problem, disks, first + k, -1, 0, 1, mu);
      } else {
        addContact(problem, disks, first + k, first_below + k, 0.5, high, mu);
        addContact(problem, disks, first + k, first_below + k + 1, -0.5, high, mu);
      }
    }
    first_below = first;
    first += count;
  }
  return problem;
}

ContactProblem randomPile(int disks, double mu, double mass_spread, double speed, Random& random) {
  std::vector<Disk> all(static_cast<std::size_t>(disks));
  for (Disk& disk : all) {
    disk.mass = std::pow(mass_spread, random.uniform());
    disk.radius = random.uniform(0.5, 1.5);
  }
  ContactProblem problem = freeDisks(all, 0.05, speed, random);
  for (int a = 0; a < disks; ++a)
    for (const double side : {-1.0, 1.0}) {
      // Below, to one side: a disk of lower number, or the floor.
      const int b = random.integer(-1, a - 1);
      const double angle = side * random.uniform(0, 0.4 * std::numbers::pi);
      if (b >= 0)
        addContact(problem, all, a, b, std::sin(angle), std::cos(angle), mu);
      else if (side > 0)
        addContact(problem, all, a, -1, 0, 1, mu);
    }
  return problem;
}

}  // namespace stickslip::testing
