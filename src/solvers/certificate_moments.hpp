// The part of the certificate's law that is about contacts with moments, or with friction that does
// not depend on the load: products of sections (certificate_sections.hpp) over one normal impulse.
#pragma once

#include "solvers/certificate_law.hpp"

namespace stickslip::certificate {

/// Whether the set is more than a cone over an ellipse or polygon of the tangents.
inline bool hasSections(const ImpulseSet& set) {
  return set.load_independent || set.given != nullptr || set.dimension() > set.linearRows();
}

// As in certificate_law.hpp, for sets that have sections.
ImpulseVector projectOnSections(const ImpulseSet& set, const ImpulseVector& x);
/// The largest power that friction can take from u per unit of normal impulse.
double sectionsPower(const ImpulseSet& set, const ImpulseVector& u);
LoadDirections sectionLoads(const ImpulseSet& set, const ImpulseVector& u, double closed);

}  // namespace stickslip::certificate
