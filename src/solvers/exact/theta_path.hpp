// From a convex problem to Coulomb's law along a path, through its folds.
//
//   F(x, theta) = u(x, theta) - W p(x) - q - eps (p - p_c) - (1 - theta) del = 0
//
// with the laws of law_branch.hpp in x = p - u_hat. At theta = 0 the slip is held at constants, the
// problem is convex, and its one solution has det F_x > 0 (Acary and Cadoux 2013: the fixed point
// of such problems is Coulomb's law). At theta = 1 it is Coulomb's law. The path cannot come back
// to theta = 0; where impulses stay bounded it arrives, if it is followed without loss. In between
// theta need not grow: jammed piles have tens of folds.
//
// Pseudo-arclength (Allgower and Georg, Numerical Continuation Methods, 1990), in pieces: x goes
// along the tangent either across several changes of branch, corrected by Newton's method across
// the tangent, or, where that does not converge, to the first change of branch, where the cone is
// *assigned* the branch beyond. The sign of det F_x tells which way is forward.
//
// eps keeps redundant contacts apart. It leaves a residual, removed by short paths from the last
// point: there `del` makes the point exact for theta = 0, and eps is less.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/common/iterate.hpp"
#include "solvers/convex/convex_solver.hpp"
#include "solvers/exact/law_branch.hpp"
#include "solvers/exact/semismooth_newton.hpp"

namespace stickslip {

struct ThetaPathSettings {
  /// Sweeps at first, there and back: rounds, sweeps of one, what a round counts as (the time of so
  /// many factorizations), and the Newton steps after it. From less swept points paths are longer;
  /// without the Newton steps one of 16 steps of 1,000 spheres that jam at mu = 0.5 is lost.
  int rounds = 24, sweeps_of_round = 50;
  std::int64_t cost_of_round = 8;
  int newton_steps_of_round = 8;
  /// Up to this residual of the relaxed solution little slides, and they go on from it; else from
  /// the best point met.
  double nearly_exact = 0.07;
  /// Weight of the proximal term, in units of the mean diagonal of W: larger ones bend the path
  /// (twice the factorizations at 1e-4), smaller ones leave redundant contacts singular.
  double eps = 1e-7;
  /// By which it shrinks from one short path to the next, and its least.
  double eps_shrinks = 0.03, least_eps = 1e-10;
  int short_paths = 8;
  /// Of the convex problem, relative to the velocities: the path starts at its solution.
  double convex_target = 1e-10;
  std::int64_t convex_steps = 200;
  /// How far |F| may be from zero on the path, relative to what is left of the way,
  /// max(nearly_there, 1 - theta) |F_theta|: after a correction, and after a step to an event.
  /// 0.003 takes more factorizations, 0.1 loses paths.
  double corrected = 0.02, corrected_nearly_there = 0.01, least_corrected = 1e-9;
  double predicted = 0.03, predicted_nearly_there = 0.02, least_predicted = 1e-8;
  /// A step across events starts as long as the way to this one.
  int first_event = 4;
  int corrections = 6;
  /// Length of the next step after so many corrections: at most 2, 3, more; after a failure.
  double quick = 2.5, usual = 1.3, slow = 0.7, failed = 0.3;
  /// Rounds that go to the first event after failures in a row: 1, 2, 4, ... up to this.
  int most_skipped = 8;
  /// A step that needs a correction longer than this and this share of it has left the path.
  double allowance = 0.03, share = 0.5;
  /// Steps this short are not taken back.
  double shortest = 1e-9;
  /// Newton's method at theta = 1 is tried where theta first exceeds this, and again after each
  /// such part of the rest of the way.
  double first_try = 0.5, next_try = 0.6;
  int newton_steps = 10;
  /// A cone that has changed its branch so many times in steps shorter than `shortest` is left
  /// alone until a step is longer than `moving`.
  int flips = 3;
  double moving = 1e-7;
  /// So many steps in a row shorter than a tenth of `shortest` lead nowhere.
  int most_stalled = 50;
};

class ThetaPath {
 public:
  /// True if all laws of the island have branches.
  static bool covers(const ScaledIsland& island);

  /// Goes from the solution of the relaxed law to one of Coulomb's, with at most `limit`
  /// factorizations after sweeps; what it finds is offered to the search.
  void run(Search& search, ConvexIsland& convex, SemismoothNewton& newton, IslandSweeps& sweeps,
           const Iterate& relaxed, std::int64_t limit);

  /// What the last run came across.
  struct Statistics {
    int paths = 0;
    int folds = 0;
    int events = 0;    ///< changes of branch
    double theta = 0;  ///< where the last path ended
  };
  const Statistics& statistics() const { return statistics_; }

 private:
  ThetaPathSettings settings_;
  using Vector = std::vector<double>;

  void prepare(const ScaledIsland& island);
  void sweep(const Iterate& relaxed);
  void startConvex(ConvexIsland& convex);
  void startAt(std::span<const double> p);
  bool follow();
  bool finish();
  bool turnTangent();
  bool stepAcross();
  bool stepToEvent();
  void markPlace();
  void takeBack();
  bool mayGoOn() const;
  void offer();

  void chooseBranches(std::span<const double> x);
  double evaluate(std::span<const double> x, double theta);
  double settle(std::span<double> x, double theta);
  bool factor(std::span<const double> x, double theta);
  void solve(std::span<const double> g, std::span<double> dx);
  Search* search_ = nullptr;
  ScaledIsland* island_ = nullptr;
  SemismoothNewton* newton_ = nullptr;
  IslandSweeps* sweeps_ = nullptr;
  std::int64_t end_ = 0;  ///< iterations of the search at which to stop
  Statistics statistics_;
  Iterate point_;

  // The path that is followed: what was held, added, and the centre of the proximal term.
  double eps_ = 0;
  Vector held_;
  Vector del_;
  Vector centre_;

  // Where it is. At x_: p_, u(x), W p + q, F and its derivative with theta, branches.
  double theta_ = 0;
  Vector x_, p_, u_, velocity_, F_, F_theta_;
  std::vector<int> branch_;
  Vector D_, Q_, S_;  ///< blocks of the linear system
  int sign_ = 0;      ///< of det F_x

  // Its direction there, and how steps are chosen.
  struct Direction {
    double direction = 1;      ///< -1: theta falls
    double tangent_theta = 0;  ///< theta's part of the tangent
    double way_to_end = 0;     ///< along the tangent to theta = 1
    double first_exit = 0;     ///< and to the first change of branch: of which cone, to which
    int exit_cone = -1, exit_branch = 0;
    double F_theta_size = 0;
  } at_;
  int start_sign_ = 0, last_sign_ = 0;
  Vector tangent_, by_theta_, by_F_, trial_, rhs_, r_, none_, d_p_, d_u_;
  std::vector<int> kept_branch_;
  Vector exits_;
  double correction_ = 0;       ///< onto the path, its length
  double length_ = 0;           ///< of the next step across events
  double step_ = 0;             ///< the last step
  double most_ = 0;             ///< of the next step to an event
  int skip_ = 0, penalty_ = 1;  ///< rounds without steps across events
  int stalled_ = 0;             ///< steps that led nowhere
  std::vector<int> flips_;      ///< changes of branch on the spot
  double next_try_ = 0;         ///< of Newton's method, theta

  /// Where the last step began, in case it has to be taken back.
  struct Mark {
    Vector x, tangent;
    std::vector<int> branch;
    Direction at;
    double theta = 0;
  } mark_;
};

}  // namespace stickslip
