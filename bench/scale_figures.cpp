// How steps grow with the number of spheres, and what a second thread brings: spheres in a box,
// from the time on when they lie.
//
// Threads: two copies of one pile go through the same steps in turn, one copy with one thread and
// the other with two; since both have the same bits, which is checked, they do the same work.
// Growth: two copies go on with 20 and 120 sweeps a step in turn, by the processor time of this
// thread; the difference is that of 100 sweeps.
//
// Usage: scale_figures
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "stickslip/body_system.hpp"
#include "stickslip/stepper.hpp"
#include "stickslip/threads.hpp"
#include "support/random.hpp"

namespace stickslip {
namespace {

constexpr double kRadius = 0.5, kSpacing = 1.2, kStep = 0.01;

double seconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

void addWall(Vec3 position, Vec3 turn, BodySystemData& data) {
  Body wall;
  wall.name = "wall" + std::to_string(data.bodies.size());
  wall.type = Body::Type::fixed;
  wall.position = position;
  wall.orientation = rotationBy(turn);
  wall.shapes.push_back({HalfSpace{}, {}, 0});
  data.bodies.push_back(std::move(wall));
}

// `side` x `side` spheres in a layer, with some room between them.
std::shared_ptr<const BodySystem> spheresInABox(int side, int layers) {
  BodySystemData data;
  data.gravity = {0, 0, -9.81};
  data.materials.push_back({.name = "default", .surface = {.friction = 0.5}});
  const double half = side * kSpacing / 2 + 0.1, quarter = std::numbers::pi / 2;
  addWall({}, {}, data);
  addWall({-half, 0, 0}, {0, quarter, 0}, data);
  addWall({half, 0, 0}, {0, -quarter, 0}, data);
  addWall({0, -half, 0}, {-quarter, 0, 0}, data);
  addWall({0, half, 0}, {quarter, 0, 0}, data);
  testing::Random random(1);
  for (int k = 0; k < side * side * layers; ++k) {
    const double x = k % side + 0.5, y = k / side % side + 0.5, z = k / (side * side);
    Body ball;
    ball.name = "ball" + std::to_string(k);
    ball.mass = massProperties(Sphere{kRadius}, 1);
    ball.shapes.push_back({Sphere{kRadius}, {}, 0});
    ball.position = {kSpacing * x - half + 0.1 + random.uniform(-0.05, 0.05),
                     kSpacing * y - half + 0.1 + random.uniform(-0.05, 0.05),
                     0.6 + kSpacing * z + random.uniform(-0.02, 0.02)};
    data.bodies.push_back(std::move(ball));
  }
  return std::make_shared<BodySystem>(std::move(data));
}

/// A pile that goes on by itself.
class Pile {
 public:
  Pile(int side, int layers, const Method& method)
      : system_(spheresInABox(side, layers)),
        stepper_({system_, method}),
        state_(system_->initialState()) {}

  /// Wall time of so many steps.
  double step(int count) {
    const double start = seconds(CLOCK_MONOTONIC);
    for (int k = 0; k < count; ++k) stepper_.step(state_, kStep);
    return seconds(CLOCK_MONOTONIC) - start;
  }
  /// Processor time of a step and contact.
  double stepByProcessor() {
    const double start = seconds(CLOCK_THREAD_CPUTIME_ID);
    stepper_.step(state_, kStep);
    return (seconds(CLOCK_THREAD_CPUTIME_ID) - start) / contacts();
  }
  /// Goes on from where another one is.
  void take(const State& state) { state_ = state; }
  const State& state() const { return state_; }
  int contacts() const { return stepper_.problem().contactCount(); }

 private:
  std::shared_ptr<const BodySystem> system_;
  Stepper stepper_;
  State state_;
};

Method methodOf(const char* solver, std::int64_t budget, double margin, double tolerance) {
  Method method;
  method.scheme = "position";
  method.cone = FrictionCone::circular;
  method.law = std::string(solver) == "accelerated" ? Law::relaxed : Law::coulomb;
  method.solver = solver;
  method.budget = budget;
  method.margin = margin;
  method.tolerance = tolerance;
  return method;
}

double medianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// A first step fills the caches, where the other pile was.
double timeBlock(int threads, int steps, Pile& pile) {
  setThreadCount(threads);
  pile.step(1);
  return pile.step(steps);
}

void compareThreads(const char* name, const Method& method) {
  constexpr int kSide = 22, kLayers = 21, kSettle = 120, kBlocks = 11, kSteps = 15;
  Pile one(kSide, kLayers, method), two(kSide, kLayers, method);
  setThreadCount(2);
  one.step(kSettle);
  two.step(kSettle);
  std::vector<double> of_one, of_two, ratios;
  for (int block = 0; block < kBlocks; ++block) {
    of_one.push_back(timeBlock(1, kSteps, one));
    of_two.push_back(timeBlock(2, kSteps, two));
    ratios.push_back(of_one.back() / of_two.back());
  }
  setThreadCount(1);
  std::sort(ratios.begin(), ratios.end());
  const double quickest = *std::min_element(of_one.begin(), of_one.end()) /
                          *std::min_element(of_two.begin(), of_two.end());
  std::printf("| %-16s | %6d | %5.1f | %4.2f | %4.2f - %4.2f | %4.2f | %s |\n", name,
              one.contacts(), 1e3 * medianOf(of_one) / kSteps, ratios[kBlocks / 2],
              ratios[kBlocks / 4], ratios[kBlocks * 3 / 4], quickest,
              fingerprint(one.state()) == fingerprint(two.state()) ? "same" : "DIFFERENT");
  std::fflush(stdout);
}

/// Contacts of a pile, and the time of one of them and a sweep.
struct SweepCost {
  double contacts = 0;
  double time = 0;
};

SweepCost costOfASweep(int side, int layers, int settle) {
  constexpr int kFew = 20, kMany = 120, kSteps = 8;
  Pile few(side, layers, methodOf("sweeps", kFew, 0, 0.1)),
      many(side, layers, methodOf("sweeps", kMany, 0, 0.1));
  setThreadCount(2);
  few.step(settle);
  many.take(few.state());
  setThreadCount(1);
  few.stepByProcessor();
  many.stepByProcessor();
  std::vector<double> differences;
  for (int k = 0; k < kSteps; ++k)
    differences.push_back((-few.stepByProcessor() + many.stepByProcessor()) / (kMany - kFew));
  return {static_cast<double>(many.contacts()), medianOf(differences)};
}

void run() {
  std::puts(
      "Two threads, 10,164 spheres: steps of one copy with one thread and of another with two");
  std::puts(
      "| method | contacts | ms a step, one thread | times as quick, median | quartiles | "
      "quickest | bits |");
  std::puts("| --- | --- | --- | --- | --- | --- | --- |");
  compareThreads("sweeps 20", methodOf("sweeps", 20, 0, 0.1));
  compareThreads("sweeps 20 margin", methodOf("sweeps", 20, 0.02, 0.1));
  compareThreads("accelerated 1e-3", methodOf("accelerated", 0, 0, 1e-3));

  std::puts("\nGrowth, `sweeps`, one thread\n| spheres | contacts | ns a contact and sweep |");
  std::puts("| --- | --- | --- |");
  struct Size {
    int side, layers, settle;
  };
  SweepCost first, last;
  for (const Size size : {Size{10, 10, 150}, Size{22, 21, 200}, Size{46, 47, 350}}) {
    last = costOfASweep(size.side, size.layers, size.settle);
    if (first.contacts == 0) first = last;
    std::printf("| %d | %.0f | %.1f |\n", size.side * size.side * size.layers, last.contacts,
                1e9 * last.time);
    std::fflush(stdout);
  }
  std::printf("\nTime of a sweep grows with contacts^%.2f\n",
              1 + std::log(last.time / first.time) / std::log(last.contacts / first.contacts));
}

}  // namespace
}  // namespace stickslip

int main() {
  stickslip::run();
}
