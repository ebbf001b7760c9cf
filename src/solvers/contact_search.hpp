// What the parts of the exact solver share while they look for a solution of one island: the best
// point met so far, and the iterations that are left.
#pragma once

#include <cstdint>

#include "solvers/island_solver.hpp"

namespace stickslip {

class ContactSearch {
 public:
  void start(ContactIsland& island, IslandPoint& best, double target, std::int64_t budget);

  ContactIsland& island() const { return *island_; }
  const IslandPoint& best() const { return *best_; }
  /// Keeps a point if it is better than all before.
  void offer(const IslandPoint& point);

  bool solved() const { return best_->residual <= target_; }
  /// Close enough to the target to be called a solution: with many contacts rounding may not allow
  /// more.
  bool accepted() const { return best_->residual <= enough_; }
  double target() const { return target_; }
  void count(std::int64_t iterations = 1) { iterations_ += iterations; }
  std::int64_t iterations() const { return iterations_; }
  std::int64_t left() const { return budget_ - iterations_; }
  /// Nothing more to do, or no iterations to do it with.
  bool ended() const { return accepted() || left() <= 0; }

 private:
  ContactIsland* island_ = nullptr;
  IslandPoint* best_ = nullptr;
  double target_ = 0;
  double enough_ = 0;
  std::int64_t budget_ = 0;
  std::int64_t iterations_ = 0;
};

/// Sum of squares of the natural map: what line searches decrease.
double meritOf(const ContactIsland& island, const IslandPoint& point);

}  // namespace stickslip
