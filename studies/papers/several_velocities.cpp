// [AH04] Corollary 3 says that a configuration which can be disassembled has one velocity for small
// friction. It has not: a counterexample in closed form, and one at random.
//
// *In closed form.* The pyramid of section 3, flat, so that friction tilts nothing, spins about the
// vertical with w. Normals of every second corner have the same sum (3.16): the corners 1, 3, 5 may
// carry the weight, each a third, or 2, 4, 6. With four directions of friction, along x and y, each
// corner is braked along the axis along which it slides faster:
//
//   corner   0         60          120          180       240         300       degrees
//   slides   (0, 1)    (-s, 1/2)   (-s, -1/2)   (0, -1)   (s, -1/2)   (s, 1/2)  times w, s = sin 60
//   braked   -y        +x          +x           +y        -x          -x
//
// 0, 120, 240 sum up to -y, and 60, 180, 300 to +y. So v_y = -+ mu g h / 3, while both brake the
// spin alike: two velocities, 2/3 mu g h apart, for every mu at which the corners go on sliding.
// Points between them are solutions as well: nothing but the share of each triple changes.
//
// *At random.* The paper's own pyramid with random velocities: Lemke's method with the corners
// in all orders finds solutions whose velocities differ by some mu g h.
//
// *Where the proof fails.* Solutions are the fixed points of chi_1(v) = P_1(mu Lambda(v)), and the
// proof makes that a contraction by mu L K_D <= 1/2 with a constant L of P_1 that holds for all
// small mu (Theorem 3 (i), from Robinson's theorem for Gamma and mu together). For each mu there is
// such a constant in Gamma alone (Theorem 1: only the right side changes), but none for all of
// them: two fixed points mean |v_1 - v_2| = |P_1(Gamma_1) - P_1(Gamma_2)| with Gamma = mu Lambda,
// so that L is at least |v_1 - v_2| / |Gamma_1 - Gamma_2|, which is in proportion to 1/mu.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "papers/experiments.hpp"
#include "papers/pyramid_lcp.hpp"
#include "papers/timed_solve.hpp"
#include "problem/mass_factor.hpp"
#include "scene/instances.hpp"

namespace stickslip {
namespace {

using Variables = PyramidLcp::Variables;
constexpr int kHexagonCorners = PyramidLcp::kCorners;
constexpr double kGravityStep = kGravity * 0.05;  // g h, and h m g as m = 1
constexpr double kSpin = 1, kSpinInertia = 0.5;   // of scenes/papers/spinning-hexagon.json
// Residuals of solutions in closed form: rounding.
constexpr double kClosedFormRounding = 1e-14;
// Residuals up to which Lemke's solutions count.
constexpr double kSolvedByLemke = 1e-13;
// Velocities that differ by less of mu g h are the same.
constexpr double kClearlyApart = 0.1;

// A solution of the pyramid's linear complementarity problem, and how well it is one.
struct PyramidVelocity {
  Variables z{};
  std::vector<double> v;
  double residual = 0;     ///< of the linear complementarity problem
  double certificate = 0;  ///< of impulses and velocity, by the certificate
};

/// A contact problem of the pyramid, with what its solutions are measured by.
class Hexagon {
 public:
  Hexagon(std::string_view scene, double mu)
      : problem_(firstProblem(
            paperScene(scene, {fmt::format("system.materials.default.friction={:.17g}", mu)}))),
        order_(PyramidLcp::around(problem_)) {
    mass_.start(problem_.M);
  }

  ContactProblem& problem() { return problem_; }

  /// Given the impulses in z, adds lambda = Lambda(v), and measures.
  PyramidVelocity complete(Variables z) const {
    PyramidVelocity out;
    ContactSolution solution;
    solution.p = impulses(z);
    solution.v = velocity(solution.p);
    for (int corner = 0; corner < kHexagonCorners; ++corner)
      z[PyramidLcp::lambda(corner)] = sliding(corner, solution.v);
    out.z = z;
    out.v = solution.v;
    out.residual = PyramidLcp(problem_, order_).residual(z);
    out.certificate = Certifier().residuals(problem_, solution).worstResidual();
    return out;
  }

  /// Lambda(v) of a corner: the largest d.v.
  double sliding(int corner, std::span<const double> v) const {
    const int contact = order_[corner];
    return std::max(std::abs(rowSpeed(contact, 1, v)), std::abs(rowSpeed(contact, 2, v)));
  }

 private:
  std::vector<double> impulses(const Variables& z) const {
    std::vector<double> p(problem_.b.size(), 0.0);
    for (int corner = 0; corner < kHexagonCorners; ++corner) {
      const int contact = order_[corner];
      const std::size_t row = problem_.J.firstRow(contact);
      p[row] = z[PyramidLcp::normal(corner)];
      for (int d = 0; d < PyramidLcp::kDirections; ++d)
        p[row + 1 + d % 2] += (d < 2 ? 1 : -1) * z[PyramidLcp::friction(corner, d)];
    }
    return p;
  }

  std::vector<double> velocity(const std::vector<double>& p) const {
    std::vector<double> v(problem_.v_free.size(), 0.0);
    for (int contact = 0; contact < problem_.contactCount(); ++contact)
      for (const BlockRows::Strip& strip : problem_.J.stripsOf(contact)) {
        const StripValues values = problem_.J.values(contact, strip);
        for (int row = 0; row < problem_.J.rowsOf(contact); ++row) {
          const double impulse = p[problem_.J.firstRow(contact) + row];
          for (std::size_t k = 0; k < values.row(row).size(); ++k)
            v[strip.first_column + k] += impulse * values.row(row)[k];
        }
      }
    mass_.divide(v);
    for (std::size_t k = 0; k < v.size(); ++k) v[k] += problem_.v_free[k];
    return v;
  }

  double rowSpeed(int contact, int row, std::span<const double> v) const {
    double speed = 0;
    for (const BlockRows::Strip& strip : problem_.J.stripsOf(contact)) {
      const StripValues values = problem_.J.values(contact, strip);
      for (std::size_t k = 0; k < values.row(row).size(); ++k)
        speed += values.row(row)[k] * v[strip.first_column + k];
    }
    return speed;
  }

  ContactProblem problem_;
  PyramidLcp::Order order_;
  MassFactor mass_;
};

double largestComponentOff(std::span<const double> a, std::span<const double> b) {
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(a[k] - b[k]));
  return most;
}

// |v_1 - v_2| / |Gamma_1 - Gamma_2|: what a Lipschitz constant of P_1 is at least.
double leastLipschitz(const PyramidVelocity& one, const PyramidVelocity& other, double mu) {
  double gamma = 0;
  for (int corner = 0; corner < kHexagonCorners; ++corner)
    gamma = std::max(gamma, mu * std::abs(one.z[PyramidLcp::lambda(corner)] -
                                          other.z[PyramidLcp::lambda(corner)]));
  return largestComponentOff(one.v, other.v) / gamma;
}

// What was found for one coefficient of friction.
struct Spread {
  double mu = 0;
  double difference = 0;  ///< of two velocities, relative to g h
  double residual = 0;    ///< worst of both solutions, either measure
  double lipschitz = 0;   ///< of P_1, at least
  double off = 0;         ///< from the closed form, relative to g h
};

// Impulses of the closed form: corners `first`, `first` + 2, `first` + 4 carry a third each. Which
// direction brakes a corner is read off the velocity with which it slides at first.
Variables tripleLoaded(const Hexagon& hexagon, const ContactProblem& problem, double mu,
                       int first) {
  Variables z{};
  const PyramidLcp::Order order = PyramidLcp::around(problem);
  for (int corner = first; corner < kHexagonCorners; corner += 2) {
    z[PyramidLcp::normal(corner)] = kGravityStep / 3;
    const double most = hexagon.sliding(corner, problem.v_free);
    const int contact = order[corner];
    for (int d = 0; d < PyramidLcp::kDirections; ++d) {
      double along = 0;
      for (const BlockRows::Strip& strip : problem.J.stripsOf(contact)) {
        const StripValues values = problem.J.values(contact, strip);
        for (std::size_t k = 0; k < values.row(1 + d % 2).size(); ++k)
          along += values.row(1 + d % 2)[k] * problem.v_free[strip.first_column + k];
      }
      if ((d < 2 ? -along : along) > 0.9 * most)
        z[PyramidLcp::friction(corner, d)] = mu * kGravityStep / 3;
    }
  }
  return z;
}

Spread spinning(double mu) {
  Hexagon hexagon("spinning-hexagon", mu);
  const ContactProblem& problem = hexagon.problem();
  const PyramidVelocity one = hexagon.complete(tripleLoaded(hexagon, problem, mu, 0)),
                        other = hexagon.complete(tripleLoaded(hexagon, problem, mu, 1));
  const double spin = kSpin - mu * kGravityStep * (1 + std::sqrt(3.0)) / 3 / kSpinInertia;
  Spread out{mu, largestComponentOff(one.v, other.v) / kGravityStep, 0,
             leastLipschitz(one, other, mu), 0};
  for (const PyramidVelocity* solution : {&one, &other}) {
    out.residual = std::max({out.residual, solution->residual, solution->certificate});
    std::array<double, 6> expected{
        0, (solution == &one ? -1 : 1) * mu * kGravityStep / 3, 0, 0, 0, spin};
    // Which triple is the first hangs on where the hexagon's order begins.
    if (solution->v[1] * expected[1] < 0) expected[1] = -expected[1];
    out.off = std::max(out.off, largestComponentOff(solution->v, expected) / kGravityStep);
  }
  return out;
}

// The pair of Lemke's solutions with the largest difference of velocities, over random pushes.
Spread pushed(double mu, int pushes) {
  Hexagon hexagon("pyramid", mu);
  const std::vector<double> at_rest = hexagon.problem().v_free;
  Spread out{mu};
  for (int push = 0; push < pushes; ++push) {
    RandomNumbers random(1, push);
    // It slides and spins, and does not take off.
    for (const std::size_t k : {0UL, 1UL, 5UL})
      hexagon.problem().v_free[k] = at_rest[k] + kGravityStep * random.uniform(-1, 1);
    std::vector<PyramidVelocity> found;
    for (const Variables& z : lemkeSolutions(hexagon.problem()).distinct) {
      found.push_back(hexagon.complete(z));
      if (std::max(found.back().residual, found.back().certificate) > kSolvedByLemke)
        found.pop_back();
    }
    for (const PyramidVelocity& one : found)
      for (const PyramidVelocity& other : found) {
        const double difference = largestComponentOff(one.v, other.v) / kGravityStep;
        if (difference <= out.difference) continue;
        out.difference = difference;
        out.residual = std::max({one.residual, one.certificate, other.residual, other.certificate});
        out.lipschitz = leastLipschitz(one, other, mu);
      }
  }
  return out;
}

void addTo(Outcome& outcome, Table& table, std::string_view what, const Spread& spread) {
  outcome.rows.push_back({{"what", what},
                          {"mu", spread.mu},
                          {"velocity_difference", spread.difference},
                          {"residual", spread.residual},
                          {"lipschitz_at_least", spread.lipschitz},
                          {"closed_form_off", spread.off}});
  table.rows.push_back(
      {std::string(what), fmt::format("{:g}", spread.mu), fmt::format("{:.4g}", spread.difference),
       fmt::format("{:.3f}", spread.difference / spread.mu), fmt::format("{:.0e}", spread.residual),
       fmt::format("{:.3g}", spread.lipschitz)});
}

}  // namespace

Outcome reproduceSeveralVelocities(const Effort& effort) {
  Outcome outcome;
  Checks checks;
  Table table{
      "Two velocities of one step: how far apart, how well both solve it, and what a Lipschitz "
      "constant of P_1 is at least",
      {"what", "mu", "|v1 - v2| / g h", "over mu", "residual", "L at least"},
      {}};
  std::vector<Spread> spins, pushes;
  for (const double mu : {0.1, 0.01, 0.001, 0.0001}) {
    spins.push_back(spinning(mu));
    const Spread& spin = spins.back();
    checks.expect(spin.residual <= kClosedFormRounding,
                  fmt::format("spinning, mu {:g}: a residual of {:.0e}", mu, spin.residual));
    checks.expect(std::abs(spin.difference - 2 * mu / 3) <= kClosedFormRounding &&
                      spin.off <= kClosedFormRounding,
                  fmt::format("spinning, mu {:g}: not the closed form", mu));
    checks.expect(std::abs(spin.lipschitz * mu / (spins.front().lipschitz * 0.1) - 1) <= 1e-9,
                  fmt::format("spinning, mu {:g}: L is not in proportion to 1/mu", mu));
    addTo(outcome, table, "flat, spinning", spin);
  }
  for (const double mu : {0.1, 0.01, 0.001}) {
    pushes.push_back(pushed(mu, effort.quick ? 3 : 40));
    checks.expect(pushes.back().difference > kClearlyApart * mu,
                  fmt::format("pushed, mu {:g}: velocities differ by {:.1e} g h only", mu,
                              pushes.back().difference));
    addTo(outcome, table, "the paper's, pushed", pushes.back());
  }
  checks.decide(
      outcome, Verdict::refutes,
      fmt::format(
          "Corollary 3 says that small friction has one velocity. A flat pyramid that spins has "
          "two, 2/3 mu g h apart, for every mu, in closed form, with residuals of {:.0e}; the "
          "paper's own pyramid, pushed so that it slides and spins, has velocities {:.2g}, {:.2g} "
          "and {:.2g} g h apart for mu 0.1, 0.01 and 0.001. Two fixed points of chi_1 mean that a "
          "Lipschitz constant of P_1 is at least in proportion to 1/mu ({:.3g} to {:.3g} here): "
          "the proof needs one that holds for all small mu.",
          std::max_element(spins.begin(), spins.end(),
                           [](const Spread& a, const Spread& b) { return a.residual < b.residual; })
              ->residual,
          pushes[0].difference, pushes[1].difference, pushes[2].difference, spins.front().lipschitz,
          spins.back().lipschitz));
  outcome.parameters = {
      {"scenes", "scenes/papers: spinning-hexagon, pyramid"},
      {"chosen",
       "all: corners at radius 1, m 1, h 0.05, g 9.81; flat: inertia about the vertical 0.5, 1 "
       "rad/s; pushes: up to g h in x, y and 1/m g h in spin, seeds 0, 1, ..."},
      {"residuals",
       "the larger of |min(z, N z + q)| / |q| of (2.7)-(2.8) and of the certificate's"}};
  outcome.blocks = {table};
  return outcome;
}

}  // namespace stickslip
