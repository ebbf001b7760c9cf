// Which shapes of bodies may touch within a reach: broad phase, and what can be said of a pair
// without looking at its shapes.
//
//   frames -> balls and bounds of all shapes, with how far their surfaces may go -> candidate pairs
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "collision/broad/pair_cache.hpp"
#include "model/bodies/body_shapes.hpp"

namespace stickslip {

inline std::pair<int, int> orderedPair(int a, int b) {
  return a < b ? std::pair(a, b) : std::pair(b, a);
}

class CandidatePairs {
 public:
  /// The bodies and joints are sound.
  explicit CandidatePairs(const BodySystemData& data);

  const BodyShapes& shapes() const { return shapes_; }
  /// True if there are two shapes that may meet.
  bool anyMayMeet() const;

  /// All pairs that may touch within the reach, and others; valid until the next call. `blocks` are
  /// those of System::contactsOf, or empty: all.
  const PairList& findPairs(const Kinematics& frames, const Reach& reach,
                            std::span<const char> blocks = {});

  // After findPairs().
  /// Those of `others` that may touch shape a within the reach; they are in `room`.
  std::span<const int> findNear(int a, std::span<const int> others, std::vector<int>& room) const;
  /// False for shapes of one body, for bodies that are joined or excluded, and if none is dynamic.
  bool mayCollide(CandidatePair pair) const;
  /// How far the surface of a shape may go.
  double marginOf(int shape) const { return margins_[shape]; }

 private:
  /// A ball with how far its surface may go.
  struct Ball {
    Vec3 center;
    double radius;
  };

  void buildExclusions(const BodySystemData& data);
  void buildOutlines();
  void findAwake(const Kinematics& frames, const Reach& reach);
  void findAskedFor(const Kinematics& frames, std::span<const char> blocks);
  bool isAskedFor(std::size_t a, std::size_t b) const {
    return asked_for_.empty() || asked_for_[a] || asked_for_[b];
  }
  void place(std::size_t shape, const Kinematics& frames, const Reach& reach);
  Vec3 placeBall(Ball& ball, Vec3 center, double radius) const;
  Vec3 placeBounds(Bounds& bounds, const Bounds& tight, double margin) const;
  Bounds boundsOf(const Ball& ball) const {
    return widened({ball.center, ball.center},
                   {ball.radius, ball.radius, dimension_ == 2 ? 0 : ball.radius});
  }
  Bounds boundsOf(std::size_t shape) const {
    return isBall(shape) ? boundsOf(ballOf(shape)) : storedBoundsOf(shape);
  }
  bool isBall(std::size_t shape) const { return outline_[shape] >= 0; }
  const Ball& ballOf(std::size_t shape) const { return balls_[outline_[shape]]; }
  const Bounds& storedBoundsOf(std::size_t shape) const { return bounds_[-1 - outline_[shape]]; }

  int dimension_;
  BodyShapes shapes_;
  std::vector<std::pair<int, int>> exclusions_;  ///< of bodies, sorted, first < second

  // One per shape.
  std::vector<char> movable_;    ///< its body is dynamic
  std::vector<char> awake_;      ///< or empty: none was ever asleep
  std::vector<char> asked_for_;  ///< or empty: all
  std::vector<int> outline_;     ///< place among balls_, or -1 - place among bounds_
  std::vector<double> margins_;
  std::vector<Widening> widening_;

  std::vector<Ball> balls_;
  std::vector<Bounds> bounds_;  ///< of all other shapes
  PairCache kept_pairs_;
};

}  // namespace stickslip
