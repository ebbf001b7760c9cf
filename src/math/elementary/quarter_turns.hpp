// Angles as a whole number of quarter turns and a rest.
#pragma once

#include "math/elementary/double_double.hpp"

namespace stickslip {

/// x = (pi / 2) (count + 4 n) + rest, with some integer n and |rest| at most a little above pi / 4.
struct QuarterTurns {
  int count;  ///< 0 to 3
  DoubleDouble rest;
};

/// x is finite. The rest has a relative error of some 2^-60, also next to multiples of pi / 2.
QuarterTurns quarterTurns(double x);

}  // namespace stickslip
