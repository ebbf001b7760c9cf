// [AH04]'s second iteration in real time: however few iterations a step may take, each of them is
// finished, on every island, and nothing falls through the floor.
#include <gtest/gtest.h>

#include <string>

#include "stickslip/io/scene.hpp"
#include "stickslip/stickslip.hpp"
#include "support/random.hpp"

namespace stickslip {
namespace {

// Disks and boxes in rows above a floor, beside a wall that leans over them; two are joined.
std::string fallingBodies(std::uint64_t seed, const std::string& method) {
  testing::Random random(seed);
  std::string bodies, shape;
  for (int k = 0; k < 8; ++k) {
    shape = k % 3 == 0 ? R"({"type": "box", "size": [0.3, 0.24]})"
                       : R"({"type": "disk", "radius": 0.15})";
    bodies += R"(, {"name": "b)" + std::to_string(k) + R"(", "position": [)" +
              std::to_string(-1.2 + 0.6 * (k % 4) + random.uniform(-0.05, 0.05)) + ", " +
              std::to_string(0.25 + 0.5 * (k / 4)) + R"(], "angle": )" +
              std::to_string(random.uniform(-0.3, 0.3)) + R"(, "velocity": [)" +
              std::to_string(random.uniform(-1, 1)) + ", " + std::to_string(random.uniform(-1, 0)) +
              R"(], "shape": )" + shape + "}";
  }
  return R"({"stickslip": 1, "name": "falling", "time": {"step": 0.005, "end": 0.5},
    "system": {"type": "planar", "materials": {"default": {"friction": 0.4}},
      "bodies": [{"name": "floor", "type": "static", "shape": {"type": "half-plane"}},
        {"name": "wall", "type": "static", "position": [1.2, 0],
         "shape": {"type": "half-plane", "normal": [-1, 0.05]}})" +
         bodies + R"(], "joints": [{"name": "rod", "type": "distance", "bodies": ["b0", "b5"]}]},
    "method": )" +
         method + "}";
}

TEST(SmallBudget, NothingFallsThroughTheFloor) {
  for (const std::uint64_t seed : {1u, 2u, 3u})
    for (const char* method :
         {R"({"preset": "anitescu-hart-2", "budget": 1})",
          R"({"preset": "anitescu-hart-2", "budget": 3})", R"({"preset": "anitescu-hart-2-once"})",
          R"({"preset": "anitescu-hart-2-once", "initial_slip": "previous"})"}) {
      const Scene scene = parseScene(fallingBodies(seed, method), "test");
      Stepper stepper(scene.model);
      const RunSummary summary = run(stepper, scene.initial, scene.run);
      EXPECT_EQ(summary.steps, 100);
      EXPECT_LT(summary.penetration_max, 2e-3) << seed << method;
    }
}

}  // namespace
}  // namespace stickslip
