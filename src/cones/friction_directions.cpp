#include "stickslip/friction_directions.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "math/dense/nonnegative_fit.hpp"
#include "stickslip/elementary.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/memory_stream.hpp"

namespace stickslip {
namespace {

using Direction = FrictionDirections::Direction;

// What may be missing to balance a direction, of its own length: more than rounding of decimals
// leaves, less than anybody means.
constexpr double kUnbalanced = 1e-9;
// Sizes that are one up to rounding are one: directions that were divided by them stay as they are.
constexpr double kOne = 1e-15;
// What is left of a direction beside others if it is in their span.
constexpr double kInSpan = 1e-9;

double lengthOf(const Direction& d) {
  double square = 0;
  for (const double part : d) square += part * part;
  return std::sqrt(square);
}

void checkDirections(std::span<const Direction> given) {
  if (given.size() < 2 || given.size() > std::size_t{FrictionDirections::kMost})
    throw InputError("there are " + std::to_string(given.size()) +
                     " directions of friction; expected 2 to " +
                     std::to_string(FrictionDirections::kMost));
  for (std::size_t k = 0; k < given.size(); ++k)
    if (!(lengthOf(given[k]) > 0) || !std::isfinite(lengthOf(given[k])))
      throw InputError("direction " + std::to_string(k) + " is zero, or not finite");
}

}  // namespace

std::shared_ptr<FrictionDirections> FrictionDirections::normalized(
    std::span<const Direction> given) {
  double tangents = 0, spin = 0, rolling = 0;
  for (const Direction& d : given) {
    tangents = std::max(tangents, math::hypot(d[0], d[1]));
    spin = std::max(spin, std::abs(d[2]));
    rolling = std::max(rolling, math::hypot(d[3], d[4]));
  }
  if (std::abs(tangents - 1) <= kOne) tangents = 1;
  if (std::abs(rolling - 1) <= kOne) rolling = 1;
  // The constructor is private.
  std::shared_ptr<FrictionDirections> out(new FrictionDirections);
  out->count_ = static_cast<int>(given.size());
  if (tangents > 0) out->tangent_reach_ = tangents;
  out->spin_reach_ = spin;
  out->rolling_reach_ = rolling;
  for (const Direction& d : given) {
    for (const std::size_t k : {0, 1}) out->entries_.push_back(d[k] / out->tangent_reach_);
    if (spin > 0) out->entries_.push_back(d[2] / spin);
    if (!(rolling > 0)) continue;
    for (const std::size_t k : {3, 4}) out->entries_.push_back(d[k] / rolling);
  }
  out->findSpan();
  return out;
}

// Gram-Schmidt, the longest of what is left first.
void FrictionDirections::findSpan() {
  std::vector<Direction> left(static_cast<std::size_t>(count_));
  for (int k = 0; k < count_; ++k) std::copy((*this)[k].begin(), (*this)[k].end(), left[k].begin());
  for (int i = 0; i < rows(); ++i) {
    Direction longest = *std::max_element(
        left.begin(), left.end(),
        [](const Direction& a, const Direction& b) { return lengthOf(a) < lengthOf(b); });
    const double length = lengthOf(longest);
    if (!(length > kInSpan)) return;
    for (double& part : longest) part /= length;
    span_.push_back(longest);
    for (int pass = 0; pass < 2; ++pass)
      for (Direction& d : left) {
        double along = 0;
        for (std::size_t k = 0; k < d.size(); ++k) along += d[k] * longest[k];
        for (std::size_t k = 0; k < d.size(); ++k) d[k] -= along * longest[k];
      }
  }
}

// Every -d_k is a combination of the directions with weights >= 0: the cone of the directions is
// then a linear space, and zero is inside of their hull in it.
FrictionDirections::Pointer FrictionDirections::make(std::span<const Direction> given) {
  checkDirections(given);
  const std::shared_ptr<FrictionDirections> out = normalized(given);
  std::vector<FitColumn> columns(given.size(), FitColumn{});
  for (int k = 0; k < out->count_; ++k)
    std::copy((*out)[k].begin(), (*out)[k].end(), columns[k].begin());
  for (std::size_t k = 0; k < columns.size(); ++k) {
    FitColumn against{};
    double size = 0, missing = 0;
    for (std::size_t i = 0; i < against.size(); ++i) {
      against[i] = -columns[k][i];
      size = math::hypot(size, against[i]);
    }
    for (const double part : fitNonnegative(columns, against).rest)
      missing = math::hypot(missing, part);
    if (missing > kUnbalanced * size)
      throw InputError("not balanced: nothing opposes direction " + std::to_string(k) +
                       "; zero must be inside the hull of the directions");
  }
  return out;
}

FrictionDirections::Direction FrictionDirections::component(int k) const {
  const std::span<const double> entries = (*this)[k];
  Direction d{tangent_reach_ * entries[0], tangent_reach_ * entries[1]};
  if (spins()) d[2] = spin_reach_ * entries[2];
  if (rolls())
    for (const std::size_t i : {0, 1}) d[3 + i] = rolling_reach_ * entries[(spins() ? 3u : 2u) + i];
  return d;
}

FrictionDirections::Pointer FrictionDirections::mirrored() const {
  auto out = std::shared_ptr<FrictionDirections>(new FrictionDirections(*this));
  for (int k = 0; k < count_; ++k) {
    double* entries = out->entries_.data() + k * rows();
    entries[0] = -entries[0];
    if (rolls()) entries[rows() - 2] = -entries[rows() - 2];
  }
  out->span_.clear();
  out->findSpan();
  return out;
}

FrictionDirections::Pointer FrictionDirections::withSpin() const {
  std::vector<Direction> all;
  all.reserve(static_cast<std::size_t>(count_) + 2);
  for (int k = 0; k < count_; ++k) all.push_back(component(k));
  all.push_back({0, 0, 1, 0, 0});
  all.push_back({0, 0, -1, 0, 0});
  return normalized(all);
}

void FrictionDirections::saveMemory(MemoryWriter& to) const {
  to(count_, tangent_reach_, spin_reach_, rolling_reach_, entries_);
}

FrictionDirections::Pointer FrictionDirections::restored(MemoryReader& from) {
  std::shared_ptr<FrictionDirections> out(new FrictionDirections);
  from(out->count_, out->tangent_reach_, out->spin_reach_, out->rolling_reach_, out->entries_);
  from.expect(out->count_ >= 2 && out->count_ <= kMost &&
                  out->entries_.size() == static_cast<std::size_t>(out->count_) * out->rows(),
              "directions of friction are not as many as they should be");
  out->findSpan();
  return out;
}

}  // namespace stickslip
