// One step of Newton's method on the states of the cones of an island: open, sticking, sliding.
//
// With the states fixed the law is linear:
//
//   open      p = 0
//   sticking  u' = 0
//   sliding   u'_n = 0, p_t = p_n d_k              at a corner of the polygon
//             u'_n = 0, p_t on the edge between two corners, u'_t = 0 along it
//   bounded   p at a bound, or u' = 0;   joints: u' = 0
//
// where u' = u + prox E (p - centre). States come from y = p - u' / E: open if
// y_n <= 0, sticking if y_t is in y_n D, else the part of the polygon y_n D next to y_t (Alart and
// Curnier, Computer Methods in Applied Mechanics and Engineering 92, 1991).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "solvers/common/island_solver.hpp"
#include "solvers/exact/polyhedral/law_pairs.hpp"

namespace stickslip {

class StateNewton {
 public:
  void build(const LawPairs& pairs, ScaledIsland& island);
  /// The states that `point` is in. Returns how many differ from those before.
  int classify(const Iterate& point, std::span<const double> centre, double prox);
  /// The point that the states lead to. False if the linear system could not be solved.
  bool step(Iterate& point, std::span<const double> centre, double prox);
  /// How many times `change` may be added to p before a cone leaves its state; infinite if never.
  double room(std::span<const double> p, std::span<const double> change) const;
  const std::vector<int>& states() const { return states_; }

 private:
  using Item = LawPairs::Item;
  /// A line in the plane of p_t on which a sliding contact stays: p_t = p_n middle + s along.
  struct Slide {
    std::array<double, 2> middle{};
    std::array<double, 2> along{};
  };

  int stateOf(const Item& cone, const double* y) const;
  int slideOf(const Item& cone, const double* y) const;
  Slide slide(const Item& cone, int state) const;
  void linearize(const Item& cone, int state, const double* p, const double* u, double prox,
                 double* S, double* r) const;
  double roomOf(const Item& cone, int state, const double* p, const double* change) const;
  double mobility(const Item& cone, int row) const;
  /// prox E of a row.
  double softness(const Item& cone, int row, double prox) const;

  const LawPairs* pairs_ = nullptr;
  ScaledIsland* island_ = nullptr;
  std::vector<int> states_;
  std::vector<double> S_, r_, shifted_, none_, d_p_, d_u_;
};

}  // namespace stickslip
