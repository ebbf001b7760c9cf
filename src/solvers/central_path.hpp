// The central path of the contact law: see central_point.hpp.
#pragma once

#include <vector>

#include "solvers/central_point.hpp"
#include "solvers/contact_search.hpp"

namespace stickslip {

class CentralPath {
 public:
  /// Starts near pi with a given c.
  void start(ContactIsland& island, std::span<const double> pi, double c, double theta = 1);
  /// Descends as long as there is no fold; true if c came down to `end`.
  bool descend(ContactSearch& search, double end, int limit);
  std::span<const double> impulses() const { return pi_; }
  double c() const { return c_; }

 private:
  void evaluate(const ContactIsland& island);
  bool prepare(ContactIsland& island);
  double sizeIn(std::span<const CentralPoint> points, const ContactIsland& island, double c) const;
  void step(double amount, double d_log_c);

  double c_ = 1;
  double theta_ = 1;
  double norm_ = 0;
  std::vector<CentralPoint> points_;
  std::vector<CentralPoint> before_;
  std::vector<double> pi_;
  std::vector<double> omega_;
  std::vector<double> residual_;
  std::vector<double> S_;
  std::vector<double> rhs_;
  std::vector<double> zero_;
  std::vector<double> d_pi_;
  std::vector<double> d_omega_;
  std::vector<double> correction_;  ///< u of Newton's step
  std::vector<double> tangent_;     ///< u of d log c = 1
  std::vector<double> u_;
};

}  // namespace stickslip
