#include "io/spaced_places.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace stickslip {
namespace {

// Draws for a place, on the average over all of them, until the box counts as full.
constexpr std::int64_t kDrawsPerPlace = 100;
constexpr std::int64_t kSpareDraws = 10'000;

// The box in cells, none shorter than the distance along any axis: what is too near to a place is
// in its own cell or in one next to it.
class Cells {
 public:
  Cells(std::int64_t count, const PlaceBox& box, double distance, int dimension)
      : box_(box), distance_(distance) {
    const double most = 4.0 * static_cast<double>(count) + 64;
    double n[3] = {1, 1, 1};
    for (int k = 0; k < dimension; ++k)
      n[k] = std::max(1.0, std::floor(std::min((box.upper[k] - box.lower[k]) / distance, most)));
    while (n[0] * n[1] * n[2] > most) {
      double& largest = *std::max_element(n, n + 3);
      largest = std::ceil(largest / 2);
    }
    for (int k = 0; k < 3; ++k) n_[k] = static_cast<std::int64_t>(n[k]);
    head_.assign(static_cast<std::size_t>(n_[0] * n_[1] * n_[2]), -1);
  }

  bool isFree(Vec3 p) const {
    std::int64_t low[3], high[3];
    for (int k = 0; k < 3; ++k) {
      const std::int64_t i = indexAlong(p, k);
      low[k] = std::max(i - 1, std::int64_t{0});
      high[k] = std::min(i + 1, n_[k] - 1);
    }
    for (std::int64_t z = low[2]; z <= high[2]; ++z)
      for (std::int64_t y = low[1]; y <= high[1]; ++y)
        for (std::int64_t x = low[0]; x <= high[0]; ++x)
          if (!isFreeIn(x + n_[0] * (y + n_[1] * z), p)) return false;
    return true;
  }

  void add(Vec3 p) {
    const std::int64_t cell =
        indexAlong(p, 0) + n_[0] * (indexAlong(p, 1) + n_[1] * indexAlong(p, 2));
    std::int64_t& head = head_[static_cast<std::size_t>(cell)];
    next_.push_back(head);
    head = static_cast<std::int64_t>(places_.size());
    places_.push_back(p);
  }

  std::vector<Vec3>& places() { return places_; }

 private:
  std::int64_t indexAlong(Vec3 p, int k) const {
    const double extent = box_.upper[k] - box_.lower[k];
    if (n_[k] == 1) return 0;
    const auto i =
        static_cast<std::int64_t>((p[k] - box_.lower[k]) / extent * static_cast<double>(n_[k]));
    return std::clamp(i, std::int64_t{0}, n_[k] - 1);
  }

  bool isFreeIn(std::int64_t cell, Vec3 p) const {
    for (std::int64_t i = head_[static_cast<std::size_t>(cell)]; i >= 0;
         i = next_[static_cast<std::size_t>(i)])
      if (norm(places_[static_cast<std::size_t>(i)] - p) < distance_) return false;
    return true;
  }

  PlaceBox box_;
  double distance_;
  std::int64_t n_[3];
  std::vector<std::int64_t> head_, next_;  // places of a cell as a list, by index
  std::vector<Vec3> places_;
};

}  // namespace

std::vector<Vec3> spacedPlaces(std::int64_t count, const PlaceBox& box, double distance,
                               int dimension, RandomNumbers& random) {
  Cells cells(count, box, distance, dimension);
  const std::int64_t most_draws = kDrawsPerPlace * count + kSpareDraws;
  for (std::int64_t i = 0;
       i < most_draws && static_cast<std::int64_t>(cells.places().size()) < count; ++i) {
    Vec3 p;
    for (int k = 0; k < dimension; ++k) p[k] = random.uniform(box.lower[k], box.upper[k]);
    if (cells.isFree(p)) cells.add(p);
  }
  return std::move(cells.places());
}

}  // namespace stickslip
