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
      {"pyramid", "004 section 3", "A pyramid at rest: a nonconvex solution set", reproducePyramid},
      {"cannonball", "004 Figures 2 and 3, Table 1", "Piles of disks at rest: LCP0 to LCP3",
       reproduceCannonball},
      {"bouncing-ball", "003 section 4", "Infinitely many collisions in finite time",
       reproduceBouncingBall},
      {"energy", "003 Theorems 2.3, 5.1; 001 Lemma 9.1", "Bounds on the energy", reproduceEnergy},
      {"basis-reuse", "003 section 6", "Lemke's method from the basis of the step before",
       reproduceBasisReuse},
  });
  return kExperiments;
}

const Experiment* findExperiment(std::string_view name) {
  for (const Experiment& experiment : experiments())
    if (experiment.name == name) return &experiment;
  return nullptr;
}

}  // namespace stickslip
