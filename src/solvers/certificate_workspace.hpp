// What the parts of the certificate share: its workspace and a few sums. Not for solvers.
//   certificate.cpp             the contact law
//   certificate_local.cpp       the contact law where W is given
//   certificate_balance.cpp     momentum, joints, energy
//   certificate_uniqueness.cpp  are the impulses unique?
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "solvers/certificate_law.hpp"
#include "solvers/independence_test.hpp"
#include "solvers/scaled_directions.hpp"
#include "stickslip/certificate.hpp"

namespace stickslip {
namespace certificate {

// What is below this part of the terms at hand is rounding (certificate.cpp).
inline constexpr double kNoise = 1e-6;
// Below this, products lose digits to underflow: a motion that has died out has no relative error.
inline constexpr double kUnderflow =
    std::numeric_limits<double>::min() / std::numeric_limits<double>::epsilon();

inline double largestMagnitude(std::span<const double> values) {
  double largest = 0;
  for (const double x : values) largest = std::max(largest, std::abs(x));
  return largest;
}

// Row `row` of group `group` times x, and the sum of the magnitudes that were added.
struct Product {
  double value = 0;
  double size = 0;
};

inline Product rowTimes(const BlockRows& rows, int group, int row, std::span<const double> x) {
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

// Velocities of the contact whose rows begin at `first`, and its impulses, in the unit of its
// normal.
inline ImpulseVector contactVelocity(const ScaledSet& contact, std::span<const double> u,
                                     int first) {
  ImpulseVector part{};
  for (std::size_t k = 0; k < static_cast<std::size_t>(contact.set.dimension()); ++k)
    part[k] = contact.length[k] * u[static_cast<std::size_t>(first) + k];
  return part;
}

inline ImpulseVector contactImpulse(const ScaledSet& contact, std::span<const double> p,
                                    int first) {
  ImpulseVector part{};
  for (std::size_t k = 0; k < static_cast<std::size_t>(contact.set.dimension()); ++k)
    part[k] = p[static_cast<std::size_t>(first) + k] / contact.length[k];
  return part;
}

inline double squareNorm(std::span<const double> x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return sum;
}

}  // namespace certificate

struct Certifier::Workspace {
  ScaledDirections contacts;      ///< rows of J L^-T
  ScaledDirections joints;        ///< rows of G L^-T
  IndependenceTest independence;  ///< of the directions along which impulses may vary
  std::vector<double> velocity;   ///< u = J v + b
  std::vector<double> errors;     ///< of each contact's law
  std::vector<LoadDirections> loads;
  std::vector<double> balance;       ///< momentum that is not accounted for
  std::vector<double> balance_size;  ///< size of the terms in it
  std::vector<double> push;          ///< L^-1 G' c: what joints do to the velocities
  double speed = 0;                  ///< sqrt(v.M v) of the fastest block
  double velocity_scale = 0;

  void measureKineticEnergy(const ContactProblem& problem, std::span<const double> v_end,
                            Certificate& out) const;
  void measureSpeed(const ContactProblem& problem, const ContactSolution& s);
  void measurePush(const ContactProblem& problem, const ContactSolution& s);
  void checkContacts(const ContactProblem& problem, const ContactSolution& s, Certificate& out);
  /// Set and lengths of contact i, after its rows were added to `contacts`.
  ScaledSet scaledContact(const ContactProblem& problem, int i) const;
  void checkCoefficients(const ContactProblem& problem, const ContactSolution& s,
                         Certificate& out) const;
  void measureLift(const ContactProblem& problem, const ContactSolution& s, Certificate& out) const;
  void checkMomentum(const ContactProblem& problem, const ContactSolution& s, Certificate& out);
  void checkJoints(const ContactProblem& problem, const ContactSolution& s, Certificate& out);
  bool impulsesUnique(const ContactProblem& problem, const ContactSolution& s);
  bool loadsIndependent(const ContactProblem& problem);
};

}  // namespace stickslip
