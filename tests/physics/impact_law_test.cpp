// Impacts with friction, [AP97] section 3: a rod by hand, the special cases that the paper names,
// and its two statements about energy.
#include <gtest/gtest.h>

#include <cmath>

#include "stickslip/stickslip.hpp"
#include "support/random.hpp"

namespace stickslip {
namespace {

Stepper makeStepper(const LinearSystemData& data, const char* impact) {
  const auto system = std::make_shared<LinearSystem>(data);
  Method method = presetMethod("anitescu-potra", *system);
  method.impact = named<Impact>(impact);
  return Stepper({system, method});
}

// ---- A rod that hits the floor with one end ----

// Mass 2, inertia 0.3, the end at (r_x, r_y) from the centre:
//   w_N = (0, 1, r_x), w_T = (1, 0, -r_y)
struct StruckRod {
  double r_x, r_y, mu, e;

  static constexpr double kMass = 2, kInertia = 0.3;

  LinearSystemData data() const {
    LinearSystemData out;
    out.coordinates = {"x", "y", "angle"};
    out.M = {kMass, 0, 0, 0, kMass, 0, 0, 0, kInertia};
    out.contacts = {{"end", 0, {0, 1, r_x}, {1, 0, -r_y}, 0, 0, {mu, e, 0}}};
    return out;
  }
  double normalOf(const State& s) const { return s.u[1] + r_x * s.u[2]; }
  double tangentOf(const State& s) const { return s.u[0] - r_y * s.u[2]; }
};

// Velocity changes of the end by impulses (p_n, p_t): du = A p, A = W M^-1 W'.
struct EndImpact {
  double a_nn, a_tt, a_nt;
  double u_n, u_t;  ///< before
  double p_n = 0, p_t = 0;
  bool sticks = false;

  EndImpact(const StruckRod& rod, const State& state)
      : a_nn(1 / StruckRod::kMass + rod.r_x * rod.r_x / StruckRod::kInertia),
        a_tt(1 / StruckRod::kMass + rod.r_y * rod.r_y / StruckRod::kInertia),
        a_nt(-rod.r_x * rod.r_y / StruckRod::kInertia),
        u_n(rod.normalOf(state)),
        u_t(rod.tangentOf(state)) {
    // Sticking: A p = -u.
    const double det = a_nn * a_tt - a_nt * a_nt;
    p_n = (-u_n * a_tt + u_t * a_nt) / det;
    p_t = (-u_t * a_nn + u_n * a_nt) / det;
    sticks = std::abs(p_t) <= rod.mu * p_n;
    if (sticks) return;
    // Sliding on in the direction it had: p_t = -mu sign(u_t) p_n, and u_n comes to rest.
    const double side = u_t > 0 ? 1 : -1;
    p_n = -u_n / (a_nn - side * rod.mu * a_nt);
    p_t = -side * rod.mu * p_n;
  }
  double compressedTangent() const { return u_t + a_nt * p_n + a_tt * p_t; }
  /// The part of e that may be given back. Normal velocities are 0 after the compression, so that
  /// e p_n does the work a_nn (e p_n)^2/2.
  double shareWithoutGain(double e) const {
    const double lost = -(p_n * u_n + p_t * (u_t + compressedTangent())) / 2;
    const double work = a_nn * e * p_n * e * p_n / 2;
    return work > lost * (1 + 1e-12) ? std::sqrt(lost / work) : 1;
  }
};

TEST(ImpactLaw, RodSticksOrSlidesAsTheClosedFormSays) {
  int sticking = 0, sliding = 0, limited = 0;
  for (const double r_x : {-0.4, 0.0, 0.3})
    for (const double mu : {0.05, 0.2, 0.8})
      for (const double slip : {-2.0, 0.1, 1.5})
        for (const double e : {0.0, 0.4, 1.0}) {
          const StruckRod rod{r_x, -0.35, mu, e};
          const State before{0, {0, 0, 0}, {slip, -1, 0.2}};
          const EndImpact exact(rod, before);
          const bool same_way = exact.sticks || exact.compressedTangent() * exact.u_t >= 0;
          ASSERT_TRUE(exact.p_n > 0);
          if (!same_way) continue;  // slip reversal, not in this closed form
          (exact.sticks ? sticking : sliding) += 1;

          // Poisson: e p_n more along the normal, no more friction.
          State state = before;
          Stepper poisson = makeStepper(rod.data(), "poisson");
          const StepReport report = poisson.step(state, 0);
          EXPECT_TRUE(report.certified);
          // As much less as it takes to gain no energy.
          const double given = exact.shareWithoutGain(e) * e;
          EXPECT_EQ(report.scheme.restitution_limited, given < e);
          limited += given < e ? 1 : 0;
          const double within = given < e ? 1e-9 : 1e-13;
          EXPECT_NEAR(rod.normalOf(state), given * exact.a_nn * exact.p_n, within);
          EXPECT_NEAR(rod.tangentOf(state),
                      exact.compressedTangent() + given * exact.a_nt * exact.p_n, within);
          EXPECT_NEAR(StruckRod::kMass * (state.u[1] + 1), (1 + given) * exact.p_n, within);

          // Reflected: e times all of the compression more, so that normal velocities follow
          // Newton's rule.
          state = before;
          Stepper reflected = makeStepper(rod.data(), "reflected");
          EXPECT_TRUE(reflected.step(state, 0).certified);
          EXPECT_NEAR(rod.normalOf(state), -e * exact.u_n, 1e-13);
          EXPECT_NEAR(rod.tangentOf(state), (1 + e) * exact.compressedTangent() - e * exact.u_t,
                      1e-13);
        }
  EXPECT_GE(sticking, 10);
  EXPECT_GE(sliding, 10);
  EXPECT_GE(limited, 1);
}

// ---- Random impacts ----

// Bodies of random inertia with contacts in random directions.
LinearSystemData randomSystem(testing::Random& random, bool friction, double e_low, double e_high) {
  LinearSystemData data;
  const std::size_t n = random.integer(2, 6);
  data.coordinates.assign(n, "q");
  data.M.assign(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) data.M[i * n + i] = random.uniform(0.5, 3);
  data.f = random.vector(n, -5, 5);
  const int contacts = random.integer(1, static_cast<int>(n));
  for (int i = 0; i < contacts; ++i)
    data.contacts.push_back(
        {"contact",
         0,
         random.vector(n),
         random.vector(n),
         0,
         0,
         {friction ? random.uniform(0.1, 1) : 0, random.uniform(e_low, e_high), 0}});
  return data;
}

double kineticEnergy(const LinearSystemData& data, std::span<const double> u) {
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i) sum += data.M[i * u.size() + i] * u[i] * u[i] / 2;
  return sum;
}

State stateAtContact(testing::Random& random, std::size_t n) {
  return {0, std::vector<double>(n, 0.0), random.vector(n)};
}

TEST(ImpactLaw, KineticEnergyStaysBelowThatOfFreeMotion) {  // Theorem 2.3
  testing::Random random(3);
  for (int trial = 0; trial < 150; ++trial) {
    const LinearSystemData data = randomSystem(random, true, 0, 0);
    Stepper stepper = makeStepper(data, "poisson");
    State state = stateAtContact(random, data.f.size());
    for (int k = 0; k < 20; ++k) {
      const StepReport report = stepper.step(state, 0.02);
      const Certificate& c = report.certificate;
      ASSERT_TRUE(report.certified) << "trial " << trial << ": " << c.worstResidual();
      ASSERT_LE(c.kinetic_energy_end, c.kinetic_energy_free * (1 + 1e-12)) << "trial " << trial;
    }
  }
}

TEST(ImpactLaw, ReflectedImpactsGainNoEnergy) {  // Lemma 3.1
  testing::Random random(4);
  double lost = 0, kept = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const LinearSystemData data = randomSystem(random, true, 0, 1);
    Stepper stepper = makeStepper(data, "reflected");
    State state = stateAtContact(random, data.f.size());
    const double before = kineticEnergy(data, state.u);
    const StepReport report = stepper.step(state, 0);
    ASSERT_TRUE(report.certified);
    const double after = kineticEnergy(data, state.u);
    ASSERT_LE(after, before * (1 + 1e-12)) << "trial " << trial;
    ASSERT_NEAR(report.certificate.contact_work, after - before, 1e-12 * before);
    for (const LinearContact& contact : data.contacts) {
      double rate = 0;
      for (std::size_t k = 0; k < state.u.size(); ++k) rate += contact.w_N[k] * state.u[k];
      ASSERT_GE(rate, -1e-12) << "the velocity after fits every contact";
    }
    (report.scheme.collisions > 0 && after < 0.99 * before ? lost : kept) += 1;
  }
  EXPECT_GE(lost, 50);
  EXPECT_GE(kept, 50);
}

// Poisson's hypothesis may gain energy where there is friction or e differ; what is given back is
// then limited.
TEST(ImpactLaw, PoissonImpactsGainNoEnergy) {
  testing::Random random(7);
  int limited = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    const LinearSystemData data = randomSystem(random, true, 0, 1);
    Stepper stepper = makeStepper(data, "poisson");
    State state = stateAtContact(random, data.f.size());
    const double before = kineticEnergy(data, state.u);
    const StepReport report = stepper.step(state, 0);
    ASSERT_TRUE(report.certified) << "trial " << trial;
    const double after = kineticEnergy(data, state.u);
    ASSERT_LE(after, before * (1 + 1e-9)) << "trial " << trial;
    ASSERT_NEAR(report.certificate.contact_work, after - before, 1e-12 * before);
    limited += report.scheme.restitution_limited ? 1 : 0;
  }
  EXPECT_GE(limited, 1);
  EXPECT_LE(limited, 300) << "most impacts lose energy by themselves";
}

// ---- Tangential restitution ----

// A disk with the radius 0.1 that spins and hits the floor.
struct Superball {
  double mu, e_n, e_t;
  static constexpr double kMass = 2, kRadius = 0.1, kInertia = 0.5 * kMass * kRadius * kRadius;
  static constexpr double kMobility = 1 / kMass + kRadius * kRadius / kInertia;

  LinearSystemData data() const {
    LinearSystemData out;
    out.coordinates = {"x", "y", "angle"};
    out.M = {kMass, 0, 0, 0, kMass, 0, 0, 0, kInertia};
    out.contacts = {{"floor", 0, {0, 1, 0}, {1, 0, kRadius}, 0, 0, {mu, e_n, e_t}}};
    return out;
  }
  static double slip(const State& s) { return s.u[0] + kRadius * s.u[2]; }
};

// e_n = e_t = 1 and enough friction: both parts of the velocity of the contact are reversed.
TEST(ImpactLaw, SuperballReversesTheSlip) {
  for (const double e_t : {0.0, 0.6, 1.0}) {
    const Superball ball{5, 1, e_t};
    Stepper stepper = makeStepper(ball.data(), "poisson");
    State state{0, {0, 0, 0}, {1, -2, 30}};
    const State before = state;
    const StepReport report = stepper.step(state, 0);
    EXPECT_TRUE(report.certified);
    EXPECT_FALSE(report.scheme.restitution_limited);
    const double slip = Superball::slip(before), p_t = -(1 + e_t) * slip / Superball::kMobility;
    EXPECT_NEAR(Superball::slip(state), -e_t * slip, 1e-13);
    EXPECT_NEAR(state.u[1], 2, 1e-14);
    EXPECT_NEAR(state.u[0], 1 + p_t / Superball::kMass, 1e-13);
    EXPECT_NEAR(state.u[2], 30 + p_t * Superball::kRadius / Superball::kInertia, 1e-12);
    const double energy = kineticEnergy(ball.data(), before.u);
    EXPECT_NEAR(report.certificate.contact_work, kineticEnergy(ball.data(), state.u) - energy,
                1e-13 * energy);
    if (e_t < 1) continue;
    EXPECT_LT(state.u[2], 0) << "the spin is reversed, too";
    EXPECT_NEAR(kineticEnergy(ball.data(), state.u), energy, 1e-13 * energy);
  }
}

// The impulse of both phases stays in the friction cone.
TEST(ImpactLaw, FrictionGivenBackStaysInTheCone) {
  const Superball ball{0.3, 0.5, 1};
  const double p_n = Superball::kMass * 2;
  // Sticks in the compression with 0.9 of what friction can do.
  const double slip = 0.9 * 0.3 * p_n * Superball::kMobility;
  Stepper stepper = makeStepper(ball.data(), "poisson");
  State state{0, {0, 0, 0}, {slip, -2, 0}};
  EXPECT_TRUE(stepper.step(state, 0).certified);
  EXPECT_NEAR(state.u[1], 1, 1e-14);
  EXPECT_NEAR(state.u[0], slip - 0.3 * 1.5 * p_n / Superball::kMass, 1e-12);
}

// The same in space, with a polyhedral and a circular cone.
TEST(ImpactLaw, SuperballInSpace) {
  for (const char* cone : {"polyhedral", "circular"}) {
    BodySystemData data;
    data.dimension = 3;
    data.materials.resize(1);
    data.materials[0].surface.friction = 5;
    data.materials[0].surface.restitution = 1;
    data.materials[0].surface.tangential_restitution = 1;
    Body floor;
    floor.name = "floor";
    floor.type = Body::Type::fixed;
    floor.shapes.push_back({HalfSpace{}, {}, 0});
    Body ball;
    ball.name = "ball";
    ball.position = {0, 0, 0.1};
    ball.mass = {2, {}, diagonal({0.008, 0.008, 0.008})};
    ball.shapes.push_back({Sphere{0.1}, {}, 0});
    ball.velocity = {1, -0.5, -2};
    ball.angular_velocity = {4, 20, 7};
    data.bodies = {floor, ball};
    const auto system = std::make_shared<BodySystem>(data);
    Method method = presetMethod("anitescu-potra", *system);
    method.cone = named<FrictionCone>(cone);
    if (std::string(cone) == "circular") method.solver = "exact";
    Stepper stepper({system, method});
    State state = system->initialState();
    EXPECT_TRUE(stepper.step(state, 0).certified) << cone;
    const BodyState after = system->bodyState(1, state);
    const auto slipOf = [](Vec3 v, Vec3 w) { return v + cross(w, {0, 0, -0.1}); };
    const Vec3 before = slipOf(ball.velocity, ball.angular_velocity);
    const Vec3 now = slipOf(after.velocity, after.angular_velocity);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(now[k], -before[k], 1e-7) << cone;
    EXPECT_NEAR(after.angular_velocity.z, 7, 1e-7) << cone;
  }
}

// All e equal, no friction, contacts that collide only: v+ = v_c + e (v_c - v-) solves (3.5).
TEST(ImpactLaw, WithoutFrictionPoissonIsReflection) {
  testing::Random random(5);
  for (int trial = 0; trial < 100; ++trial) {
    LinearSystemData data = randomSystem(random, false, 0, 1);
    State state = stateAtContact(random, data.f.size());
    for (LinearContact& contact : data.contacts) {
      contact.law.e_n = data.contacts[0].law.e_n;
      double rate = 0;
      for (std::size_t k = 0; k < state.u.size(); ++k) rate += contact.w_N[k] * state.u[k];
      if (rate > 0)
        for (double& w : contact.w_N) w = -w;
    }
    State other = state;
    makeStepper(data, "poisson").step(state, 0);
    makeStepper(data, "reflected").step(other, 0);
    for (std::size_t k = 0; k < state.u.size(); ++k)
      ASSERT_NEAR(state.u[k], other.u[k], 1e-12) << "trial " << trial;
  }
}

// e = 0 everywhere: v+ = v_c, one contact problem.
TEST(ImpactLaw, InelasticImpactsAreCompressionAlone) {
  testing::Random random(6);
  for (int trial = 0; trial < 50; ++trial) {
    const LinearSystemData data = randomSystem(random, true, 0, 0);
    State state = stateAtContact(random, data.f.size()), other = state;
    EXPECT_EQ(makeStepper(data, "poisson").step(state, 0).stages, 1);
    EXPECT_EQ(makeStepper(data, "reflected").step(other, 0).stages, 1);
    EXPECT_EQ(state.u, other.u);
  }
}

}  // namespace
}  // namespace stickslip
