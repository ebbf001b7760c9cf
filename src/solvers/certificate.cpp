// The certificate of a step (docs/theory.md): residuals of the contact law, of momentum and of the
// joints, and the energy that contacts and joints put in.
//
// Everything here is computed from the problem and the solution with loops and a factorization of
// this file's own: a mistake in the solvers' algebra cannot hide itself.
//
// Contact law. The natural map r_i = |p_i - P_K(p_i - rho_i u_hat_i)| / rho_i vanishes exactly when
// p_i in K, u_hat_i in K*, p_i.u_hat_i = 0. With rho_i = dim / trace(J_i M^-1 J_i'), an effective
// mass, r_i is a velocity; it is reported relative to the largest |J_i v_free + b_i|. When that
// reference is itself a difference of much larger terms, numbers below kNoise of those terms are
// rounding, and the reference is not taken smaller.
#include "stickslip/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stickslip {
namespace {

constexpr double kNoise = 1e-6;
// A contact is closed if its velocity is below this part of the velocity scale,
constexpr double kClosed = 1e-9;
// and a direction depends on others if less than this part of it is left beside them.
constexpr double kDependent = 1e-9;

bool allFinite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

double largestMagnitude(std::span<const double> values) {
  double largest = 0;
  for (const double x : values) largest = std::max(largest, std::abs(x));
  return largest;
}

// Row `row` of group `group` times x, and the sum of the magnitudes that were added.
struct Product {
  double value = 0;
  double size = 0;
};

Product rowTimes(const BlockRows& rows, int group, int row, std::span<const double> x) {
  Product product;
  for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
    const ConstMatrixView values = rows.values(group, strip);
    for (int k = 0; k < strip.columns; ++k) {
      const double term = values(row, k) * x[static_cast<std::size_t>(strip.first_column + k)];
      product.value += term;
      product.size += std::abs(term);
    }
  }
  return product;
}

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

// v.M v / 2 for the three velocities of a step, in one go over M.
void measureKineticEnergy(const ContactProblem& problem, std::span<const double> v_end,
                          Certificate& out) {
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

struct Planar {
  double n = 0;
  double t = 0;
};

// Nearest point of the cone |t| <= mu n; the frictionless cone is mu = 0 with t = 0.
Planar projectOnCone(Planar x, double mu) {
  const double side = std::abs(x.t);
  if (x.n >= 0 && side <= mu * x.n) return x;
  const double along = x.n + mu * side;
  if (along <= 0) return {};
  const double n = along / (1 + mu * mu);
  return {n, std::copysign(mu * n, x.t)};
}

// |p - P_K(p - rho u_hat)|, u_hat = u + mu |u_t| e_n.
double naturalMap(Planar p, Planar u, double mu, double rho) {
  const Planar shifted{p.n - rho * (u.n + mu * std::abs(u.t)), p.t - rho * u.t};
  const Planar projected = projectOnCone(shifted, mu);
  return std::hypot(p.n - projected.n, p.t - projected.t);
}

Planar planarPart(std::span<const double> rows, int first, int dimension) {
  const auto k = static_cast<std::size_t>(first);
  return {rows[k], dimension > 1 ? rows[k + 1] : 0.0};
}

double squareNorm(std::span<const double> x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return sum;
}

void checkJoints(const ContactProblem& problem, const ContactSolution& s, Certificate& out) {
  for (int group = 0; group < problem.G.groupCount(); ++group) {
    for (int i = 0; i < problem.G.rowsOf(group); ++i) {
      const auto row = static_cast<std::size_t>(problem.G.firstRow(group) + i);
      const Product now = rowTimes(problem.G, group, i, s.v);
      const Product before = rowTimes(problem.G, group, i, problem.v_old);
      const Product free = rowTimes(problem.G, group, i, problem.v_free);
      const double error = std::abs(now.value + problem.g[row]);
      const double size = std::max(now.size, free.size) + std::abs(problem.g[row]);
      if (error > 0) out.joint_residual = std::max(out.joint_residual, error / size);
      out.contact_work += s.c[row] * ((now.value + before.value) / 2 + problem.joint_drive[row]);
    }
  }
  out.joint_drift = largestMagnitude(problem.joint_gap);
}

}  // namespace

double Certificate::worstResidual() const {
  if (!finite) return std::numeric_limits<double>::infinity();
  return std::max({residual, momentum_residual, joint_residual});
}

bool Certificate::holds(double tolerance) const {
  return worstResidual() <= tolerance;
}

void Certifier::reserve(std::size_t velocities, std::size_t contact_rows, std::size_t joint_rows) {
  scaled_.reserve(contact_rows * velocities);
  velocity_.reserve(contact_rows);
  directions_.reserve((contact_rows + joint_rows) * velocities);
  balance_.reserve(velocities);
  balance_size_.reserve(velocities);
}

Certificate Certifier::certify(const ContactProblem& problem, const ContactSolution& solution) {
  Certificate out;
  if (problem.J.rowCount() + problem.G.rowCount() > 0) factorizeMass(problem.M);
  checkContacts(problem, solution, out);
  checkMomentum(problem, solution, out);
  checkJoints(problem, solution, out);
  measureKineticEnergy(problem, solution.v, out);
  for (const double gap : problem.gap) out.worst_gap = std::min(out.worst_gap, gap);
  out.finite = allFinite(solution.v) && allFinite(solution.p) && allFinite(solution.c) &&
               std::isfinite(out.residual) && std::isfinite(out.momentum_residual) &&
               std::isfinite(out.joint_residual);
  if (out.finite) out.impulses_unique = impulsesUnique(problem, solution);
  return out;
}

void Certifier::factorizeMass(const BlockDiagonal& M) {
  factor_ = M;
  for (int b = 0; b < factor_.blockCount(); ++b) {
    const MatrixView A = factor_.block(b);
    for (int k = 0; k < A.rows; ++k) {
      A(k, k) = std::sqrt(A(k, k));
      for (int i = k + 1; i < A.rows; ++i) A(i, k) /= A(k, k);
      for (int j = k + 1; j < A.rows; ++j)
        for (int i = j; i < A.rows; ++i) A(i, j) -= A(i, k) * A(j, k);
    }
  }
}

// One row of J L^-T.
void Certifier::scaledDirection(const BlockRows& rows, int group, int row,
                                std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
    const std::span<const double> values = rows.values(group, strip).row(row);
    std::copy(values.begin(), values.end(), out.begin() + strip.first_column);
  }
  for (int b = 0; b < factor_.blockCount(); ++b) {
    const ConstMatrixView L = factor_.block(b);
    double* x = out.data() + factor_.firstRow(b);
    for (int k = 0; k < L.rows; ++k) {
      x[k] /= L(k, k);
      for (int i = k + 1; i < L.rows; ++i) x[i] -= L(i, k) * x[k];
    }
  }
}

void Certifier::checkContacts(const ContactProblem& problem, const ContactSolution& s,
                              Certificate& out) {
  const auto width = static_cast<std::size_t>(problem.velocityCount());
  const auto row_count = static_cast<std::size_t>(problem.J.rowCount());
  scaled_.resize(row_count * width);
  velocity_.resize(row_count);
  double worst = 0, reference = 0, noise = 0, fclib = 0, free_square_sum = 0;
  for (int i = 0; i < problem.contactCount(); ++i) {
    const int first = problem.J.firstRow(i), dimension = problem.J.rowsOf(i);
    double trace = 0, free_square = 0;
    for (int k = 0; k < dimension; ++k) {
      const auto row = static_cast<std::size_t>(first + k);
      const std::span<double> direction(scaled_.data() + row * width, width);
      scaledDirection(problem.J, i, k, direction);
      trace += squareNorm(direction);
      const Product now = rowTimes(problem.J, i, k, s.v);
      const Product before = rowTimes(problem.J, i, k, problem.v_old);
      const Product free = rowTimes(problem.J, i, k, problem.v_free);
      velocity_[row] = now.value + problem.b[row];
      free_square += (free.value + problem.b[row]) * (free.value + problem.b[row]);
      noise = std::max(noise, kNoise * (std::max(now.size, free.size) + std::abs(problem.b[row])));
      out.contact_work += s.p[row] * ((now.value + before.value) / 2 + problem.drive[row]);
    }
    const Planar p = planarPart(s.p, first, dimension), u = planarPart(velocity_, first, dimension);
    const double mu = problem.sets[static_cast<std::size_t>(i)].mu;
    const double rho = dimension / trace;
    const double error = naturalMap(p, u, mu, rho) / rho;
    worst = std::isfinite(error) ? std::max(worst, error) : error;
    const double unit_error = naturalMap(p, u, mu, 1.0);
    fclib += unit_error * unit_error;
    reference = std::max(reference, std::sqrt(free_square));
    free_square_sum += free_square;
  }
  velocity_scale_ = std::max(reference, noise);
  out.residual = worst == 0 ? 0 : worst / velocity_scale_;
  out.fclib_error = fclib == 0 ? 0 : std::sqrt(fclib / free_square_sum);
}

void Certifier::checkMomentum(const ContactProblem& problem, const ContactSolution& s,
                              Certificate& out) {
  balance_.assign(s.v.size(), 0.0);
  balance_size_.assign(s.v.size(), 0.0);
  for (int b = 0; b < problem.M.blockCount(); ++b) {
    const ConstMatrixView M = problem.M.block(b);
    const auto first = static_cast<std::size_t>(problem.M.firstRow(b));
    for (int i = 0; i < M.rows; ++i)
      for (int j = 0; j < M.columns; ++j) {
        const auto row = first + static_cast<std::size_t>(i);
        const auto column = first + static_cast<std::size_t>(j);
        balance_[row] += M(i, j) * (s.v[column] - problem.v_free[column]);
        balance_size_[row] +=
            std::abs(M(i, j)) * (std::abs(s.v[column]) + std::abs(problem.v_free[column]));
      }
  }
  const auto subtract = [&](const BlockRows& rows, std::span<const double> impulses) {
    for (int group = 0; group < rows.groupCount(); ++group)
      for (int k = 0; k < rows.rowsOf(group); ++k)
        addRow(rows, group, k, -impulses[static_cast<std::size_t>(rows.firstRow(group) + k)],
               balance_, balance_size_);
  };
  subtract(problem.J, s.p);
  subtract(problem.G, s.c);
  for (std::size_t k = 0; k < balance_.size(); ++k) {
    if (balance_[k] == 0) continue;
    const double error = std::abs(balance_[k]) / balance_size_[k];
    if (!(error <= out.momentum_residual)) out.momentum_residual = error;
  }
}

// Impulses along which the velocity does not change form the null space of the directions that are
// free to carry load: joints, both directions of a sticking contact, the edge of the cone of a
// sliding one. If these are independent the impulses are unique.
bool Certifier::impulsesUnique(const ContactProblem& problem, const ContactSolution& s) {
  if (largestMagnitude(s.p) == 0 && problem.G.rowCount() == 0) return true;
  collectFreeDirections(problem);
  const auto width = static_cast<std::size_t>(problem.velocityCount());
  const std::size_t count = directions_.size() / width;
  if (count > width) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<double> x(directions_.data() + i * width, width);
    const double before = std::sqrt(squareNorm(x));
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t j = 0; j < i; ++j) {
        const double* basis = directions_.data() + j * width;
        double projection = 0;
        for (std::size_t k = 0; k < width; ++k) projection += basis[k] * x[k];
        for (std::size_t k = 0; k < width; ++k) x[k] -= projection * basis[k];
      }
    const double after = std::sqrt(squareNorm(x));
    if (!(after > kDependent * before)) return false;
    for (double& value : x) value /= after;
  }
  return true;
}

void Certifier::collectFreeDirections(const ContactProblem& problem) {
  const auto width = static_cast<std::size_t>(problem.velocityCount());
  directions_.clear();
  for (int group = 0; group < problem.G.groupCount(); ++group)
    for (int k = 0; k < problem.G.rowsOf(group); ++k) {
      directions_.resize(directions_.size() + width);
      scaledDirection(problem.G, group, k, {&directions_[directions_.size() - width], width});
    }
  for (int i = 0; i < problem.contactCount(); ++i) {
    const int first = problem.J.firstRow(i), dimension = problem.J.rowsOf(i);
    const Planar u = planarPart(velocity_, first, dimension);
    if (std::abs(u.n) > kClosed * velocity_scale_) continue;
    const double* normal = scaled_.data() + static_cast<std::size_t>(first) * width;
    directions_.insert(directions_.end(), normal, normal + width);
    if (dimension == 1) continue;
    const double* tangent = normal + width;
    if (std::abs(u.t) <= kClosed * velocity_scale_) {
      directions_.insert(directions_.end(), tangent, tangent + width);
    } else {
      const double mu = problem.sets[static_cast<std::size_t>(i)].mu;
      double* edge = &directions_[directions_.size() - width];
      for (std::size_t k = 0; k < width; ++k) edge[k] -= std::copysign(mu, u.t) * tangent[k];
    }
  }
}

}  // namespace stickslip
