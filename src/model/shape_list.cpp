#include "stickslip/shape_list.hpp"

namespace stickslip {

ShapeList::ShapeList(const ShapeList& other)
    : shapes_(other.shapes_ && !other.is_shared_
                  ? std::make_shared<std::vector<PlacedShape>>(*other.shapes_)
                  : other.shapes_),
      is_shared_(other.is_shared_) {}

ShapeList& ShapeList::operator=(const ShapeList& other) {
  return *this = ShapeList(other);
}

std::vector<PlacedShape>& ShapeList::own() {
  if (!shapes_)
    shapes_ = std::make_shared<std::vector<PlacedShape>>();
  else if (is_shared_)
    shapes_ = std::make_shared<std::vector<PlacedShape>>(*shapes_);
  is_shared_ = false;
  return *shapes_;
}

}  // namespace stickslip
