// The two laws of friction that problems are solved with.
#pragma once

namespace stickslip {

/// What a contact does while it slides: Coulomb's law, or the convex relaxation of [A06] and
/// [AH04], in which a sliding contact lifts off with the normal velocity mu |u_t|.
enum class Law { coulomb, relaxed };

}  // namespace stickslip
