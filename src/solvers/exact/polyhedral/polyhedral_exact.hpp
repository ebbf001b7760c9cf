// Coulomb's law, exactly, for islands whose laws are polyhedral (contact_pairs): contacts in the
// plane, polygons in space, intervals, joints.
//
// Methods that are quick where they work come first: Newton's method on the states of the last
// step, an interior point method, a proximal flow from the last impulses, the relaxed law, whose
// solution is exact wherever nothing slides, and a polish of it. Where that leaves little, as in
// piles that would stand with a little more friction, sweeps wander from there, and what they come
// across is polished. What is left are piles near rest, where all of these fail. There paths are
// followed (pair_path). One that is lost, or too long, is replaced by a new one of another kind,
// with another cover, drawn with a fixed seed. In between a proximal flow from the relaxed solution
// has its turns, because it fails on different problems.
//
// Iterations are factorizations, or what takes as long.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "solvers/common/stage_log.hpp"
#include "solvers/exact/exact_stages.hpp"
#include "solvers/exact/polyhedral/pair_interior_point.hpp"
#include "solvers/exact/polyhedral/pair_path.hpp"
#include "solvers/exact/polyhedral/proximal_flow.hpp"
#include "solvers/sweeps/island_sweeps.hpp"
#include "stickslip/solve_status.hpp"

namespace stickslip {

class PolyhedralExact {
 public:
  /// Starts from `best`, which must be evaluated, and leaves the best point met in it. The island
  /// must be one that LawPairs::covers. Notes its stages in `log`, if there is one.
  SolveStatus solve(ScaledIsland& island, Iterate& best, double target, std::int64_t budget,
                    std::int64_t& iterations, ExactStages left_out = {}, StageLog* log = nullptr);

 private:
  /// Runs a stage, unless it is left out. True if it solves the problem.
  template <class Action>
  bool run(ExactStage stage, Action action);
  bool isWarm() const;
  bool fromLastStates();
  bool fromLastImpulses();
  bool byInteriorPoint();
  bool byRelaxedLaw();
  bool bySweeps();
  bool byPaths();
  bool startPath(int number);
  bool advancePath();
  bool finish(std::span<const double> z, std::span<const double> w);
  bool interior(double theta, std::int64_t most, double sigma, double prox);
  bool polish(std::int64_t most);
  std::int64_t left(std::int64_t most) const { return std::min(most, budget_ - used_); }
  bool spent() const { return used_ >= budget_; }
  void toPoint(std::span<const double> z);

  ExactStages left_out_;
  StageLog* log_ = nullptr;
  ScaledIsland* island_ = nullptr;
  Iterate* best_ = nullptr;
  double target_ = 0;
  std::int64_t budget_ = 0;
  std::int64_t used_ = 0;
  LawPairs pairs_;
  PairInteriorPoint interior_;
  ProximalFlow polish_;
  ProximalFlow flow_;
  IslandSweeps sweeps_;
  PairPath path_;
  double finish_below_ = 0;  ///< sigma at which an endgame of the path is due
  Iterate point_;
  Iterate swept_;  ///< the relaxed solution, and where sweeps lead from there
};

}  // namespace stickslip
