#include "solvers/lemke/friction_variables.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

using SetKind = ImpulseSet::Kind;

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

// How far the polygon reaches along an axis, without friction along the other.
double reachAlone(const ImpulseSet& set, std::size_t axis) {
  const double half_axis = axis == 0 ? set.mu : set.mu_2;
  if (set.kind != SetKind::polyhedral || set.given || (set.mu > 0 && set.mu_2 > 0))
    return half_axis;
  double reach = 0;
  for (int k = 0; k < set.directions; ++k)
    reach = std::max(reach, std::abs(polygonCorner(set.directions, k)[axis]));
  return half_axis * reach;
}

// Directions of a section with these half axes: corners, and what stands on their plane.
int directionCount(const FrictionVector& half_axes, int corners, bool has_angles) {
  const bool polygon = half_axes[0] > 0 && half_axes[1] > 0;
  const int flat = half_axes[0] > 0 || half_axes[1] > 0 ? 2 : 0;
  if (!(half_axes[2] > 0)) return polygon ? corners : flat;
  return polygon ? corners + (has_angles ? corners - 2 : 2) : flat + 2;
}

}  // namespace

bool FrictionVariables::isLinear(const ImpulseSet& set) {
  if (set.kind != SetKind::elliptic) return true;
  return !(set.mu > 0 && set.mu_2 > 0) && set.dimension() == set.linearRows();
}

bool FrictionVariables::isPlanar(const ImpulseSet& set) {
  const bool has_form = set.kind == SetKind::elliptic ? !(set.mu > 0 || set.mu_2 > 0)
                                                      : set.kind != SetKind::polyhedral;
  return has_form && !set.load_independent && set.dimension() == set.linearRows();
}

int FrictionVariables::variableCount(const ImpulseSet& set) {
  if (set.kind == SetKind::interval) return 2;
  if (isPlanar(set)) return set.kind == SetKind::planar ? 3 : 1;
  const int corners = set.kind == SetKind::polyhedral ? set.directions : 2;
  const int sections = 1 + (set.spinRows() > 0 ? 1 : 0) + (set.rollsApart() ? 1 : 0);
  return 1 + sections + (set.given ? set.given->count() : corners) +
         (set.rollsApart() ? corners : 0) + 2 * set.spinRows();
}

void FrictionVariables::reserve(int contacts, int directions) {
  const std::size_t count = contacts;
  const auto impulses = count * static_cast<std::size_t>(1 + directions);
  cones_.reserve(count);
  variables_.reserve(impulses);
  owner_.reserve(impulses);
  couplings_.reserve(2 * impulses);
}

void FrictionVariables::start(Form form, std::span<const double> angles) {
  form_ = form;
  angles_ = angles;
  cones_.clear();
}

void FrictionVariables::finish(const ImpulseSets& sets) {
  numberVariables();
  describeVariables(sets);
  couplings_.clear();
  int load = -1;
  for (const ConeVariables& cone : cones_) {
    if (cone.section == 0) load = cone.main;
    couple(cone, sets[cone.contact], load);
  }
}

void FrictionVariables::addContact(const ImpulseSet& set, int contact, int first_row, double w_nn,
                                   const Row& lengths) {
  assert(isLinear(set));
  assert(form_ == Form::cone || isPlanar(set));
  ConeVariables cone;
  cone.contact = contact;
  cone.first_row = first_row;
  cone.rows = set.dimension();
  cone.scale = scaleFor(w_nn);
  if (set.kind == SetKind::interval)
    addInterval(set, cone);
  else
    addFriction(set, lengths, cone);
}

void FrictionVariables::addInterval(const ImpulseSet& set, ConeVariables cone) {
  cone.directions = isFree(set) ? 1 : 0;
  if (!isFree(set)) cone.base = std::isfinite(set.lower) ? set.lower : set.upper;
  if (set.lower < set.upper) cone.main = 0;
  if (hasRange(set) && set.lower < set.upper) {
    cone.last = 0;
    cone.bound = (set.upper - set.lower) / cone.scale;
  }
  cones_.push_back(cone);
}

// Tangents and spin, then the spin if it is by itself, then rolling. The half axes of a section are
// divided by the largest along its tangents; angular rows by themselves count by their length.
void FrictionVariables::addFriction(const ImpulseSet& set, const Row& lengths, ConeVariables cone) {
  const auto add = [&](int first, Corner half_axes, double mu, bool grows,
                       const FrictionDirections* given = nullptr) {
    ConeVariables section = cone;
    section.section = cone.section++;
    section.main = section.section == 0 ? 0 : -1;
    if (mu > 0) {
      section.at_angles = set.tangents() == 2 && set.directions == 0 && given == nullptr;
      section.given = given;
      const int corners = section.at_angles     ? static_cast<int>(angles_.size())
                          : set.tangents() == 2 ? set.directions
                                                : 2;
      section.friction_row = first;
      for (double& axis : half_axes) axis /= mu;
      section.half_axes = half_axes;
      section.mu = grows ? mu : 0;
      section.bound = grows ? 0 : mu / cone.scale;
      section.directions = form_ == Form::relay ? 1
                           : given != nullptr
                               ? given->count()
                               : directionCount(half_axes, corners, section.at_angles);
      section.last = 0;
    }
    cones_.push_back(section);
  };
  const double mu_1 = set.tangents() > 0 ? reachAlone(set, 0) : 0;
  const double mu_2 = set.tangents() > 1 ? reachAlone(set, 1) : 0;
  const int spin = set.linearRows(), rolling = spin + set.spinRows();
  const double torsion = set.spinRows() > 0 ? set.torsion : 0;
  const auto at = [&](int row) { return lengths[row]; };
  const bool spins_alone = torsion > 0 && (set.load_independent || std::max(mu_1, mu_2) == 0);
  if (set.given) {
    Corner half_axes{mu_1, mu_2};
    std::size_t next = 2;
    if (set.given->spins()) half_axes[next++] = torsion;
    for (int k = 0; set.given->rolls() && k < 2; ++k) half_axes[next++] = set.rolling;
    add(1, half_axes, std::max(mu_1, mu_2), !set.load_independent, set.given.get());
  } else {
    add(1, {mu_1, mu_2, spins_alone ? 0 : torsion}, std::max(mu_1, mu_2), !set.load_independent);
  }
  if (spins_alone) add(spin, {torsion}, torsion / at(spin), true);
  if (set.rollsApart())
    add(rolling, {set.rolling, set.rollingRows() > 1 ? set.rolling : 0}, set.rolling / at(rolling),
        true);
}

// All main variables first, then all directions, then the rest: the order of the papers.
void FrictionVariables::numberVariables() {
  int next = 0;
  for (ConeVariables& cone : cones_)
    if (cone.main == 0) cone.main = next++;
  for (ConeVariables& cone : cones_) {
    cone.first_direction = next;
    next += cone.directions;
  }
  impulse_count_ = next;
  for (ConeVariables& cone : cones_)
    if (cone.last == 0) cone.last = next++;
  size_ = next;
}

void FrictionVariables::describeVariables(const ImpulseSets& sets) {
  variables_.assign(impulse_count_, Variable{});
  owner_.assign(impulse_count_, 0);
  for (std::size_t i = 0; i < cones_.size(); ++i) {
    const ConeVariables& cone = cones_[i];
    const ImpulseSet& set = sets[cone.contact];
    if (cone.main >= 0) owner_[cone.main] = i;
    for (int k = 0; k < cone.directions; ++k) owner_[cone.first_direction + k] = i;
    if (set.kind != SetKind::interval)
      describeFriction(cone);
    else if (cone.main >= 0)
      describeInterval(cone, set);
  }
}

void FrictionVariables::describeInterval(const ConeVariables& cone, const ImpulseSet& set) {
  const double sign = std::isfinite(set.lower) || isFree(set) ? 1 : -1;
  describe(cone.main) = {{sign}, {sign}};
  if (isFree(set)) describe(cone.first_direction) = {{-1}, {-1}};
}

void FrictionVariables::describeDirection(const ConeVariables& cone, int k, const Corner& corner) {
  Variable& direction = describe(cone.first_direction + k);
  for (std::size_t i = 0; i < corner.size(); ++i) {
    if (!(cone.half_axes[i] > 0)) continue;
    const std::size_t row = static_cast<std::size_t>(cone.friction_row) + i;
    direction.column[row] = direction.row[row] = cone.half_axes[i] * corner[i];
  }
}

void FrictionVariables::describeFriction(const ConeVariables& cone) {
  if (cone.main >= 0) describe(cone.main) = {{1}, {1}};
  if (cone.directions == 0) return;
  if (form_ == Form::relay) {
    describe(cone.main).column[1] = -cone.mu;
    return describeDirection(cone, 0, {1, 0, 0});
  }
  int next = 0;
  const auto add = [&](const Corner& corner) { describeDirection(cone, next++, corner); };
  if (cone.given != nullptr) {
    for (int k = 0; k < cone.directions; ++k) {
      Corner corner{};
      std::copy((*cone.given)[k].begin(), (*cone.given)[k].end(), corner.begin());
      add(corner);
    }
    return;
  }
  const bool polygon = cone.half_axes[0] > 0 && cone.half_axes[1] > 0;
  const bool stands = cone.half_axes[2] > 0;
  if (!polygon && (cone.half_axes[0] > 0 || cone.half_axes[1] > 0)) {
    add({1, 1, 0});
    add({-1, -1, 0});
  }
  const int corners = !polygon         ? 0
                      : cone.at_angles ? static_cast<int>(angles_.size())
                                       : cone.directions - (stands ? 2 : 0);
  const auto angle = [&](int k) {
    return cone.at_angles ? angles_[k] : 2 * std::numbers::pi * k / corners;
  };
  for (int k = 0; k < corners; ++k) add({math::cos(angle(k)), math::sin(angle(k)), 0});
  if (stands && polygon && cone.at_angles) {
    for (int k = 2; k < corners; ++k) add({math::cos(angle(k)), 0, math::sin(angle(k))});
  } else if (stands) {
    add({0, 0, 1});
    add({0, 0, -1});
  }
  assert(next == cone.directions);
}

// `load` is the main variable of the contact.
void FrictionVariables::couple(const ConeVariables& cone, const ImpulseSet& set, int load) {
  if (cone.last < 0) return;
  if (set.kind == SetKind::interval) {
    couplings_.push_back({cone.main, cone.last, 1});
    couplings_.push_back({cone.last, cone.main, -1});
    return;
  }
  if (cone.mu > 0)
    couplings_.push_back({cone.last, load, form_ == Form::relay ? 2 * cone.mu : cone.mu});
  for (int k = 0; k < cone.directions; ++k) {
    couplings_.push_back({cone.first_direction + k, cone.last, 1});
    couplings_.push_back({cone.last, cone.first_direction + k, -1});
  }
}

void FrictionVariables::impulses(std::span<const double> z, double unit,
                                 std::span<double> p) const {
  std::fill(p.begin(), p.end(), 0.0);
  for (const ConeVariables& cone : cones_) p[cone.first_row] = cone.base;
  for (std::size_t a = 0; a < static_cast<std::size_t>(impulse_count_); ++a) {
    const ConeVariables& cone = cones_[owner_[a]];
    for (int k = 0; k < cone.rows; ++k)
      p[cone.first_row + k] += cone.scale * (variables_[a].column[k] * (z[a] / unit));
  }
}

}  // namespace stickslip
