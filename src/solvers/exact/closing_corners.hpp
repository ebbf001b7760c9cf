// A start for the exact solver: the problem with polyhedral cones inside the round ones, by
// Lemke's method ([AP97] (2.13)), which cannot fail in exact arithmetic.
//
// Each polygon has a corner in the direction in which the friction of its contact is expected, and
// others around it at angles that grow from a given spacing; where the spin shares the cone, in two
// planes through that direction. Where contacts are redundant or jam,
// impulses may turn by large angles while hardly anything moves, and Newton's method has to creep
// along the curved cones; solved again and again with the corners about the last solution and less
// space between them, the polyhedral problem finds the directions to any accuracy.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "solvers/exact/dense_island.hpp"
#include "solvers/lemke/friction_lcp.hpp"
#include "stickslip/lcp.hpp"

namespace stickslip {

class ClosingCorners {
 public:
  /// Where friction is expected at the next solve, given the last point: against the sliding, or
  /// where it was. The former converges more quickly, the latter more often.
  enum class Expect { against_sliding, as_before };

  /// Dense pivoting on larger problems takes longer than it is worth.
  static constexpr int kMostContacts = 64;

  /// Whether all cones have a form as impulse sets of friction_variables.hpp.
  static bool covers(const DenseIsland& problem);

  void reserve(int contacts, int rows);
  /// Puts the corners about the point p with velocity u.
  void start(const DenseIsland& problem, Expect expect, std::span<const double> p,
             std::span<const double> u);
  /// Solves, returns the point in p and u, and puts the corners about it. Counts the pivots,
  /// up to the limit. If the method ends in a ray, impulses that move nothing could grow for ever,
  /// and no solution need exist.
  SolveStatus solve(const DenseIsland& problem, double spacing, std::int64_t pivot_limit,
                    std::span<double> p, std::span<double> u, std::int64_t& pivots);

  /// Solves an island whose cones with more than two rows are polygons by themselves.
  SolveStatus solvePolygons(const DenseIsland& problem, std::int64_t pivot_limit,
                            std::span<double> p, std::int64_t& pivots);

 private:
  SolveStatus solveLcp(std::int64_t pivot_limit, std::span<double> p, std::int64_t& pivots);
  /// Rows of one set of friction, and the axes in which they are solved, the expected direction
  /// first.
  struct Turn {
    std::size_t first = 0;
    std::size_t rows = 0;
    std::array<FrictionVector, kMostFrictionRows> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  };

  void addTurns(const Cone& cone);
  void turnTowards(Turn& turn, std::span<const double> p, std::span<const double> u) const;
  void chooseTurns(const DenseIsland& problem, std::span<const double> p,
                   std::span<const double> u);
  void chooseCorners(double spacing);
  void turnProblem(const DenseIsland& problem);
  void describeSets(const DenseIsland& problem);

  Expect expect_ = Expect::against_sliding;
  std::vector<Turn> turns_;
  std::vector<double> corners_;  ///< their angles, measured from there
  std::vector<double> W_;        ///< in turned tangents
  std::vector<double> q_;
  BlockRows groups_;  ///< rows of each cone; no columns
  ImpulseSets sets_;
  FrictionLcp lcp_;
  DenseLemke lemke_;
  std::vector<double> z_;
};

}  // namespace stickslip
