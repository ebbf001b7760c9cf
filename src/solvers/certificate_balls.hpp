// Contacts of balls for the certificate, at a third of the operations; no solver uses this file.
// With x the sum of s v over the two balls, y that of lever omega, and o = n x t (BallRows), the
// rows times velocities are n.x, t.x + o.y and o.x - t.y.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "solvers/certificate_rows.hpp"
#include "stickslip/block_rows.hpp"

namespace stickslip::certificate {

struct BallMotion {
  double linear[3] = {};
  double angular[3] = {};
};

inline void addMotion(double s, double lever, const double* v, BallMotion& sum) {
  for (int k = 0; k < 3; ++k) {
    sum.linear[k] += s * v[k];
    sum.angular[k] += lever * v[3 + k];
  }
}

inline double dot(const std::array<double, 3>& a, const double* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// The sums of a group of balls; factors(strip) are those of a strip.
template <class Factors>
inline RowSums<3> ballSums(const BlockRows& rows, int group, const Factors& factors) {
  const BallRows balls = rows.balls(group);
  BallMotion now, free;
  double light[3] = {}, nimble[3] = {};  // inverse masses and inertias
  for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
    const int ball = BlockRows::ballOf(strip);
    const double s = ball == 0 ? -1 : 1, lever = balls.lever[static_cast<std::size_t>(ball)];
    const StripFactors x = factors(strip);
    addMotion(s, lever, x.v, now);
    addMotion(s, lever, x.v_free, free);
    for (int k = 0; k < 3; ++k) {
      const double turn = lever * x.inverse_root[3 + k];
      light[k] += x.inverse_root[k] * x.inverse_root[k];
      nimble[k] += turn * turn;
    }
  }
  const std::array<double, 3>&n = balls.normal, &t = balls.tangent, o = balls.other();
  const auto squares = [](const std::array<double, 3>& x) {
    return std::array{x[0] * x[0], x[1] * x[1], x[2] * x[2]};
  };
  const std::array<double, 3> t_squares = squares(t), o_squares = squares(o);
  const auto products = [&](const BallMotion& x, double(&out)[3][2]) {
    out[0][0] = dot(n, x.linear);
    out[0][1] = 0;
    out[1][0] = dot(t, x.linear);
    out[1][1] = dot(o, x.angular);
    out[2][0] = dot(o, x.linear);
    out[2][1] = -dot(t, x.angular);
  };
  RowSums<3> sums;
  products(now, sums.now);
  products(free, sums.free);
  sums.mobility[0][0] = dot(squares(n), light);
  sums.mobility[0][1] = 0;
  sums.mobility[1][0] = dot(t_squares, light);
  sums.mobility[1][1] = dot(o_squares, nimble);
  sums.mobility[2][0] = dot(o_squares, light);
  sums.mobility[2][1] = dot(t_squares, nimble);
  return sums;
}

/// What the impulse of a contact of balls does to them, up to s and lever, and the magnitudes that
/// were added up for it.
struct BallPush {
  double along[3], along_size[3];
  double about[3], about_size[3];

  BallPush(const BallRows& balls, const double* p) {
    const std::array<double, 3> o = balls.other();
    for (std::size_t k = 0; k < 3; ++k) {
      const double n = balls.normal[k] * p[0], t = balls.tangent[k] * p[1], other = o[k] * p[2];
      along[k] = n + t + other;
      along_size[k] = std::abs(n) + std::abs(t) + std::abs(other);
      const double first = o[k] * p[1], second = balls.tangent[k] * p[2];
      about[k] = first - second;
      about_size[k] = std::abs(first) + std::abs(second);
    }
  }
  /// To the six velocities of a ball,
  void addTo(double s, double lever, double* sum, double* size) const {
    for (int k = 0; k < 3; ++k) {
      sum[k] += s * along[k];
      sum[3 + k] += lever * about[k];
      size[k] += along_size[k];
      size[3 + k] += std::abs(lever) * about_size[k];
    }
  }
  /// or to those that are asked for.
  void addTo(double s, double lever, Columns columns, double* sum, double* size) const {
    for (int k = std::max(0, columns.begin); k < std::min(3, columns.end); ++k) {
      sum[k] += s * along[k];
      size[k] += along_size[k];
    }
    for (int k = std::max(0, columns.begin - 3); k < std::min(3, columns.end - 3); ++k) {
      sum[3 + k] += lever * about[k];
      size[3 + k] += std::abs(lever) * about_size[k];
    }
  }
};

}  // namespace stickslip::certificate
