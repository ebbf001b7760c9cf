// The linear complementarity problem [AH04] (2.7)-(2.8) of the pyramid of [AH04] section 3, written
// out from the contact problem with the velocity eliminated, as section 3 has it:
//
//   z = (c_n, beta corner by corner, lambda),   N = H' M^-1 H + (E, mu, -E'),   H = (n, D, 0)
//
// and the solutions that Lemke's method finds for it with the corners in one order or another.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "stickslip/contact_problem.hpp"
#include "stickslip/lcp.hpp"

namespace stickslip {

class PyramidLcp {
 public:
  static constexpr int kCorners = 6, kDirections = 4;
  static constexpr int kImpulses = kCorners * (1 + kDirections), kSize = kImpulses + kCorners;
  using Variables = std::array<double, kSize>;
  using Order = std::array<int, kCorners>;

  static std::size_t normal(int corner) { return static_cast<std::size_t>(corner); }
  static std::size_t friction(int corner, int direction) {
    return kCorners + kDirections * corner + direction;
  }
  static std::size_t lambda(int corner) { return kImpulses + corner; }

  /// The contacts of `problem` as they follow each other around the hexagon.
  static Order around(const ContactProblem& problem);

  /// Corner k is contact order[k].
  PyramidLcp(const ContactProblem& problem, const Order& order);

  Lcp lcp() const { return {{N_.data(), kSize, kSize}, q_}; }
  double residual(const Variables& z) const { return lcpResidual(lcp(), z); }

 private:
  double& entry(std::size_t i, std::size_t k) { return N_[i * kSize + k]; }

  std::vector<double> N_;
  std::array<double, kSize> q_{};
};

/// What Lemke's method finds with the corners in all 720 orders.
struct PyramidSolutions {
  std::vector<PyramidLcp::Variables> distinct;  ///< corners around the hexagon
  int unsolved = 0;
};
PyramidSolutions lemkeSolutions(const ContactProblem& problem);

}  // namespace stickslip
