// How fast contacts close, how far velocities carry them, and how deep they are: the questions that
// are asked again and again where collisions are located and steps are chosen.
#pragma once

#include <span>
#include <vector>

#include "stickslip/block_matrix.hpp"
#include "stickslip/state.hpp"
#include "stickslip/system.hpp"

namespace stickslip {

/// w_N.x for group i of `rows`.
double alongNormal(const BlockRows& rows, int i, std::span<const double> x);

/// sum_k |w_N,k| way_k for group i of `rows`: at most what velocities that carry as far as `way`
/// change the gap by.
double wayAlongNormal(const BlockRows& rows, int i, std::span<const double> way);

/// Rate of the gap of group i of `rows` with the velocity v; `drive` are the rheonomic terms, row
/// by row.
double gapRate(const BlockRows& rows, int i, std::span<const double> drive,
               std::span<const double> v);

/// Overlaps of a state; keeps its memory.
class OverlapSearch {
 public:
  /// The deepest one, or 0.
  double deepest(const System& system, const State& state);

 private:
  ContactSet contacts_;
  std::vector<double> no_way_;  ///< borrowed
};

}  // namespace stickslip
