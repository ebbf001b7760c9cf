#include "model/bodies/pair_closing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/convex/convex_shape.hpp"
#include "collision/planar/planar_shape.hpp"

namespace stickslip {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// See the head of pair_closing.hpp. Ways and times are parts of those of the step.
struct ClosingSettings {
  /// Overlaps that come and go within this part of the way are not looked for.
  double dip = 2e-3;
  /// Multiple of ClosingScale::touching that counts as a contact although it is gone at the end.
  double deep = 1e4;
  /// Part of the way by which a contact must have become deeper than it was to have closed.
  double drift = 0.01;
  /// Largest turn between two looks at shapes that touch [rad].
  double turn = 0.1;
  /// Prescribed velocities differ on the way from those halfway by no more than this multiple of
  /// what those at the ends do.
  double swing = 1.5;
  /// A search that takes more looks is given up: pairs need some 1 / (2 dip) at most.
  int most_looks = 400;
  /// Times that are the same: rounding; and steps towards a time at most.
  double same_time = 1e-14;
  int most_guesses = 100;
  /// Shapes that touch are looked at again after this part of the way at the earliest.
  double shortest_look = 0.01;
};
constexpr ClosingSettings kClosing{};

// The first s > 0 at which distance - speed s - acceleration s^2/2 = 0.
double timeTo(double distance, double speed, double acceleration) {
  if (!(distance > 0)) return 0;
  const double root = std::sqrt(speed * speed + 2 * acceleration * distance);
  return speed + root > 0 ? 2 * distance / (speed + root) : kInfinity;
}

Vec3 velocityAt(Vec3 place, const BodyFrame& frame, const FrameVelocity& velocity) {
  return velocity.linear + cross(velocity.angular, place - frame.pose.position);
}

MovingFrame prescribed(const Body& body, double t) {
  const FrameMotion motion =
      stickslip::evaluate(body.motion, {body.position, matrixOf(body.orientation)}, t);
  return {{motion.pose}, {motion.velocity, motion.angular_velocity}};
}

bool isPlane(const CollisionShape& shape) {
  return shape.family() == Family::half_space ||
         (shape.family() == Family::planar &&
          static_cast<const PlanarShape&>(shape).form() == PlanarShape::Form::half_plane);
}

/// Corners of a rounded polytope of space or of the plane.
struct RoundedCorners {
  std::span<const Vec2> planar;
  std::span<const Vec3> spatial;
  double radius = 0;

  std::size_t count() const { return planar.size() + spatial.size(); }
  Vec3 at(std::size_t i) const { return planar.empty() ? spatial[i] : inSpace(planar[i]); }
};

// None if the shape is something else.
RoundedCorners cornersOf(const CollisionShape& shape) {
  if (shape.family() == Family::planar) {
    const auto& planar = static_cast<const PlanarShape&>(shape);
    if (planar.form() == PlanarShape::Form::convex) return {planar.corners(), {}, planar.radius()};
  }
  if (shape.family() == Family::convex) {
    const auto& convex = static_cast<const ConvexShape&>(shape);
    return {{}, convex.polytope().vertices, convex.radius()};
  }
  return {};
}

}  // namespace

BodyFrame BodyWay::frameAt(double s) const {
  BodyFrame frame = start;
  if (moved != nullptr) {
    frame.pose = prescribed(*moved, t + s).frame.pose;
    return frame;
  }
  frame.pose.position += s * velocity.linear;
  if (velocity.angular != Vec3{})
    frame.pose.rotation = matrixOf(rotationBy(s * velocity.angular)) * start.pose.rotation;
  return frame;
}

FrameVelocity BodyWay::velocityAt(double s) const {
  return moved != nullptr ? prescribed(*moved, t + s).velocity : velocity;
}

BodyWay bodyWay(const BodySystemData& data, const BodyLayout& layout, const Kinematics& frames,
                int body, const Way& way) {
  BodyWay out;
  out.start = frames[body];
  out.t = way.t;
  if (out.start.isDynamic()) {
    out.velocity = layout.velocityOf(out.start, way.u);
    return out;
  }
  const Body& its = data.bodies[body];
  if (its.type != Body::Type::kinematic) return out;
  out.moved = &its;
  out.velocity = prescribed(its, way.t + way.time / 2).velocity;
  for (const double s : {0.0, way.time}) {
    const FrameVelocity end = prescribed(its, way.t + s).velocity;
    out.off_linear =
        std::max(out.off_linear, kClosing.swing * norm(end.linear - out.velocity.linear));
    out.off_angular =
        std::max(out.off_angular, kClosing.swing * norm(end.angular - out.velocity.angular));
  }
  return out;
}

PairClosing::PairClosing(const BodyShapes& shapes, CandidatePair pair, const Kinematics& frames,
                         const BodyWay& a, const BodyWay& b, int dimension, double time,
                         const ClosingScale& scale, ClosingRoom& room)
    : shapes_(shapes),
      pair_(pair),
      frames_(frames),
      dimension_(dimension),
      time_(time),
      scale_(scale),
      room_(room),
      a_{shapes[pair.a], a, shapes.isRound(shapes[pair.a])},
      b_{shapes[pair.b], b, shapes.isRound(shapes[pair.b])} {
  // Of a shape without end only what is near the other one matters.
  const double linear = norm(a.velocity.linear - b.velocity.linear) + a.off_linear + b.off_linear;
  const double apart = norm(a.start.pose.position - b.start.pose.position) + time * linear;
  a_.radius = a_.is_round ? 0 : std::min(a_.shape.radius, apart + b_.shape.radius);
  b_.radius = b_.is_round ? 0 : std::min(b_.shape.radius, apart + a_.shape.radius);
  speed_ = linear;
  for (const Side& side : {a_, b_}) {
    const double turning = norm(side.way.velocity.angular) + side.way.off_angular;
    if (turning == 0) continue;
    speed_ += side.radius * turning;
    acceleration_ += side.radius * turning * turning;
  }
  dip_ = kClosing.dip * time * speed_;
}

// V of the head of pair_closing.hpp.
double PairClosing::approach(Vec3 normal) const {
  double sum = dot(normal, a_.way.velocity.linear - b_.way.velocity.linear);
  for (const Side& side : {a_, b_}) {
    const double turning = norm(cross(side.way.velocity.angular, normal)) + side.way.off_angular;
    sum += side.way.off_linear + (turning > 0 ? side.radius * turning : 0);
  }
  return sum;
}

PairClosing::Seen PairClosing::seen(const FoundContact& contact, const BodyFrame& a,
                                    const BodyFrame& b, double s) const {
  const ContactBodies bodies{frames_, a, b, a_.is_round, b_.is_round};
  const auto rounding = [&](const Side& side, const BodyFrame& frame) {
    return roundingAt(shapes_.positionOf(side.shape, frame.pose), side.shape.radius);
  };
  Seen out;
  out.gap = contact.gap;
  out.rate = dot(contact.normal, velocityAt(contact.place, b, b_.way.velocityAt(s)) -
                                     velocityAt(contact.place, a, a_.way.velocityAt(s)));
  out.touching = std::max(reachAlongNormal(contact, bodies, dimension_, {scale_.touching}),
                          rounding(a_, a) + rounding(b_, b));
  out.slow = reachAlongNormal(contact, bodies, dimension_, {scale_.slow});
  return out;
}

// Adds to a look what one point of contact says, which was open or has overlapped by so much from
// the start.
void PairClosing::judge(const Seen& seen, bool was_open, double overlap, double s,
                        Look& look) const {
  if (!was_open) {
    const bool is_deeper = seen.gap < -overlap - kClosing.drift * time_ * speed_;
    look.has_closed = look.has_closed || is_deeper;
    look.counts = look.counts || is_deeper;
    return;
  }
  const bool is_slow = !(seen.rate < -seen.slow);
  const bool has_closed =
      seen.gap < -seen.touching && (!is_slow || seen.gap < -seen.touching - time_ * seen.slow);
  look.has_closed = look.has_closed || has_closed;
  look.counts =
      look.counts || (has_closed && (s == time_ || seen.gap < -kClosing.deep * seen.touching));
  look.is_at = look.is_at || (std::abs(seen.gap) <= seen.touching && !is_slow);
  if (!is_slow) look.crossing = std::min(look.crossing, s - seen.gap / seen.rate);
}

template <class LookAt, class Keep>
Closing PairClosing::march(const LookAt& look_at, const Keep& keep) const {
  double s = 0, open = 0;  // the latest look at which nothing had closed
  Look here = look_at(0);
  for (int k = 0; !(here.clear_for >= time_ - s); ++k) {
    if (!here.has_closed) {
      keep();
      open = s;
    }
    const bool is_last = k == kClosing.most_looks || !(here.unseen_for < time_ - s);
    const double next = is_last ? time_ : s + here.unseen_for;
    here = look_at(next);
    if (here.counts)
      return {locate(open, next, here.crossing, look_at, keep), k < kClosing.most_looks};
    if (is_last) return {kInfinity, k < kClosing.most_looks};
    s = next;
  }
  return {};
}

// Newton's method within a bracket; every third guess halves it.
template <class LookAt, class Keep>
double PairClosing::locate(double open, double closed, double guess, const LookAt& look_at,
                           const Keep& keep) const {
  for (int k = 0; k < kClosing.most_guesses && closed - open > kClosing.same_time * time_; ++k) {
    const bool inside = guess > open && guess < closed && k % 3 != 2;
    const double s = inside ? guess : open + (closed - open) / 2;
    const Look look = look_at(s);
    if (look.is_at && !look.has_closed) return s;
    guess = look.crossing;
    if (!look.has_closed) keep();
    (look.has_closed ? closed : open) = s;
  }
  return closed;
}

Closing PairClosing::first() {
  const CollisionShape &a = shapes_.preparedOf(a_.shape), &b = shapes_.preparedOf(b_.shape);
  if (isPlane(b) && b_.way.rests() && cornersOf(a).count() > 0) return firstOnPlane(a_, b_);
  if (isPlane(a) && a_.way.rests() && cornersOf(b).count() > 0) return firstOnPlane(b_, a_);
  return firstBetween();
}

// ---- Corners on a half-space at rest ----

Closing PairClosing::firstOnPlane(const Side& body, const Side& plane) {
  const Pose at = shapes_.poseOf(plane.shape, plane.way.start.pose);
  const Vec3 up = dimension_ == 2 ? at.rotation.y : at.rotation.z;
  const RoundedCorners corners = cornersOf(shapes_.preparedOf(body.shape));
  const double turning = norm(cross(body.way.velocity.angular, up));
  Closing first;
  for (std::size_t i = 0; i < corners.count(); ++i) {
    bool was_open = false, is_open = false;
    double overlap = kInfinity;  // at the start
    const auto look_at = [&](double s) {
      const BodyFrame frame = body.way.frameAt(s);
      const Vec3 core = shapes_.poseOf(body.shape, frame.pose).pointToWorld(corners.at(i));
      FoundContact contact;
      contact.place = core - corners.radius * up;
      contact.normal = up;
      contact.gap = dot(up, contact.place - at.position);
      Look look{.crossing = kInfinity, .clear_for = kInfinity, .unseen_for = kInfinity};
      const bool is_a = &body == &a_;
      Seen found = seen(contact, is_a ? frame : plane.way.start, is_a ? plane.way.start : frame, s);
      if (is_a) found.rate = -found.rate;
      is_open = found.isOpen();
      if (s == 0) overlap = std::max(0.0, -found.gap);
      judge(found, was_open, overlap, s, look);
      // n.(R r)'' = -omega^2 times the part of r square to omega, seen along n.
      const double bend = norm(cross(body.way.velocity.angular, core - frame.pose.position)) *
                          (body.is_round ? 0 : turning);
      if (was_open || is_open) {
        const double dip = kClosing.deep * found.touching;
        look.clear_for = timeTo(found.gap + found.touching, -found.rate, bend);
        look.unseen_for = timeTo(std::max(0.0, found.gap) + 2 * dip, -found.rate, bend);
      } else if (norm(body.way.velocity.angular) * time_ > kClosing.turn) {
        // Closed: it may open or sink in when the body turns far enough.
        look.clear_for = 0;
        look.unseen_for = kClosing.turn / norm(body.way.velocity.angular);
      }
      return look;
    };
    const Closing its = march(look_at, [&] { was_open = was_open || is_open; });
    first.time = std::min(first.time, its.time);
    first.sure = first.sure && its.sure;
  }
  return first;
}

// ---- Any two shapes ----

Closing PairClosing::firstBetween() {
  started_ = false;
  overlap_ = 0;
  room_.open.clear();
  return march([&](double s) { return lookBetween(s); }, [&] { keepBetween(); });
}

PairClosing::Look PairClosing::lookBetween(double s) {
  const BodyFrame a = a_.way.frameAt(s), b = b_.way.frameAt(s);
  room_.points.clear();
  collide(shapes_.preparedOf(a_.shape), shapes_.poseOf(a_.shape, a.pose),
          shapes_.preparedOf(b_.shape), shapes_.poseOf(b_.shape, b.pose), (time_ - s) * speed_,
          room_.points);
  Look look{.crossing = kInfinity, .clear_for = kInfinity, .unseen_for = kInfinity};
  double clear_while_touching = kInfinity;
  room_.is_open.clear();
  for (const ContactPoint& point : room_.points) {
    const Seen found = seen(
        {0.5 * (point.on_a + point.on_b), point.normal, point.gap, point.feature, pair_}, a, b, s);
    room_.is_open.push_back(found.isOpen() ? 1 : 0);
    if (!started_) overlap_ = std::max(overlap_, -found.gap);
    judge(found, started_ && (!touches_ || wasOpen(point.feature)), overlap_, s, look);
    const double gap = std::max(0.0, point.gap), speed = approach(point.normal);
    look.clear_for = std::min(look.clear_for, timeTo(gap, speed, acceleration_));
    look.unseen_for = std::min(look.unseen_for, timeTo(gap + 2 * dip_, speed, acceleration_));
    if (found.isOpen())
      clear_while_touching =
          std::min(clear_while_touching, timeTo(gap, -found.rate, 2 * acceleration_));
  }
  if (!touchesHere()) return look;
  const double turning = (a_.is_round ? 0 : norm(a_.way.velocity.angular)) +
                         (b_.is_round ? 0 : norm(b_.way.velocity.angular));
  const bool turns_far = turning * time_ > kClosing.turn;
  look.clear_for = turns_far ? 0 : clear_while_touching;
  look.unseen_for = std::max(kClosing.shortest_look * time_, clear_while_touching);
  if (turns_far) look.unseen_for = std::min(look.unseen_for, kClosing.turn / turning);
  return look;
}

bool PairClosing::wasOpen(std::uint32_t feature) const {
  return std::find(room_.open.begin(), room_.open.end(), feature) != room_.open.end();
}

// Whether the shapes have touched from the start until the last look.
bool PairClosing::touchesHere() const {
  return (touches_ || !started_) &&
         std::find(room_.is_open.begin(), room_.is_open.end(), 0) != room_.is_open.end();
}

void PairClosing::keepBetween() {
  touches_ = touchesHere();
  started_ = true;
  for (std::size_t i = 0; i < room_.points.size(); ++i)
    if (room_.is_open[i] && !wasOpen(room_.points[i].feature))
      room_.open.push_back(room_.points[i].feature);
}

}  // namespace stickslip
