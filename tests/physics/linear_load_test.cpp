// Loads over time on coordinates of linear scenes, against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "stickslip/input_error.hpp"
#include "stickslip/io/scene.hpp"
#include "stickslip/run.hpp"

namespace stickslip {
namespace {

std::string loadedScene(const std::string& matrices, const std::string& loads, double step,
                        double end, const std::string& scheme) {
  return R"({"stickslip": 1, "name": "loaded", "time": {"step": )" + std::to_string(step) +
         R"(, "end": )" + std::to_string(end) +
         R"(}, "system": {"type": "linear", "coordinates": ["x", "y"], )" + matrices +
         R"(, "loads": [)" + loads + R"(]}, "method": {"scheme": ")" + scheme + R"("}})";
}

RunSummary runLoaded(const std::string& text) {
  const Scene scene = parseScene(text, "loaded");
  Stepper stepper(scene.model);
  return run(stepper, scene.initial, scene.run);
}

// x'' + x'/10 + 4 x = 3 sin(w t + 0.4), from rest: the transient is a damped swing.
double drivenOscillator(double t) {
  const double w = 2 * std::numbers::pi * 0.25, k = 4, c = 0.1, amplitude = 3, phase = 0.4;
  const double gain = amplitude / std::hypot(k - w * w, c * w);
  const double lag = std::atan2(c * w, k - w * w);
  const double decay = c / 2, swing = std::sqrt(k - decay * decay);
  const double x0 = -gain * std::sin(phase - lag);
  const double v0 = -gain * w * std::cos(phase - lag);
  return gain * std::sin(w * t + phase - lag) +
         std::exp(-decay * t) *
             (x0 * std::cos(swing * t) + (v0 + decay * x0) / swing * std::sin(swing * t));
}

TEST(LinearLoads, SinusoidDrivesAnOscillatorAsTheClosedFormSays) {
  const std::string matrices =
      R"("M": [[1, 0], [0, 1]], "K": [[4, 0], [0, 0]], "C": [[0.1, 0], [0, 0]])";
  const std::string load =
      R"({"coordinate": "x", "type": "sinusoid", "amplitude": 3, "frequency": 0.25, "phase": 0.4})";
  for (const std::string scheme : {"midpoint", "position", "velocity"}) {
    double error[2];
    for (int k = 0; k < 2; ++k) {
      const RunSummary summary =
          runLoaded(loadedScene(matrices, load, k == 0 ? 0.002 : 0.001, 10, scheme));
      EXPECT_TRUE(summary.certified());
      EXPECT_EQ(summary.final_state.q[1], 0) << "acts on one coordinate only";
      error[k] = std::abs(summary.final_state.q[0] - drivenOscillator(10));
    }
    EXPECT_LT(error[1], scheme == "midpoint" ? 1e-3 : 3e-2) << scheme;
    EXPECT_GT(error[0] / error[1], 1.8) << scheme << ": converges";
  }
}

TEST(LinearLoads, TablesAreLinearBetweenTheirRowsAndConstantOutside) {
  const std::string matrices = R"("M": [[2, 0], [0, 1]])";
  const std::string loads =
      R"({"coordinate": "x", "type": "table", "times": [1, 2], "values": [0, 6]},
         {"coordinate": "x", "type": "table", "times": [0], "values": [1]})";
  const RunSummary summary = runLoaded(loadedScene(matrices, loads, 0.01, 3, "midpoint"));
  // Impulse: 3 of the constant one, 3 of the ramp, 6 after it. The middle of a step makes linear
  // pieces exact.
  EXPECT_NEAR(summary.final_state.u[0], 12.0 / 2, 1e-12);
  EXPECT_EQ(summary.final_state.u[1], 0);
}

TEST(LinearLoads, WhatIsWrongIsNamed) {
  const std::string matrices = R"("M": [[1, 0], [0, 1]])";
  const auto complaint = [&](const std::string& load) -> std::string {
    try {
      parseScene(loadedScene(matrices, load, 0.01, 1, "midpoint"), "loaded");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const auto names = [](const std::string& text, const char* field) {
    return text.find(field) != std::string::npos && text.find('\n') == std::string::npos;
  };
  EXPECT_PRED2(names, complaint(R"({"coordinate": "z", "type": "sinusoid", "amplitude": 1,
                             "frequency": 1})"),
               "/system/loads/0/coordinate");
  EXPECT_PRED2(names, complaint(R"({"coordinate": "x", "type": "sinusoid", "amplitude": 1,
                             "frequency": 0})"),
               "/system/loads/0/frequency");
  EXPECT_PRED2(names, complaint(R"({"coordinate": "x", "type": "table", "times": [0, 0],
                             "values": [1, 2]})"),
               "/system/loads/0/times/1");
  EXPECT_PRED2(names, complaint(R"({"coordinate": "x", "type": "table", "times": [0, 1],
                             "values": [1]})"),
               "/system/loads/0/values");
  EXPECT_PRED2(names, complaint(R"({"coordinate": "x", "type": "table", "times": [0], "values": [1],
                             "amplitude": 2})"),
               "/system/loads/0/amplitude");
}

}  // namespace
}  // namespace stickslip
