// Signed distance of two polytopes that touch or overlap, by separating axes.
//
// The depth of an overlap is the distance of the origin from the boundary of the Minkowski
// difference b - a. Its faces are: a face of a with a vertex of b, a vertex of a with a face of b,
// and an edge of a with an edge of b whose arcs on the sphere of normals cross (Gregorius, The
// separating axis test between convex polyhedra, GDC 2013). So the largest of the finitely many
// gaps is the answer, and it is as good at a gap of 1e-16 of the size as it is in deep overlap.
// Between shapes that are apart it is a lower bound of the distance.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "collision/convex/convex_contact.hpp"
#include "collision/convex/convex_shape.hpp"
#include "collision/convex/gjk.hpp"

namespace stickslip {

/// True for boxes and such, for which distanceByAxes() is about as cheap as GJK.
bool axesAreFew(const PolytopeView& a, const PolytopeView& b);

/// Both cores are polytopes, at least one of them with faces. Any lower bound beyond `cutoff` will
/// do as an answer.
SignedDistance distanceByAxes(const CorePair& pair, double cutoff);

/// The same from a point of each core, in the frame of a: the quicker the closer the points are and
/// the smaller the overlap is.
SignedDistance distanceByAxes(const CorePair& pair, Vec3 on_a, Vec3 on_b, double cutoff);

// Which faces and edges of a polytope can matter to an overlap of which a point is known.
//
// Let p be a point of a, q one of b, and n a unit vector. Then the gap along n is at most
// n.(q - p) - depth, where the depth of p is how far a reaches beyond it along n. So an axis that
// is to be better than a gap g known already has p no deeper than |q - p| - g. Of the normals of an
// edge, which run from that of one of its faces to that of the other, it is one of these two that p
// is least deep along: an edge matters only if one of its faces does. In a small overlap these are
// few, and the result is the same as with all of them.

class NearFeatures {
 public:
  /// Of all faces: how deep the point p of `core` is below them.
  void measure(const PolytopeView& core, Vec3 p) {
    depths_.resize(core.faces.size());
    for (std::size_t i = 0; i < depths_.size(); ++i)
      depths_[i] = core.faces[i].offset - dot(core.faces[i].normal, p);
  }
  /// All features are near.
  void measureNothing(const PolytopeView& core) {
    depths_.assign(core.faces.size(), -std::numeric_limits<double>::infinity());
  }

  /// A face that p is least deep below; -1 if there are no faces.
  int closestFace() const {
    const auto closest = std::min_element(depths_.begin(), depths_.end());
    return closest == depths_.end() ? -1 : static_cast<int>(closest - depths_.begin());
  }
  /// Faces that p is no deeper below than `depth`, in their order; valid until the next call.
  std::span<const int> facesWithin(double depth) {
    return choose(depths_.size(), [&](std::size_t i) { return depths_[i] <= depth; });
  }
  /// Edges at such faces, likewise; all of a core without faces.
  std::span<const int> edgesWithin(double depth, const PolytopeView& core) {
    const auto isWithin = [&](int face) { return depths_[face] <= depth; };
    if (depths_.empty()) return choose(core.edges.size(), [](std::size_t) { return true; });
    return choose(core.edges.size(), [&](std::size_t i) {
      const bool left = isWithin(core.edge_faces[i].left);
      const bool right = isWithin(core.edge_faces[i].right);
      return left | right;  // no branch
    });
  }

 private:
  // Which are cannot be predicted: written always, counted only if they are.
  template <class IsChosen>
  std::span<const int> choose(std::size_t count, const IsChosen& isChosen) {
    chosen_.resize(std::max(chosen_.size(), count));
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < count; ++i) {
      chosen_[chosen] = static_cast<int>(i);
      chosen += isChosen(i) ? 1 : 0;
    }
    return {chosen_.data(), chosen};
  }

  std::vector<double> depths_;  ///< below each face
  std::vector<int> chosen_;
};

}  // namespace stickslip
