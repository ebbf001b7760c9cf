// The experiments themselves, in the order of the papers.
#pragma once

#include "papers/experiment.hpp"

namespace stickslip {

Outcome reproduceIncline(const Effort& effort);
Outcome reproduceRod(const Effort& effort);
Outcome reproduceFourBalls(const Effort& effort);
Outcome reproduceRodTable(const Effort& effort);
Outcome reproducePyramid(const Effort& effort);
Outcome reproduceSeveralVelocities(const Effort& effort);
Outcome reproduceCannonball(const Effort& effort);
Outcome reproduceParticle(const Effort& effort);
Outcome reproduceParticleContact(const Effort& effort);
Outcome reproduceBar(const Effort& effort);
Outcome reproduceBarContact(const Effort& effort);
Outcome reproduceBrazilNut201(const Effort& effort);
Outcome reproduceBrazilNut270(const Effort& effort);
Outcome reproduceWoodpecker(const Effort& effort);
Outcome reproduceBouncingBall(const Effort& effort);
Outcome reproduceEnergy(const Effort& effort);
Outcome reproduceBasisReuse(const Effort& effort);

}  // namespace stickslip
