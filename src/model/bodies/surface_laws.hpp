// What contacts between two surfaces obey, for every pair of materials.
#pragma once

#include <span>
#include <vector>

#include "stickslip/body_system.hpp"

namespace stickslip {

struct SurfaceLaw {
  ContactProperties surface;
  double friction_across = 0;
  int anisotropic = -1;       ///< 0 or 1: which of the two materials gives the direction; -1: none
  bool has_friction = false;  ///< contacts have tangents
  /// Both surfaces have the same grain, each in its own direction: `friction` along and
  /// `friction_across` across it are those of one of them (meetingGrains).
  bool two_grains = false;
  /// Directions of friction, seen from the first material. Coefficients of the surface are then
  /// those of the sizes that they are divided by.
  FrictionDirections::Pointer given{};
};

/// Friction of two surfaces with a grain where they meet: an ellipse with these axes.
struct MeetingGrains {
  Vec3 tangent;     ///< unit vector along the first axis
  double mu, mu_2;  ///< along it and across
};
/// Of a law with two grains, whose directions are given in the world's frame. In every direction
/// the two surfaces combine to their geometric mean: the ellipse is the geometric mean of their
/// two ellipses. Grains that are parallel keep `friction` and `friction_across`, grains that cross
/// at a right angle have the mean of these all round, and a grain that stands on its surface has
/// that mean for itself.
MeetingGrains meetingGrains(const SurfaceLaw& law, Vec3 normal, Vec3 grain_a, Vec3 grain_b);

/// What a contact obeys beside its geometry.
ContactParameters parametersOf(const SurfaceLaw& law);

class SurfaceLaws {
 public:
  explicit SurfaceLaws(const BodySystemData& data);

  const SurfaceLaw& of(int material_a, int material_b) const {
    return laws_[indexOf(material_a, material_b)];
  }
  /// Place of a pair among all laws.
  int indexOf(int material_a, int material_b) const {
    return material_a * static_cast<int>(material_count_) + material_b;
  }
  std::span<const SurfaceLaw> all() const { return laws_; }
  /// True if contacts of a pair have coefficients that depend on how the two lie.
  bool anyTwoGrains() const;
  /// The grain of a material, in the body's frame.
  Vec3 grainOf(int material) const { return grains_[material]; }
  /// Most rows of spin and rolling of a contact.
  int momentCount(int dimension) const;

 private:
  void combineMaterials(std::span<const Material> materials);
  void overrideBy(const MaterialPair& pair);

  std::size_t material_count_;
  std::vector<SurfaceLaw> laws_;  ///< materials x materials
  std::vector<Vec3> grains_;
};

}  // namespace stickslip
