#include "model/body_contacts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "model/joint_rows.hpp"

namespace stickslip {
namespace {

// Pairs of near shapes that are made room for in advance.
constexpr std::size_t kPairsPerShape = 8;
constexpr std::size_t kMostPairsInAdvance = 1 << 16;
constexpr int kFeatureBits = 22;
constexpr int kShapeBits = 20;
constexpr std::uint64_t kShapeMask = (std::uint64_t{1} << kShapeBits) - 1;

std::uint64_t contactId(int shape_a, int shape_b, std::uint32_t feature) {
  return ((static_cast<std::uint64_t>(shape_a) << kShapeBits | static_cast<std::uint64_t>(shape_b))
          << kFeatureBits) |
         feature;
}

// What rounding can do to the points of a shape that is so far from the origin.
double roundingOf(const Pose& pose, double radius) {
  const double size = norm(pose.position) + (std::isfinite(radius) ? radius : 0);
  return 16 * std::numeric_limits<double>::epsilon() * size;
}

// How far the surface of a shape can go when its body's velocities reach that far.
double surfaceReach(const BodyFrame& frame, double radius, int dimension, const Reach& reach) {
  if (!frame.isDynamic()) return 0;
  const double* r = reach.way.data() + frame.first_velocity;
  if (dimension == 2) return std::hypot(r[0], r[1]) + radius * r[2];
  return std::hypot(r[0], r[1], r[2]) + radius * std::hypot(r[3], r[4], r[5]);
}

Bounds widened(const Bounds& bounds, double margin) {
  const Vec3 m{margin, margin, margin};
  return {bounds.lower - m, bounds.upper + m};
}

std::pair<int, int> ordered(int a, int b) {
  return {std::min(a, b), std::max(a, b)};
}

}  // namespace

BodyContacts::BodyContacts(const BodySystemData& data)
    : dimension_(data.dimension),
      body_count_(data.bodies.size()),
      material_count_(data.materials.size()) {
  for (std::size_t body = 0; body < data.bodies.size(); ++body) {
    const Body& description = data.bodies[body];
    for (const PlacedShape& placed : description.shapes) {
      PlacedCollisionShape shape{static_cast<int>(body), placed.material,
                                 makeCollisionShape(placed.shape), placed.placement, 0};
      shape.placement.position -= description.mass.center;
      shape.radius = shape.shape->farthestFrom(shape.placement.pointToLocal({}));
      shapes_.push_back(std::move(shape));
      movable_.push_back(description.type == Body::Type::dynamic ? 1 : 0);
      is_terrain_.push_back(isTerrain(placed.shape) ? 1 : 0);
    }
  }
  buildPairLaws(data);
  buildExclusions(data);
  poses_.resize(shapes_.size());
  margins_.resize(shapes_.size());
  roundings_.resize(shapes_.size());
  bounds_.resize(shapes_.size());
  const std::size_t pairs = std::min(kPairsPerShape * shapes_.size(), kMostPairsInAdvance);
  pairs_.reserve(pairs);
  broad_phase_.reserve(pairs);
}

void BodyContacts::buildPairLaws(const BodySystemData& data) {
  for (const Material& material : data.materials)
    anisotropy_.push_back(material.anisotropy.value_or(Anisotropy{}));
  for (const Material& a : data.materials)
    for (const Material& b : data.materials) {
      PairLaw law;
      law.surface = &a == &b ? a.surface : combine(a.surface, b.surface);
      law.friction_across = law.surface.friction;
      if (&a == &b && a.anisotropy) {
        // Two grains have no common direction: the mean of both in all directions.
        law.surface.friction = std::sqrt(a.surface.friction * a.anisotropy->friction_across);
        law.friction_across = law.surface.friction;
      } else if (a.anisotropy || b.anisotropy) {
        law.anisotropic = a.anisotropy ? 0 : 1;
        const Material& grained = a.anisotropy ? a : b;
        const Material& other = a.anisotropy ? b : a;
        const double across = grained.anisotropy->friction_across;
        law.friction_across = std::sqrt(across * other.surface.friction);
      }
      laws_.push_back(law);
    }
  for (const MaterialPair& pair : data.material_pairs)
    for (const auto& [a, b] : {std::pair{pair.a, pair.b}, std::pair{pair.b, pair.a}}) {
      PairLaw& law =
          laws_[static_cast<std::size_t>(a) * material_count_ + static_cast<std::size_t>(b)];
      if (!pair.keeps_grain) law = {pair.surface, pair.surface.friction, -1};
      // The friction of a grain is that of the combination.
      law.surface = {.friction = law.surface.friction,
                     .restitution = pair.surface.restitution,
                     .tangential_restitution = pair.surface.tangential_restitution,
                     .rolling_friction = pair.surface.rolling_friction,
                     .torsional_friction = pair.surface.torsional_friction,
                     .friction_force = pair.surface.friction_force,
                     .friction_curve = pair.surface.friction_curve};
    }
}

bool BodyContacts::hasFriction(const PairLaw& law) {
  return law.surface.friction > 0 || law.friction_across > 0 || law.surface.friction_force > 0 ||
         law.surface.rolling_friction > 0 || law.surface.torsional_friction > 0;
}

int BodyContacts::momentCount() const {
  int most = 0;
  for (const PairLaw& law : laws_)
    most = std::max(most, (law.surface.torsional_friction > 0 ? 1 : 0) +
                              (law.surface.rolling_friction > 0 ? dimension_ - 1 : 0));
  return most;
}

void BodyContacts::buildExclusions(const BodySystemData& data) {
  for (const auto& [a, b] : data.no_collision) exclusions_.push_back(ordered(a, b));
  for (const Joint& joint : data.joints)
    if (joint.type != Joint::Type::gear && !joint.collide)
      exclusions_.push_back(ordered(joint.body_a, joint.body_b));
  std::sort(exclusions_.begin(), exclusions_.end());
}

bool BodyContacts::mayCollide(int shape_a, int shape_b) const {
  const int a = shapes_[static_cast<std::size_t>(shape_a)].body;
  const int b = shapes_[static_cast<std::size_t>(shape_b)].body;
  return a != b && (exclusions_.empty() ||
                    !std::binary_search(exclusions_.begin(), exclusions_.end(), ordered(a, b)));
}

bool BodyContacts::anyMayMeet() const {
  for (int a = 0; a < shapeCount(); ++a)
    for (int b = 0; b < a; ++b)
      if ((movable_[static_cast<std::size_t>(a)] || movable_[static_cast<std::size_t>(b)]) &&
          mayCollide(a, b))
        return true;
  return false;
}

void BodyContacts::findPairs(const BodyFrames& frames, const Reach& reach) {
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    const PlacedCollisionShape& shape = shapes_[i];
    const BodyFrame& frame = frames[shape.body];
    poses_[i] = frame.pose * shape.placement;
    roundings_[i] = roundingOf(poses_[i], shape.radius);
    margins_[i] =
        surfaceReach(frame, shape.radius, dimension_, reach) + reach.margin / 2 + roundings_[i];
    bounds_[i] = widened(shape.shape->boundsAt(poses_[i]), margins_[i]);
  }
  pairs_.clear();
  broad_phase_.findPairs(bounds_, movable_, pairs_);
}

void BodyContacts::add(const BodyFrames& frames, const Reach& reach, ContactSet& out) {
  findPairs(frames, reach);
  for (const CandidatePair& pair : pairs_) {
    if (!mayCollide(pair.a, pair.b)) continue;
    const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
    points_.clear();
    collide(*shapes_[a].shape, poses_[a], *shapes_[b].shape, poses_[b], margins_[a] + margins_[b],
            points_);
    for (const ContactPoint& point : points_) addPoint(point, pair.a, pair.b, frames, reach, out);
  }
}

const BodyContacts::PairLaw& BodyContacts::lawOf(int shape_a, int shape_b) const {
  const auto a = static_cast<std::size_t>(shapes_[static_cast<std::size_t>(shape_a)].material);
  const auto b = static_cast<std::size_t>(shapes_[static_cast<std::size_t>(shape_b)].material);
  return laws_[a * material_count_ + b];
}

Vec3 BodyContacts::firstTangent(const PairLaw& law, int shape_a, int shape_b, Vec3 normal,
                                const BodyFrames& frames) const {
  if (dimension_ == 2) return {-normal.y, normal.x, 0};
  if (law.anisotropic >= 0) {
    const PlacedCollisionShape& shape =
        shapes_[static_cast<std::size_t>(law.anisotropic == 0 ? shape_a : shape_b)];
    const Vec3 grain = frames[shape.body].pose.rotation *
                       anisotropy_[static_cast<std::size_t>(shape.material)].direction;
    const Vec3 tangent = grain - dot(grain, normal) * normal;
    // A grain that stands on the surface has no direction in it.
    if (norm(tangent) > 1e-6 * norm(grain)) return normalized(tangent);
  }
  return someTangent(normal);
}

void BodyContacts::addPoint(const ContactPoint& point, int shape_a, int shape_b,
                            const BodyFrames& frames, const Reach& reach, ContactSet& out) const {
  const PairLaw& law = lawOf(shape_a, shape_b);
  const int body_a = shapes_[static_cast<std::size_t>(shape_a)].body;
  const int body_b = shapes_[static_cast<std::size_t>(shape_b)].body;
  // Impulses act at one point on both bodies, halfway between the surfaces, so that they make no
  // couple; for the normal row it does not matter where along the normal.
  const Vec3 place = 0.5 * (point.on_a + point.on_b);
  const Vec3 arm_a = place - frames[body_a].pose.position;
  const Vec3 arm_b = place - frames[body_b].pose.position;
  const Vec3 tangent = firstTangent(law, shape_a, shape_b, point.normal, frames);
  const std::array<Vec3, 3> directions{point.normal, tangent, cross(point.normal, tangent)};
  std::array<BodyForm, 6> forms;
  std::size_t rows = 0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(hasFriction(law) ? dimension_ : 1); ++k) {
    const Vec3 d = directions[k];
    forms[rows].add(body_a, -d, -cross(arm_a, d));
    forms[rows++].add(body_b, d, cross(arm_b, d));
  }
  const auto addTurn = [&](const Vec3& axis) {
    forms[rows].add(body_a, {}, -axis);
    forms[rows++].add(body_b, {}, axis);
  };
  if (law.surface.torsional_friction > 0) addTurn(point.normal);
  if (law.surface.rolling_friction > 0 && dimension_ == 2) addTurn({0, 0, 1});
  if (law.surface.rolling_friction > 0 && dimension_ == 3)
    for (const std::size_t k : {1, 2}) addTurn(directions[k]);
  std::array<double, 6> drive{};
  writeGroup(frames, dimension_, {forms.data(), rows}, out.directions, drive);
  const double rounding =
      roundings_[static_cast<std::size_t>(shape_a)] + roundings_[static_cast<std::size_t>(shape_b)];
  if (!(point.gap <= rounding) && !lastGroupIsWithinReach(out.directions, point.gap, reach)) {
    out.directions.dropGroup();
    return;
  }
  out.drive.insert(out.drive.end(), drive.begin(), drive.begin() + static_cast<int>(rows));
  out.contacts.push_back({.id = contactId(shape_a, shape_b, point.feature),
                          .gap = point.gap,
                          .mu = law.surface.friction,
                          .mu_2 = law.friction_across,
                          .e_n = law.surface.restitution,
                          .e_t = law.surface.tangential_restitution,
                          .torsion = law.surface.torsional_friction,
                          .rolling = law.surface.rolling_friction,
                          .friction_force = law.surface.friction_force,
                          .friction_force_2 = law.surface.friction_force,
                          .curve = law.surface.friction_curve});
}

std::vector<Overlap> BodyContacts::overlaps(const BodyFrames& frames, double share) {
  const std::vector<double> no_reach(6 * body_count_, 0.0);
  findPairs(frames, {no_reach});
  std::vector<Overlap> found;
  for (const CandidatePair& pair : pairs_) {
    if (!mayCollide(pair.a, pair.b)) continue;
    const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
    points_.clear();
    collide(*shapes_[a].shape, poses_[a], *shapes_[b].shape, poses_[b], 0, points_);
    Overlap overlap{shapes_[a].body, shapes_[b].body, 0,
                    std::min(smallestExtent(a), smallestExtent(b))};
    for (const ContactPoint& point : points_) overlap.depth = std::max(overlap.depth, -point.gap);
    if (overlap.depth > share * overlap.size) found.push_back(overlap);
  }
  // One entry per pair of bodies: the deepest.
  std::stable_sort(found.begin(), found.end(), [](const Overlap& x, const Overlap& y) {
    return std::pair(ordered(x.body_a, x.body_b), -x.depth) <
           std::pair(ordered(y.body_a, y.body_b), -y.depth);
  });
  const auto last = std::unique(found.begin(), found.end(), [](const Overlap& x, const Overlap& y) {
    return ordered(x.body_a, x.body_b) == ordered(y.body_a, y.body_b);
  });
  found.erase(last, found.end());
  return found;
}

// Of a shape in its own frame.
double BodyContacts::smallestExtent(std::size_t shape) const {
  // Terrain has no thickness to be compared with.
  if (is_terrain_[shape]) return INFINITY;
  const Bounds bounds = shapes_[shape].shape->boundsAt({});
  const Vec3 extent = bounds.upper - bounds.lower;
  const double in_plane = std::min(extent.x, extent.y);
  return dimension_ == 2 ? in_plane : std::min(in_plane, extent.z);
}

std::pair<int, int> BodyContacts::bodiesOf(std::uint64_t id) const {
  const std::uint64_t shapes = id >> kFeatureBits;
  return {shapes_[static_cast<std::size_t>(shapes >> kShapeBits)].body,
          shapes_[static_cast<std::size_t>(shapes & kShapeMask)].body};
}

}  // namespace stickslip
