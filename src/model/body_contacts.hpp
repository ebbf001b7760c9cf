// Contacts between bodies: broad phase, narrow phase, materials, rows.
//
//   frames -> poses and bounds of all shapes -> candidate pairs -> contact points -> ContactSet
//
// A contact's id is made of the two shapes and of the features that meet, so that it lasts as long
// as they do. Pairs come in the order of their shapes, points in the order of the narrow phase.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "collision/broad_phase.hpp"
#include "collision/collision_shape.hpp"
#include "model/body_frames.hpp"

namespace stickslip {

class BodyContacts {
 public:
  /// Most shapes that a system may have; an id has 20 bits for each of its two.
  static constexpr std::size_t kMostShapes = std::size_t{1} << 20;

  /// `data` must outlive this object; its bodies and joints are sound.
  explicit BodyContacts(const BodySystemData& data);

  int shapeCount() const { return static_cast<int>(shapes_.size()); }
  /// Most rows of spin and rolling of a contact.
  int momentCount() const;

  /// True if there are two shapes that may meet.
  bool anyMayMeet() const;

  /// Appends every contact that can close within `reach` (System::contacts).
  void add(const BodyFrames& frames, const Reach& reach, ContactSet& out);
  /// Deepest overlap of every pair of bodies that overlaps by more than `share` of the smaller one.
  std::vector<Overlap> overlaps(const BodyFrames& frames, double share);

  std::pair<int, int> bodiesOf(std::uint64_t id) const;

 private:
  struct PlacedCollisionShape {
    int body;
    int material;
    std::shared_ptr<const CollisionShape> shape;
    Pose placement;  ///< about the centre of mass
    double radius;   ///< of the smallest sphere about the centre of mass that holds it
  };
  struct PairLaw {
    ContactProperties surface;
    double friction_across = 0;
    int anisotropic = -1;  ///< 0 or 1: which of the two materials gives the direction; -1: none
  };

  void buildPairLaws(const BodySystemData& data);
  /// Whether contacts have tangents.
  static bool hasFriction(const PairLaw& law);
  void buildExclusions(const BodySystemData& data);
  bool mayCollide(int shape_a, int shape_b) const;
  double smallestExtent(std::size_t shape) const;
  void findPairs(const BodyFrames& frames, const Reach& reach);
  void addPoint(const ContactPoint& point, int shape_a, int shape_b, const BodyFrames& frames,
                const Reach& reach, ContactSet& out) const;
  Vec3 firstTangent(const PairLaw& law, int shape_a, int shape_b, Vec3 normal,
                    const BodyFrames& frames) const;
  const PairLaw& lawOf(int shape_a, int shape_b) const;

  int dimension_;
  std::size_t body_count_;
  std::vector<PlacedCollisionShape> shapes_;
  std::vector<char> is_terrain_;        ///< one per shape
  std::vector<char> movable_;           ///< one per shape
  std::vector<Anisotropy> anisotropy_;  ///< one per material
  std::vector<PairLaw> laws_;           ///< materials x materials
  std::size_t material_count_;
  std::vector<std::pair<int, int>> exclusions_;  ///< of bodies, sorted, first < second

  std::vector<Pose> poses_;
  std::vector<double> margins_;
  std::vector<double> roundings_;  ///< gaps below this are closed
  std::vector<Bounds> bounds_;
  std::vector<CandidatePair> pairs_;
  ContactPoints points_;
  BroadPhase broad_phase_;
};

}  // namespace stickslip
