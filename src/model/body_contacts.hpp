// Contacts between bodies: broad phase, narrow phase, materials, rows.
//
//   frames -> poses and bounds of all shapes -> candidate pairs -> contact points -> ContactSet
//
// Pairs are worked on in chunks: first what each finds, then, when it is known where in the set
// that goes, its rows.
//
// A contact's id is made of the two shapes and of the features that meet, so that it lasts as long
// as they do. Pairs come in the order of their shapes, points in the order of the narrow phase.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "collision/collision_shape.hpp"
#include "collision/kept_pairs.hpp"
#include "model/body_frames.hpp"
#include "model/contact_rows.hpp"
#include "model/pair_laws.hpp"

namespace stickslip {

inline std::pair<int, int> orderedPair(int a, int b) {
  return a < b ? std::pair(a, b) : std::pair(b, a);
}

class BodyContacts {
 public:
  /// Most shapes that a system may have; an id has 20 bits for each of its two.
  static constexpr std::size_t kMostShapes = std::size_t{1} << 20;

  /// `data` must outlive this object; its bodies and joints are sound.
  explicit BodyContacts(const BodySystemData& data);

  int shapeCount() const { return static_cast<int>(shapes_.size()); }
  /// Most rows of spin and rolling of a contact.
  int momentCount() const { return laws_.momentCount(dimension_); }

  /// True if there are two shapes that may meet.
  bool anyMayMeet() const;

  /// Appends every contact that can close within `reach` (System::contacts).
  void add(const BodyFrames& frames, const Reach& reach, ContactSet& out);
  /// Deepest overlap of every pair of bodies that overlaps by more than `share` of the smaller one.
  std::vector<Overlap> overlaps(const BodyFrames& frames, double share);

  std::pair<int, int> bodiesOf(std::uint64_t id) const;
  /// Whether the two shapes of a contact overlap anywhere on their way in the time dt; the frames
  /// of its bodies have velocities.
  bool meetAhead(std::uint64_t id, const BodyFrame& a, const BodyFrame& b, double dt);

 private:
  struct PlacedCollisionShape {
    int body;
    int material;
    std::shared_ptr<const CollisionShape> shape;
    Pose placement;      ///< about the centre of mass
    bool is_centered;    ///< the placement is the identity
    bool is_round;       ///< a ball about the centre of mass
    double radius;       ///< of the smallest sphere about the centre of mass that holds it
    double ball_radius;  ///< if it is a sphere or a disk; -1 otherwise
  };
  /// Where a shape is.
  struct ShapeState {
    Pose pose;
    double margin = 0;    ///< how far its surface may go
    double rounding = 0;  ///< gaps below this are closed
  };
  /// A ball with what its surface may go, for a first test; radius -1 for all else.
  struct Ball {
    Vec3 center;
    double radius = -1;
  };
  /// A range of pairs: what was found between them, and where it goes.
  struct Chunk {
    ContactPoints points;  ///< of one pair
    std::vector<FoundContact> found;
    BlockRows::Extent extent;
    BlockRows::Extent start;
  };

  void buildExclusions(const BodySystemData& data);
  bool mayCollide(int shape_a, int shape_b) const;
  double smallestExtent(std::size_t shape) const;
  std::pair<std::size_t, std::size_t> shapesOf(std::uint64_t id) const;
  Pose poseAhead(std::size_t shape, const BodyFrame& moving, double time) const;
  void findPairs(const BodyFrames& frames, const Reach& reach);
  void findAwake(const BodyFrames& frames, const Reach& reach);
  void findAskedFor(const BodyFrames& frames, const Reach& reach);
  bool isAskedFor(int pair) const;
  void placeShape(std::size_t i, const BodyFrames& frames, const Reach& reach);
  void collidePairs(int begin, int end, const BodyFrames& frames, const Reach& reach,
                    Chunk& chunk) const;
  bool mayBeNear(const CandidatePair& pair) const;
  void collidePair(int pair, ContactPoints& out) const;
  void keepWithinReach(int pair, const BodyFrames& frames, const Reach& reach, Chunk& chunk) const;
  void write(const Chunk& chunk, const BodyFrames& frames, int first_law, ContactSet& out) const;
  Vec3 firstTangent(const PairLaw& law, const CandidatePair& pair, Vec3 normal,
                    const BodyFrames& frames) const;
  const PlacedCollisionShape& shapeAt(int shape) const {
    return shapes_[static_cast<std::size_t>(shape)];
  }
  const PairLaw& lawOf(const CandidatePair& pair) const {
    return laws_.of(shapeAt(pair.a).material, shapeAt(pair.b).material);
  }
  ContactBodies bodiesOf(const CandidatePair& pair, const BodyFrames& frames) const {
    const PlacedCollisionShape &a = shapeAt(pair.a), &b = shapeAt(pair.b);
    return {frames[a.body], frames[b.body], a.is_round, b.is_round};
  }

  int dimension_;
  std::size_t body_count_;
  PairLaws laws_;
  std::vector<PlacedCollisionShape> shapes_;
  std::vector<char> is_terrain_;                 ///< one per shape
  std::vector<char> movable_;                    ///< one per shape: its body is dynamic
  std::vector<char> driven_;                     ///< one per shape: its body is kinematic
  std::vector<char> awake_;                      ///< one per shape, where some are asleep
  std::vector<char> asked_for_;                  ///< one per shape, or empty: all
  std::vector<std::pair<int, int>> exclusions_;  ///< of bodies, sorted, first < second

  std::vector<ShapeState> states_;
  std::vector<Bounds> bounds_;
  std::vector<Ball> balls_;
  std::vector<double>
      slack_;  ///< of each shape: by how much its bounds are widened for pairs to keep
  std::span<const CandidatePair> pairs_;  ///< of kept_pairs_, as last asked for
  std::vector<Chunk> chunks_;
  ContactPoints ahead_;  ///< workspace
  KeptPairs kept_pairs_;
};

}  // namespace stickslip
