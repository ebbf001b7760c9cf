// The shortest vector of a hull of points, as the certificate finds it: Wolfe, Finding the nearest
// point in a polytope, Math. Programming 11 (1976). No solver uses this file, and it uses nothing
// of theirs.
#pragma once

#include <array>
#include <span>

namespace stickslip::certificate {

/// Friction along two tangents, spin and two of rolling, as far as a contact has them.
inline constexpr std::size_t kFrictionRows = 5;
using Friction = std::array<double, kFrictionRows>;

/// Of the hull of at least one point; exact up to rounding.
Friction shortestOfHull(std::span<const Friction> points);

/// Whether a vector is independent of the first `count` of an orthonormal basis, which then has one
/// more.
bool addIndependent(const Friction& vector, std::array<Friction, kFrictionRows>& basis,
                    std::size_t& count);

}  // namespace stickslip::certificate
