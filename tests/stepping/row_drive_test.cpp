// Scenes in which nothing is driven have no rheonomic terms at all; with zeros in their place,
// which a kinematic body that touches nothing brings, steps and certificates are the same.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "stickslip/body_system.hpp"
#include "stickslip/stepper.hpp"
#include "support/scenes.hpp"

namespace stickslip {
namespace {

BodySystemData withABodyFarAway(BodySystemData data) {
  Body far;
  far.name = "far";
  far.type = Body::Type::kinematic;
  far.motion = ConstantMotion{{0, 1, 0}, {}};
  far.position = {1000, 1000, 0};
  far.shapes.push_back({data.dimension == 2 ? Shape(Disk{0.1}) : Shape(Sphere{0.1}), {}, 0});
  data.bodies.push_back(far);
  return data;
}

void expectSameSteps(const std::string& name, const char* preset) {
  const Scene scene = testing::repositoryScene(name);
  const auto& plain = dynamic_cast<const BodySystem&>(*scene.model.system);
  const auto zeros = std::make_shared<BodySystem>(withABodyFarAway(plain.data()));
  Stepper without({scene.model.system, presetMethod(preset, plain)});
  Stepper with({zeros, presetMethod(preset, *zeros)});
  State a = scene.initial, b = zeros->initialState();
  int contacts = 0;
  for (int step = 0; step < 80; ++step) {
    const StepReport of_a = without.step(a, 0.01), of_b = with.step(b, 0.01);
    const int rows = with.problem().J.rowCount();
    ASSERT_TRUE(without.problem().drive.empty());
    ASSERT_EQ(with.problem().drive, std::vector<double>(static_cast<std::size_t>(rows)));
    ASSERT_EQ(a.q, b.q);
    ASSERT_EQ(a.u, b.u);
    ASSERT_EQ(of_a.certificate.worstResidual(), of_b.certificate.worstResidual());
    ASSERT_EQ(of_a.certificate.contact_work, of_b.certificate.contact_work);
    contacts += with.problem().contactCount();
  }
  EXPECT_GT(contacts, 0);
}

TEST(RowDrive, NoTermsAreZeros) {
  using Presets = std::vector<const char*>;
  const std::map<const char*, Presets> cases{
      {"box-stack.json", {"stickslip", "realtime", "stewart-trinkle", "anitescu-potra"}},
      {"bouncing-sphere.json", {"stickslip", "realtime", "stewart-trinkle"}},
      {"rocking-block.json", {"stickslip", "glocker-studer", "anitescu-potra"}},
      {"slip-to-roll.json", {"stickslip", "realtime", "anitescu-potra"}}};
  for (const auto& [name, presets] : cases)
    for (const char* preset : presets) {
      SCOPED_TRACE(std::string(name) + " " + preset);
      expectSameSteps(name, preset);
    }
}

}  // namespace
}  // namespace stickslip
