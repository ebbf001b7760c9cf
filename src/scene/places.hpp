// Where instances go: on a grid (rows, brick bond, pyramid), along an arch, to the places of a
// list, or at random into a box.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scene/instances.hpp"
#include "scene/json/field_reader.hpp"
#include "stickslip/shape.hpp"

namespace stickslip {

// Random places in a box that keep a distance from each other (random sequential addition: a place
// that comes too near to an earlier one is drawn again).
//
// Such places fill at most 55 % of the plane with disks and 38 % of space with balls, and get slow
// to find well before.

struct PlaceBox {
  Vec3 lower, upper;
};

/// Up to `count` places, each two at least `distance` > 0 apart; fewer if there seems to be no room
/// for more.
std::vector<Vec3> spacedPlaces(std::int64_t count, const PlaceBox& box, double distance,
                               int dimension, RandomNumbers& random);

/// Most bodies, and most shapes, of a scene.
inline constexpr std::int64_t kMostBodies = 1'000'000;

struct Place {
  Vec3 position;
  Quaternion orientation{1, 0, 0, 0};
};

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
