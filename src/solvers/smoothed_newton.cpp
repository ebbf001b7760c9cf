#include "solvers/smoothed_newton.hpp"

#include <algorithm>
#include <cmath>

#include "math/block_products.hpp"
#include "math/dense_lu.hpp"

namespace stickslip {
namespace {

using Matrix3 = std::array<ConeVector, 3>;

constexpr double kFirstEps = 1e-2;
constexpr double kLastTau = 1e-22;
constexpr double kMostEps = 1e2;

double phi(double x, double tau) {
  // Without cancellation on either side.
  const double root = std::sqrt(x * x + 4 * tau);
  return x > 0 ? (x + root) / 2 : (root > x ? 2 * tau / (root - x) : 0);
}

double phiSlope(double x, double tau) {
  const double root = std::sqrt(x * x + 4 * tau);
  return root > 0 ? phi(x, tau) / root : 0.5;
}

// The spectral function of phi and its derivative.
ConeVector smoothedProjection(const ConeVector& y, double tau, Matrix3* derivative) {
  const double side = std::hypot(y[1], y[2]);
  const double n_1 = side > 0 ? y[1] / side : 1, n_2 = side > 0 ? y[2] / side : 0;
  const double low = y[0] - side, high = y[0] + side;
  const double phi_low = phi(low, tau), phi_high = phi(high, tau);
  if (derivative != nullptr) {
    const double s_low = phiSlope(low, tau), s_high = phiSlope(high, tau);
    const double b = (s_high + s_low) / 2, c = (s_high - s_low) / 2;
    const double roots = std::sqrt(low * low + 4 * tau) + std::sqrt(high * high + 4 * tau);
    const double a = roots > 0 ? (1 + (low + high) / roots) / 2 : 0.5;
    *derivative = {{{b, c * n_1, c * n_2},
                    {c * n_1, a + (b - a) * n_1 * n_1, (b - a) * n_1 * n_2},
                    {c * n_2, (b - a) * n_1 * n_2, a + (b - a) * n_2 * n_2}}};
  }
  const double half = (phi_high - phi_low) / 2;
  return {(phi_high + phi_low) / 2, half * n_1, half * n_2};
}

// lower + phi(y - lower) - phi(y - upper), with infinite bounds left out.
double smoothedClamp(const ConeProblem::Item& item, double y, double tau, double* slope) {
  const bool below = std::isfinite(item.lower), above = std::isfinite(item.upper);
  const double from = below ? item.lower + phi(y - item.lower, tau) : y;
  if (slope != nullptr)
    *slope =
        (below ? phiSlope(y - item.lower, tau) : 1) - (above ? phiSlope(y - item.upper, tau) : 0);
  return above ? from - phi(y - item.upper, tau) : from;
}

}  // namespace

void SmoothedNewton::reserve(int rows) {
  const auto n = static_cast<std::size_t>(rows);
  for (auto* v : {&centre_, &point_, &trial_, &omega_, &F_, &F_trial_, &step_}) v->reserve(n);
  A_.reserve(n * n);
  exchanges_.reserve(n);
}

void SmoothedNewton::start(const ConeProblem& problem, std::span<const double> pi,
                           double residual) {
  const auto n = static_cast<std::size_t>(problem.size());
  centre_.assign(pi.begin(), pi.end());
  for (auto* v : {&point_, &trial_, &omega_, &F_, &F_trial_, &step_}) v->resize(n);
  eps_ = kFirstEps;
  first_tau_ = std::clamp(residual, 1e-3, 1.0);
}

// F = pi - Phi(y), and its norm. Leaves omega behind.
double SmoothedNewton::evaluate(const ConeProblem& problem, std::span<const double> pi,
                                std::span<double> F) {
  problem.velocity(pi, omega_);
  double square = 0;
  for (std::size_t k = 0; k < omega_.size(); ++k) omega_[k] += eps_ * (pi[k] - centre_[k]);
  for (const ConeProblem::Item& item : problem.items()) {
    const ConeVector p = partOf(pi, item), w = partOf(omega_, item);
    ConeVector nearest{};
    if (item.interval) {
      nearest[0] = smoothedClamp(item, p[0] - w[0], tau_, nullptr);
    } else if (item.rows == 1) {
      nearest[0] = phi(p[0] - w[0], tau_);
    } else {
      const double slip = std::sqrt(w[1] * w[1] + w[2] * w[2] + tau_);
      nearest = smoothedProjection({p[0] - w[0] - slip, p[1] - w[1], p[2] - w[2]}, tau_, nullptr);
    }
    for (int k = 0; k < item.rows; ++k) {
      const auto part = static_cast<std::size_t>(k);
      const double f = p[part] - nearest[part];
      F[static_cast<std::size_t>(item.first + k)] = f;
      square += f * f;
    }
  }
  return std::sqrt(square);
}

// I - D + D S (W + eps I) with D = dPhi/dy, S = d omega_hat / d omega.
void SmoothedNewton::assemble(const ConeProblem& problem) {
  const auto n = static_cast<std::size_t>(problem.size());
  A_.resize(n * n);
  for (const ConeProblem::Item& item : problem.items()) {
    const ConeVector p = partOf(point_, item), w = partOf(omega_, item);
    Matrix3 D{};
    ConeVector slope{};  // of the slip
    if (item.interval) {
      smoothedClamp(item, p[0] - w[0], tau_, &D[0][0]);
    } else if (item.rows == 1) {
      D[0][0] = phiSlope(p[0] - w[0], tau_);
    } else {
      const double slip = std::sqrt(w[1] * w[1] + w[2] * w[2] + tau_);
      smoothedProjection({p[0] - w[0] - slip, p[1] - w[1], p[2] - w[2]}, tau_, &D);
      slope = {0, w[1] / slip, w[2] / slip};
    }
    for (int i = 0; i < item.rows; ++i) {
      const ConeVector& d = D[static_cast<std::size_t>(i)];
      double* row = A_.data() + static_cast<std::size_t>(item.first + i) * n;
      std::fill_n(row, n, 0.0);
      for (int j = 0; j < item.rows; ++j) {
        const auto k = static_cast<std::size_t>(j);
        const double factor = d[k] + d[0] * slope[k];
        addScaled(factor, problem.W().row(item.first + j), {row, n});
        row[item.first + j] += eps_ * factor - d[k] + (i == j ? 1 : 0);
      }
    }
  }
}

bool SmoothedNewton::newtonStep(const ConeProblem& problem) {
  evaluate(problem, point_, F_);
  assemble(problem);
  exchanges_.resize(point_.size());
  if (!factorizeLu(A_, exchanges_)) return false;
  std::transform(F_.begin(), F_.end(), step_.begin(), [](double f) { return -f; });
  solveLu(A_, exchanges_, step_);
  return true;
}

bool SmoothedNewton::lineSearch(const ConeProblem& problem, double& share) {
  share = 1;
  for (int halving = 0; halving < 12; ++halving, share /= 2) {
    for (std::size_t k = 0; k < point_.size(); ++k) trial_[k] = point_[k] + share * step_[k];
    const double norm = evaluate(problem, trial_, F_trial_);
    if (!(norm <= (1 - 1e-4 * share) * norm_)) continue;
    point_.swap(trial_);
    norm_ = norm;
    return true;
  }
  return false;
}

bool SmoothedNewton::followPath(const ConeProblem& problem, long limit, long& factorizations,
                                std::span<double> pi) {
  point_ = centre_;
  tau_ = first_tau_;
  norm_ = evaluate(problem, point_, F_);
  while (factorizations < limit && eps_ <= kMostEps) {
    ++factorizations;
    double share = 1;
    if (!newtonStep(problem) || !lineSearch(problem, share)) {
      eps_ *= 4;
      point_ = centre_;
      tau_ = first_tau_;
      norm_ = evaluate(problem, point_, F_);
      continue;
    }
    if (!(norm_ <= 0.3 * std::sqrt(tau_))) continue;
    if (tau_ <= kLastTau) {
      centre_ = point_;
      std::copy(point_.begin(), point_.end(), pi.begin());
      eps_ /= 100;
      first_tau_ = std::max(first_tau_ / 100, 1e-10);
      return true;
    }
    const double ease = norm_ <= 0.03 * std::sqrt(tau_) ? 100 : 10;
    tau_ /= share == 1 ? ease : std::sqrt(10.0);
    norm_ = evaluate(problem, point_, F_);
  }
  return false;
}

}  // namespace stickslip
