// What the parts of the certificate share: its workspace and a few sums. Not for solvers.
//   certifier.cpp               all of it, part after part
//   contact_residuals.cpp       the contact law
//   speed_friction.cpp          coefficients that depend on the speed, lift
//   local_problem.cpp           the contact law where W is given
//   balance.cpp                 momentum, joints, energy
//   uniqueness.cpp              are the impulses unique?
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "certificate/impulse_law.hpp"
#include "certificate/row_independence.hpp"
#include "certificate/row_sums.hpp"
#include "certificate/scaled_directions.hpp"
#include "stickslip/certificate.hpp"

namespace stickslip {
namespace certificate {

// What is below this part of the terms at hand is rounding (certifier.cpp).
inline constexpr double kNoise = 1e-6;
// Below this, products lose digits to underflow: a motion that has died out has no relative error.
inline constexpr double kUnderflow =
    std::numeric_limits<double>::min() / std::numeric_limits<double>::epsilon();

inline double largestMagnitude(std::span<const double> values) {
  double largest = 0;
  for (const double x : values) largest = std::max(largest, std::abs(x));
  return largest;
}

// Velocities u of a contact in the unit of its normal.
inline ImpulseVector inNormalUnits(const ImpulseVector& length, ImpulseVector u) {
  for (std::size_t k = 0; k < u.size(); ++k) u[k] *= length[k];
  return u;
}

/// Sums over what changes momenta, one number for each velocity.
struct MomentumSums {
  std::span<double> terms;    ///< size of what is added up in a row of the momentum
  std::span<double> impulse;  ///< J' p
};

inline double squareNorm(std::span<const double> x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return sum;
}

}  // namespace certificate

struct Certifier::Workspace {
  /// What a chunk of contacts adds to the certificate.
  struct ContactPart {
    double worst = 0;        ///< largest error of a law [velocity]
    double reference = 0;    ///< largest velocity without impulses
    double noise = 0;        ///< what rounding may do to velocities
    double fclib = 0;        ///< sum of squared errors, as FCLIB has them
    double free_square = 0;  ///< sum of squared velocities without impulses
    double drive_work = 0;
    std::vector<double> scratch;

    void add(const ContactPart& later);
  };
  static constexpr int kContactGrain = 128;  ///< contacts of a chunk
  /// And one of velocity blocks.
  struct BlockPart {
    double speed_square = 0;    ///< largest v.M v of a block, of the velocities at the end and free
    double fastest_square = 0;  ///< the same with the diagonal of M and the larger of the two
    double energy_start = 0;
    double energy_free = 0;
    double energy_end = 0;
    double momentum_residual = 0;
    double work = 0;
    double forced_energy = 0;
  };

  StepWorkspace own;  ///< for callers without one
  MassRoots roots;
  ScaledDirections joints;         ///< rows of G L^-T
  ScaledDirections loaded;         ///< rows of J L^-T of contacts that may carry load
  RowIndependence independence;    ///< of the directions along which impulses may vary
  std::vector<double> opening;     ///< of circular cones: u_n, with the relaxed law less their lift
  std::vector<double> lifts;       ///< mu |u_t| of circular cones; with the relaxed law only
  std::vector<double> errors;      ///< of each contact's law
  std::vector<double> constraint;  ///< G' c; empty without joints
  std::vector<double> push;        ///< M^-1 G' c: what joints do to the velocities; likewise
  std::vector<double> spring;      ///< the part of it by compliant rows; empty if there are none
  std::vector<ContactPart> contact_parts;
  std::vector<BlockPart> block_parts;
  double speed = 0;    ///< sqrt(v.M v) of the fastest block
  double fastest = 0;  ///< bound of sqrt(sum of M_kk v_k^2) over blocks
  double velocity_scale = 0;
  double closed = 0;  ///< velocities below this may be zero

  ContactPart& partOf(int contact) { return contact_parts[contact / kContactGrain]; }
  /// Speeds and energies of the blocks, and what changed their momentum.
  void measureBlocks(const ContactProblem& problem, const ContactSolution& s,
                     const certificate::MomentumSums& sums);
  void measureBlock(const ContactProblem& problem, const ContactSolution& s, int block,
                    std::span<double> terms, BlockPart& part);
  void reportEnergies(Certificate& out) const;
  void measureOverlapWork(const ContactProblem& problem, const ContactSolution& s,
                          Certificate& out) const;
  void measurePush(const ContactProblem& problem, const ContactSolution& s,
                   const certificate::MomentumSums& sums);
  void measureSprings(const ContactProblem& problem, const ContactSolution& s);
  void checkContacts(const ContactProblem& problem, const ContactSolution& s, Certificate& out);
  void checkContact(const ContactProblem& problem, const ContactSolution& s, int i,
                    ContactPart& part);
  /// The same for most contacts of bodies, at a fraction of the cost,
  template <int kRows>
  void checkCone(const ContactProblem& problem, const ContactSolution& s, int i, ContactPart& part);
  /// which are these: round cones in space, or cones in the plane, on whole blocks with diagonal
  /// masses.
  template <int kRows>
  bool isCone(const ContactProblem& problem, int i) const;
  /// Their rows times velocities.
  template <int kRows>
  certificate::RowSums<kRows> coneSums(const ContactProblem& problem, const ContactSolution& s,
                                       int i) const;
  void measureNoise(const ContactProblem& problem, const ContactSolution& s, int i, double trace,
                    double most, const ImpulseVector& length, ContactPart& part) const;
  double rowNoise(const ContactProblem& problem, const ContactSolution& s, int i,
                  const ImpulseVector& length) const;
  /// The set of contact i, and its lengths in `scaled`, where the set is too if it has moments.
  const ImpulseSet& setOf(const ContactProblem& problem, int i, ScaledSet& scaled);
  void checkCoefficients(const ContactProblem& problem, const ContactSolution& s,
                         Certificate& out) const;
  /// Keeps what is asked of circular cones later.
  void noteCone(Law law, double mu, int i, const double* u);
  /// What Coulomb's law adds to the normal velocity of contact i.
  double liftOf(const ContactProblem& problem, const ContactSolution& s, int i);
  void measureLift(const ContactProblem& problem, const ContactSolution& s, Certificate& out);
  void checkMomentumOf(const ContactProblem& problem, const ContactSolution& s,
                       const certificate::MomentumSums& sums, int block, BlockPart& part) const;
  void checkMomentum(const ContactProblem& problem, const ContactSolution& s,
                     const certificate::MomentumSums& sums, Certificate& out);
  void checkJoints(const ContactProblem& problem, const ContactSolution& s, Certificate& out);
  bool isOpen(const ContactProblem& problem, int i) const;
  bool impulsesUnique(const ContactProblem& problem, const ContactSolution& s, double residual);
  /// How many directions there are along which impulses of contacts may vary.
  std::ptrdiff_t loadCount(const ContactProblem& problem, const ContactSolution& s);
  /// The directions along which the impulse of contact i may vary.
  LoadDirections loadsOf(const ContactProblem& problem, const ContactSolution& s, int i);
  bool loadsIndependent(const ContactProblem& problem, const ContactSolution& s,
                        std::ptrdiff_t count);
};

}  // namespace stickslip
