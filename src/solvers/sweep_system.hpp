// What accelerated_sweeps.hpp iterates on: impulses p of items, one point after the other, with a
// projected Gauss-Seidel step of each item as the iteration.
#pragma once

namespace stickslip {

class SweepSystem {
 public:
  virtual ~SweepSystem() = default;
  /// One sweep from y = p + momentum (p - last p). Returns the sum of (y - p) . (p - last p) over
  /// the new p, in a metric in which steps have length one.
  virtual double sweep(double momentum) = 0;
  /// The largest violation of the law, as the certificate measures it or a little more.
  virtual double residual() = 0;
  /// 1/2 p.W p + q.p: what sweeps with the relaxed law make smaller; 0 without impulses.
  virtual double energy() = 0;
  /// Computes anew what sweeps keep up to date.
  virtual void refresh() = 0;
  /// Remembers p; goes back to what was remembered, as if it had been there for ever.
  virtual void keep() = 0;
  virtual void takeBack() = 0;
};

}  // namespace stickslip
