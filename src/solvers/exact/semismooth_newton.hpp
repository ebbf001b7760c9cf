// Newton's method on the contact law of an island in the form of Alart and Curnier
// (alart_curnier.hpp) with a proximal term: the finish of every other method, and often all that is
// needed after a few sweeps.
//
// Steps are shortened until the natural map decreases. The proximal term shrinks with every full
// step and grows when a step does not help; the centre of the term is the present point, so that
// solutions are the same. A factorization counts as an iteration.
#pragma once

#include <vector>

#include "cones/alart_curnier.hpp"
#include "solvers/common/iterate.hpp"
#include "solvers/sweeps/island_sweeps.hpp"

namespace stickslip {

class SemismoothNewton {
 public:
  void reserve(int rows);
  /// At most `steps` steps from p; what they find is offered to the search.
  void run(Search& search, IslandSweeps& sweeps, std::span<const double> p, int steps);

 private:
  bool direction(ScaledIsland& island);
  bool tryStep(Search& search);

  AlartCurnier form_;
  double merit_ = 0;
  Iterate now_;
  Iterate trial_;
  std::vector<double> S_;
  std::vector<double> rhs_;
  std::vector<double> zero_;
  std::vector<double> d_p_;
  std::vector<double> d_u_;
};

}  // namespace stickslip
