// This engine, at several settings, one thread. Solvers that this version does not have are left
// out, with a note.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>

#include "peers/peer_world.hpp"
#include "stickslip/registry.hpp"
#include "stickslip/stepper.hpp"

namespace stickslip::peers {
namespace {

class StickslipWorld final : public PeerWorld {
 public:
  StickslipWorld(const PeerScene& scene, Method method)
      : system_(std::make_shared<BodySystem>(scene.data)),
        stepper_({system_, std::move(method)}),
        state_(system_->initialState()),
        walls_(scene.walls),
        step_(scene.step) {}

  void step() override {
    const StepReport report = stepper_.step(state_, step_);
    worst_residual_ = std::max(worst_residual_, report.certificate.worstResidual());
  }
  BodyState bodyState(int i) const override { return system_->bodyState(walls_ + i, state_); }
  double worstResidual() const override { return worst_residual_; }

 private:
  std::shared_ptr<const BodySystem> system_;
  Stepper stepper_;
  State state_;
  int walls_;
  double step_, worst_residual_ = 0;
};

struct Setting {
  const char* name;
  const char* solver;
  const char* law;
  double tolerance;
  std::int64_t budget;
  int most_bodies;
  double margin = 0;
};

constexpr int kAny = std::numeric_limits<int>::max();
constexpr int kFew = 200;
// Of contacts that take part, as other engines have it (Bullet: 0.02), instead of what velocities
// can close: fewer contacts, deeper overlaps at impact [m].
constexpr double kMargin = 0.02;

// Sweeps are a fixed number: a tolerance is only what their steps are reported by.
constexpr Setting kSettings[] = {
    {"sweeps 4 margin", "sweeps", "coulomb", 0.1, 4, kAny, kMargin},
    {"sweeps 8 margin", "sweeps", "coulomb", 0.1, 8, kAny, kMargin},
    {"sweeps 20 margin", "sweeps", "coulomb", 0.1, 20, kAny, kMargin},
    {"sweeps 8", "sweeps", "coulomb", 0.1, 8, kAny},
    {"sweeps 20", "sweeps", "coulomb", 0.1, 20, kAny},
    {"sweeps 50", "sweeps", "coulomb", 0.1, 50, kAny},
    {"sweeps 200", "sweeps", "coulomb", 0.1, 200, kAny},
    {"accelerated 1e-4 relaxed", "accelerated", "relaxed", 1e-4, 0, kAny},
    {"convex 1e-4 relaxed", "convex", "relaxed", 1e-4, 0, kAny},
    {"auto 1e-4", "auto", "coulomb", 1e-4, 0, kAny},
    {"auto 1e-8", "auto", "coulomb", 1e-8, 0, kFew},
};

Method methodOf(const Setting& setting, int dimension) {
  Method method;
  method.scheme = "position";
  method.cone = dimension == 2 ? FrictionCone::planar : FrictionCone::circular;
  method.law = named<Law>(setting.law);
  method.solver = setting.solver;
  method.tolerance = setting.tolerance;
  method.budget = setting.budget;
  method.margin = setting.margin;
  return method;
}

}  // namespace

std::vector<Contender> stickslipContenders() {
  std::vector<Contender> list;
  for (const Setting& setting : kSettings) {
    const auto known = solverNames();
    if (std::find(known.begin(), known.end(), setting.solver) == known.end()) {
      std::printf("no solver \"%s\" in this version, left out\n", setting.solver);
      continue;
    }
    Contender contender;
    contender.engine = "stickslip";
    contender.setting = setting.name;
    contender.plane = contender.space = true;
    contender.most_bodies = setting.most_bodies;
    contender.make = [&setting](const PeerScene& scene) {
      return std::make_unique<StickslipWorld>(scene, methodOf(setting, scene.data.dimension));
    };
    list.push_back(std::move(contender));
  }
  return list;
}

}  // namespace stickslip::peers
