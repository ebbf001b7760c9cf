#include "model/bodies/surface_laws.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stickslip {
namespace {

bool hasFriction(const SurfaceLaw& law) {
  return law.surface.friction > 0 || law.friction_across > 0 || law.surface.friction_force > 0 ||
         law.surface.rolling_friction > 0 || law.surface.torsional_friction > 0;
}

// A grain that stands on the surface has no direction in it: zero then.
Vec3 directionOn(Vec3 normal, Vec3 grain) {
  const Vec3 along = grain - dot(grain, normal) * normal;
  return norm(along) > 1e-6 * norm(grain) ? normalized(along) : Vec3{};
}

// Friction, torsion and rolling become those of directions without units (ImpulseSet::given).
void measureDirections(SurfaceLaw& law) {
  ContactProperties& surface = law.surface;
  if (!(surface.friction > 0 || surface.friction_force > 0)) law.given = nullptr;
  if (!law.given) return;
  if (law.given->spins()) surface.torsional_friction = surface.friction * law.given->spinReach();
  if (law.given->rolls()) surface.rolling_friction = surface.friction * law.given->rollingReach();
  surface.friction *= law.given->tangentReach();
  surface.friction_force *= law.given->tangentReach();
  law.friction_across = surface.friction;
  const bool shares_load = surface.torsional_friction > 0 && !(surface.friction_force > 0);
  if (shares_load && !law.given->spins()) law.given = law.given->withSpin();
}

}  // namespace

// A surface alone has the ellipse p' D^-1 p <= p_n^2, D = mu_2^2 I + (mu^2 - mu_2^2) g g' with its
// grain g. The geometric mean of D_a and D_b, which are 2 x 2 and have the same determinant
// (mu mu_2)^2, is mu mu_2 (D_a + D_b) / sqrt(det(D_a + D_b)): its axes halve the angle between the
// grains (R. Bhatia, Positive Definite Matrices, 2007, section 4.1).
MeetingGrains meetingGrains(const SurfaceLaw& law, Vec3 normal, Vec3 grain_a, Vec3 grain_b) {
  const double mu = law.surface.friction, mu_2 = law.friction_across;
  const double mean = std::sqrt(mu * mu_2);
  const Vec3 a = directionOn(normal, grain_a), b = directionOn(normal, grain_b);
  const double cosine = dot(a, b);
  const Vec3 sum = cosine < 0 ? a - b : a + b;
  if (norm(sum) == 0) return {someTangent(normal), mean, mean};
  // Without a direction a surface has mu mu_2 I.
  const bool both = norm(a) > 0 && norm(b) > 0;
  const double along = both ? (1 + std::abs(cosine)) / 2 : 1, across = 1 - along;
  const double other = both ? 0 : mean * mean;
  const double first = mu * mu * along + mu_2 * mu_2 * across + other;
  const double second = mu * mu * across + mu_2 * mu_2 * along + other;
  const double ratio = std::sqrt(std::sqrt(first / second));
  return {normalized(sum), mean * ratio, mean / ratio};
}

bool SurfaceLaws::anyTwoGrains() const {
  return std::any_of(laws_.begin(), laws_.end(),
                     [](const SurfaceLaw& law) { return law.two_grains; });
}

ContactParameters parametersOf(const SurfaceLaw& law) {
  return {.mu = law.surface.friction,
          .mu_2 = law.friction_across,
          .e_n = law.surface.restitution,
          .e_t = law.surface.tangential_restitution,
          .torsion = law.surface.torsional_friction,
          .rolling = law.surface.rolling_friction,
          .friction_force = law.surface.friction_force,
          .friction_force_2 = law.surface.friction_force,
          .curve = law.surface.friction_curve,
          .directions = law.surface.directions,
          .given = law.given};
}

SurfaceLaws::SurfaceLaws(const BodySystemData& data) : material_count_(data.materials.size()) {
  for (const Material& material : data.materials)
    grains_.push_back(material.anisotropy.value_or(Anisotropy{}).direction);
  combineMaterials(data.materials);
  for (const MaterialPair& pair : data.material_pairs) overrideBy(pair);
  for (SurfaceLaw& law : laws_) {
    measureDirections(law);
    law.has_friction = hasFriction(law);
  }
}

void SurfaceLaws::combineMaterials(std::span<const Material> materials) {
  for (const Material& a : materials)
    for (const Material& b : materials) {
      const bool same = &a == &b;
      SurfaceLaw law;
      law.surface = same ? a.surface : combine(a.surface, b.surface);
      law.friction_across = law.surface.friction;
      if (same && a.anisotropy && !a.anisotropy->directions) {
        law.friction_across = a.anisotropy->friction_across;
        law.two_grains = law.surface.friction > 0 && law.friction_across > 0;
        // None in one direction is none in any, once the grains do not lie exactly alike.
        if (!law.two_grains) law.surface.friction = law.friction_across = 0;
      } else if (!same && (a.anisotropy || b.anisotropy)) {
        law.anisotropic = a.anisotropy ? 0 : 1;
        const Material& grained = a.anisotropy ? a : b;
        const Material& other = a.anisotropy ? b : a;
        const double across = grained.anisotropy->friction_across;
        law.friction_across = std::sqrt(across * other.surface.friction);
        law.given = grained.anisotropy->directions;
        // Seen from the other side.
        if (law.given && law.anisotropic == 1) law.given = law.given->mirrored();
      }
      laws_.push_back(law);
    }
}

void SurfaceLaws::overrideBy(const MaterialPair& pair) {
  for (const auto& [a, b] : {std::pair{pair.a, pair.b}, std::pair{pair.b, pair.a}}) {
    SurfaceLaw& law = laws_[static_cast<std::size_t>(a) * material_count_ + b];
    if (!pair.keeps_grain) law = {pair.surface, pair.surface.friction, -1};
    // The friction of a grain is that of the combination.
    law.surface = {.friction = law.surface.friction,
                   .restitution = pair.surface.restitution,
                   .tangential_restitution = pair.surface.tangential_restitution,
                   .rolling_friction = pair.surface.rolling_friction,
                   .torsional_friction = pair.surface.torsional_friction,
                   .friction_force = pair.surface.friction_force,
                   .friction_curve = pair.surface.friction_curve,
                   .directions = pair.surface.directions};
  }
}

int SurfaceLaws::momentCount(int dimension) const {
  int most = 0;
  for (const SurfaceLaw& law : laws_)
    most = std::max(most, (law.surface.torsional_friction > 0 ? 1 : 0) +
                              (law.surface.rolling_friction > 0 ? dimension - 1 : 0));
  return most;
}

}  // namespace stickslip
