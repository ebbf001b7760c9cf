// Signed distance of two polytopes that touch or overlap, by separating axes.
//
// The depth of an overlap is the distance of the origin from the boundary of the Minkowski
// difference b - a. Its faces are: a face of a with a vertex of b, a vertex of a with a face of b,
// and an edge of a with an edge of b whose arcs on the sphere of normals cross (Gregorius, The
// separating axis test between convex polyhedra, GDC 2013). So the largest of the finitely many
// gaps is the answer, and it is as good at a gap of 1e-16 of the size as it is in deep overlap.
// Between shapes that are apart it is a lower bound of the distance.
#pragma once

#include "collision/convex_contact.hpp"
#include "collision/core_pair.hpp"

namespace stickslip {

/// True for boxes and such, for which distanceByAxes() is about as cheap as GJK.
bool axesAreFew(const PolytopeView& a, const PolytopeView& b);

/// Both cores are polytopes, at least one of them with faces. Any lower bound beyond `cutoff` will
/// do as an answer.
SignedDistance distanceByAxes(const CorePair& pair, double cutoff);

/// The same from a point of each core, in the frame of a: the quicker the closer the points are and
/// the smaller the overlap is.
SignedDistance distanceByAxes(const CorePair& pair, Vec3 on_a, Vec3 on_b, double cutoff);

}  // namespace stickslip
