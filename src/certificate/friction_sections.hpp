// Sets of friction impulses as the certificate sees them where contacts have moments, or friction
// that does not depend on the load: some rows of a contact in an ellipsoid, or in the hull of its
// corners, which may be given one by one. No solver uses this file, and it uses nothing of theirs.
#pragma once

#include <array>
#include <vector>

#include "certificate/friction_hull.hpp"
#include "certificate/impulse_law.hpp"
#include "stickslip/contact_problem.hpp"

namespace stickslip::certificate {

// The part of the certificate's law that is about contacts with moments, or with friction that does
// not depend on the load: products of sections over one normal impulse.

/// Whether the set is more than a cone over an ellipse or polygon of the tangents.
inline bool hasSections(const ImpulseSet& set) {
  return set.load_independent || set.given != nullptr || set.dimension() > set.linearRows();
}

// As in impulse_law.hpp, for sets that have sections.
ImpulseVector projectOnSections(const ImpulseSet& set, const ImpulseVector& x);
/// The largest power that friction can take from u per unit of normal impulse.
double sectionsPower(const ImpulseSet& set, const ImpulseVector& u);
LoadDirections sectionLoads(const ImpulseSet& set, const ImpulseVector& u, double closed);

struct FrictionSection {
  int first_row = 1;
  int rows = 0;
  Friction half_axes{};
  int directions = 0;  ///< 0: ellipsoid; else corners in the first two axes, and +- the third
  bool grows_with_load = true;                ///< the set is p_n D, and not D
  const FrictionDirections* given = nullptr;  ///< corners, to be multiplied by the half axes

  /// The largest -x.u over D, and an x that has it.
  double power(const Friction& u) const;
  Friction strongest(const Friction& u) const;
  /// The point of n D next to y.
  Friction nearest(double n, const Friction& y) const;
  /// Ellipsoids have none.
  int cornerCount() const {
    return given == nullptr && directions > 0 && rows == 3 ? directions + 2 : directions;
  }
  Friction corner(int k) const;
};

struct FrictionSections {
  int count = 0;
  std::array<FrictionSection, 3> list;
};

/// Tangents, spin and rolling of a set as sections of their own.
FrictionSections sectionsOf(const ImpulseSet& set);

}  // namespace stickslip::certificate
