#include "model/bodies/body_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/parallel_for.hpp"

namespace stickslip {

namespace {

// Of chunks: pairs, contacts that are made room for, and chunks at a time. Most pairs that are
// looked at meet in one point or none.
constexpr int kPairGrain = 256;
constexpr std::size_t kContactsPerChunk = 64;
constexpr int kChunksAtATime = 32;
constexpr int kFeatureBits = 22;
constexpr int kShapeBits = 20;
constexpr std::uint64_t kShapeMask = (std::uint64_t{1} << kShapeBits) - 1;

std::uint64_t contactId(CandidatePair pair, std::uint32_t feature) {
  return ((static_cast<std::uint64_t>(pair.a) << kShapeBits | static_cast<std::uint64_t>(pair.b))
          << kFeatureBits) |
         feature;
}

// A vector of so many, with less to spare than doubling leaves.
template <class T>
void growTo(std::size_t count, std::vector<T>& vector) {
  if (count > vector.capacity()) vector.reserve(count + count / 16);
  vector.resize(count);
}

Closing earlier(const Closing& x, const Closing& y) {
  return {std::min(x.time, y.time), x.sure && y.sure};
}

}  // namespace

BodyContacts::BodyContacts(const BodySystemData& data)
    : dimension_(data.dimension), body_count_(data.bodies.size()), laws_(data), near_(data) {
  two_grains_ = laws_.anyTwoGrains();
  driven_.reserve(body_count_);
  for (const Body& body : data.bodies)
    driven_.push_back(body.type == Body::Type::kinematic ? 1 : 0);
  // Limits and motors of joints come after the contacts of bodies, and have theirs in any case.
  has_drives_ =
      std::any_of(driven_.begin(), driven_.end(), [](char is_driven) { return is_driven != 0; }) ||
      std::any_of(data.joints.begin(), data.joints.end(),
                  [](const Joint& joint) { return !joint.drives.empty(); });
}

void BodyContacts::add(const Kinematics& frames, const Reach& reach, std::span<const char> blocks,
                       ContactSet& out) {
  const int first_law = static_cast<int>(out.parameters.size());
  for (const SurfaceLaw& law : laws_.all()) out.parameters.push_back(parametersOf(law));
  forFound(frames, reach, blocks, [&](std::span<Chunk> chunks) {
    extend(chunks, out);
    if (two_grains_) growTo(firstOwn(first_law) + out.directions.extent().groups, out.parameters);
    parallelFor(static_cast<int>(chunks.size()), 1,
                [&](int k, int) { write(chunks[k], frames, first_law, out); });
  });
}

std::vector<double> BodyContacts::levers() const {
  std::vector<double> out(body_count_, 0.0);
  for (int i = 0; i < shapes().count(); ++i) {
    const BodyShape& shape = shapes()[i];
    double& lever = out[shape.body];
    if (!shapes().isRound(shape)) lever = std::max(lever, shape.radius);
  }
  return out;
}

double BodyContacts::deepestOverlap(const Kinematics& frames, const Reach& at_rest) {
  double deepest = 0;
  forFound(frames, at_rest, {}, [&](std::span<const Chunk> chunks) {
    for (const Chunk& chunk : chunks)
      for (const FoundContact& contact : chunk.found) deepest = std::max(deepest, -contact.gap);
  });
  return deepest;
}

Closing BodyContacts::firstClosing(const BodySystemData& data, const BodyLayout& layout,
                                   const Kinematics& frames, const Way& way,
                                   const ClosingScale& scale) {
  far_.resize(way.u.size());
  for (std::size_t k = 0; k < far_.size(); ++k) far_[k] = way.time * std::abs(way.u[k]);
  const PairList& pairs = near_.findPairs(frames, {.way = far_, .time = way.time});
  constexpr int kAtATime = kChunksAtATime * kPairGrain;
  Closing first;
  for (int begin = 0; begin < pairs.size(); begin += kAtATime) {
    const int end = std::min(begin + kAtATime, pairs.size());
    const int count = chunkCount(end - begin, kPairGrain);
    makeChunks(count);
    parallelFor(end - begin, kPairGrain, [&](int from, int to) {
      Chunk& chunk = chunks_[from / kPairGrain];
      chunk.closing = {};
      pairs.visitRuns(begin + from, begin + to, [&](int a, std::span<const int> others) {
        for (const int b : near_.findNear(a, others, chunk.near)) {
          const BodyWay way_a = bodyWay(data, layout, frames, shapes()[a].body, way);
          const BodyWay way_b = bodyWay(data, layout, frames, shapes()[b].body, way);
          chunk.closing =
              earlier(chunk.closing, PairClosing(shapes(), {a, b}, frames, way_a, way_b, dimension_,
                                                 way.time, scale, chunk.closing_room)
                                         .first());
        }
      });
    });
    for (const Chunk& chunk : std::span(chunks_).first(count))
      first = earlier(first, chunk.closing);
  }
  return first;
}

template <class Visit>
void BodyContacts::forFound(const Kinematics& frames, const Reach& reach,
                            std::span<const char> blocks, Visit visit) {
  const PairList& pairs = near_.findPairs(frames, reach, blocks);
  constexpr int kAtATime = kChunksAtATime * kPairGrain;
  for (int begin = 0; begin < pairs.size(); begin += kAtATime)
    visit(findBetween(begin, std::min(begin + kAtATime, pairs.size()), pairs, frames, reach));
}

std::span<BodyContacts::Chunk> BodyContacts::findBetween(int begin, int end, const PairList& pairs,
                                                         const Kinematics& frames,
                                                         const Reach& reach) {
  const int count = chunkCount(end - begin, kPairGrain);
  makeChunks(count);
  parallelFor(end - begin, kPairGrain, [&](int first, int last) {
    Chunk& chunk = chunks_[first / kPairGrain];
    chunk.found.clear();
    chunk.extent = {};
    pairs.visitRuns(begin + first, begin + last, [&](int a, std::span<const int> others) {
      for (const int b : near_.findNear(a, others, chunk.near))
        collidePair({a, b}, frames, reach, chunk);
    });
  });
  return std::span(chunks_).first(count);
}

void BodyContacts::makeChunks(int count) {
  while (static_cast<int>(chunks_.size()) < count) {
    chunks_.emplace_back().found.reserve(kContactsPerChunk);
    chunks_.back().near.resize(kPairGrain);
    chunks_.back().closing_room.reserve(kContactsPerChunk);
  }
}

// By what the chunks found, one after the other.
void BodyContacts::extend(std::span<Chunk> chunks, ContactSet& out) {
  BlockRows::Extent end = out.directions.extent(), added;
  for (Chunk& chunk : chunks) {
    chunk.start = end;
    end = end + chunk.extent;
    added = added + chunk.extent;
  }
  out.directions.extend(added);
  growTo(static_cast<std::size_t>(end.groups), out.contacts);
  if (has_drives_) growTo(static_cast<std::size_t>(end.rows), out.drive);
}

void BodyContacts::collidePair(CandidatePair pair, const Kinematics& frames, const Reach& reach,
                               Chunk& chunk) const {
  const BodyShape &a = shapes()[pair.a], &b = shapes()[pair.b];
  const Pose& pose_a = shapes().poseOf(a, frames[a.body].pose, chunk.room_a);
  const Pose& pose_b = shapes().poseOf(b, frames[b.body].pose, chunk.room_b);
  chunk.points.clear();
  collide(shapes().preparedOf(a), pose_a, shapes().preparedOf(b), pose_b,
          near_.marginOf(pair.a) + near_.marginOf(pair.b), chunk.points);
  if (!chunk.points.empty()) keepWithinReach(pair, frames, reach, chunk);
}

// What rounding can do to the gap of two shapes.
double BodyContacts::roundingOf(CandidatePair pair, const Kinematics& frames) const {
  const auto of = [&](const BodyShape& shape) {
    return roundingAt(shapes().positionOf(shape, frames[shape.body].pose), shape.radius);
  };
  return of(shapes()[pair.a]) + of(shapes()[pair.b]);
}

void BodyContacts::keepWithinReach(CandidatePair pair, const Kinematics& frames, const Reach& reach,
                                   Chunk& chunk) const {
  const ContactBodies bodies = bodiesOf(pair, frames);
  const SurfaceLaw& law = laws_.all()[lawOf(pair)];
  const BlockRows::Extent extent = extentOf(law, bodies, dimension_);
  for (const ContactPoint& point : chunk.points) {
    const FoundContact contact{0.5 * (point.on_a + point.on_b), point.normal, point.gap,
                               point.feature, pair};
    if (!(point.gap <= 0) && !(point.gap <= reachAlongNormal(contact, bodies, dimension_, reach)) &&
        !(point.gap <= roundingOf(pair, frames)))
      continue;
    if (chunk.found.size() == chunk.found.capacity())
      chunk.found.reserve(chunk.found.size() + chunk.found.size() / 4 + kContactsPerChunk / 4);
    chunk.found.push_back(contact);
    chunk.extent = chunk.extent + extent;
  }
}

void BodyContacts::write(const Chunk& chunk, const Kinematics& frames, int first_law,
                         ContactSet& out) const {
  BlockRows::Writer rows = out.directions.writerAt(chunk.start);
  for (const FoundContact& contact : chunk.found) {
    const CandidatePair pair = contact.shapes;
    const int index = lawOf(pair);
    const SurfaceLaw& law = laws_.all()[index];
    const BlockRows::Extent at = rows.position();
    const auto is_driven = [&](int shape) { return driven_[shapes()[shape].body] != 0; };
    out.contacts[at.groups] = {
        contactId(pair, contact.feature),       contact.gap, first_law + index,
        is_driven(pair.a) || is_driven(pair.b), true,        contact.place};
    Vec3 tangent = firstTangent(law, pair, contact.normal, frames);
    if (law.two_grains) {
      const MeetingGrains meeting =
          meetingGrains(law, contact.normal, grainOf(pair.a, frames), grainOf(pair.b, frames));
      tangent = meeting.tangent;
      const int own = firstOwn(first_law) + at.groups;
      out.contacts[at.groups].parameters = own;
      ContactParameters& its = out.parameters[own];
      its = parametersOf(law);
      its.mu = meeting.mu;
      its.mu_2 = meeting.mu_2;
    }
    writeContactRows(contact, law, tangent, bodiesOf(pair, frames), dimension_, rows,
                     has_drives_ ? out.drive.data() + at.rows : nullptr);
  }
}

Vec3 BodyContacts::firstTangent(const SurfaceLaw& law, CandidatePair pair, Vec3 normal,
                                const Kinematics& frames) const {
  if (dimension_ == 2) return {-normal.y, normal.x, 0};
  if (law.anisotropic >= 0) {
    const Vec3 grain = grainOf(law.anisotropic == 0 ? pair.a : pair.b, frames);
    const Vec3 tangent = grain - dot(grain, normal) * normal;
    // A grain that stands on the surface has no direction in it.
    if (norm(tangent) > 1e-6 * norm(grain)) return normalized(tangent);
  }
  return someTangent(normal);
}

Vec3 BodyContacts::grainOf(int shape, const Kinematics& frames) const {
  return frames[shapes()[shape].body].pose.rotation * laws_.grainOf(shapes()[shape].material);
}

CandidatePair BodyContacts::shapesOf(std::uint64_t id) {
  const std::uint64_t shapes = id >> kFeatureBits;
  return {static_cast<int>(shapes >> kShapeBits), static_cast<int>(shapes & kShapeMask)};
}

std::pair<int, int> BodyContacts::bodiesOf(std::uint64_t id) const {
  const CandidatePair pair = shapesOf(id);
  const auto isThere = [&](int shape) { return shape >= 0 && shape < shapes().count(); };
  if (!isThere(pair.a) || !isThere(pair.b)) return {-1, -1};
  return {shapes()[pair.a].body, shapes()[pair.b].body};
}

// Bodies that overlap, where they are, for warnings about a scene, or on their way.

namespace {

// Bodies are looked at so often that they move by this part of the smaller one's size between two
// looks, but no less often than kFewestLooks, and no more often than kMostLooksAhead.
constexpr double kLookEvery = 0.1;
constexpr double kFewestLooks = 4;
constexpr double kMostLooksAhead = 100;

}  // namespace

std::vector<Overlap> BodyContacts::overlaps(const Kinematics& frames, double share) {
  const std::vector<double> no_reach(6 * body_count_, 0.0);
  std::vector<Overlap> found;
  ContactPoints points;
  for (const CandidatePair pair : near_.findPairs(frames, {no_reach})) {
    if (!near_.mayCollide(pair)) continue;
    const BodyShape &a = shapes()[pair.a], &b = shapes()[pair.b];
    points.clear();
    collide(shapes().preparedOf(a), shapes().poseOf(a, frames[a.body].pose), shapes().preparedOf(b),
            shapes().poseOf(b, frames[b.body].pose), 0, points);
    Overlap overlap{a.body, b.body, 0, std::min(smallestExtent(pair.a), smallestExtent(pair.b))};
    for (const ContactPoint& point : points) overlap.depth = std::max(overlap.depth, -point.gap);
    if (overlap.depth > share * overlap.size) found.push_back(overlap);
  }
  // One entry per pair of bodies: the deepest.
  std::stable_sort(found.begin(), found.end(), [](const Overlap& x, const Overlap& y) {
    return std::pair(orderedPair(x.body_a, x.body_b), -x.depth) <
           std::pair(orderedPair(y.body_a, y.body_b), -y.depth);
  });
  const auto last = std::unique(found.begin(), found.end(), [](const Overlap& x, const Overlap& y) {
    return orderedPair(x.body_a, x.body_b) == orderedPair(y.body_a, y.body_b);
  });
  found.erase(last, found.end());
  return found;
}

bool BodyContacts::meetAhead(std::uint64_t id, const MovingFrame& a, const MovingFrame& b,
                             double dt) {
  const auto [shape_a, shape_b] = shapesOf(id);
  const auto spin = [&](const MovingFrame& moving, int shape) {
    const double turning = norm(moving.velocity.angular);
    return turning > 0 ? turning * shapes()[shape].radius : 0;
  };
  const double way =
      dt * (norm(b.velocity.linear - a.velocity.linear) + spin(a, shape_a) + spin(b, shape_b));
  const double size = std::min(smallestExtent(shape_a), smallestExtent(shape_b));
  const double looks =
      std::clamp(std::ceil(way / (kLookEvery * size)), kFewestLooks, kMostLooksAhead);
  for (double k = 1; k <= looks; ++k) {
    const double time = dt * k / looks;
    ahead_.clear();
    collide(shapes().preparedOf(shapes()[shape_a]), poseAhead(shape_a, a, time),
            shapes().preparedOf(shapes()[shape_b]), poseAhead(shape_b, b, time), 0, ahead_);
    if (std::any_of(ahead_.begin(), ahead_.end(),
                    [](const ContactPoint& point) { return point.gap <= 0; }))
      return true;
  }
  return false;
}

Pose BodyContacts::poseAhead(int shape, const MovingFrame& moving, double time) const {
  Pose body = moving.frame.pose;
  body.position += time * moving.velocity.linear;
  if (moving.velocity.angular != Vec3{})
    body.rotation = matrixOf(rotationBy(time * moving.velocity.angular)) * body.rotation;
  return shapes().poseOf(shapes()[shape], body);
}

}  // namespace stickslip
