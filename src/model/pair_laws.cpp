#include "model/pair_laws.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stickslip {
namespace {

bool hasFriction(const PairLaw& law) {
  return law.surface.friction > 0 || law.friction_across > 0 || law.surface.friction_force > 0 ||
         law.surface.rolling_friction > 0 || law.surface.torsional_friction > 0;
}

}  // namespace

ContactParameters parametersOf(const PairLaw& law) {
  return {.mu = law.surface.friction,
          .mu_2 = law.friction_across,
          .e_n = law.surface.restitution,
          .e_t = law.surface.tangential_restitution,
          .torsion = law.surface.torsional_friction,
          .rolling = law.surface.rolling_friction,
          .friction_force = law.surface.friction_force,
          .friction_force_2 = law.surface.friction_force,
          .curve = law.surface.friction_curve};
}

PairLaws::PairLaws(const BodySystemData& data) : material_count_(data.materials.size()) {
  for (const Material& material : data.materials)
    grains_.push_back(material.anisotropy.value_or(Anisotropy{}).direction);
  combineMaterials(data.materials);
  for (const MaterialPair& pair : data.material_pairs) overrideBy(pair);
  for (PairLaw& law : laws_) law.has_friction = hasFriction(law);
}

void PairLaws::combineMaterials(std::span<const Material> materials) {
  for (const Material& a : materials)
    for (const Material& b : materials) {
      PairLaw law;
      law.surface = &a == &b ? a.surface : combine(a.surface, b.surface);
      law.friction_across = law.surface.friction;
      if (&a == &b && a.anisotropy) {
        // Two grains have no common direction: the mean of both in all directions.
        law.surface.friction = std::sqrt(a.surface.friction * a.anisotropy->friction_across);
        law.friction_across = law.surface.friction;
      } else if (a.anisotropy || b.anisotropy) {
        law.anisotropic = a.anisotropy ? 0 : 1;
        const Material& grained = a.anisotropy ? a : b;
        const Material& other = a.anisotropy ? b : a;
        const double across = grained.anisotropy->friction_across;
        law.friction_across = std::sqrt(across * other.surface.friction);
      }
      laws_.push_back(law);
    }
}

void PairLaws::overrideBy(const MaterialPair& pair) {
  for (const auto& [a, b] : {std::pair{pair.a, pair.b}, std::pair{pair.b, pair.a}}) {
    PairLaw& law =
        laws_[static_cast<std::size_t>(a) * material_count_ + static_cast<std::size_t>(b)];
    if (!pair.keeps_grain) law = {pair.surface, pair.surface.friction, -1};
    // The friction of a grain is that of the combination.
    law.surface = {.friction = law.surface.friction,
                   .restitution = pair.surface.restitution,
                   .tangential_restitution = pair.surface.tangential_restitution,
                   .rolling_friction = pair.surface.rolling_friction,
                   .torsional_friction = pair.surface.torsional_friction,
                   .friction_force = pair.surface.friction_force,
                   .friction_curve = pair.surface.friction_curve};
  }
}

int PairLaws::momentCount(int dimension) const {
  int most = 0;
  for (const PairLaw& law : laws_)
    most = std::max(most, (law.surface.torsional_friction > 0 ? 1 : 0) +
                              (law.surface.rolling_friction > 0 ? dimension - 1 : 0));
  return most;
}

}  // namespace stickslip
