#include "contact/friction_variables.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace stickslip {
namespace {

using Kind = ImpulseSet::Kind;

// The power of two next to 1/sqrt(w); 1 if w says nothing.
double scaleFor(double w) {
  return w > 0 && std::isfinite(w) ? std::ldexp(1.0, -(std::ilogb(w) >> 1)) : 1.0;
}

bool hasRange(const ImpulseSet& set) {
  return std::isfinite(set.lower) && std::isfinite(set.upper);
}

// An impulse without bounds is the difference of two variables.
bool isFree(const ImpulseSet& set) {
  return !std::isfinite(set.lower) && !std::isfinite(set.upper);
}

int directionCount(FrictionVariables::Form form, const ImpulseSet& set) {
  switch (set.kind) {
    case Kind::planar:
      return form == FrictionVariables::Form::relay ? 1 : 2;
    case Kind::polyhedral:
      if (set.mu > 0 && set.mu_2 > 0) return set.directions;
      return set.mu > 0 || set.mu_2 > 0 ? 2 : 0;
    case Kind::interval:
      return isFree(set) ? 1 : 0;
    default:
      return 0;
  }
}

bool hasLast(const ImpulseSet& set, int directions) {
  if (set.kind == Kind::interval) return hasRange(set) && set.lower < set.upper;
  return directions > 0;
}

}  // namespace

void FrictionVariables::reserve(int contacts, int directions) {
  const auto count = static_cast<std::size_t>(contacts);
  const auto impulses = count * static_cast<std::size_t>(1 + directions);
  items_.reserve(count);
  variables_.reserve(impulses);
  owner_.reserve(impulses);
  couplings_.reserve(2 * impulses);
}

void FrictionVariables::start(Form form) {
  form_ = form;
  items_.clear();
}

void FrictionVariables::finish(std::span<const ImpulseSet> sets, std::span<const double> angles) {
  numberVariables();
  describeVariables(sets, angles);
  couplings_.clear();
  for (std::size_t i = 0; i < items_.size(); ++i) couple(items_[i], sets[i]);
}

void FrictionVariables::addItem(const ImpulseSet& set, int first_row, double w_nn) {
  assert(set.kind != Kind::elliptic);
  assert(form_ == Form::cone || set.kind != Kind::polyhedral);
  Item item;
  item.first_row = first_row;
  item.rows = set.dimension();
  item.scale = scaleFor(w_nn);
  item.mu = set.kind == Kind::polyhedral ? std::max(set.mu, set.mu_2) : set.mu;
  item.directions = directionCount(form_, set);
  const bool interval = set.kind == Kind::interval;
  if (interval && !isFree(set)) item.base = std::isfinite(set.lower) ? set.lower : set.upper;
  if (!interval || set.lower < set.upper) item.main = 0;
  if (hasLast(set, item.directions)) item.last = 0;
  items_.push_back(item);
}

// All main variables first, then all directions, then the rest: the order of the papers.
void FrictionVariables::numberVariables() {
  int next = 0;
  for (Item& item : items_)
    if (item.main == 0) item.main = next++;
  for (Item& item : items_) {
    item.first_direction = next;
    next += item.directions;
  }
  impulse_count_ = next;
  for (Item& item : items_)
    if (item.last == 0) item.last = next++;
  size_ = next;
}

void FrictionVariables::describeVariables(std::span<const ImpulseSet> sets,
                                          std::span<const double> angles) {
  variables_.assign(static_cast<std::size_t>(impulse_count_), Variable{});
  owner_.assign(static_cast<std::size_t>(impulse_count_), 0);
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const Item& item = items_[i];
    if (item.main < 0) continue;
    owner_[static_cast<std::size_t>(item.main)] = i;
    for (int k = 0; k < item.directions; ++k)
      owner_[static_cast<std::size_t>(item.first_direction + k)] = i;
    if (sets[i].kind == Kind::interval)
      describeInterval(item, sets[i]);
    else
      describeFriction(item, sets[i], angles);
  }
}

void FrictionVariables::describeInterval(const Item& item, const ImpulseSet& set) {
  const double sign = std::isfinite(set.lower) || isFree(set) ? 1 : -1;
  describe(item.main) = {{sign, 0, 0}, {sign, 0, 0}};
  if (isFree(set)) describe(item.first_direction) = {{-1, 0, 0}, {-1, 0, 0}};
}

void FrictionVariables::describeFriction(const Item& item, const ImpulseSet& set,
                                         std::span<const double> angles) {
  assert(angles.empty() || set.kind != Kind::polyhedral ||
         set.directions == static_cast<int>(angles.size()));
  Variable& normal = describe(item.main);
  normal = {{1, 0, 0}, {1, 0, 0}};
  if (item.directions == 1) {
    normal.column[1] = -item.mu;
    describe(item.first_direction) = {{0, 1, 0}, {0, 1, 0}};
    return;
  }
  for (int k = 0; k < item.directions; ++k) {
    std::array<double, 3> d{0, k == 0 ? 1.0 : -1.0, 0};
    if (item.directions == 2) {
      if (set.kind == Kind::polyhedral && set.mu == 0) std::swap(d[1], d[2]);
    } else {
      const double angle = angles.empty() ? 2 * std::numbers::pi * k / item.directions
                                          : angles[static_cast<std::size_t>(k)];
      d = {0, set.mu / item.mu * std::cos(angle), set.mu_2 / item.mu * std::sin(angle)};
    }
    describe(item.first_direction + k) = {d, d};
  }
}

void FrictionVariables::couple(const Item& item, const ImpulseSet& set) {
  if (item.last < 0) return;
  if (set.kind == Kind::interval) {
    couplings_.push_back({item.main, item.last, 1});
    couplings_.push_back({item.last, item.main, -1});
    return;
  }
  couplings_.push_back({item.last, item.main, item.directions == 1 ? 2 * item.mu : item.mu});
  for (int k = 0; k < item.directions; ++k) {
    couplings_.push_back({item.first_direction + k, item.last, 1});
    couplings_.push_back({item.last, item.first_direction + k, -1});
  }
}

double FrictionVariables::lastConstant(std::size_t i, const ImpulseSet& set) const {
  return set.kind == Kind::interval ? (set.upper - set.lower) / items_[i].scale : 0.0;
}

void FrictionVariables::impulses(std::span<const double> z, double unit,
                                 std::span<double> p) const {
  std::fill(p.begin(), p.end(), 0.0);
  for (const Item& item : items_) p[static_cast<std::size_t>(item.first_row)] = item.base;
  for (std::size_t a = 0; a < static_cast<std::size_t>(impulse_count_); ++a) {
    const Item& item = items_[owner_[a]];
    for (int k = 0; k < item.rows; ++k)
      p[static_cast<std::size_t>(item.first_row + k)] +=
          item.scale * (variables_[a].column[static_cast<std::size_t>(k)] * (z[a] / unit));
  }
}

}  // namespace stickslip
