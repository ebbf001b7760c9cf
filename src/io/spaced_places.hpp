// Random places in a box that keep a distance from each other (random sequential addition: a place
// that comes too near to an earlier one is drawn again).
//
// Such places fill at most 55 % of the plane with disks and 38 % of space with balls, and get slow
// to find well before.
#pragma once

#include <cstdint>
#include <vector>

#include "io/random_numbers.hpp"

namespace stickslip {

struct PlaceBox {
  Vec3 lower, upper;
};

/// Up to `count` places, each two at least `distance` > 0 apart; fewer if there seems to be no room
/// for more.
std::vector<Vec3> spacedPlaces(std::int64_t count, const PlaceBox& box, double distance,
                               int dimension, RandomNumbers& random);

}  // namespace stickslip
