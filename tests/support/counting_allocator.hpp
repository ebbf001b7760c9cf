// Counts heap allocations of the whole program; linking it in replaces operator new.
#pragma once

namespace stickslip::testing {

/// Number of calls of operator new so far.
long allocationCount();

}  // namespace stickslip::testing
