// From a point where two bodies meet to the rows of its contact.
//
//   row d of body x   (s d, s R' (arm x d))   s = -1 for a, 1 for b; arm from its centre of mass;
//                                             R' where angular velocities are in the body's axes
//
// Impulses act at one point on both bodies, halfway between the surfaces, so that they make no
// couple; for the normal row it does not matter where along the normal.
#pragma once

#include "collision/broad/pair_list.hpp"
#include "collision/collision_shape.hpp"
#include "model/bodies/kinematics.hpp"
#include "model/bodies/surface_laws.hpp"

namespace stickslip {

/// What is known of a contact before its rows are written.
struct FoundContact {
  Vec3 place;
  Vec3 normal;  ///< from a to b
  double gap = 0;
  std::uint32_t feature = 0;
  CandidatePair shapes;
};

/// Its two bodies.
struct ContactBodies {
  const Kinematics& frames;
  const BodyFrame& a;
  const BodyFrame& b;
  /// True for a ball about its body's centre of mass: normals go through there.
  bool round_a = false;
  bool round_b = false;
};

/// margin + sum_k |w_N,k| way_k, and what prescribed motions add.
double reachAlongNormal(const FoundContact& contact, const ContactBodies& bodies, int dimension,
                        const Reach& reach);

/// Rows, strips and values of a contact with this law.
BlockRows::Extent extentOf(const SurfaceLaw& law, const ContactBodies& bodies, int dimension);

/// Writes its rows, and their rheonomic terms unless `drive` is null: no body is driven then.
/// `tangent` is the first of its tangents.
void writeContactRows(const FoundContact& contact, const SurfaceLaw& law, Vec3 tangent,
                      const ContactBodies& bodies, int dimension, BlockRows::Writer& rows,
                      double* drive);

}  // namespace stickslip
