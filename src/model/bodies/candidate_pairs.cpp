#include "model/bodies/candidate_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel_for.hpp"
#include "collision/convex/closed_forms.hpp"
#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

// Pairs of near shapes that are made room for in advance.
constexpr std::size_t kPairsPerShape = 8;
constexpr std::size_t kMostPairsInAdvance = 1 << 16;
// Shapes of a chunk.
constexpr int kShapeGrain = 512;
// Pairs are kept until a shape is this part of its reach and of its radius off its way.
constexpr double kSlackByReach = 0.25;
constexpr double kSlackBySize = 0.3;

// Squares in this range lose nothing, and a root is faster than math::hypot.
double lengthOf(double x, double y, double z) {
  const double square = x * x + y * y + z * z;
  return square > 1e-280 && square < 1e280 ? std::sqrt(square) : math::hypot(x, y, z);
}

// Without 0 times infinity.
double prescribedReach(const FrameVelocity& velocity, double radius, double time) {
  const double turning = norm(velocity.angular);
  return time * (norm(velocity.linear) + (turning > 0 ? radius * turning : 0));
}

// How far the surface of a shape can go when its body's velocities reach that far.
double surfaceReach(const Kinematics& frames, const BodyFrame& frame, double radius, int dimension,
                    const Reach& reach) {
  if (!frame.isDynamic())
    return reach.time > 0 ? prescribedReach(frames.velocityOf(frame), radius, reach.time) : 0;
  const double* r = reach.way.data() + frame.first_velocity;
  if (dimension == 2) return lengthOf(r[0], r[1], 0) + radius * r[2];
  return lengthOf(r[0], r[1], r[2]) + radius * lengthOf(r[3], r[4], r[5]);
}

}  // namespace

CandidatePairs::CandidatePairs(const BodySystemData& data)
    : dimension_(data.dimension), shapes_(data) {
  const std::size_t count = shapes_.count();
  buildExclusions(data);
  movable_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Body& body = data.bodies[shapes_[i].body];
    movable_.push_back(body.type == Body::Type::dynamic ? 1 : 0);
  }
  asked_for_.reserve(count);
  margins_.resize(count);
  widening_.resize(count);
  buildOutlines();
  kept_pairs_.reserve(std::min(kPairsPerShape * count, kMostPairsInAdvance));
}

void CandidatePairs::buildExclusions(const BodySystemData& data) {
  for (const auto& [a, b] : data.no_collision) exclusions_.push_back(orderedPair(a, b));
  for (const Joint& joint : data.joints)
    if (joint.type != Joint::Type::gear && !joint.collide)
      exclusions_.push_back(orderedPair(joint.body_a, joint.body_b));
  std::sort(exclusions_.begin(), exclusions_.end());
}

void CandidatePairs::buildOutlines() {
  int balls = 0, others = 0;
  outline_.resize(shapes_.count());
  for (std::size_t i = 0; i < outline_.size(); ++i)
    outline_[i] = shapes_.formOf(shapes_[i]).isBall() ? balls++ : -1 - others++;
  // Nowhere yet, so that nothing comes from anywhere.
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const Vec3 nowhere{kNone, kNone, kNone};
  balls_.assign(balls, {nowhere, 0});
  bounds_.assign(others, {nowhere, nowhere});
}

bool CandidatePairs::mayCollide(CandidatePair pair) const {
  const int a = shapes_[pair.a].body, b = shapes_[pair.b].body;
  const bool unknown = movable_[pair.a] != 0 || movable_[pair.b] != 0;
  return a != b && unknown &&
         (exclusions_.empty() ||
          !std::binary_search(exclusions_.begin(), exclusions_.end(), orderedPair(a, b)));
}

bool CandidatePairs::anyMayMeet() const {
  for (int b = 0; b < shapes_.count(); ++b)
    for (int a = 0; a < b; ++a)
      if (mayCollide({a, b})) return true;
  return false;
}

const PairList& CandidatePairs::findPairs(const Kinematics& frames, const Reach& reach,
                                          std::span<const char> blocks) {
  findAskedFor(frames, blocks);
  parallelFor(shapes_.count(), kShapeGrain, [&](int begin, int end) {
    for (int i = begin; i < end; ++i)
      if (const std::size_t k = i; asked_for_.empty() || asked_for_[k]) place(k, frames, reach);
  });
  if (!reach.asleep.empty()) findAwake(frames, reach);
  return kept_pairs_.findPairs([&](std::size_t i) { return boundsOf(i); },
                               reach.asleep.empty() ? movable_ : awake_, widening_);
}

void CandidatePairs::place(std::size_t i, const Kinematics& frames, const Reach& reach) {
  const BodyShape& shape = shapes_[i];
  const BodyFrame& frame = frames[shape.body];
  const ShapeForm& form = shapes_.formOf(shape);
  const Vec3 center = shapes_.positionOf(shape, frame.pose);
  // Balls turn within their surface.
  const double lever = shapes_.isRound(shape) ? 0 : shape.radius;
  const double margin = surfaceReach(frames, frame, lever, dimension_, reach) + reach.margin / 2 +
                        roundingAt(center, shape.radius);
  const Vec3 drift =
      form.isBall()
          ? placeBall(balls_[outline_[i]], center, form.ball_radius + margin)
          : placeBounds(bounds_[-1 - outline_[i]], shapes_.boundsOf(shape, frame.pose), margin);
  const bool is_bounded = std::isfinite(shape.radius);
  margins_[i] = margin;
  widening_[i] = {drift, is_bounded ? kSlackByReach * margin + kSlackBySize * shape.radius : 0};
}

// Returns how far it went.
Vec3 CandidatePairs::placeBall(Ball& ball, Vec3 center, double radius) const {
  const Vec3 drift = center - ball.center;
  ball = {center, radius};
  return drift;
}

// Likewise.
Vec3 CandidatePairs::placeBounds(Bounds& bounds, const Bounds& tight, double margin) const {
  const Bounds before = bounds;
  bounds = widened(tight, {margin, margin, dimension_ == 2 ? 0 : margin});
  return 0.5 * (bounds.lower - before.lower + (bounds.upper - before.upper));
}

// What sleeps is near something only if that is awake or moves by itself.
void CandidatePairs::findAwake(const Kinematics& frames, const Reach& reach) {
  const int velocities = dimension_ == 2 ? 3 : 6;
  awake_.resize(movable_.size());
  for (std::size_t i = 0; i < awake_.size(); ++i) {
    const BodyFrame& frame = frames[shapes_[i].body];
    if (frame.isDynamic())
      awake_[i] = !reach.asleep[frame.first_velocity / velocities];
    else
      awake_[i] = !frames.velocityOf(frame).isZero();
  }
}

void CandidatePairs::findAskedFor(const Kinematics& frames, std::span<const char> blocks) {
  asked_for_.resize(blocks.empty() ? 0 : movable_.size());
  const int velocities = dimension_ == 2 ? 3 : 6;
  parallelFor(static_cast<int>(asked_for_.size()), kShapeGrain, [&](int begin, int end) {
    for (std::size_t i = begin; i < static_cast<std::size_t>(end); ++i) {
      const BodyFrame& frame = frames[shapes_[i].body];
      asked_for_[i] = frame.isDynamic() && blocks[frame.first_velocity / velocities];
    }
  });
}

// Most pairs are not: few bytes of each have to be read.
std::span<const int> CandidatePairs::findNear(int a, std::span<const int> others,
                                              std::vector<int>& room) const {
  const std::size_t own = a;
  if (room.size() < others.size()) room.resize(others.size());
  int* end = room.data();
  // Which are cannot be predicted: written always, counted only if they are.
  const auto keepIf = [&](int b, bool is_near) {
    *end = b;
    end += is_near;
  };
  if (isBall(own)) {
    const Ball ball = ballOf(own);
    for (const int b : others)
      if (const std::size_t k = b; isBall(k)) {
        const Ball& other = ballOf(k);
        keepIf(b, spheresAreWithin(ball.center, other.center, ball.radius + other.radius));
      } else {
        keepIf(b, overlap(boundsOf(ball), storedBoundsOf(k)));
      }
  } else {
    const Bounds bounds = storedBoundsOf(own);
    for (const int b : others) keepIf(b, overlap(bounds, boundsOf(static_cast<std::size_t>(b))));
  }
  const int body = shapes_[a].body;
  const bool all_else_may = asked_for_.empty() && exclusions_.empty() && movable_[own];
  end = std::remove_if(room.data(), end, [&](int b) {
    return shapes_[b].body == body ||
           (!all_else_may &&
            (!isAskedFor(own, static_cast<std::size_t>(b)) || !mayCollide({a, b})));
  });
  return {room.data(), end};
}

}  // namespace stickslip
