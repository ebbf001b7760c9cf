// Paths of the pairs of an island (law_pairs.hpp) from far away to a solution, through folds: for
// contacts in the plane and polyhedral cones.
//
//   w = C u + H z + h + t d + eps E z,   z w = sigma weight   (pair by pair)
//
// with sigma and eps proportional to t. At t = 0 it is the linear complementarity problem. At large
// t the pairs are alone with d and eps, and the path starts there. t need not fall all the way: the
// path has folds, where t turns round, and may pass tens of them in a pile near rest.
//
// Predictor and corrector in the logarithms of z, w and t (w = sigma weight / z holds exactly),
// with arc length in their common norm; the corrector is Newton's method in the plane normal to the
// tangent. Which way is forward is told by the sign of the determinant: dt / ds times that sign
// keeps its sign along the path. (Smoothed path of Lemke's method; Watson, Applied Mathematics and
// Computation 5, 1979, and Allgower and Georg, Introduction to Numerical Continuation Methods.)
// Lengths have heavy tails, so that a path that is lost or long is replaced by one of another kind.
// An interior point method on the same pairs, and Newton's on the law itself, finish.
//
// Why there are two paths: here smoothing steps over states that theta_path.hpp has to visit one by
// one. Of 12 planar lattices of 210 discs near rest (590 contacts, friction .2 to .8) this one
// solves 12, in 120 factorizations on average; the theta path solves 1, and needs more than 15,000
// for the others. In jammed piles of spheres, whose cones are round, it is the other way round.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "solvers/common/iterate.hpp"
#include "solvers/exact/law_pairs.hpp"
#include "solvers/exact/pair_interior_point.hpp"
#include "solvers/exact/semismooth_newton.hpp"
#include "solvers/sweeps/island_sweeps.hpp"

namespace stickslip {

/// Chosen by measurement on piles near rest (tests/solvers/exact/exact_planar_test.cpp).
struct PairPathSettings {
  struct Kind {
    double sigma = 30;      ///< / t
    double eps = 0.1;       ///< / t
    double cover_side = 0;  ///< d of pairs that are not main, whose d is in [1, 2): this times that
  };
  /// Tried in turn. They get lost or long in different problems; those that end early most often
  /// come first.
  std::array<Kind, 8> kinds{{{30, 0.1, 1},
                             {30, 0.3, 0.3},
                             {3, 0.1, 0},
                             {30, 1, 1},
                             {300, 1, 1},
                             {30, 0.1, 0},
                             {3, 0.3, 1},
                             {300, 0.1, 0}}};
  std::uint32_t paths = 60;
  /// Factorizations of one path: half of those that arrive take 100 to 300.
  std::int64_t longest = 500;
  /// sigma at which an end is tried, relative to velocities, and again relative to that.
  double first_try = 3e-4, next_try = 0.05;
  /// The end of a path, and an interior point from far inside, which Newton's method finishes.
  PairInteriorPoint::Limits ending{40, 1e-20, 1e-6}, cold{30, 1e-20, 1e-6};
  int newton_steps = 12;
  /// t at the start, where the pairs hardly feel each other.
  double far_away = 1e4;
  /// Of steps, in logarithms.
  double first_step = 0.5, longest_step = 1.5;
  /// Cosine of a turn that must be looked at in shorter steps, down to short_step: what still turns
  /// round there has stepped over two folds, or over the crossing of two paths.
  double sharpest_turn = 0.2, short_step = 0.05;
  int rejections = 12, corrections = 5;
  /// A correction, in logarithms, after which a point is near enough to the path: Newton's method
  /// squares what is left. In steps shorter than short_step the last one has to be finer.
  double tolerance = 0.2, fine_tolerance = 0.003;
  /// Corrections of a step in all: this part of it, and what an earlier point may be off the path.
  double share = 0.6, allowance = 0.1;
  /// Step lengths aim at a first correction of this size, which grows with their third power.
  double first_correction = 0.07;
  /// The rejection after which point and tangent are found anew: steps of Newton's method, the
  /// correction at which it has arrived, and that from which it would go elsewhere.
  int refresh_at = 1, refresh_steps = 4;
  double refreshed = 0.01, far_off = 0.5;
  /// Relative residual of a linear system that can be used.
  double accurate = 1e-6;
  /// Joints are held with this part of their mobility.
  double joint_softness = 1e-7;
};

class PairPath {
 public:
  /// The interior point method from far inside alone, which is quick where nothing jams.
  void tryWithoutPath(Search& search, SemismoothNewton& newton, IslandSweeps& sweeps);
  /// Follows paths until the island, which must be one that LawPairs::covers, is solved or the
  /// budget used up; what they find is offered to the search.
  void run(Search& search, SemismoothNewton& newton, IslandSweeps& sweeps);

 private:
  PairPathSettings settings_;
  void prepare(ScaledIsland& island, const PairPathSettings::Kind& kind, std::uint32_t seed);
  void drawCover(std::uint32_t seed);
  bool approach(Search& search, PairInteriorPoint::Limits limits);
  void finish(Search& search, SemismoothNewton& newton, IslandSweeps& sweeps);
  bool start();
  bool advance();
  bool settle(int most);
  void evaluate();
  bool linearize();
  bool correct(double step);
  bool refresh();
  double correction(std::span<const double> normal, double normal_t, double& d_t);
  void predict(double step);
  void move(std::span<const double> dz, double d_t);
  double product(std::span<const double> a, double a_t, std::span<const double> b,
                 double b_t) const;
  double findTangent();
  void useTangent(double step, bool reversed);
  std::size_t pairs() const { return static_cast<std::size_t>(pairs_.pairCount()); }

  LawPairs pairs_;
  ScaledIsland* island_ = nullptr;
  PairPathSettings::Kind kind_;
  PairSystem system_;
  PairInteriorPoint interior_;
  double t_ = 1;
  double step_ = 0;
  double last_step_ = 0;
  std::int64_t factorizations_ = 0;
  std::int64_t counted_ = 0;  ///< of them, by the search
  std::int64_t allowed_ = 0;  ///< the path is lost where they end
  std::vector<double> z_, w_, cover_, p_, u_;
  std::vector<double> a_, F_, F_t_;             ///< of the linear system: left side, right sides
  std::vector<double> by_F_, by_t_;             ///< what the two right sides do, relative to z
  std::vector<double> tangent_, next_, older_;  ///< d log z / ds, and of the points around
  double tangent_t_ = 0, next_t_ = 0, older_t_ = 0;
  int orientation_ = 1;
  std::vector<double> z_kept_, direction_;
};

}  // namespace stickslip
