// Many bodies from one description: rows of bricks, piles of grains, a list of places.
//
// Every instance is the body that the template describes, moved (and, if asked for, turned and
// scaled) to its place. Random choices come from a seed in the scene.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "scene/bodies.hpp"
#include "scene/json/field_reader.hpp"
#include "stickslip/rotation.hpp"
#include "stickslip/shape.hpp"

namespace stickslip {

/// Stands for the number of an instance in its name.
inline constexpr std::string_view kInstanceNumber = "{i}";

/// Reads "instances" and appends their bodies, with their names, to those that are there. More than
/// a scene may have are refused before any is made.
void readInstances(FieldReader& system, const BodyContext& context, std::vector<Body>& bodies,
                   NameIndex& names);

/// Random choices of scenes: from a seed by integer arithmetic, divisions and square roots only, so
/// that they are the same on every machine.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::int64_t seed) : engine_(static_cast<std::uint64_t>(seed)) {}
  /// A stream of its own for number `i` of a series.
  RandomNumbers(std::int64_t seed, std::int64_t i)
      : engine_(mixed(static_cast<std::uint64_t>(seed), i)) {}

  /// Uniform in [low, high).
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
  }

  /// Uniform over all rotations (G. Marsaglia, Choosing a point from the surface of a sphere, Ann.
  /// Math. Statist. 43 (1972)); in the plane, over all angles.
  Quaternion rotation(int dimension) {
    const auto [x1, x2, s1] = pointInDisk();
    if (dimension == 2) return normalized(Quaternion{x1, 0, 0, x2});
    const auto [x3, x4, s2] = pointInDisk();
    const double scale = std::sqrt((1 - s1) / s2);
    return normalized(Quaternion{x1, x2, scale * x3, scale * x4});
  }

  /// Uniform over all directions (Marsaglia too).
  Vec3 direction(int dimension) {
    const auto [x, y, s] = pointInDisk();
    if (dimension == 2) return (1 / std::sqrt(s)) * Vec3{x, y, 0};
    const double scale = 2 * std::sqrt(1 - s);
    return {scale * x, scale * y, 1 - 2 * s};
  }

 private:
  struct DiskPoint {
    double x, y, squared;
  };
  DiskPoint pointInDisk() {
    for (;;) {
      const double x = uniform(-1, 1), y = uniform(-1, 1);
      const double squared = x * x + y * y;
      if (squared < 1 && squared > 0) return {x, y, squared};
    }
  }

  // The finalizer of splitmix64: neighbours get seeds that have nothing to do with each other.
  static std::uint64_t mixed(std::uint64_t seed, std::int64_t i) {
    std::uint64_t z = seed + 0x9e3779b97f4a7c15u * (static_cast<std::uint64_t>(i) + 1);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  std::mt19937_64 engine_;
};

struct PlaceBox {
  Vec3 lower, upper;
};

/// Up to `count` places, each two at least `distance` > 0 apart; fewer if there seems to be no room
/// for more. Random sequential addition: a place that comes too near to an earlier one is drawn
/// again. Such places fill at most 55 % of the plane with disks and 38 % of space with balls, and
/// get slow to find well before.
std::vector<Vec3> spacedPlaces(std::int64_t count, const PlaceBox& box, double distance,
                               int dimension, RandomNumbers& random);

/// Most bodies, and most shapes, of a scene.
inline constexpr std::int64_t kMostBodies = 1'000'000;

struct Place {
  Vec3 position;
  Quaternion orientation{1, 0, 0, 0};
};

/// Where instances go: on a grid (rows, brick bond, pyramid), along an arch, to the places of a
/// list, or at random into a box.
class Places {
 public:
  /// Reads the one field that says where.
  Places(FieldReader& fields, int dimension);

  /// How many, as a number that cannot overflow; above kMostBodies it need not be exact.
  double count() const;
  /// The field that says so.
  const char* field() const { return field_; }
  /// The shape that the places ask for: stones of an arch.
  const std::optional<Shape>& shape() const { return shape_; }

  /// To be called once, before the first place; complains if there is no room for all.
  void prepare(const FieldReader& fields, RandomNumbers& random);
  Place place(std::int64_t i, RandomNumbers& random) const;

 private:
  void readGrid(FieldReader& fields);
  void readBox(FieldReader& fields);
  void readArch(FieldReader& fields);
  void findLayers();
  std::int64_t missing(std::int64_t layer, int axis) const;
  Vec3 gridPlace(std::int64_t i) const;
  Place archPlace(std::int64_t i) const;

  int dimension_;
  const char* field_ = "positions";
  std::vector<Vec3> list_;
  // Grid: how many along each axis; where layers (along the last axis) begin if they differ.
  std::vector<std::int64_t> counts_;
  std::vector<std::int64_t> layer_begin_;
  Vec3 spacing_;
  bool is_pyramid_ = false;
  Vec3 origin_;  // first place of a grid, centre of an arch
  // Random.
  bool is_box_ = false;
  PlaceBox box_;
  double distance_ = 0;
  // Arch.
  double radius_ = 0, first_angle_ = 0, angle_step_ = 0;
  std::optional<Shape> shape_;
};

}  // namespace stickslip
