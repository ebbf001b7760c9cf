// Event-driven reference motion of the woodpecker toy, an oracle for the engine's tests.
//
// Problem. Three coordinates q = (y, phi_M, phi_S), three frictional contacts (0 = beak, 1 = lower
// and 2 = upper edge of the sleeve; the paper counts from 1), constant mass matrix and force
// directions, spring and gravity: (13)-(16) and Table I of
//   Ch. Glocker, C. Studer, Formulation and Preparation for Numerical Evaluation of Linear
//   Complementarity Systems in Dynamics, Multibody System Dynamics 13 (2005) 447-463.
// Contact and impact law: (11)-(12) there.
//
// Method. The motion is cut into arcs on which no contact changes its state (separate, stick,
// slide +, slide -). On an arc the accelerations and contact forces are affine in q, so the motion
// is a Taylor series known to rounding. An arc ends where one of its inequalities (gap, normal
// force, friction reserve, sense of sliding) first turns negative; that root is isolated on the
// Taylor polynomial. The next arc, and the outcome of an impact, is found by trying every
// combination of contact states and keeping the one that satisfies the law. No time-stepping
// scheme, no complementarity solver, and nothing in common with the engine.
#pragma once

#include <array>
#include <limits>
#include <vector>

namespace stickslip::reference {

inline constexpr int kDof = 3;
inline constexpr int kContacts = 3;
using Vector3 = std::array<double, kDof>;

/// Table I, SI units; contact arrays are ordered beak, lower sleeve edge, upper sleeve edge.
struct WoodpeckerParameters {
  double poleRadius = 0.0025;        ///< r_O [m]
  double sleeveRadius = 0.0031;      ///< r_M [m], > r_O
  double sleeveHalfHeight = 0.0058;  ///< h_M [m]
  double sleeveToJoint = 0.010;      ///< l_M [m]
  double jointToBody = 0.015;        ///< l_G [m]
  double bodyToBeak = 0.02;          ///< h_S [m]
  double beakLength = 0.0201;        ///< l_S [m]
  double sleeveMass = 0.0003;        ///< m_M [kg]
  double bodyMass = 0.0045;          ///< m_S [kg]
  double sleeveInertia = 5.0e-9;     ///< J_M [kg m^2]
  double bodyInertia = 7.0e-7;       ///< J_S [kg m^2]
  double stiffness = 0.0056;         ///< c_phi [N m / rad]
  double gravity = 9.81;             ///< g [m / s^2]

  std::array<double, kContacts> normalRestitution{0.5, 0.0, 0.0};      ///< in [0, 1]
  std::array<double, kContacts> tangentialRestitution{0.0, 0.0, 0.0};  ///< in [0, 1]
  std::array<double, kContacts> friction{0.3, 0.3, 0.3};               ///< mu >= 0
};

struct WoodpeckerState {
  Vector3 q{};  ///< y [m], phi_M [rad], phi_S [rad]
  Vector3 u{};  ///< v [m/s], omega_M [rad/s], omega_S [rad/s]
};

/// Table I's start. Its lower sleeve edge overlaps the pole by 0.9 micrometre, a rounding of the
/// printed angle; phi_M is moved to the touching value.
WoodpeckerState tableOneStart(const WoodpeckerParameters& parameters = {});

struct ReferenceSettings {
  double maxStep = 5e-4;        ///< longest Taylor step [s], in (0, 1e-3]
  double sampleInterval = 0.0;  ///< spacing of samples [s]; 0 records none
};

enum class ContactState { separate, stick, slidePlus, slideMinus };
using Mode = std::array<ContactState, kContacts>;

enum class EventKind {
  start,      ///< t = 0, the first mode is chosen
  impact,     ///< a gap closes with approach
  liftOff,    ///< the normal force of a sliding contact vanishes
  slipEnds,   ///< a sliding velocity reaches zero
  stickEnds,  ///< a sticking force reaches the edge of its friction cone
};

struct Event {
  double t = 0.0;
  EventKind kind = EventKind::start;
  int contact = -1;  ///< the contact whose inequality failed; -1 at the start
  Vector3 q{};
  Vector3 uBefore{};
  Vector3 uAfter{};
  Mode impactStates{};  ///< per contact, how it took part in the impact
  Mode modeBefore{};
  Mode modeAfter{};
  int outcomes = 1;  ///< distinct outcomes that satisfy the law; above 1 the law is ambiguous
};

struct Sample {
  double t = 0.0;
  WoodpeckerState state;  ///< velocities are right limits
};

/// "None" below: no combination of contact states.
enum class ReferenceStatus {
  completed,
  noConsistentMode,    ///< none gives admissible accelerations (Painleve's paradox, mu ~ 1)
  noConsistentImpact,  ///< none gives an admissible impact
  tooManyEvents,       ///< event limit reached
  notPeriodic,         ///< findLimitCycle only: did not settle within its cycle limit
};

struct Trajectory {
  ReferenceStatus status = ReferenceStatus::completed;
  std::vector<Event> events;
  std::vector<Sample> samples;
  WoodpeckerState end;
  double frictionLoss = 0.0;  ///< energy dissipated by sliding on the smooth arcs [J]
  double impactLoss = 0.0;    ///< kinetic energy lost in impacts [J]
};

/// Throws std::invalid_argument if the start overlaps or a setting is out of range.
Trajectory simulate(const WoodpeckerParameters& parameters, const WoodpeckerState& start,
                    double duration, const ReferenceSettings& settings = {});

/// From Table I.
Trajectory simulate(double duration, const ReferenceSettings& settings = {});

struct Range {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
};

/// One period, from the instant the lower sleeve edge starts to stick to the next such instant.
struct LimitCycle {
  ReferenceStatus status = ReferenceStatus::completed;
  double period = 0.0;   ///< [s]
  double drop = 0.0;     ///< descent of the sleeve per period [m]
  Range phiM, phiS;      ///< [rad]
  Range omegaM, omegaS;  ///< [rad/s], over the limits on both sides of every impact
  int beakImpacts = 0;
  int lowerImpacts = 0;
  int upperImpacts = 0;
  double jamDuration = 0.0;     ///< time per period in which a sleeve edge sticks [s]
  double frictionLoss = 0.0;    ///< [J]
  double impactLoss = 0.0;      ///< [J]
  double energyResidual = 0.0;  ///< |weight * drop - losses| / losses
  /// Largest relative change against the period before, of period, drop and the state at the
  /// section; the distance to the limit is about this times |r / (1 - r)|, r the contraction.
  double repeatability = 0.0;
  double contraction = 0.0;  ///< measured multiplier of the return map, signed
  int cyclesUsed = 0;
  WoodpeckerState start;      ///< at the section, y = 0
  std::vector<Event> events;  ///< first: start, last: the next section
};

/// Follows the motion from Table I's start until two periods agree to the tolerance.
LimitCycle findLimitCycle(const WoodpeckerParameters& parameters = {},
                          const ReferenceSettings& settings = {}, double tolerance = 1e-13,
                          int maxCycles = 500);

/// Total energy, zero at q = 0, u = 0.
double energy(const WoodpeckerParameters& parameters, const WoodpeckerState& state);

const char* name(ContactState state);
const char* name(EventKind kind);

}  // namespace stickslip::reference
