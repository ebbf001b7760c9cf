// All numbers of a shape, bit by bit, so that shapes can be looked up that are exactly alike.
#pragma once

#include <cstdint>
#include <vector>

#include "stickslip/shape.hpp"

namespace stickslip {

using ShapeKey = std::vector<std::uint64_t>;

void append(const Shape& shape, ShapeKey& key);
void append(const Pose& pose, ShapeKey& key);

}  // namespace stickslip
