// Four contacts that are solved at once. They share no body, so that the order among them does not
// matter.
//
// A contact is kept in velocities w = L' v (M = L L'), whose mass matrix is the identity: u = A w +
// b, w += A' dp. Its tangents are scaled by the coefficients of friction, so that its cone is |p_t|
// <= p_n, and turned so that with p_n eliminated their mobilities are decoupled:
//
//   u_n = b_n' + W_nn (p_n + k.p_t),   u_t - k u_n = c + s p_t   (s by components)
//
// where b' and c are what the others do.
#pragma once

#include <cstddef>

#include "simd/vectors.hpp"

namespace stickslip {

/// `Columns` velocities of a body: 3 in the plane, 6 in space. The linear ones come first; a
/// contact has the same directions for those of both bodies, which therefore are kept once.
template <int Columns>
struct ContactPacket {
  static constexpr int kColumns = Columns;
  static constexpr int kLinear = Columns == 3 ? 2 : 3;
  static constexpr int kAngular = Columns - kLinear;
  static constexpr int kTangents = Columns == 3 ? 1 : 2;
  static constexpr int kRows = 1 + kTangents;

  // A: for the linear velocities of a body share * along, for the others about.
  alignas(32) double along[kRows][kLinear][kLanes];
  double share[2][kLanes];
  double about[2][kRows][kAngular][kLanes];
  double p[kRows][kLanes];
  double b[kRows][kLanes];
  double mobility[kLanes];              ///< W_nn
  double inverse_mobility[kLanes];      ///< 0 if nothing moves
  double lean[kTangents][kLanes];       ///< k
  double decoupled[kTangents][kLanes];  ///< s > 0
  double step[kLanes];                  ///< 1 / (bound of the eigenvalues of A A')
  int slot[2][kLanes];  ///< places of the bodies among all velocities; kNoSlot if fixed
};

using PlanarPacket = ContactPacket<3>;
using SpatialPacket = ContactPacket<6>;

/// Contacts of balls in space, whose velocities are in world axes and have one inertia: what turns
/// a ball is a multiple of its tangents, the normal turns nothing, and nothing leans,
///
///   u_n = n.x,  u_1 = t_1.x + t_2.y,  u_2 = t_2.x - t_1.y,  t_2 = n x t_1,
///   x = sum of share w_linear, y = sum of turn w_angular over the bodies.
///
/// Less than half the size of the other packets, and no direction of sliding to be searched for.
struct BallPacket {
  static constexpr int kColumns = 6;
  static constexpr int kLinear = 3;
  static constexpr int kTangents = 2;
  static constexpr int kRows = 3;

  alignas(32) double normal[kLinear][kLanes];
  double tangent[kLinear][kLanes];  ///< t_1; sweeps are quicker with t_2 computed than read
  double share[2][kLanes];
  double turn[2][kLanes];
  double p[kRows][kLanes];
  double b[kRows][kLanes];
  double mobility[kLanes];           ///< W_nn
  double inverse_mobility[kLanes];   ///< 0 if nothing moves
  double inverse_decoupled[kLanes];  ///< 1 / s, that of both tangents
  int slot[2][kLanes];
};

/// How the tangents of a packet were turned, where that is needed. Apart from it, since sweeps do
/// not read it: of many contacts the sweeps are as quick as packets come from memory.
struct PacketTurn {
  double cosine[kLanes];
  double sine[kLanes];
};

/// What a lane is filled with: for each body a strip of rows of J, row-major, and the factors that
/// make columns of A of its columns; for the linear ones a strip of either body, with the share of
/// each. Balls: normal and tangent instead of strips, and what turns them.
struct LaneSource {
  int rows = 0;  ///< 0: the lane is empty
  int slot[2] = {kNoSlot, kNoSlot};
  const double* along = nullptr;
  double share[2] = {0, 0};
  const double* strip[2] = {nullptr, nullptr};
  const double* scale[2] = {nullptr, nullptr};
  double turn[2] = {0, 0};
  double factor[2] = {0, 0};
  const double* b = nullptr;  ///< one a row
  const double* p = nullptr;  ///< where to start
};

}  // namespace stickslip
