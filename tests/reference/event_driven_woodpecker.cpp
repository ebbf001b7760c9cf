// See the header for problem, method and citation.
//
// Symbols: M mass matrix, h applied forces, W force directions ordered (N0, T0, N1, T1, N2, T2),
// G = W^T M^-1 W, lambda contact forces or impulses, gamma = W^T u, xi = gamma+ + eps gamma-.
// A Taylor step runs over s in [0, 1] with t = t_k + s * step.
#include "event_driven_woodpecker.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "taylor_polynomial.hpp"

namespace stickslip::reference {
namespace {

constexpr std::size_t kRows = 2 * kContacts;  // (N, T) per contact
constexpr std::size_t kMaxEvents = 100000;

constexpr double kImpactTolerance = 1e-11;  // share of the largest impulse / velocity
constexpr double kRestVelocity = 1e-9;      // [m/s] slower approach does not bounce
constexpr double kZeroVelocity = 1e-11;     // [m/s] below it a relative velocity is zero
constexpr double kZeroGap = 1e-14;          // [m]

using Rows = std::array<double, kRows>;
template <std::size_t R>
using AffineInQ = std::array<std::array<double, kDof + 1>, R>;  // last column is the constant

// ---- Dense linear algebra ---------------------------------------------------------------------

// Gaussian elimination, partial pivoting on rows scaled to unit maximum; nothing if singular.
template <std::size_t N>
std::optional<std::array<double, N>> solveDense(std::array<std::array<double, N>, N> a,
                                                std::array<double, N> b) {
  for (std::size_t i = 0; i < N; ++i) {
    const double largest = largestEntry(a[i]);
    if (largest == 0.0) return std::nullopt;
    for (double& x : a[i]) x /= largest;
    b[i] /= largest;
  }
  for (std::size_t k = 0; k < N; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < N; ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    if (std::abs(a[pivot][k]) < 1e-12) return std::nullopt;
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < N; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < N; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = N; k-- > 0;) {
    for (std::size_t j = k + 1; j < N; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

double dot(const Vector3& a, const Vector3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// ---- The toy: (14)-(16) and Table I -----------------------------------------------------------

struct Toy {
  std::array<Vector3, kDof> mass{};
  AffineInQ<kDof> force{};                    // h(q)
  std::array<Vector3, kRows> directions{};    // columns of W
  std::array<Vector3, kRows> response{};      // M^-1 W
  std::array<Rows, kRows> delassus{};         // G
  std::array<double, kContacts> gapAtZero{};  // g_N(q) = gapAtZero + w_N . q
  Rows restitution{};
  std::array<double, kContacts> friction{};

  double gap(std::size_t i, const Vector3& q) const {
    return gapAtZero[i] + dot(directions[2 * i], q);
  }
  double gammaN(std::size_t i, const Vector3& u) const { return dot(directions[2 * i], u); }
  double gammaT(std::size_t i, const Vector3& u) const { return dot(directions[2 * i + 1], u); }
};

void setInertiaAndForce(Toy& toy, const WoodpeckerParameters& p) {
  const double m = p.bodyMass, lM = p.sleeveToJoint, lG = p.jointToBody, c = p.stiffness;
  toy.mass = {{{m + p.sleeveMass, m * lM, m * lG},
               {m * lM, p.sleeveInertia + m * lM * lM, m * lM * lG},
               {m * lG, m * lM * lG, p.bodyInertia + m * lG * lG}}};
  toy.force = {{{0.0, 0.0, 0.0, -(m + p.sleeveMass) * p.gravity},
                {0.0, -c, c, -m * lM * p.gravity},
                {0.0, c, -c, -m * lG * p.gravity}}};
}

void setContacts(Toy& toy, const WoodpeckerParameters& p) {
  const double rM = p.sleeveRadius, hM = p.sleeveHalfHeight, clearance = rM - p.poleRadius;
  const double lM = p.sleeveToJoint, lG = p.jointToBody, lS = p.beakLength;
  toy.gapAtZero = {lM + lG - lS - p.poleRadius, clearance, clearance};
  toy.directions = {{{0.0, 0.0, -p.bodyToBeak},
                     {1.0, lM, lG - lS},
                     {0.0, hM, 0.0},
                     {1.0, rM, 0.0},
                     {0.0, -hM, 0.0},
                     {1.0, rM, 0.0}}};
  toy.friction = p.friction;
  for (std::size_t i = 0; i < kContacts; ++i) {
    toy.restitution[2 * i] = p.normalRestitution[i];
    toy.restitution[2 * i + 1] = p.tangentialRestitution[i];
  }
}

Toy makeToy(const WoodpeckerParameters& p) {
  Toy toy;
  setInertiaAndForce(toy, p);
  setContacts(toy, p);
  for (std::size_t j = 0; j < kRows; ++j)
    toy.response[j] = solveDense(toy.mass, toy.directions[j]).value();
  for (std::size_t i = 0; i < kRows; ++i)
    for (std::size_t j = 0; j < kRows; ++j)
      toy.delassus[i][j] = dot(toy.directions[i], toy.response[j]);
  return toy;
}

// Sense of sliding, the sign of gamma_T.
double senseOf(ContactState state) {
  return state == ContactState::slidePlus ? 1.0 : -1.0;
}

// Contact forces of assumed states for G lambda + b: a separate contact carries none, the others
// keep their normal row at zero; stick keeps the tangential row at zero, slide fixes the ratio.
// Nothing if the states over-determine the motion (two sticking contacts on three coordinates).
// That loses no motion: a family of such forces ends on the edge of a cone or at a vanishing
// normal force, where another combination of states describes the same accelerations.
std::optional<Rows> solveForStates(const Toy& toy, const Mode& states, const Rows& b) {
  std::array<Rows, kRows> a{};
  Rows rhs{};
  for (std::size_t i = 0; i < kContacts; ++i) {
    const std::size_t n = 2 * i, t = n + 1;
    a[n][n] = a[t][t] = 1.0;
    if (states[i] == ContactState::separate) continue;
    a[n] = toy.delassus[n];
    rhs[n] = -b[n];
    if (states[i] == ContactState::stick) {
      a[t] = toy.delassus[t];
      rhs[t] = -b[t];
    } else {
      a[t][n] = senseOf(states[i]) * toy.friction[i];
    }
  }
  return solveDense(a, rhs);
}

Vector3 addResponse(const Toy& toy, Vector3 v, const Rows& lambda) {
  for (std::size_t j = 0; j < kRows; ++j)
    for (std::size_t i = 0; i < kDof; ++i) v[i] += toy.response[j][i] * lambda[j];
  return v;
}

// ---- Smooth arcs ------------------------------------------------------------------------------

struct Flow {
  AffineInQ<kDof> acceleration{};
  AffineInQ<kRows> lambda{};
};

// a(q) and lambda(q) of one mode, column by column of h(q).
std::optional<Flow> makeFlow(const Toy& toy, const Mode& mode) {
  Flow flow;
  for (std::size_t c = 0; c <= kDof; ++c) {
    const Vector3 h{toy.force[0][c], toy.force[1][c], toy.force[2][c]};
    const Vector3 free = solveDense(toy.mass, h).value();
    Rows b{};
    for (std::size_t j = 0; j < kRows; ++j) b[j] = dot(toy.directions[j], free);
    const auto lambda = solveForStates(toy, mode, b);
    if (!lambda) return std::nullopt;
    const Vector3 a = addResponse(toy, free, *lambda);
    for (std::size_t i = 0; i < kDof; ++i) flow.acceleration[i][c] = a[i];
    for (std::size_t j = 0; j < kRows; ++j) flow.lambda[j][c] = (*lambda)[j];
  }
  return flow;
}

struct Series {
  std::array<Polynomial, kDof> q{};
  std::array<Polynomial, kDof> u{};
  std::array<Polynomial, kDof> a{};
  std::array<Polynomial, kRows> lambda{};

  WoodpeckerState at(double s) const {
    WoodpeckerState state;
    for (std::size_t i = 0; i < kDof; ++i) {
      state.q[i] = evaluate(q[i], s);
      state.u[i] = evaluate(u[i], s);
    }
    return state;
  }
};

template <std::size_t R>
void expand(const AffineInQ<R>& map, const std::array<Polynomial, kDof>& q, std::size_t k,
            std::array<Polynomial, R>& out) {
  for (std::size_t i = 0; i < R; ++i) {
    out[i][k] = k == 0 ? map[i][kDof] : 0.0;
    for (std::size_t j = 0; j < kDof; ++j) out[i][k] += map[i][j] * q[j][k];
  }
}

Series expandMotion(const Flow& flow, const WoodpeckerState& state, double step) {
  Series series;
  for (std::size_t i = 0; i < kDof; ++i) {
    series.q[i][0] = state.q[i];
    series.u[i][0] = state.u[i];
  }
  for (std::size_t k = 0; k <= kOrder; ++k) {
    expand(flow.acceleration, series.q, k, series.a);
    expand(flow.lambda, series.q, k, series.lambda);
    const double factor = step / static_cast<double>(k + 1);
    for (std::size_t i = 0; i < kDof && k < kOrder; ++i) {
      series.q[i][k + 1] = factor * series.u[i][k];
      series.u[i][k + 1] = factor * series.a[i][k];
    }
  }
  return series;
}

Polynomial combine(double x, const Polynomial& f, double y, const Polynomial& g) {
  Polynomial sum{};
  for (std::size_t k = 0; k < sum.size(); ++k) sum[k] = x * f[k] + y * g[k];
  return sum;
}

Polynomial project(const Vector3& w, const std::array<Polynomial, kDof>& x) {
  return combine(1.0, combine(w[0], x[0], w[1], x[1]), w[2], x[2]);
}

// ---- Guards: the inequalities an arc has to respect -------------------------------------------

struct Guard {
  EventKind kind = EventKind::start;  // what its failure means
  int contact = -1;
  Polynomial f{};
};

// A sticking contact needs no guard on its normal force: the two edges of the cone imply it.
std::vector<Guard> makeGuards(const Toy& toy, const Mode& mode, const Series& series) {
  std::vector<Guard> guards;
  for (std::size_t i = 0; i < kContacts; ++i) {
    const auto add = [&](EventKind kind, const Polynomial& f) {
      guards.push_back({kind, static_cast<int>(i), f});
    };
    const Polynomial& lambdaN = series.lambda[2 * i];
    const Polynomial& lambdaT = series.lambda[2 * i + 1];
    if (mode[i] == ContactState::separate) {
      Polynomial gap = project(toy.directions[2 * i], series.q);
      gap[0] += toy.gapAtZero[i];
      add(EventKind::impact, gap);
    } else if (mode[i] == ContactState::stick) {
      add(EventKind::stickEnds, combine(toy.friction[i], lambdaN, -1.0, lambdaT));
      add(EventKind::stickEnds, combine(toy.friction[i], lambdaN, 1.0, lambdaT));
    } else {
      const Polynomial gammaT = project(toy.directions[2 * i + 1], series.u);
      add(EventKind::liftOff, lambdaN);
      add(EventKind::slipEnds, combine(senseOf(mode[i]), gammaT, 0.0, gammaT));
    }
  }
  return guards;
}

// ---- What is measured along the way -----------------------------------------------------------

struct Ledger {
  Range phiM, phiS, omegaM, omegaS;
  std::array<double, kContacts> stickTime{};
  std::array<int, kContacts> impacts{};
  double frictionLoss = 0.0;
  double impactLoss = 0.0;
};

// Extremes of f on [0, s]; the ends are the one-sided limits at events.
void include(Range& range, const Polynomial& f, double s) {
  const auto take = [&](double value) {
    range.min = std::min(range.min, value);
    range.max = std::max(range.max, value);
  };
  take(f[0]);
  take(evaluate(f, s));
  for (double r : signChanges(differentiate(f)))
    if (r < s) take(evaluate(f, r));
}

void record(Ledger& ledger, const Toy& toy, const Mode& mode, const Series& series, double s,
            double step) {
  include(ledger.phiM, series.q[1], s);
  include(ledger.phiS, series.q[2], s);
  include(ledger.omegaM, series.u[1], s);
  include(ledger.omegaS, series.u[2], s);
  for (std::size_t i = 0; i < kContacts; ++i) {
    if (mode[i] == ContactState::separate) continue;
    if (mode[i] == ContactState::stick) {
      ledger.stickTime[i] += s * step;
      continue;
    }
    const Polynomial gammaT = project(toy.directions[2 * i + 1], series.u);
    ledger.frictionLoss -= step * integrateProduct(series.lambda[2 * i + 1], gammaT, s);
  }
}

double kineticEnergy(const Toy& toy, const Vector3& u) {
  return 0.5 *
         (u[0] * dot(toy.mass[0], u) + u[1] * dot(toy.mass[1], u) + u[2] * dot(toy.mass[2], u));
}

// ---- Choice of contact states by enumeration --------------------------------------------------

using Closed = std::array<bool, kContacts>;
constexpr std::size_t kCombinations = 64;  // four states, three contacts

Mode decodeMode(std::size_t code) {
  Mode mode{};
  for (ContactState& state : mode) {
    state = static_cast<ContactState>(code % 4);
    code /= 4;
  }
  return mode;
}

bool areOpenSeparate(const Mode& states, const Closed& closed) {
  for (std::size_t i = 0; i < kContacts; ++i)
    if (!closed[i] && states[i] != ContactState::separate) return false;
  return true;
}

// A contact that slides now keeps its sense right after; one at rest may start either way.
bool agreesWithSliding(const Toy& toy, const Mode& mode, const Vector3& u) {
  for (std::size_t i = 0; i < kContacts; ++i) {
    const double gammaT = toy.gammaT(i, u);
    if (mode[i] == ContactState::separate || std::abs(gammaT) < kZeroVelocity) continue;
    if (mode[i] == ContactState::stick || senseOf(mode[i]) * gammaT < 0.0) return false;
  }
  return true;
}

struct ModeChoice {
  Mode mode{};
  Flow flow{};
  Vector3 uProbe{};  // velocity one step later, to tell outcomes apart
  int outcomes = 0;
};

bool differ(const Vector3& a, const Vector3& b) {
  const Vector3 gap{a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return largestEntry(gap) > kLeadingTolerance * (largestEntry(a) + largestEntry(b));
}

bool respectsGuards(const Toy& toy, const Mode& mode, const Closed& closed, const Series& series) {
  for (Guard& guard : makeGuards(toy, mode, series)) {
    if (!closed[guard.contact]) continue;
    cleanLeading(guard.f);
    if (!isNonnegativeAfterStart(guard.f)) return false;
  }
  return true;
}

// All modes that the closed contacts admit over a short time after this instant. Looking at the
// whole series, not at accelerations alone, settles the ties at the ends of stick and contact.
ModeChoice chooseMode(const Toy& toy, const WoodpeckerState& state, const Closed& closed,
                      double step) {
  ModeChoice choice;
  for (std::size_t code = 0; code < kCombinations; ++code) {
    const Mode mode = decodeMode(code);
    if (!areOpenSeparate(mode, closed) || !agreesWithSliding(toy, mode, state.u)) continue;
    const auto flow = makeFlow(toy, mode);
    if (!flow) continue;
    const Series series = expandMotion(*flow, state, step);
    if (!respectsGuards(toy, mode, closed, series)) continue;
    const Vector3 uProbe = series.at(1.0).u;
    if (choice.outcomes == 0)
      choice = {mode, *flow, uProbe, 1};
    else if (differ(uProbe, choice.uProbe))
      ++choice.outcomes;
  }
  return choice;
}

struct ImpactChoice {
  Mode states{};
  Vector3 u{};
  int outcomes = 0;
};

// Law (12) for given impulses: xi_N, Lambda_N >= 0, Coulomb's cone, sliding against friction.
bool satisfiesImpactLaw(const Toy& toy, const Mode& states, const Closed& closed, const Rows& xi,
                        const Rows& lambda) {
  const double xiFloor = -kImpactTolerance * largestEntry(xi);
  const double lambdaFloor = -kImpactTolerance * largestEntry(lambda);
  for (std::size_t i = 0; i < kContacts; ++i) {
    if (!closed[i]) continue;
    const std::size_t n = 2 * i, t = n + 1;
    if (states[i] == ContactState::separate) {
      if (xi[n] < xiFloor) return false;
      continue;
    }
    if (lambda[n] < lambdaFloor) return false;
    const bool stick = states[i] == ContactState::stick;
    if (stick && toy.friction[i] * lambda[n] - std::abs(lambda[t]) < lambdaFloor) return false;
    if (!stick && senseOf(states[i]) * xi[t] < xiFloor) return false;
  }
  return true;
}

// (1 + eps) gamma-, so that xi = G lambda + bias. The bounce of a resting contact is cut off here,
// see Run::handleImpact.
Rows makeImpactBias(const Toy& toy, const Vector3& u) {
  Rows bias{};
  for (std::size_t j = 0; j < kRows; ++j) {
    const double gamma = dot(toy.directions[j], u);
    const bool rests = j % 2 == 0 && std::abs(gamma) < kRestVelocity;
    bias[j] = (rests ? 1.0 : 1.0 + toy.restitution[j]) * gamma;
  }
  return bias;
}

Rows addDelassus(const Toy& toy, Rows b, const Rows& lambda) {
  for (std::size_t j = 0; j < kRows; ++j)
    for (std::size_t k = 0; k < kRows; ++k) b[j] += toy.delassus[j][k] * lambda[k];
  return b;
}

ImpactChoice chooseImpact(const Toy& toy, const Vector3& u, const Closed& closed) {
  const Rows bias = makeImpactBias(toy, u);
  ImpactChoice choice;
  for (std::size_t code = 0; code < kCombinations; ++code) {
    const Mode states = decodeMode(code);
    if (!areOpenSeparate(states, closed)) continue;
    const auto lambda = solveForStates(toy, states, bias);
    if (!lambda) continue;
    const Rows xi = addDelassus(toy, bias, *lambda);
    if (!satisfiesImpactLaw(toy, states, closed, xi, *lambda)) continue;
    const Vector3 uAfter = addResponse(toy, u, *lambda);
    if (choice.outcomes == 0)
      choice = {states, uAfter, 1};
    else if (differ(uAfter, choice.u))
      ++choice.outcomes;
  }
  return choice;
}

// ---- The run ----------------------------------------------------------------------------------

class Run {
 public:
  Run(const WoodpeckerParameters& parameters, const ReferenceSettings& settings,
      const WoodpeckerState& start)
      : toy_(makeToy(parameters)), settings_(settings), state_(start) {
    requireValid();
    for (std::size_t i = 0; i < kContacts; ++i) closed_[i] = toy_.gap(i, state_.q) <= kZeroGap;
    handleEvent(EventKind::start, -1);
  }

  // One Taylor step, to tEnd at the latest. True if it ended in an event. The series always spans
  // a full step, even if only part of it is used: cleanLeading compares its coefficients.
  bool step(double tEnd) {
    const double length = settings_.maxStep;
    const double sEnd = std::min(1.0, (tEnd - t_) / length);
    const Series series = expandMotion(flow_, state_, length);
    const auto [sEvent, guard] = findFirstEvent(series);
    const bool isEvent = guard.contact >= 0 && sEvent <= sEnd;
    const double s = isEvent ? sEvent : sEnd;
    record(ledger_, toy_, mode_, series, s, length);
    takeSamples(series, s, length);
    state_ = series.at(s);
    t_ = !isEvent && sEnd < 1.0 ? tEnd : t_ + s * length;
    fresh_ = false;
    if (isEvent) handleEvent(guard.kind, guard.contact);
    return isEvent;
  }

  double time() const { return t_; }
  ReferenceStatus status() const { return status_; }
  const WoodpeckerState& state() const { return state_; }
  const std::vector<Event>& events() const { return events_; }
  const std::vector<Sample>& samples() const { return samples_; }
  const Ledger& ledger() const { return ledger_; }

  // The sample at the very end, which no further step would record.
  void takeLastSample() {
    const double next = static_cast<double>(samples_.size()) * settings_.sampleInterval;
    if (settings_.sampleInterval > 0.0 && next <= t_ * (1.0 + 1e-12))
      samples_.push_back({t_, state_});
  }

 private:
  void requireValid() const {
    if (!(settings_.maxStep > 0.0 && settings_.maxStep <= 1e-3))
      throw std::invalid_argument("maxStep is " + std::to_string(settings_.maxStep) +
                                  " s, should be in (0, 1e-3]");
    for (std::size_t i = 0; i < kContacts; ++i)
      if (toy_.gap(i, state_.q) < -kZeroGap)
        throw std::invalid_argument("start.q overlaps at contact " + std::to_string(i) +
                                    ", its gap should be at least 0");
  }

  // Earliest failing guard and its place in [0, 1]; contact -1 and place 1 if none fails. The
  // first step of an arc starts on the edge of some guards: rounding there is not an event.
  std::pair<double, Guard> findFirstEvent(const Series& series) const {
    double first = 1.0;
    Guard failing;
    for (Guard& guard : makeGuards(toy_, mode_, series)) {
      if (fresh_) cleanLeading(guard.f);
      const auto s = firstViolation(guard.f);
      if (!s || (failing.contact >= 0 && *s >= first)) continue;
      first = *s;
      failing = guard;
    }
    return {first, failing};
  }

  void takeSamples(const Series& series, double s, double length) {
    if (settings_.sampleInterval <= 0.0) return;
    for (;;) {
      const double t = static_cast<double>(samples_.size()) * settings_.sampleInterval;
      if (t >= t_ + s * length) return;
      samples_.push_back({t, series.at(std::max(0.0, (t - t_) / length))});
    }
  }

  void handleEvent(EventKind kind, int contact) {
    Event event{t_, kind, contact, state_.q, state_.u, state_.u, {}, mode_, {}, 1};
    if (kind == EventKind::impact) closed_[contact] = true;
    if (kind == EventKind::impact || isApproaching()) handleImpact(event);
    const ModeChoice choice = chooseMode(toy_, state_, closed_, settings_.maxStep);
    if (choice.outcomes == 0 && status_ == ReferenceStatus::completed)
      status_ = ReferenceStatus::noConsistentMode;
    mode_ = choice.mode;
    flow_ = choice.flow;
    fresh_ = true;
    for (std::size_t i = 0; i < kContacts; ++i) closed_[i] = mode_[i] != ContactState::separate;
    event.uAfter = state_.u;
    event.modeAfter = mode_;
    event.outcomes = std::max(event.outcomes, choice.outcomes);
    events_.push_back(event);
    if (events_.size() >= kMaxEvents) status_ = ReferenceStatus::tooManyEvents;
  }

  bool isApproaching() const {
    for (std::size_t i = 0; i < kContacts; ++i)
      if (closed_[i] && toy_.gammaN(i, state_.u) < -kZeroVelocity) return true;
    return false;
  }

  // Every contact that is closed at this instant takes part, also one without approach.
  //
  // A contact with restitution that is pressed against the pole bounces infinitely often in a
  // finite time. Each bounce is an event here until the approach is slower than kRestVelocity;
  // that one is absorbed. What remains of the series then is some 1e-19 m high and 1e-10 s long.
  // Table I never gets there: at the beak's contact angle of 0.12 rad the sleeve, held below
  // 0.1035 rad, only pulls the body back, and the beak hits once per period.
  void handleImpact(Event& event) {
    for (std::size_t i = 0; i < kContacts; ++i)
      closed_[i] = closed_[i] ||
                   (toy_.gap(i, state_.q) <= kZeroGap && toy_.gammaN(i, state_.u) < -kZeroVelocity);
    const ImpactChoice choice = chooseImpact(toy_, state_.u, closed_);
    if (choice.outcomes == 0) {
      status_ = ReferenceStatus::noConsistentImpact;
      return;
    }
    ledger_.impactLoss += kineticEnergy(toy_, state_.u) - kineticEnergy(toy_, choice.u);
    if (event.contact >= 0) ++ledger_.impacts[event.contact];
    state_.u = choice.u;
    event.impactStates = choice.states;
    event.outcomes = choice.outcomes;
    for (std::size_t i = 0; i < kContacts; ++i)
      closed_[i] = closed_[i] && toy_.gammaN(i, state_.u) < kZeroVelocity;
  }

  Toy toy_;
  ReferenceSettings settings_;
  WoodpeckerState state_;
  double t_ = 0.0;
  Mode mode_{};
  Flow flow_{};
  Closed closed_{};
  bool fresh_ = true;
  ReferenceStatus status_ = ReferenceStatus::completed;
  Ledger ledger_;
  std::vector<Event> events_;
  std::vector<Sample> samples_;
};

}  // namespace

WoodpeckerState tableOneStart(const WoodpeckerParameters& parameters) {
  const double clearance = parameters.sleeveRadius - parameters.poleRadius;
  return {{0.0, -clearance / parameters.sleeveHalfHeight, -0.2788}, {-0.3411, 0.0, -7.4583}};
}

Trajectory simulate(const WoodpeckerParameters& parameters, const WoodpeckerState& start,
                    double duration, const ReferenceSettings& settings) {
  Run run(parameters, settings, start);
  while (run.time() < duration && run.status() == ReferenceStatus::completed) run.step(duration);
  run.takeLastSample();
  const Ledger& ledger = run.ledger();
  return {run.status(), run.events(),        run.samples(),
          run.state(),  ledger.frictionLoss, ledger.impactLoss};
}

Trajectory simulate(double duration, const ReferenceSettings& settings) {
  return simulate(WoodpeckerParameters{}, tableOneStart(), duration, settings);
}

namespace {

// The section: the lower sleeve edge comes to stick.
bool startsJam(const Event& event) {
  return event.modeBefore[1] != ContactState::stick && event.modeAfter[1] == ContactState::stick;
}

// Runs to the next section. False if the run failed, or no jam starts within the time limit.
bool runToSection(Run& run) {
  constexpr double tEnd = 10.0;  // [s], about seventy periods
  while (run.time() < tEnd && run.status() == ReferenceStatus::completed)
    if (run.step(tEnd) && startsJam(run.events().back()))
      return run.status() == ReferenceStatus::completed;
  return false;
}

ReferenceStatus failureOf(const Run& run) {
  return run.status() == ReferenceStatus::completed ? ReferenceStatus::notPeriodic : run.status();
}

void copyLedger(const Ledger& ledger, LimitCycle& cycle) {
  cycle.phiM = ledger.phiM;
  cycle.phiS = ledger.phiS;
  cycle.omegaM = ledger.omegaM;
  cycle.omegaS = ledger.omegaS;
  cycle.beakImpacts = ledger.impacts[0];
  cycle.lowerImpacts = ledger.impacts[1];
  cycle.upperImpacts = ledger.impacts[2];
  cycle.jamDuration = ledger.stickTime[1] + ledger.stickTime[2];
  cycle.frictionLoss = ledger.frictionLoss;
  cycle.impactLoss = ledger.impactLoss;
}

// One cycle, from the section to the section. Time and y start from zero each time, so that their
// differences keep all digits. `end` is the state at the second section, with y kept.
LimitCycle runCycle(const WoodpeckerParameters& p, const ReferenceSettings& settings,
                    const WoodpeckerState& start, WoodpeckerState& end) {
  LimitCycle cycle;
  cycle.start = start;
  cycle.start.q[0] = 0.0;
  Run run(p, settings, cycle.start);
  if (!runToSection(run)) cycle.status = failureOf(run);
  end = run.state();
  copyLedger(run.ledger(), cycle);
  cycle.events = run.events();
  cycle.period = run.time();
  cycle.drop = -end.q[0];
  const double losses = cycle.frictionLoss + cycle.impactLoss;
  const double work = (p.bodyMass + p.sleeveMass) * p.gravity * cycle.drop;
  cycle.energyResidual = std::abs(work - losses) / losses;
  return cycle;
}

double relativeChange(double before, double after) {
  return std::abs(after - before) / std::max(std::abs(before), std::abs(after));
}

// At the section only phi_S and omega_S are free: the sleeve rests, its angle is the contact's.
double changeBetween(const LimitCycle& before, const LimitCycle& after) {
  return std::max({relativeChange(before.period, after.period),
                   relativeChange(before.drop, after.drop),
                   relativeChange(before.start.q[2], after.start.q[2]),
                   relativeChange(before.start.u[2], after.start.u[2])});
}

}  // namespace

LimitCycle findLimitCycle(const WoodpeckerParameters& parameters, const ReferenceSettings& settings,
                          double tolerance, int maxCycles) {
  Run transient(parameters, settings, tableOneStart(parameters));
  LimitCycle previous;
  if (!runToSection(transient)) previous.status = failureOf(transient);
  WoodpeckerState section = transient.state();
  double lastShift = 0.0;
  for (int n = 1; n <= maxCycles && previous.status == ReferenceStatus::completed; ++n) {
    LimitCycle cycle = runCycle(parameters, settings, section, section);
    const double shift = section.q[2] - cycle.start.q[2];
    // Once the shift is down to rounding its ratio says nothing: keep the earlier estimate.
    const bool measurable = std::abs(shift) > 1e-9 && lastShift != 0.0;
    cycle.contraction = measurable ? shift / lastShift : previous.contraction;
    cycle.repeatability = n == 1 ? 1.0 : changeBetween(previous, cycle);
    cycle.cyclesUsed = n;
    lastShift = shift;
    previous = std::move(cycle);
    if (previous.repeatability <= tolerance) return previous;
  }
  if (previous.status == ReferenceStatus::completed) previous.status = ReferenceStatus::notPeriodic;
  return previous;
}

double energy(const WoodpeckerParameters& p, const WoodpeckerState& state) {
  const Toy toy = makeToy(p);
  const double twist = state.q[1] - state.q[2];
  const double lift = (p.bodyMass + p.sleeveMass) * state.q[0] +
                      p.bodyMass * (p.sleeveToJoint * state.q[1] + p.jointToBody * state.q[2]);
  return kineticEnergy(toy, state.u) + 0.5 * p.stiffness * twist * twist + p.gravity * lift;
}

const char* name(ContactState state) {
  constexpr std::array<const char*, 4> names{"separate", "stick", "slide+", "slide-"};
  return names[static_cast<std::size_t>(state)];
}

const char* name(EventKind kind) {
  constexpr std::array<const char*, 5> names{"start", "impact", "liftOff", "slipEnds", "stickEnds"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace stickslip::reference
