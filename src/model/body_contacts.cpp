#include "model/body_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/sphere_contact.hpp"
#include "parallel/parallel_for.hpp"

namespace stickslip {
namespace {

// Pairs of near shapes that are made room for in advance.
constexpr std::size_t kPairsPerShape = 8;
constexpr std::size_t kMostPairsInAdvance = 1 << 16;
// Of chunks: shapes, pairs, and contacts that are made room for. Most pairs that are looked at meet
// in one point or none.
constexpr int kShapeGrain = 512;
constexpr int kPairGrain = 256;
constexpr std::size_t kContactsPerChunk = 64;
// Pairs are kept until a shape is this part of its reach and of its radius off its way.
constexpr double kSlackByReach = 0.25;
constexpr double kSlackBySize = 0.3;
constexpr int kFeatureBits = 22;
constexpr int kShapeBits = 20;
constexpr std::uint64_t kShapeMask = (std::uint64_t{1} << kShapeBits) - 1;

std::uint64_t contactId(const CandidatePair& pair, std::uint32_t feature) {
  return ((static_cast<std::uint64_t>(pair.a) << kShapeBits | static_cast<std::uint64_t>(pair.b))
          << kFeatureBits) |
         feature;
}

// Squares in this range lose nothing, and a root is faster than std::hypot.
double lengthOf(double x, double y, double z) {
  const double square = x * x + y * y + z * z;
  return square > 1e-280 && square < 1e280 ? std::sqrt(square) : std::hypot(x, y, z);
}

// What rounding can do to the points of a shape that is so far from the origin.
double roundingOf(const Pose& pose, double radius) {
  const double size = norm(pose.position) + (std::isfinite(radius) ? radius : 0);
  return 16 * std::numeric_limits<double>::epsilon() * size;
}

// Without 0 times infinity.
double prescribedReach(const BodyFrame& frame, double radius, double time) {
  const double turning = norm(frame.angular_velocity);
  return time * (norm(frame.velocity) + (turning > 0 ? radius * turning : 0));
}

// How far the surface of a shape can go when its body's velocities reach that far.
double surfaceReach(const BodyFrame& frame, double radius, int dimension, const Reach& reach) {
  if (!frame.isDynamic()) return reach.time > 0 ? prescribedReach(frame, radius, reach.time) : 0;
  const double* r = reach.way.data() + frame.first_velocity;
  if (dimension == 2) return lengthOf(r[0], r[1], 0) + radius * r[2];
  return lengthOf(r[0], r[1], r[2]) + radius * lengthOf(r[3], r[4], r[5]);
}

// Of spheres, and of disks in the plane; -1 for all else.
double ballRadius(const Shape& shape) {
  if (const Sphere* sphere = std::get_if<Sphere>(&shape)) return sphere->radius;
  if (const Disk* disk = std::get_if<Disk>(&shape)) return disk->radius;
  return -1;
}

}  // namespace

BodyContacts::BodyContacts(const BodySystemData& data)
    : dimension_(data.dimension), body_count_(data.bodies.size()), laws_(data) {
  for (std::size_t body = 0; body < data.bodies.size(); ++body) {
    const Body& description = data.bodies[body];
    for (const PlacedShape& placed : description.shapes) {
      const double ball = ballRadius(placed.shape);
      // Balls like the last one share what was prepared for it.
      const bool again = ball > 0 && !shapes_.empty() && shapes_.back().ball_radius == ball;
      PlacedCollisionShape shape{static_cast<int>(body),
                                 placed.material,
                                 again ? shapes_.back().shape : makeCollisionShape(placed.shape),
                                 placed.placement,
                                 false,
                                 false,
                                 0,
                                 ball};
      shape.placement.position -= description.mass.center;
      shape.is_centered = shape.placement.position == Vec3{} && shape.placement.rotation == Mat3{};
      shape.is_round = ball > 0 && shape.placement.position == Vec3{};
      shape.radius = shape.shape->farthestFrom(shape.placement.pointToLocal({}));
      shapes_.push_back(std::move(shape));
      movable_.push_back(description.type == Body::Type::dynamic ? 1 : 0);
      driven_.push_back(description.type == Body::Type::kinematic ? 1 : 0);
      is_terrain_.push_back(isTerrain(placed.shape) ? 1 : 0);
    }
  }
  buildExclusions(data);
  states_.resize(shapes_.size());
  bounds_.resize(shapes_.size());
  slack_.resize(shapes_.size());
  balls_.resize(shapes_.size());
  asked_for_.reserve(shapes_.size());
  kept_pairs_.reserve(std::min(kPairsPerShape * shapes_.size(), kMostPairsInAdvance));
}

void BodyContacts::buildExclusions(const BodySystemData& data) {
  for (const auto& [a, b] : data.no_collision) exclusions_.push_back(orderedPair(a, b));
  for (const Joint& joint : data.joints)
    if (joint.type != Joint::Type::gear && !joint.collide)
      exclusions_.push_back(orderedPair(joint.body_a, joint.body_b));
  std::sort(exclusions_.begin(), exclusions_.end());
}

bool BodyContacts::mayCollide(int shape_a, int shape_b) const {
  const int a = shapes_[static_cast<std::size_t>(shape_a)].body;
  const int b = shapes_[static_cast<std::size_t>(shape_b)].body;
  const bool unknown = movable_[static_cast<std::size_t>(shape_a)] != 0 ||
                       movable_[static_cast<std::size_t>(shape_b)] != 0;
  return a != b && unknown &&
         (exclusions_.empty() ||
          !std::binary_search(exclusions_.begin(), exclusions_.end(), orderedPair(a, b)));
}

bool BodyContacts::anyMayMeet() const {
  for (int a = 0; a < shapeCount(); ++a)
    for (int b = 0; b < a; ++b)
      if (mayCollide(a, b)) return true;
  return false;
}

void BodyContacts::placeShape(std::size_t i, const BodyFrames& frames, const Reach& reach) {
  const PlacedCollisionShape& shape = shapes_[i];
  const BodyFrame& frame = frames[shape.body];
  ShapeState& state = states_[i];
  state.pose = shape.is_centered ? frame.pose : frame.pose * shape.placement;
  state.rounding = roundingOf(state.pose, shape.radius);
  // Balls turn within their surface.
  const double lever = shape.is_round ? 0 : shape.radius;
  state.margin = surfaceReach(frame, lever, dimension_, reach) + reach.margin / 2 + state.rounding;
  slack_[i] =
      std::isfinite(shape.radius) ? kSlackByReach * state.margin + kSlackBySize * shape.radius : 0;
  const Vec3 center = state.pose.position;
  if (shape.ball_radius > 0) balls_[i] = {center, shape.ball_radius + state.margin};
  const double m = state.margin + std::max(0.0, shape.ball_radius);
  bounds_[i] =
      widened(shape.ball_radius > 0 ? Bounds{center, center} : shape.shape->boundsAt(state.pose),
              {m, m, dimension_ == 2 ? 0 : m});
}

void BodyContacts::findPairs(const BodyFrames& frames, const Reach& reach) {
  findAskedFor(frames, reach);
  parallelFor(shapeCount(), kShapeGrain, [&](int begin, int end) {
    for (int i = begin; i < end; ++i)
      if (const auto k = static_cast<std::size_t>(i); asked_for_.empty() || asked_for_[k])
        placeShape(k, frames, reach);
  });
  if (!reach.asleep.empty()) findAwake(frames, reach);
  pairs_ = kept_pairs_.findPairs(bounds_, reach.asleep.empty() ? movable_ : awake_, slack_);
}

// What sleeps is near something only if that is awake or moves by itself.
void BodyContacts::findAwake(const BodyFrames& frames, const Reach& reach) {
  const int velocities = dimension_ == 2 ? 3 : 6;
  awake_.resize(shapes_.size());
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    const BodyFrame& frame = frames[shapes_[i].body];
    if (frame.isDynamic())
      awake_[i] = !reach.asleep[static_cast<std::size_t>(frame.first_velocity / velocities)];
    else
      awake_[i] = frame.velocity != Vec3{} || frame.angular_velocity != Vec3{};
  }
}

void BodyContacts::findAskedFor(const BodyFrames& frames, const Reach& reach) {
  asked_for_.resize(reach.only.empty() ? 0 : shapes_.size());
  const int velocities = dimension_ == 2 ? 3 : 6;
  for (std::size_t i = 0; i < asked_for_.size(); ++i) {
    const BodyFrame& frame = frames[shapes_[i].body];
    asked_for_[i] = frame.isDynamic() &&
                    reach.only[static_cast<std::size_t>(frame.first_velocity / velocities)];
  }
}

bool BodyContacts::isAskedFor(int pair) const {
  if (asked_for_.empty()) return true;
  const CandidatePair& of = pairs_[static_cast<std::size_t>(pair)];
  return asked_for_[static_cast<std::size_t>(of.a)] || asked_for_[static_cast<std::size_t>(of.b)];
}

void BodyContacts::add(const BodyFrames& frames, const Reach& reach, ContactSet& out) {
  findPairs(frames, reach);
  const int pairs = static_cast<int>(pairs_.size()), count = chunkCount(pairs, kPairGrain);
  while (static_cast<int>(chunks_.size()) < count)
    chunks_.emplace_back().found.reserve(kContactsPerChunk);
  parallelFor(pairs, kPairGrain, [&](int begin, int end) {
    collidePairs(begin, end, frames, reach, chunks_[static_cast<std::size_t>(begin / kPairGrain)]);
  });
  BlockRows::Extent end = out.directions.extent(), added;
  for (Chunk& chunk : std::span(chunks_).first(static_cast<std::size_t>(count))) {
    chunk.start = end;
    end = end + chunk.extent;
    added = added + chunk.extent;
  }
  const int first_law = static_cast<int>(out.parameters.size());
  for (const PairLaw& law : laws_.all()) out.parameters.push_back(parametersOf(law));
  out.directions.extend(added);
  out.contacts.resize(static_cast<std::size_t>(end.groups));
  out.drive.resize(static_cast<std::size_t>(end.rows));
  parallelFor(count, 1, [&](int k, int) {
    write(chunks_[static_cast<std::size_t>(k)], frames, first_law, out);
  });
}

void BodyContacts::collidePairs(int begin, int end, const BodyFrames& frames, const Reach& reach,
                                Chunk& chunk) const {
  chunk.found.clear();
  chunk.extent = {};
  for (int k = begin; k < end; ++k) {
    if (!isAskedFor(k)) continue;
    chunk.points.clear();
    collidePair(k, chunk.points);
    if (!chunk.points.empty()) keepWithinReach(k, frames, reach, chunk);
  }
}

// Most pairs are not: few bytes of each have to be read.
bool BodyContacts::mayBeNear(const CandidatePair& pair) const {
  const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
  const Ball &ball_a = balls_[a], &ball_b = balls_[b];
  if (ball_a.radius > 0 && ball_b.radius > 0)
    return spheresAreWithin(ball_a.center, ball_b.center, ball_a.radius + ball_b.radius);
  return overlap(bounds_[a], bounds_[b]);
}

void BodyContacts::collidePair(int pair, ContactPoints& out) const {
  const CandidatePair& of = pairs_[static_cast<std::size_t>(pair)];
  if (!mayBeNear(of) || !mayCollide(of.a, of.b)) return;
  const PlacedCollisionShape &a = shapeAt(of.a), &b = shapeAt(of.b);
  const ShapeState& at_a = states_[static_cast<std::size_t>(of.a)];
  const ShapeState& at_b = states_[static_cast<std::size_t>(of.b)];
  const double margin = at_a.margin + at_b.margin;
  collide(*a.shape, at_a.pose, *b.shape, at_b.pose, margin, out);
}

void BodyContacts::keepWithinReach(int pair, const BodyFrames& frames, const Reach& reach,
                                   Chunk& chunk) const {
  const CandidatePair& of = pairs_[static_cast<std::size_t>(pair)];
  const ContactBodies bodies = bodiesOf(of, frames);
  const double rounding = states_[static_cast<std::size_t>(of.a)].rounding +
                          states_[static_cast<std::size_t>(of.b)].rounding;
  const BlockRows::Extent extent = extentOf(lawOf(of), bodies, dimension_);
  for (const ContactPoint& point : chunk.points) {
    const FoundContact contact{0.5 * (point.on_a + point.on_b), point.normal, point.gap,
                               point.feature, pair};
    if (!(point.gap <= rounding) &&
        !(point.gap <= reachAlongNormal(contact, bodies, dimension_, reach)))
      continue;
    if (chunk.found.size() == chunk.found.capacity())
      chunk.found.reserve(chunk.found.size() + chunk.found.size() / 4 + kContactsPerChunk / 4);
    chunk.found.push_back(contact);
    chunk.extent = chunk.extent + extent;
  }
}

void BodyContacts::write(const Chunk& chunk, const BodyFrames& frames, int first_law,
                         ContactSet& out) const {
  BlockRows::Writer rows = out.directions.writerAt(chunk.start);
  for (const FoundContact& contact : chunk.found) {
    const CandidatePair& pair = pairs_[static_cast<std::size_t>(contact.pair)];
    const int index = laws_.indexOf(shapeAt(pair.a).material, shapeAt(pair.b).material);
    const PairLaw& law = laws_.all()[static_cast<std::size_t>(index)];
    const BlockRows::Extent at = rows.position();
    out.contacts[static_cast<std::size_t>(at.groups)] = {
        contactId(pair, contact.feature), contact.gap, first_law + index,
        driven_[static_cast<std::size_t>(pair.a)] != 0 ||
            driven_[static_cast<std::size_t>(pair.b)] != 0};
    writeContactRows(contact, law, firstTangent(law, pair, contact.normal, frames),
                     bodiesOf(pair, frames), dimension_, rows, out.drive.data() + at.rows);
  }
}

Vec3 BodyContacts::firstTangent(const PairLaw& law, const CandidatePair& pair, Vec3 normal,
                                const BodyFrames& frames) const {
  if (dimension_ == 2) return {-normal.y, normal.x, 0};
  if (law.anisotropic >= 0) {
    const PlacedCollisionShape& shape = shapeAt(law.anisotropic == 0 ? pair.a : pair.b);
    const Vec3 grain = frames[shape.body].pose.rotation * laws_.grainOf(shape.material);
    const Vec3 tangent = grain - dot(grain, normal) * normal;
    // A grain that stands on the surface has no direction in it.
    if (norm(tangent) > 1e-6 * norm(grain)) return normalized(tangent);
  }
  return someTangent(normal);
}

std::pair<std::size_t, std::size_t> BodyContacts::shapesOf(std::uint64_t id) const {
  const std::uint64_t shapes = id >> kFeatureBits;
  return {static_cast<std::size_t>(shapes >> kShapeBits),
          static_cast<std::size_t>(shapes & kShapeMask)};
}

std::pair<int, int> BodyContacts::bodiesOf(std::uint64_t id) const {
  const auto [a, b] = shapesOf(id);
  return {shapes_[a].body, shapes_[b].body};
}

}  // namespace stickslip
