// Prescribed motions of kinematic bodies, as scenes describe them.
#pragma once

#include "io/field_reader.hpp"
#include "stickslip/motion.hpp"

namespace stickslip {

/// Reads a "motion" object: "type" constant, sinusoid or table, and what belongs to it.
Motion readMotion(FieldReader& fields, int dimension);

}  // namespace stickslip
