#include "solvers/single_contact.hpp"

#include <algorithm>
#include <cmath>

namespace stickslip {
namespace {

// The tangential problem with pi_n eliminated by omega_n = 0, in the principal axes of its matrix:
// pi_i = -b_i / (lambda_i + kappa), pi_n = n_0 + sum n_i pi_i.
struct Tangential {
  double axis[2] = {1, 0};  ///< first principal axis; the other one is (-axis[1], axis[0])
  double lambda[2] = {0, 0};
  double b[2] = {0, 0};
  double n_0 = 0;
  double n[2] = {0, 0};
};

Tangential eliminateNormal(const std::array<ConeVector, 3>& A, const ConeVector& b) {
  Tangential out;
  const double c_1 = A[0][1] / A[0][0], c_2 = A[0][2] / A[0][0];
  const double a_11 = A[1][1] - A[0][1] * c_1, a_22 = A[2][2] - A[0][2] * c_2;
  const double a_12 = A[1][2] - A[0][1] * c_2;
  const double b_1 = b[1] - c_1 * b[0], b_2 = b[2] - c_2 * b[0];
  // Jacobi's rotation.
  double cosine = 1, sine = 0, tangent = 0;
  if (a_12 != 0) {
    const double theta = (a_22 - a_11) / (2 * a_12);
    tangent = std::copysign(1 / (std::abs(theta) + std::hypot(theta, 1.0)), theta);
    cosine = 1 / std::hypot(tangent, 1.0);
    sine = -tangent * cosine;
  }
  out.axis[0] = cosine;
  out.axis[1] = sine;
  out.lambda[0] = std::max(a_11 - tangent * a_12, 0.0);
  out.lambda[1] = std::max(a_22 + tangent * a_12, 0.0);
  out.b[0] = cosine * b_1 + sine * b_2;
  out.b[1] = -sine * b_1 + cosine * b_2;
  out.n_0 = -b[0] / A[0][0];
  out.n[0] = -(cosine * c_1 + sine * c_2);
  out.n[1] = -(-sine * c_1 + cosine * c_2);
  return out;
}

struct Slide {
  double pi[2];
  double pi_n;
  double excess;  ///< |pi_t| - pi_n
  double slope;   ///< of the excess in t
};

// At kappa = kappa_0 t / (1 - t); t = 0 is sticking, t = 1 no friction.
Slide slideAt(const Tangential& problem, double kappa_0, double t) {
  Slide out{{0, 0}, problem.n_0, 0, 0};
  double square = 0, half_slope = 0, slope_n = 0;
  for (int i = 0; i < 2; ++i) {
    if (problem.b[i] == 0) continue;
    const double d = problem.lambda[i] * (1 - t) + kappa_0 * t;
    out.pi[i] = -problem.b[i] * (1 - t) / d;
    const double derivative = problem.b[i] * kappa_0 / (d * d);
    out.pi_n += problem.n[i] * out.pi[i];
    slope_n += problem.n[i] * derivative;
    square += out.pi[i] * out.pi[i];
    half_slope += out.pi[i] * derivative;
  }
  const double length = std::sqrt(square);
  out.excess = length - out.pi_n;
  out.slope = (length > 0 ? half_slope / length : 0) - slope_n;
  return out;
}

// The excess is positive at t = 0 (sticking would need too much friction) and negative at t = 1.
Slide findSlide(const Tangential& problem, double kappa_0) {
  double low = 0, high = 1, t = 0.5;
  Slide slide = slideAt(problem, kappa_0, t);
  for (int pass = 0; pass < 100; ++pass) {
    (slide.excess > 0 ? low : high) = t;
    double next = t - slide.excess / slide.slope;
    if (!(next > low && next < high)) next = low + (high - low) / 2;
    if (next == t || !(next > low && next < high)) break;
    t = next;
    slide = slideAt(problem, kappa_0, t);
  }
  return slide;
}

}  // namespace

ConeVector solveSingleContact(const std::array<ConeVector, 3>& A, const ConeVector& b, int size) {
  if (b[0] >= 0 || !(A[0][0] > 0)) return {};
  if (size == 1) return {-b[0] / A[0][0], 0, 0};
  const Tangential problem = eliminateNormal(A, b);
  const double kappa_0 = std::max(problem.lambda[0], problem.lambda[1]);
  if (!(kappa_0 > 0)) return {problem.n_0, 0, 0};
  Slide slide = slideAt(problem, kappa_0, 0);
  const bool sticks = slide.excess <= 0;
  if (!sticks) slide = findSlide(problem, kappa_0);
  const double c = problem.axis[0], s = problem.axis[1];
  return {slide.pi_n, c * slide.pi[0] - s * slide.pi[1], s * slide.pi[0] + c * slide.pi[1]};
}

}  // namespace stickslip
