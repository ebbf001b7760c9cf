// Rows of cones of any size over velocities of bodies, u = A w and w += A' p: what the kernels of
// gradient_kernels.hpp do for contacts between two bodies in space.
#pragma once

#include <span>
#include <vector>

namespace stickslip {

class ItemRows {
 public:
  void clear();
  /// Starts a cone. Its rows are dense over a few ranges of w, its strips.
  void startItem(int rows);
  /// Adds a strip of zeros of the last cone, for the numbers of w from `slot` on; row-major, valid
  /// until the next one.
  std::span<double> addStrip(int slot, int columns);

  /// u = A w, the rows of a cone.
  void velocity(int cone, std::span<const double> w, std::span<double> u) const;
  /// w += A' p.
  void push(int cone, std::span<const double> p, std::span<double> w) const;

 private:
  struct Strip {
    int slot;
    int columns;
    std::size_t first_value;
  };
  struct Item {
    int rows;
    std::size_t first_strip;
    std::size_t end_strip;
  };
  std::vector<Item> cones_;
  std::vector<Strip> strips_;
  std::vector<double> values_;
};

}  // namespace stickslip
