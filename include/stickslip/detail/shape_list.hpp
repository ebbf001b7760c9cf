// The shapes of a body: a vector of which many bodies may have the same one in memory.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <vector>

#include "stickslip/shape.hpp"

namespace stickslip {

/// A value like std::vector<PlacedShape>: what is done to one list does nothing to any other.
/// BodySystem makes equal lists share() their shapes; one that is changed then gets its own again.
class ShapeList {
 public:
  using value_type = PlacedShape;

  ShapeList() = default;
  ShapeList(std::initializer_list<PlacedShape> shapes) : ShapeList(std::vector(shapes)) {}
  ShapeList(std::vector<PlacedShape> shapes)
      : shapes_(std::make_shared<std::vector<PlacedShape>>(std::move(shapes))) {}
  ShapeList(const ShapeList& other);
  ShapeList(ShapeList&& other) noexcept = default;
  ShapeList& operator=(const ShapeList& other);
  ShapeList& operator=(ShapeList&& other) noexcept = default;
  ShapeList& operator=(std::initializer_list<PlacedShape> shapes) {
    return *this = ShapeList(shapes);
  }
  ~ShapeList() = default;

  bool empty() const { return size() == 0; }
  std::size_t size() const { return shapes_ ? shapes_->size() : 0; }
  const PlacedShape* data() const { return shapes_ ? shapes_->data() : nullptr; }
  const PlacedShape* begin() const { return data(); }
  const PlacedShape* end() const { return data() + size(); }
  const PlacedShape& operator[](std::size_t i) const { return data()[i]; }
  const PlacedShape& front() const { return data()[0]; }
  const PlacedShape& back() const { return data()[size() - 1]; }

  PlacedShape* data() { return own().data(); }
  PlacedShape* begin() { return data(); }
  PlacedShape* end() { return data() + size(); }
  PlacedShape& operator[](std::size_t i) { return data()[i]; }
  PlacedShape& front() { return data()[0]; }
  PlacedShape& back() { return data()[size() - 1]; }
  void push_back(PlacedShape shape) { own().push_back(std::move(shape)); }
  void clear() { *this = ShapeList(); }

  /// Makes two lists with equal shapes have them in one place.
  void share(ShapeList& with) {
    is_shared_ = with.is_shared_ = true;
    shapes_ = with.shapes_;
  }

 private:
  std::vector<PlacedShape>& own();

  // References to shapes that may be changed are to lists that are not shared, and these are copied
  // in full: nobody else can see the change.
  std::shared_ptr<std::vector<PlacedShape>> shapes_;  ///< or nothing
  bool is_shared_ = false;
};

}  // namespace stickslip
