// Block Gauss-Seidel over single cones: one cone after the other takes a step while the others are
// held. The step of a cone is either
//
//   exact       its own law is solved (single_contact.hpp); what cannot be solved in closed
//               form takes a few projected steps
//   projected   p_i <- P_K(p_i - u_i / r_i),  r_i at least the largest eigenvalue of W_ii: for the
//               relaxed law, whose energy every step lowers
//
// Quick where few contacts depend on each other, and a start for Newton's method everywhere else.
//
// This is the one loop over single cones. It goes over the Delassus operator of an island, over the
// raw rows of a problem without bodies (quick_local_sweeps.hpp), and over what packets leave of a
// problem (general_cones.hpp). Two more loops have their reasons: packets solve four plain contacts
// at once (packet_sweeps.hpp), and accelerated sweeps carry momentum along (accelerated/).
#pragma once

#include <span>
#include <vector>

#include "cones/single_contact.hpp"
#include "problem/scaled_island.hpp"
#include "solvers/common/iterate.hpp"

namespace stickslip {

class IslandSweeps {
 public:
  enum class Step { exact, projected };

  /// What is swept: u = W p + q, where rows that have q in them need none.
  struct Problem {
    std::span<const Cone> cones;
    std::span<const double> q;
    Law law;
  };

  explicit IslandSweeps(Step step = Step::exact) : step_(step) {}

  void reserve(int cones, int rows);
  void clear();
  /// The next cone, with its block of W.
  void add(const Cone& cone, ConstMatrixView block);
  /// All cones of W.
  void prepare(const Delassus& W, std::span<const Cone> cones);
  /// The block of a cone; of exact steps.
  ConstMatrixView block(int cone) const { return solves_.block(cone); }

  /// One sweep over all cones from p, to which `rows` belong.
  void sweep(SweepRows& rows, const Problem& problem, std::span<double> p) const;
  /// The same in the opposite order.
  void sweepBack(SweepRows& rows, const Problem& problem, std::span<double> p) const;

  // For an island: takes what depends on it alone; sweeps `count` times, starting at p, and leaves
  // the result there; every sweep followed by one in the opposite order.
  void prepare(ScaledIsland& island) { prepare(island.W(), island.cones()); }
  void sweep(ScaledIsland& island, int count, std::span<double> p) const;
  void sweepThereAndBack(ScaledIsland& island, int count, std::span<double> p) const;

 private:
  void visit(SweepRows& rows, const Problem& problem, int index, std::span<double> p) const;
  void solveExactly(int index, const Cone& cone, Law law, std::span<double> u,
                    std::span<double> p) const;

  Step step_;
  ConeSolves solves_;
  std::vector<double> bounds_;  ///< r of each cone; of projected steps
};

/// When projected sweeps are worth going on with.
struct ProjectedSweepsSettings {
  /// Sweeps between two looks at the residual. A look costs about one sweep.
  int between_looks = 5;
  /// Factor by which they have to lower it. A mended place gains far more; what gains less is left
  /// to the interior point method.
  double worthwhile = 1.2;
};

/// Projected sweeps for the relaxed law (iterate.hpp). Far too slow to solve a pile, but a sweep
/// costs a small part of a factorization, and what is wrong in a few places (contacts that came or
/// went since the last step) is mended there before it spoils a warm start as a whole.
class ProjectedSweeps {
 public:
  /// Sweeps over all cones as long as that helps, and keeps the best point in `best`, which is
  /// evaluated.
  void run(const ConvexProblem& problem, int most, ConvexIterate& best);
  /// Sweeps so many times, whatever the residual does meanwhile: the energy goes down all the time.
  void runAll(const ConvexProblem& problem, int sweeps, ConvexIterate& best);

 private:
  void start(const ConvexProblem& problem, const ConvexIterate& from);
  void sweep(const ConvexProblem& problem, int count);

  ProjectedSweepsSettings settings_;
  IslandSweeps sweeps_{IslandSweeps::Step::projected};
  ConvexIterate point_;
};

}  // namespace stickslip
