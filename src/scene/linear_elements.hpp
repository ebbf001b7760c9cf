// Set-valued force elements of a linear system (002 section 2): the list "elements".
//
// Each acts along one row, on the elongation x = g0 + w.q + drive t. A rope becomes a contact, the
// others become elements of one row (ContactLaw::kind) and, as far as they are linear, springs.
#pragma once

#include <set>
#include <string>

#include "scene/json/field_reader.hpp"
#include "stickslip/linear_system.hpp"

namespace stickslip {

/// Appends to `data`; `names` holds those that are taken.
void readLinearElements(FieldReader& system, std::set<std::string>& names, LinearSystemData& data);

}  // namespace stickslip
