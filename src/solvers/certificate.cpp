// The certificate of a step (docs/theory.md): residuals of the contact law, of momentum and of the
// joints, and the energy that contacts and joints put in.
//
// Everything here is computed from the problem and the solution with loops and a factorization of
// this file's own: a mistake in the solvers' algebra cannot hide itself.
//
// Contact law (certificate_law). The natural map r_i = |p_i - P_K(p_i - rho_i u_hat_i)| / rho_i
// vanishes exactly when p_i in K, u_hat_i in K*, p_i.u_hat_i = 0. With rho_i = dim / trace(J_i M^-1
// J_i'), an effective mass, r_i is a velocity; it is reported relative to the largest |J_i v_free +
// b_i|. When that reference is itself a difference of much larger terms, numbers below kNoise of
// those terms are rounding, and the reference is not taken smaller. For the same reason no row of
// the momentum or of a joint is measured against less than kNoise of what the bodies in it could
// contribute (Cauchy-Schwarz in the kinetic metric), and no bounded row against less than kNoise of
// the velocity that its bounds could change.
#include "stickslip/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/certificate_law.hpp"
#include "solvers/scaled_directions.hpp"

namespace stickslip {
namespace {

constexpr double kNoise = 1e-6;
// Below this, products lose digits to underflow: a motion that has died out has no relative error.
constexpr double kUnderflow =
    std::numeric_limits<double>::min() / std::numeric_limits<double>::epsilon();
// A contact is closed if its velocity is below this part of the velocity scale.
constexpr double kClosed = 1e-9;
// Multiplications that the question of uniqueness may cost, per row and velocity.
constexpr long kWorkPerRow = 10000;

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

// The rows of contact `first` ... as a vector of three.
ImpulseVector contactPart(std::span<const double> rows, int first, int dimension) {
  ImpulseVector part{};
  for (int k = 0; k < dimension; ++k)
    part[static_cast<std::size_t>(k)] = rows[static_cast<std::size_t>(first + k)];
  return part;
}

double squareNorm(std::span<const double> x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return sum;
}

// Velocity that an impulse within the bounds of a row could change; 0 where it has none.
double boundedVelocity(const ImpulseSet& set, double mobility) {
  if (set.kind != ImpulseSet::Kind::interval) return 0;
  const double most = std::max(std::abs(set.lower), std::abs(set.upper));
  return std::isfinite(most) ? most * mobility : 0;
}

}  // namespace

double Certificate::worstResidual() const {
  if (!finite) return std::numeric_limits<double>::infinity();
  return std::max({residual, momentum_residual, joint_residual});
}

bool Certificate::holds(double tolerance) const {
  return worstResidual() <= tolerance;
}

struct Certifier::Workspace {
  ScaledDirections contacts;      ///< rows of J L^-T
  ScaledDirections joints;        ///< rows of G L^-T
  IndependenceTest independence;  ///< of the directions along which impulses may vary
  std::vector<double> velocity;   ///< u = J v + b
  std::vector<LoadDirections> loads;
  std::vector<double> balance;       ///< momentum that is not accounted for
  std::vector<double> balance_size;  ///< size of the terms in it
  std::vector<double> speed;         ///< of each velocity's block: sqrt(v.M v), the largest known
  double velocity_scale = 0;

  void measureSpeeds(const ContactProblem& problem, const ContactSolution& s);
  void checkContacts(const ContactProblem& problem, const ContactSolution& s, Certificate& out);
  void checkMomentum(const ContactProblem& problem, const ContactSolution& s, Certificate& out);
  void checkJoints(const ContactProblem& problem, const ContactSolution& s, Certificate& out);
  double mostOf(const ScaledDirections& rows, int row) const;
  bool impulsesUnique(const ContactProblem& problem, const ContactSolution& s);
  bool loadsIndependent(const ContactProblem& problem);
};

void Certifier::Workspace::measureSpeeds(const ContactProblem& problem, const ContactSolution& s) {
  speed.resize(s.v.size());
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
    std::fill_n(speed.begin() + static_cast<std::ptrdiff_t>(first), M.rows,
                std::sqrt(std::max({now, free, 0.0})));
  }
}

// Largest value that a row could have for bodies of these speeds.
double Certifier::Workspace::mostOf(const ScaledDirections& rows, int row) const {
  double most = 0;
  for (std::size_t k = 0; k < rows.values(row).size(); ++k)
    most += std::abs(rows.values(row)[k]) * speed[static_cast<std::size_t>(rows.columns(row)[k])];
  return most;
}

void Certifier::Workspace::checkJoints(const ContactProblem& problem, const ContactSolution& s,
                                       Certificate& out) {
  if (problem.G.rowCount() > 0) joints.start(problem.M);
  for (int group = 0; group < problem.G.groupCount(); ++group) {
    joints.addGroup(problem.G, group);
    for (int i = 0; i < problem.G.rowsOf(group); ++i) {
      const auto row = static_cast<std::size_t>(problem.G.firstRow(group) + i);
      const Product now = rowTimes(problem.G, group, i, s.v);
      const Product before = rowTimes(problem.G, group, i, problem.v_old);
      const Product free = rowTimes(problem.G, group, i, problem.v_free);
      const double give = problem.compliance[row] * s.c[row];
      const double error = std::abs(now.value + problem.g[row] + give);
      const double terms =
          std::max(now.size, free.size) + std::abs(problem.g[row]) + std::abs(give);
      const double size = std::max(terms, kNoise * mostOf(joints, static_cast<int>(row)));
      if (error > kUnderflow) out.joint_residual = std::max(out.joint_residual, error / size);
      // A spring keeps what it takes: no work of constraints.
      if (problem.compliance[row] > 0) continue;
      out.contact_work += s.c[row] * ((now.value + before.value) / 2 + problem.joint_drive[row]);
    }
  }
  out.joint_drift = largestMagnitude(problem.joint_gap);
}

Certifier::Certifier() : work_(std::make_unique<Workspace>()) {}
Certifier::~Certifier() = default;
Certifier::Certifier(Certifier&&) noexcept = default;
Certifier& Certifier::operator=(Certifier&&) noexcept = default;

void Certifier::reserve(std::size_t velocities, std::size_t contact_rows, std::size_t joint_rows) {
  const int n = static_cast<int>(velocities);
  const int m = static_cast<int>(contact_rows), k = static_cast<int>(joint_rows);
  work_->contacts.reserve(n, m);
  work_->joints.reserve(n, k);
  work_->independence.reserve(n, m + k);
  work_->velocity.reserve(contact_rows);
  work_->loads.reserve(contact_rows);
  work_->balance.reserve(velocities);
  work_->balance_size.reserve(velocities);
  work_->speed.reserve(velocities);
}

Certificate Certifier::certify(const ContactProblem& problem, const ContactSolution& solution) {
  Certificate out;
  work_->measureSpeeds(problem, solution);
  work_->checkContacts(problem, solution, out);
  work_->checkMomentum(problem, solution, out);
  work_->checkJoints(problem, solution, out);
  measureKineticEnergy(problem, solution.v, out);
  for (const double gap : problem.gap) out.worst_gap = std::min(out.worst_gap, gap);
  out.finite = allFinite(solution.v) && allFinite(solution.p) && allFinite(solution.c) &&
               std::isfinite(out.residual) && std::isfinite(out.momentum_residual) &&
               std::isfinite(out.joint_residual);
  if (out.finite) out.impulses_unique = work_->impulsesUnique(problem, solution);
  return out;
}

void Certifier::Workspace::checkContacts(const ContactProblem& problem, const ContactSolution& s,
                                         Certificate& out) {
  velocity.resize(static_cast<std::size_t>(problem.J.rowCount()));
  if (problem.contactCount() > 0) contacts.start(problem.M);
  double worst = 0, reference = 0, noise = 0, fclib = 0, free_square_sum = 0;
  for (int i = 0; i < problem.contactCount(); ++i) {
    const int first = problem.J.firstRow(i), dimension = problem.J.rowsOf(i);
    contacts.addGroup(problem.J, i);
    double trace = 0, free_square = 0;
    for (int k = 0; k < dimension; ++k) {
      const auto row = static_cast<std::size_t>(first + k);
      trace += squareNorm(contacts.values(first + k));
      const Product now = rowTimes(problem.J, i, k, s.v);
      const Product before = rowTimes(problem.J, i, k, problem.v_old);
      const Product free = rowTimes(problem.J, i, k, problem.v_free);
      velocity[row] = now.value + problem.b[row];
      free_square += (free.value + problem.b[row]) * (free.value + problem.b[row]);
      noise = std::max(noise, kNoise * (std::max(now.size, free.size) + std::abs(problem.b[row])));
      out.contact_work += s.p[row] * ((now.value + before.value) / 2 + problem.drive[row]);
    }
    const ImpulseSet& set = problem.sets[static_cast<std::size_t>(i)];
    const ImpulseVector p = contactPart(s.p, first, dimension);
    const ImpulseVector u = contactPart(velocity, first, dimension);
    const double rho = dimension / trace;
    noise = std::max(noise, kNoise * boundedVelocity(set, trace));
    const double error = naturalMap(set, p, u, rho) / rho;
    worst = std::isfinite(error) ? std::max(worst, error) : error;
    const double unit_error = naturalMap(set, p, u, 1.0);
    fclib += unit_error * unit_error;
    reference = std::max(reference, std::sqrt(free_square));
    free_square_sum += free_square;
  }
  velocity_scale = std::max(reference, noise);
  out.residual = worst <= kUnderflow ? 0 : worst / velocity_scale;
  // Without a free velocity to compare with the error is absolute, as FCLIB has it.
  out.fclib_error = std::sqrt(free_square_sum > 0 ? fclib / free_square_sum : fclib);
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
      const double size = std::max(balance_size[k], kNoise * std::sqrt(M(i, i)) * speed[k]);
      const double error = std::abs(balance[k]) / size;
      if (!(error <= out.momentum_residual)) out.momentum_residual = error;
    }
  }
}

// Impulses along which the velocity does not change form the null space of the directions that are
// free to carry load: rigid joints, all directions of a sticking contact, the edge of the cone of a
// sliding one. If these are independent the impulses are unique. The impulse of a compliant row
// follows from the velocity.
bool Certifier::Workspace::impulsesUnique(const ContactProblem& problem, const ContactSolution& s) {
  const bool rigid_joints = std::any_of(problem.compliance.begin(), problem.compliance.end(),
                                        [](double c) { return !(c > 0); });
  if (largestMagnitude(s.p) == 0 && !rigid_joints) return true;
  std::ptrdiff_t count = std::count(problem.compliance.begin(), problem.compliance.end(), 0.0);
  loads.clear();
  for (int i = 0; i < problem.contactCount(); ++i) {
    const ImpulseVector u = contactPart(velocity, problem.J.firstRow(i), problem.J.rowsOf(i));
    loads.push_back(
        loadDirections(problem.sets[static_cast<std::size_t>(i)], u, kClosed * velocity_scale));
    count += loads.back().count;
  }
  return count <= problem.velocityCount() && loadsIndependent(problem);
}

bool Certifier::Workspace::loadsIndependent(const ContactProblem& problem) {
  const int rows = problem.velocityCount() + problem.J.rowCount() + problem.G.rowCount();
  independence.start(problem.velocityCount(), kWorkPerRow * rows);
  const auto isNew = [&](const ScaledDirections& directions, int row, std::span<const double> by) {
    return independence.add(directions, row, by) == IndependenceTest::Answer::independent;
  };
  const double whole[] = {1};
  for (int row = 0; row < problem.G.rowCount(); ++row)
    if (problem.compliance[static_cast<std::size_t>(row)] == 0 && !isNew(joints, row, whole))
      return false;
  for (int i = 0; i < problem.contactCount(); ++i) {
    const LoadDirections& load = loads[static_cast<std::size_t>(i)];
    const auto dimension = static_cast<std::size_t>(problem.J.rowsOf(i));
    for (std::size_t k = 0; k < static_cast<std::size_t>(load.count); ++k)
      if (!isNew(contacts, problem.J.firstRow(i), std::span(load.rows[k]).first(dimension)))
        return false;
  }
  return true;
}

}  // namespace stickslip
