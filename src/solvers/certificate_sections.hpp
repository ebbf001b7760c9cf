// Sets of friction impulses as the certificate sees them where contacts have moments, or friction
// that does not depend on the load: some rows of a contact in an ellipsoid, or in the hull of its
// corners, which may be given one by one. No solver uses this file, and it uses nothing of theirs.
#pragma once

#include <array>
#include <vector>

#include "solvers/certificate_hull.hpp"
#include "stickslip/contact_problem.hpp"

namespace stickslip::certificate {

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
