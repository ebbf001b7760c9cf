// Anderson's mixing for a fixed point x = g(x) in many unknowns that feel each other.
//
// With residuals r = g(x) - x and the last few differences dX, dR of points and residuals, the next
// point is x + r - (dX + dR) c, where c makes |r - dR c| least: a secant method that needs no
// derivatives (D. G. Anderson, Iterative procedures for nonlinear integral equations, 1965).
#pragma once

#include <span>
#include <vector>

namespace stickslip {

class AndersonMixing {
 public:
  static constexpr int kDepth = 8;  ///< differences that are kept

  void reserve(std::size_t unknowns);
  /// Starts anew with this many unknowns.
  void restart(std::size_t unknowns);
  /// Replaces x, whose residual is r, by the next point.
  void advance(std::span<double> x, std::span<const double> r);

 private:
  std::span<double> point(int k) { return {points_.data() + slot(k), unknowns_}; }
  std::span<double> residual(int k) { return {residuals_.data() + slot(k), unknowns_}; }
  std::span<double> basis(int k) { return {basis_.data() + slot(k), unknowns_}; }
  std::size_t slot(int k) const { return static_cast<std::size_t>(k) * unknowns_; }
  void remember(std::span<const double> x, std::span<const double> r);

  std::size_t unknowns_ = 0;
  int count_ = 0;  ///< differences kept
  int next_ = 0;   ///< where the next one goes
  bool has_last_ = false;
  std::vector<double> points_;     ///< dX, one after the other
  std::vector<double> residuals_;  ///< dR
  std::vector<double> basis_;      ///< orthonormal basis of dR, one after the other
  std::vector<double> last_x_;
  std::vector<double> last_r_;
  std::vector<double> rest_;  ///< what is left of r
};

}  // namespace stickslip
