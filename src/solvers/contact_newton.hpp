// Newton's method on the contact law of an island in the form of Alart and Curnier
// (alart_curnier.hpp) with a proximal term: the finish of every other method, and often all that is
// needed after a few sweeps.
//
// Steps are shortened until the natural map decreases. The proximal term shrinks with every full
// step and grows when a step does not help; the centre of the term is the present point, so that
// solutions are the same. A factorization counts as an iteration.
#pragma once

#include <vector>

#include "solvers/alart_curnier.hpp"
#include "solvers/contact_search.hpp"
#include "solvers/contact_sweeps.hpp"

namespace stickslip {

class ContactNewton {
 public:
  void reserve(int rows);
  /// At most `steps` steps from pi; what they find is offered to the search.
  void run(ContactSearch& search, ContactSweeps& sweeps, std::span<const double> pi, int steps);

 private:
  bool direction(ContactIsland& island);
  bool tryStep(ContactSearch& search);

  AlartCurnier form_;
  double merit_ = 0;
  IslandPoint now_;
  IslandPoint trial_;
  std::vector<double> S_;
  std::vector<double> rhs_;
  std::vector<double> zero_;
  std::vector<double> d_pi_;
  std::vector<double> d_omega_;
};

}  // namespace stickslip
