// Contacts between bodies: broad phase, narrow phase, materials, rows.
//
//   frames -> candidate pairs (candidate_pairs.hpp) -> contact points -> ContactSet
//
// Pairs are worked on in chunks: first what each finds, then, when it is known where in the set
// that goes, its rows. A few chunks at a time, so that what they find needs little memory.
//
// A contact's id is made of the two shapes and of the features that meet, so that it lasts as long
// as they do. Pairs come in the order of their shapes, points in the order of the narrow phase.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "model/bodies/candidate_pairs.hpp"
#include "model/bodies/contact_rows.hpp"
#include "model/bodies/pair_closing.hpp"
#include "model/bodies/surface_laws.hpp"

namespace stickslip {

class BodyContacts {
 public:
  /// Most shapes that a system may have; an id has 20 bits for each of its two.
  static constexpr std::size_t kMostShapes = std::size_t{1} << 20;

  /// The bodies and joints are sound.
  explicit BodyContacts(const BodySystemData& data);

  int shapeCount() const { return shapes().count(); }
  /// Most rows of spin and rolling of a contact.
  int momentCount() const { return laws_.momentCount(dimension_); }

  /// True if there are two shapes that may meet.
  bool anyMayMeet() const { return near_.anyMayMeet(); }

  /// Appends every contact that can close within `reach` (System::contacts), of `blocks` unless
  /// that is empty (System::contactsOf).
  void add(const Kinematics& frames, const Reach& reach, std::span<const char> blocks,
           ContactSet& out);
  /// System::deepestOverlap.
  double deepestOverlap(const Kinematics& frames, const Reach& at_rest);
  /// Deepest overlap of every pair of bodies that overlaps by more than `share` of the smaller one.
  std::vector<Overlap> overlaps(const Kinematics& frames, double share);

  /// How far the surface of each body goes in a turn by one: 0 if it is a ball about its centre of
  /// mass.
  std::vector<double> levers() const;

  /// -1 for both if no contact has this id.
  std::pair<int, int> bodiesOf(std::uint64_t id) const;
  /// Whether the two shapes of a contact overlap anywhere on their way in the time dt.
  bool meetAhead(std::uint64_t id, const MovingFrame& a, const MovingFrame& b, double dt);
  /// System::firstClosing; the frames are those at the start of the way.
  Closing firstClosing(const BodySystemData& data, const BodyLayout& layout,
                       const Kinematics& frames, const Way& way, const ClosingScale& scale);

 private:
  /// A range of pairs: what was found between them, and where it goes.
  struct Chunk {
    std::vector<int> near;  ///< workspace: shapes that are near to one
    Pose room_a, room_b;    ///< workspace
    ContactPoints points;   ///< of one pair
    std::vector<FoundContact> found;
    BlockRows::Extent extent;
    BlockRows::Extent start;
    ClosingRoom closing_room;  ///< workspace
    Closing closing;           ///< the first of its pairs
  };

  static CandidatePair shapesOf(std::uint64_t id);
  const BodyShapes& shapes() const { return near_.shapes(); }
  double smallestExtent(int shape) const {
    return shapes().smallestExtent(shapes()[shape], dimension_);
  }
  Pose poseAhead(int shape, const MovingFrame& moving, double time) const;
  /// Calls visit(chunks) for what is found, a part of the pairs after the other.
  template <class Visit>
  void forFound(const Kinematics& frames, const Reach& reach, std::span<const char> blocks,
                Visit visit);
  /// Contacts of a range of pairs.
  std::span<Chunk> findBetween(int begin, int end, const PairList& pairs, const Kinematics& frames,
                               const Reach& reach);
  /// At least so many.
  void makeChunks(int count);
  void extend(std::span<Chunk> chunks, ContactSet& out);
  void collidePair(CandidatePair pair, const Kinematics& frames, const Reach& reach,
                   Chunk& chunk) const;
  double roundingOf(CandidatePair pair, const Kinematics& frames) const;
  void keepWithinReach(CandidatePair pair, const Kinematics& frames, const Reach& reach,
                       Chunk& chunk) const;
  void write(const Chunk& chunk, const Kinematics& frames, int first_law, ContactSet& out) const;
  /// In the world's frame.
  Vec3 grainOf(int shape, const Kinematics& frames) const;
  /// Parameters of single contacts, one each, come after those of pairs of materials.
  int firstOwn(int first_law) const { return first_law + static_cast<int>(laws_.all().size()); }
  Vec3 firstTangent(const SurfaceLaw& law, CandidatePair pair, Vec3 normal,
                    const Kinematics& frames) const;
  int lawOf(CandidatePair pair) const {
    return laws_.indexOf(shapes()[pair.a].material, shapes()[pair.b].material);
  }
  ContactBodies bodiesOf(CandidatePair pair, const Kinematics& frames) const {
    const BodyShape &a = shapes()[pair.a], &b = shapes()[pair.b];
    return {frames, frames[a.body], frames[b.body], shapes().isRound(a), shapes().isRound(b)};
  }

  int dimension_;
  std::size_t body_count_;
  SurfaceLaws laws_;
  CandidatePairs near_;
  std::vector<char> driven_;  ///< one per body: it is kinematic
  bool two_grains_ = false;   ///< whether contacts may have parameters of their own
  bool has_drives_ = false;   ///< whether any row may have a rheonomic term
  std::vector<Chunk> chunks_;
  ContactPoints ahead_;      ///< workspace
  std::vector<double> far_;  ///< workspace: how far each velocity carries
};

}  // namespace stickslip
