// Contacts that close only because of impulses or prescribed motions within a step of `position`:
// rows of bodies that do not bounce against momentum and the closed form, whatever stands in them
// and in which units, and bodies that are hit by what moves by itself.
#include <gtest/gtest.h>

#include <cmath>

#include "support/bodies.hpp"
#include "support/sphere_box.hpp"

namespace stickslip::testing {
namespace {

/// A body of unit mass that flies into a row of others at rest, with gaps between them.
struct Row {
  Shape shape = Disk{0.1};
  int dimension = 2;
  int at_rest = 5;
  double gap = 1e-3;
  double speed = 30;
  // Units: how many new ones an old one has.
  double length = 1;
  double mass = 1;
  double time = 1;

  BodySystemData data() const;
  /// All move on together.
  double commonSpeed() const { return speed / (at_rest + 1); }
  double energyAtEnd() const { return speed * commonSpeed() / 2; }
};

Shape scaled(Shape shape, double factor) {
  if (Disk* disk = std::get_if<Disk>(&shape)) disk->radius *= factor;
  if (Sphere* sphere = std::get_if<Sphere>(&shape)) sphere->radius *= factor;
  if (Box* box = std::get_if<Box>(&shape)) box->size = factor * box->size;
  return shape;
}

BodySystemData Row::data() const {
  BodySystemData data;
  data.dimension = dimension;
  data.materials.resize(1);
  data.materials[0].surface.friction = 0;
  const double inertia = 0.005 * mass * length * length;
  for (int k = 0; k <= at_rest; ++k) {
    const double x = k == 0 ? -0.5 : (k - 1) * (0.2 + gap);
    Body body =
        spatialBody("b" + std::to_string(k), mass, {inertia, inertia, inertia}, {length * x, 0, 0});
    body.shapes.push_back({scaled(shape, length), {}, 0});
    if (k == 0) body.velocity = {length / time * speed, 0, 0};
    data.bodies.push_back(body);
  }
  return data;
}

Method positionFor(const System& system, bool implicit = false) {
  Method method = presetMethod("stickslip", system);
  method.scheme = "position";
  method.implicit = implicit;
  return method;
}

struct RowEnd {
  std::vector<double> speeds;  ///< along the row, in the units of the row
  double most_gain = 0;        ///< of energy in a step, relative to that of the start
  RunSummary summary;
};

RowEnd runRow(const Row& row, const TimeSettings& time, bool implicit = false, double margin = 0) {
  const auto system = std::make_shared<BodySystem>(row.data());
  Method method = positionFor(*system, implicit);
  method.margin = margin;
  Stepper stepper({system, method});
  RowEnd end;
  double last = INFINITY;
  const double start = row.speed * row.speed / 2;
  const double unit = row.length / row.time;
  end.summary = run(stepper, system->initialState(), {time, false},
                    [&](long, const State& state, const Stepper&, const StepReport*) {
                      double energy = 0;
                      for (const double u : state.u) energy += u * u / 2 / (unit * unit);
                      end.most_gain = std::max(end.most_gain, (energy - last) / start);
                      last = energy;
                    });
  for (int k = 0; k <= row.at_rest; ++k)
    end.speeds.push_back(system->bodyState(k, end.summary.final_state).velocity.x / unit);
  return end;
}

void expectToMoveOnTogether(const Row& row, const RowEnd& end, double tolerance) {
  EXPECT_TRUE(end.summary.certified());
  EXPECT_EQ(end.summary.missed_contact_steps, 0);
  double momentum = 0;
  for (const double speed : end.speeds) {
    EXPECT_NEAR(speed, row.commonSpeed(), tolerance * row.speed);
    momentum += speed;
  }
  EXPECT_NEAR(momentum, row.speed, 1e-9 * row.speed);
  EXPECT_LE(end.most_gain, 1e-12);
}

TEST(MissedContacts, ARowOfDisksMovesOnTogether) {
  for (const double h : {2e-4, 1e-3, 3e-3})
    for (const double gap : {1e-6, 1e-3, 5e-3}) {
      Row row;
      row.gap = gap;
      const RowEnd end = runRow(row, {h, 0.1});
      expectToMoveOnTogether(row, end, 1e-9);
      EXPECT_NEAR(end.summary.energy_end, row.energyAtEnd(), 1e-9 * row.energyAtEnd());
      // Where a disk that is pushed gets to the next one within the step.
      if (gap < row.speed / 4 * h) {
        EXPECT_GT(end.summary.contact_rounds, 0) << h << " " << gap;
      }
    }
}

TEST(MissedContacts, RowsInSpaceDoLikewise) {
  for (const Shape& shape : {Shape{Sphere{0.1}}, Shape{Box{{0.2, 0.2, 0.2}}}}) {
    Row row;
    row.shape = shape;
    row.dimension = 3;
    expectToMoveOnTogether(row, runRow(row, {1e-3, 0.1}), 1e-8);
  }
}

// A margin says what is watched at first: what bodies close beyond it is found as well.
TEST(MissedContacts, AMarginHidesNoBlow) {
  for (const double margin : {1e-5, 1e-3, 0.02, 0.4})
    for (const double gap : {1e-3, 5e-3})
      for (const bool implicit : {false, true}) {
        Row row;
        row.gap = gap;
        const RowEnd end = runRow(row, {1e-3, 0.1}, implicit, margin);
        expectToMoveOnTogether(row, end, implicit ? 1e-3 : 1e-9);
        EXPECT_LT(end.summary.penetration_max, 1e-6);
      }
}

// Whoever moves further than the margin within a step: something that falls, the ends of something
// that turns, and a joint.
TEST(MissedContacts, WhatGoesFurtherThanTheMarginLands) {
  BodySystemData data;
  data.dimension = 2;
  data.materials.resize(1);
  data.materials[0].surface.friction = 0;
  Body floor;
  floor.name = "floor";
  floor.type = Body::Type::fixed;
  floor.shapes.push_back({HalfPlane{}, {}, 0});
  Body ball = spatialBody("ball", 1, {1, 1, 1}, {-5, 1.23, 0});
  ball.velocity = {0, -30, 0};
  ball.shapes.push_back({Disk{0.1}, {}, 0});
  Body rod = spatialBody("rod", 1, {1, 1, 1}, {5, 0.5, 0});
  rod.angular_velocity = {0, 0, 20};
  rod.shapes.push_back({PlanarBox{2, 0.02}, {}, 0});
  data.bodies = {floor, ball, rod};
  for (const double margin : {1e-3, 1e-2}) {
    const auto system = std::make_shared<BodySystem>(data);
    Method method = positionFor(*system);
    method.margin = margin;
    Stepper stepper({system, method});
    const RunSummary s = run(stepper, system->initialState(), {{1e-3, 0.2}, false});
    EXPECT_TRUE(s.certified());
    // The rod turns by 0.02 within a step, and linearizing leaves half of the square of that.
    EXPECT_LT(s.penetration_max, 4e-4);
    EXPECT_NEAR(system->bodyState(1, s.final_state).position.y, 0.1, 1e-9);
  }
}

TEST(MissedContacts, AMarginHidesNoLimitOfAJoint) {
  BodySystemData data;
  data.materials.resize(1);
  data.bodies = {spatialBody("pendulum", 1, {1, 1, 1}, {})};
  data.bodies[0].angular_velocity = {0, 0, 20};
  Joint joint;
  joint.name = "hinge";
  joint.type = Joint::Type::revolute;
  joint.body_a = Joint::kWorld;
  joint.body_b = 0;
  joint.drives.resize(1);
  joint.drives[0].upper = 1.05;
  data.joints = {joint};
  const auto system = std::make_shared<BodySystem>(data);
  Method method = positionFor(*system);
  method.margin = 1e-3;
  Stepper stepper({system, method});
  const RunSummary s = run(stepper, system->initialState(), {{1e-2, 0.2}, false});
  EXPECT_NEAR(system->jointCoordinate(0, 0, s.final_state), 1.05, 1e-9);
  EXPECT_NEAR(s.final_state.u[5], 0, 1e-9);
}

// Rounds follow a blow over ever more bodies.
TEST(MissedContacts, ALongRowTakesFewRounds) {
  Row row;
  row.at_rest = 40;
  row.gap = 1e-7;
  const auto system = std::make_shared<BodySystem>(row.data());
  Stepper stepper({system, positionFor(*system)});
  State state = system->initialState();
  long most = 0;
  for (int k = 0; k < 40; ++k) {
    const StepReport report = stepper.step(state, 1e-3);
    EXPECT_FALSE(report.scheme.contacts_missed);
    most = std::max(most, report.scheme.contact_rounds);
  }
  EXPECT_GE(most, 2);
  EXPECT_LE(most, 7);
  for (std::size_t k = 0; k < state.u.size(); k += 3)
    EXPECT_NEAR(state.u[k], row.commonSpeed(), 1e-9 * row.speed);
}

TEST(MissedContacts, UnitsDoNotMatter) {
  Row plain;
  Row other = plain;
  other.length = 1e3;
  other.mass = 1e-6;
  other.time = 1e-2;
  const RowEnd a = runRow(plain, {1e-3, 0.05}), b = runRow(other, {1e-5, 5e-4});
  EXPECT_EQ(a.summary.contact_rounds, b.summary.contact_rounds);
  for (std::size_t k = 0; k < a.speeds.size(); ++k)
    EXPECT_NEAR(a.speeds[k], b.speeds[k], 1e-9 * plain.speed);
}

TEST(MissedContacts, StepsByTheirErrorMakeNoEnergy) {
  for (const double gap : {1e-6, 1e-3}) {
    Row row;
    row.gap = gap;
    const RowEnd end = runRow(row, {1e-3, 0.1, 1e-4});
    expectToMoveOnTogether(row, end, 1e-6);
  }
}

TEST(MissedContacts, ImplicitStepsDoLikewise) {
  const Row row;
  expectToMoveOnTogether(row, runRow(row, {1e-3, 0.1}, true), 1e-3);
}

// Five coordinates in a row: a single block of velocities, whatever moves.
TEST(MissedContacts, ARowOfCoordinatesMovesOnTogether) {
  constexpr int kCount = 5;
  LinearSystemData data;
  data.M.assign(kCount * kCount, 0.0);
  for (std::size_t i = 0; i < kCount; ++i) {
    data.coordinates.push_back("x" + std::to_string(i));
    data.M[i * kCount + i] = 1;
    if (i == 0) continue;
    LinearContact contact;
    contact.name = "c" + std::to_string(i);
    contact.g0 = 1e-3;
    contact.w_N.assign(kCount, 0.0);
    contact.w_N[i] = 1;
    contact.w_N[i - 1] = -1;
    data.contacts.push_back(contact);
  }
  for (const double margin : {0.0, 1e-4}) {
    const auto system = std::make_shared<LinearSystem>(data);
    Method method = positionFor(*system);
    method.margin = margin;
    Stepper stepper({system, method});
    State state{0, std::vector<double>(kCount), std::vector<double>(kCount)};
    state.u[0] = 10;
    const RunSummary summary = run(stepper, state, {{1e-3, 0.05}, false});
    EXPECT_TRUE(summary.certified());
    EXPECT_EQ(summary.missed_contact_steps, 0);
    for (const double u : summary.final_state.u) EXPECT_NEAR(u, 10.0 / kCount, 1e-12);
  }
}

// Whatever the step, a body at rest takes the velocity of what hits it and moves by itself.
TEST(MissedContacts, ARamGivesItsOwnSpeed) {
  for (const double h : {5e-4, 2e-3, 7e-3, 0.02, 0.05})
    for (const double margin : {0.0, 1e-3})
      for (const bool implicit : {false, true}) {
        BodySystemData data;
        data.materials = {Material{}};
        Body ram;
        ram.name = "ram";
        ram.type = Body::Type::kinematic;
        ram.position = {-1, 0, 0};
        ram.motion = ConstantMotion{{8, 0, 0}, {}};
        ram.shapes.push_back({Box{{0.6, 0.6, 0.6}}, {}, 0});
        Body body = spatialBody("body", 3, {1, 1, 1}, {});
        body.shapes.push_back({Box{{0.5, 0.5, 0.5}}, {}, 0});
        data.bodies = {ram, body};
        const auto system = std::make_shared<BodySystem>(data);
        Method method = positionFor(*system, implicit);
        method.margin = margin;
        Stepper stepper({system, method});
        const RunSummary s = run(stepper, system->initialState(), {{h, 0.35}, false});
        EXPECT_TRUE(s.certified());
        EXPECT_NEAR(system->bodyState(1, s.final_state).velocity.x, 8, 1e-9) << h << " " << margin;
        EXPECT_NEAR(system->bodyState(1, s.final_state).position.x, 8 * 0.35 - 0.45, 1e-9) << h;
      }
}

/// A box that moves by itself, and a row of disks or balls in front of it.
BodySystemData ramAndRow(int dimension, double speed, int count, double gap) {
  BodySystemData data;
  data.dimension = dimension;
  data.materials = {Material{}};
  Body ram;
  ram.name = "ram";
  ram.type = Body::Type::kinematic;
  ram.position = {-1, 0, 0};
  ram.motion = ConstantMotion{{speed, 0, 0}, {}};
  ram.shapes.push_back(
      {dimension == 2 ? Shape{PlanarBox{0.2, 0.2}} : Shape{Box{{0.2, 0.2, 0.2}}}, {}, 0});
  data.bodies.push_back(ram);
  for (int k = 0; k < count; ++k) {
    Body body = spatialBody("b" + std::to_string(k), 1, {0.005, 0.005, 0.005},
                            {-0.795 + k * (0.2 + gap), 0, 0});
    body.shapes.push_back({dimension == 2 ? Shape{Disk{0.1}} : Shape{Sphere{0.1}}, {}, 0});
    data.bodies.push_back(body);
  }
  return data;
}

// Bodies that are hit hit others in further rounds of the same step, whose contacts with the ram
// are followed along the velocities of the round before.
TEST(MissedContacts, ARamPushesARow) {
  for (const int dimension : {2, 3})
    for (const double speed : {3.0, 8.0, 30.0})
      for (const double gap : {1e-6, 1e-3, 0.02})
        for (const int count : {2, 3, 7}) {
          const auto system = std::make_shared<BodySystem>(ramAndRow(dimension, speed, count, gap));
          Stepper stepper({system, positionFor(*system)});
          const RunSummary s = run(stepper, system->initialState(), {{1e-3, 0.08}, false});
          EXPECT_TRUE(s.certified());
          EXPECT_EQ(s.missed_contact_steps, 0);
          EXPECT_LT(s.penetration_max, 1e-9);
          const bool reached = speed * 0.08 > 0.005 + gap * (count - 1);
          for (int k = 1; k <= count && reached; ++k)
            EXPECT_NEAR(system->bodyState(k, s.final_state).velocity.x, speed, 1e-6)
                << dimension << " " << speed << " " << gap << " " << count;
        }
}

TEST(MissedContacts, ADriveGivesItsOwnSpeed) {
  LinearSystemData data;
  data.coordinates = {"x"};
  data.M = {2};
  data.contacts = {{"piston", 0.45, {1}, {}, -8, 0, {}}};
  for (const double h : {1e-3, 7e-3, 0.05}) {
    const auto system = std::make_shared<LinearSystem>(data);
    Stepper stepper({system, positionFor(*system)});
    const RunSummary summary = run(stepper, {0, {0}, {0}}, {{h, 0.35}, false});
    EXPECT_NEAR(summary.final_state.u[0], 8, 1e-11) << h;
    EXPECT_NEAR(summary.final_state.q[0], 8 * 0.35 - 0.45, 1e-11) << h;
  }
}

// A step that goes far through a thin wall: geometry at its end alone would not see it.
TEST(MissedContacts, ImplicitStepsDoNotGoThroughWalls) {
  for (const bool implicit : {false, true}) {
    BodySystemData data;
    data.materials = {Material{}};
    Body wall;
    wall.name = "wall";
    wall.type = Body::Type::fixed;
    wall.shapes.push_back({Box{{0.01, 4, 4}}, {}, 0});
    Body body = spatialBody("body", 1, {1e-4, 1e-4, 1e-4}, {-1.003, 0, 0});
    body.velocity = {50, 0, 0};
    body.shapes.push_back({Box{{0.02, 0.02, 0.02}}, {}, 0});
    data.bodies = {wall, body};
    const auto system = std::make_shared<BodySystem>(data);
    Stepper stepper({system, positionFor(*system, implicit)});
    const RunSummary s = run(stepper, system->initialState(), {{2e-3, 0.08}, false});
    EXPECT_NEAR(system->bodyState(1, s.final_state).position.x, -0.015, 1e-9) << implicit;
  }
}

// What sleeps is hit within the step by what was only just pushed: it wakes in that step.
TEST(MissedContacts, WhatSleepsWakesWhenABlowGetsThere) {
  Row row;
  row.shape = Box{{0.2, 0.2, 0.2}};
  row.dimension = 3;
  row.speed = 10;
  BodySystemData data = row.data();
  data.gravity = {0, 0, -kGravity};
  Body floor;
  floor.name = "floor";
  floor.type = Body::Type::fixed;
  floor.position = {0, 0, -0.1};
  floor.shapes.push_back({HalfSpace{}, {}, 0});
  data.bodies.push_back(floor);
  data.bodies[0].position.x = -1.9;
  const auto system = std::make_shared<BodySystem>(data);
  Method method = positionFor(*system);
  Stepper awake({system, method});
  method.sleep_time = 0.05;
  Stepper sleeping({system, method});
  State a = system->initialState(), b = a;
  int most_asleep = 0;
  for (int k = 0; k < 220; ++k) {
    EXPECT_TRUE(awake.step(a, 1e-3).certified);
    EXPECT_TRUE(sleeping.step(b, 1e-3).certified);
    most_asleep = std::max(most_asleep, sleeping.asleepCount());
  }
  EXPECT_EQ(most_asleep, 5);
  EXPECT_EQ(sleeping.asleepCount(), 0);
  for (std::size_t k = 0; k < a.u.size(); ++k) EXPECT_NEAR(a.u[k], b.u[k], 1e-6);
  EXPECT_NEAR(a.u[0], row.commonSpeed(), 1e-3);
}

TEST(MissedContacts, APileAtRestTakesNoRounds) {
  const SphereBox box = settledSpheres(3, 0.2, 1);
  Method method = positionFor(*box.system);
  method.solver = "sweeps";
  method.budget = 50;
  Stepper stepper({box.system, method});
  State state = box.state;
  for (int k = 0; k < 1000; ++k) stepper.step(state, box.step);
  double fastest = 0;
  for (int k = 0; k < 60; ++k) {
    EXPECT_EQ(stepper.step(state, box.step).scheme.contact_rounds, 0);
    for (std::size_t i = 0; i < state.u.size(); i += 6)
      fastest = std::max(fastest, std::hypot(state.u[i], state.u[i + 1], state.u[i + 2]));
  }
  EXPECT_LT(fastest, kGravity * box.step) << "slower than what is not told from rest";
}

}  // namespace
}  // namespace stickslip::testing
