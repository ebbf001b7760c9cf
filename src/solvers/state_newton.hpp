// One step of Newton's method on the states of the items of an island: open, sticking, sliding.
//
// With the states fixed the law is linear:
//
//   open      pi = 0
//   sticking  omega' = 0
//   sliding   omega'_n = 0, pi_t = pi_n d_k              at a corner of the polygon
//             omega'_n = 0, pi_t on the edge between two corners, omega'_t = 0 along it
//   bounded   pi at a bound, or omega' = 0;   joints: omega' = 0
//
// where omega' = omega + prox E (pi - centre). States come from y = pi - omega' / E: open if
// y_n <= 0, sticking if y_t is in y_n D, else the part of the polygon y_n D next to y_t (Alart and
// Curnier, Computer Methods in Applied Mechanics and Engineering 92, 1991).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "solvers/contact_pairs.hpp"
#include "solvers/island_solver.hpp"

namespace stickslip {

class StateNewton {
 public:
  void build(const ContactPairs& pairs, ContactIsland& island);
  /// The states that `point` is in. Returns how many differ from those before.
  int classify(const IslandPoint& point, std::span<const double> centre, double prox);
  /// The point that the states lead to. False if the linear system could not be solved.
  bool step(IslandPoint& point, std::span<const double> centre, double prox);
  /// How many times `change` may be added to pi before an item leaves its state; infinite if never.
  double room(std::span<const double> pi, std::span<const double> change) const;
  const std::vector<int>& states() const { return states_; }

 private:
  using Item = ContactPairs::Item;
  /// A line in the plane of pi_t on which a sliding contact stays: pi_t = pi_n middle + s along.
  struct Slide {
    std::array<double, 2> middle{};
    std::array<double, 2> along{};
  };

  int stateOf(const Item& item, const double* y) const;
  int slideOf(const Item& item, const double* y) const;
  Slide slide(const Item& item, int state) const;
  void linearize(const Item& item, int state, const double* pi, const double* omega, double prox,
                 double* S, double* r) const;
  double roomOf(const Item& item, int state, const double* pi, const double* change) const;
  double mobility(const Item& item, int row) const;
  /// prox E of a row.
  double softness(const Item& item, int row, double prox) const;

  const ContactPairs* pairs_ = nullptr;
  ContactIsland* island_ = nullptr;
  std::vector<int> states_;
  std::vector<double> S_, r_, shifted_, none_, d_pi_, d_omega_;
};

}  // namespace stickslip
