#include "problem/delassus.hpp"

namespace stickslip {

void Delassus::clearCones() {
  first_row_.resize(1);
  first_of_block_.resize(1);
}

void Delassus::reserveCones(int cones) {
  first_row_.reserve(static_cast<std::size_t>(cones) + 1);
  first_of_block_.reserve(static_cast<std::size_t>(cones) + 1);
}

void Delassus::addCone(int rows) {
  first_row_.push_back(first_row_.back() + rows);
  first_of_block_.push_back(first_of_block_.back() + static_cast<std::size_t>(rows * rows));
}

}  // namespace stickslip
