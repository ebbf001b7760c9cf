#include "reproduce/experiments.hpp"

#include <array>

namespace stickslip {

std::span<const Experiment> experiments() {
  static constexpr auto kExperiments = std::to_array<Experiment>({
      {"incline", "000 Figure 1, (1)", "Block on an incline: a differential inclusion",
       reproduceIncline},
      {"rod", "000 Figures 4-6", "Falling and spinning rod", reproduceRod},
      {"four-balls", "000 Figures 7-8, Table 1", "Four balls in space", reproduceFourBalls},
      {"rod-table", "000 1.4-1.5", "The rod that has no solution in forces, or several",
       reproduceRodTable},
      {"bouncing-ball", "003 section 4", "Infinitely many collisions in finite time",
       reproduceBouncingBall},
  });
  return kExperiments;
}

const Experiment* findExperiment(std::string_view name) {
  for (const Experiment& experiment : experiments())
    if (experiment.name == name) return &experiment;
  return nullptr;
}

}  // namespace stickslip
