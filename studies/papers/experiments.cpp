#include "papers/experiments.hpp"

#include <array>

namespace stickslip {

std::span<const Experiment> experiments() {
  static constexpr auto kExperiments = std::to_array<Experiment>({
      {"incline", "[ST00] Figure 1, (1)", "Block on an incline: a differential inclusion",
       reproduceIncline},
      {"rod", "[ST00] Figures 4-6", "Falling and spinning rod", reproduceRod},
      {"four-balls", "[ST00] Figures 7-8, Table 1", "Four balls in space", reproduceFourBalls},
      {"rod-table", "[ST00] 1.4-1.5", "The rod that has no solution in forces, or several",
       reproduceRodTable},
      {"pyramid", "[AH04] section 3", "A pyramid at rest: a nonconvex solution set",
       reproducePyramid},
      {"several-velocities", "[AH04] Corollary 3", "A pyramid in motion has several velocities",
       reproduceSeveralVelocities},
      {"cannonball", "[AH04] Figures 2 and 3, Table 1", "Piles of disks at rest: LCP0 to LCP3",
       reproduceCannonball},
      {"particle", "[A06] example 1, Table 10.1, Figure 10.1", "Falling particle by QP and by LCP",
       reproduceParticle},
      {"particle-contact", "[A06] example 2, Figure 10.2", "Particle in contact from the start",
       reproduceParticleContact},
      {"bar", "[A06] example 3, Table 10.2, Figure 10.3", "Painleve's bar by QP and by LCP",
       reproduceBar},
      {"bar-contact", "[A06] example 4, Figures 10.4-10.5",
       "Painleve's bar in contact from the start", reproduceBarContact},
      {"brazil-nut-201", "[A06] section 10.2, Figure 10.6", "Brazil nut with 201 disks",
       reproduceBrazilNut201},
      {"brazil-nut-270", "[AH04] example 4, Figure 4", "Brazil nut with 270 disks that bounce",
       reproduceBrazilNut270},
      {"woodpecker", "[GS05] Figures 4-6", "Woodpecker toy: limit cycle", reproduceWoodpecker},
      {"bouncing-ball", "[AP97] section 4", "Infinitely many collisions in finite time",
       reproduceBouncingBall},
      {"energy", "[AP97] Theorems 2.3, 5.1; [A06] Lemma 9.1", "Bounds on the energy",
       reproduceEnergy},
      {"basis-reuse", "[AP97] section 6", "Lemke's method from the basis of the step before",
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
