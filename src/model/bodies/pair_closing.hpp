// When two shapes close while their bodies move on along their velocities.
//
// Conservative advancement: from what the two are apart, and from how fast any of their points can
// come nearer, follows for how long they cannot meet; there they are looked at again. Along the
// normal n of a point of contact, from a to b,
//
//   gap(s) >= gap - s V - s^2 A/2,   V = n.(v_a - v_b) + sum r |omega x n|,   A = sum r omega^2,
//
// r the radius of a shape about the centre of mass of its body: the plane between the two convex
// shapes, or a shape and a patch of terrain, goes on to separate them. Corners of rounded polytopes
// that meet a half-space at rest are followed one by one, each with its own rate in place of -V. So
// shapes are looked at often where they are near, and rarely else; one that just passes the plane
// is seen in some 30 looks. Of two shapes that turn beside each other all that is known is V, and
// what dips in and out again by less than a part (`dip`) of the way that they can go is not looked
// for.
//
// A contact has closed if it was open before, or its shapes did not touch, and overlaps now: by
// more than ClosingScale::touching, and not only because it is slow. That counts if it still does
// at the end of the way, or if it is many times (`deep`) as deep on it: less is what corners of
// bodies dip in that roll and rock, and would be a bounce in every step. Shapes that touch have
// other contacts at every look while they roll or slide; of these only such count whose id was seen
// open. While they touch, looks are apart by what second derivatives of gaps allow, and by no more
// than `turn`. Then the time is found by Newton's method within a bracket.
//
// Prescribed motions are taken to have no velocity farther from the one halfway than `swing`
// times what the ends have.
#pragma once

#include <cstdint>
#include <vector>

#include "model/bodies/body_shapes.hpp"
#include "model/bodies/contact_rows.hpp"
#include "stickslip/system.hpp"

namespace stickslip {

/// A body on its way.
struct BodyWay {
  BodyFrame start;
  FrameVelocity velocity;  ///< halfway, if it is prescribed
  double off_linear = 0;   ///< how far velocities on the way may be from that
  double off_angular = 0;
  const Body* moved = nullptr;  ///< not null: its motion is prescribed
  double t = 0;

  bool rests() const { return velocity.isZero() && off_linear == 0 && off_angular == 0; }
  BodyFrame frameAt(double s) const;
  FrameVelocity velocityAt(double s) const;
};

BodyWay bodyWay(const BodySystemData& data, const BodyLayout& layout, const Kinematics& frames,
                int body, const Way& way);

/// Memory of a search; kept from one to the next.
struct ClosingRoom {
  ContactPoints points;
  std::vector<char> is_open;        ///< of each point
  std::vector<std::uint32_t> open;  ///< features that were seen open on the way

  void reserve(std::size_t count) {
    points.reserve(count);
    is_open.reserve(count);
    open.reserve(count);
  }
};

class PairClosing {
 public:
  PairClosing(const BodyShapes& shapes, CandidatePair pair, const Kinematics& frames,
              const BodyWay& a, const BodyWay& b, int dimension, double time,
              const ClosingScale& scale, ClosingRoom& room);

  Closing first();

 private:
  struct Side {
    const BodyShape& shape;
    const BodyWay& way;
    bool is_round = false;
    double radius = 0;  ///< of what turns with the body, as far as the other one may see it
  };
  /// A point of contact, and what is small there.
  struct Seen {
    double gap = 0;
    double rate = 0;
    double touching = 0;
    double slow = 0;

    bool isOpen() const { return gap > touching; }
  };
  /// What is found at a time of the way.
  struct Look {
    bool has_closed = false;
    bool counts = false;    ///< and deeply enough, or at the end of the way
    bool is_at = false;     ///< something closes here
    double crossing = 0;    ///< when the first gap would close at the rate it has
    double clear_for = 0;   ///< for so long nothing can close,
    double unseen_for = 0;  ///< and nothing can dip in and out by more than it may
  };

  double approach(Vec3 normal) const;
  Seen seen(const FoundContact& contact, const BodyFrame& a, const BodyFrame& b, double s) const;
  void judge(const Seen& seen, bool was_open, double overlap, double s, Look& look) const;
  Look lookBetween(double s);
  void keepBetween();
  bool wasOpen(std::uint32_t feature) const;
  bool touchesHere() const;
  Closing firstBetween();
  Closing firstOnPlane(const Side& body, const Side& plane);
  /// Goes along the way; keep() is told that the last look is behind.
  template <class LookAt, class Keep>
  Closing march(const LookAt& look_at, const Keep& keep) const;
  template <class LookAt, class Keep>
  double locate(double open, double closed, double guess, const LookAt& look_at,
                const Keep& keep) const;

  const BodyShapes& shapes_;
  CandidatePair pair_;
  const Kinematics& frames_;
  int dimension_;
  double time_;
  const ClosingScale& scale_;
  ClosingRoom& room_;
  Side a_, b_;
  double speed_ = 0;         ///< most that points of the two approach each other with
  double acceleration_ = 0;  ///< A
  double dip_ = 0;
  bool started_ = false;
  bool touches_ = false;  ///< since the start
  double overlap_ = 0;    ///< at the start
};

}  // namespace stickslip
