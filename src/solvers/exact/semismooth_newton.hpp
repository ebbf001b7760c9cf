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

struct SemismoothNewtonSettings {
  /// Of the proximal term, in units of the mean diagonal of W: the residual at the start within
  /// these bounds, then a tenth after a full step, twice after a shortened one, ten times after
  /// none.
  double first_proximal = 1e-2, least_proximal = 1e-10, most_proximal = 1;
  /// r of the form of Alart and Curnier, in units of the effective mass.
  double forecast = 3;
  int halvings = 8;
  /// A step must lower the squared natural map by this part of itself.
  double decrease = 1e-2;
  /// Steps after which the residual must be half of what it was.
  int patience = 4;
  /// A residual below which nothing is left to be gained; below the target only steps that divide
  /// it by `quick` are worth going on with.
  double rounding = 1e-14, quick = 10;
};

class SemismoothNewton {
 public:
  void reserve(int rows);
  /// At most `steps` steps from p; what they find is offered to the search.
  void run(Search& search, IslandSweeps& sweeps, std::span<const double> p, int steps);

 private:
  SemismoothNewtonSettings settings_;
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
