// The certificate of a problem u = W p + q, with W as it is given.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "certificate/workspace.hpp"

namespace stickslip {

using namespace certificate;

namespace {

// u = W p + q, and the size of the terms in each row.
struct LocalVelocity {
  std::vector<double> value;
  std::vector<double> size;
  std::vector<double> diagonal;
};

LocalVelocity velocityOf(const LocalProblem& problem, std::span<const double> p) {
  LocalVelocity u;
  for (int row = 0; row < problem.W.rows; ++row) {
    const std::size_t i = row;
    double sum = problem.q[i], size = std::abs(problem.q[i]), diagonal = 0;
    for (std::size_t k = problem.W.start[i]; k < problem.W.start[i + 1]; ++k) {
      const double term = problem.W.value[k] * p[problem.W.column[k]];
      sum += term;
      size += std::abs(term);
      if (problem.W.column[k] == row) diagonal = problem.W.value[k];
    }
    u.value.push_back(sum);
    u.size.push_back(size);
    u.diagonal.push_back(diagonal);
  }
  return u;
}

}  // namespace

Certificate certifyLocal(const LocalProblem& problem, std::span<const double> p) {
  assert(p.size() == problem.q.size());
  const LocalVelocity u = velocityOf(problem, p);
  Certificate out;
  double worst = 0, reference = 0, noise = 0, fclib = 0;
  int first = 0;
  for (const ImpulseSet& set : problem.sets) {
    const int dimension = set.dimension();
    ImpulseVector mobility{};
    std::copy_n(u.diagonal.begin() + first, dimension, mobility.begin());
    const ScaledSet contact = scaledSet(set, mobility);
    double trace = 0, free_square = 0;
    for (int k = 0; k < dimension; ++k) {
      const std::size_t row = first + k;
      const double length = contact.length[k];
      trace += length * length * u.diagonal[row];
      free_square += length * problem.q[row] * (length * problem.q[row]);
      noise = std::max(noise, kNoise * length * u.size[row]);
    }
    ImpulseVector impulse{};
    for (int k = 0; k < dimension; ++k) impulse[k] = p[first + k] / contact.length[k];
    ImpulseVector velocity{};
    std::copy_n(u.value.begin() + first, dimension, velocity.begin());
    velocity = inNormalUnits(contact.length, velocity);
    const double rho = trace > 0 ? dimension / trace : 1;
    const double error = naturalMap(contact.set, problem.law, impulse, velocity, rho) / rho;
    worst = std::isfinite(error) ? std::max(worst, error) : error;
    const double unit_error = naturalMap(contact.set, problem.law, impulse, velocity, 1.0);
    fclib += unit_error * unit_error;
    reference = std::max(reference, std::sqrt(free_square));
    first += dimension;
  }
  const double velocity_scale = std::max(reference, noise);
  out.residual = worst <= kUnderflow ? 0 : worst / velocity_scale;
  const double q_square = squareNorm(problem.q);
  out.fclib_error = std::sqrt(q_square > 0 ? fclib / q_square : fclib);
  out.finite = std::isfinite(out.residual) && std::isfinite(out.fclib_error);
  return out;
}

}  // namespace stickslip
