// Interior point method on the pairs of an island (law_pairs.hpp): Mehrotra's predictor and
// corrector, then up to two more corrections of Gondzio, one step length for z and w.
//
// It converges as long as nothing comes in the way, which is nearly always so in small problems and
// in moving ones, and near a solution: it starts far inside, or ends a path (pair_path.hpp). A
// proximal term prox E (z - z_k) keeps redundant contacts apart.
//
// Why this stands beside interior_point.hpp: pairs keep the products of all directions of friction
// apart, where a cone has one product, and converge to rounding where contacts are degenerate. A
// planar drum (scenes/scale/drum.json) takes five times as long without it: README.md.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/exact/law_pairs.hpp"

namespace stickslip {

struct PairInteriorPointSettings {
  /// Part of the way to the boundary that a step may take.
  double to_boundary = 0.99;
  /// Relative residual of a linear system that can be used.
  double accurate = 1e-4;
  /// So many steps in a row that are shorter than this part of a whole one: it stalls.
  double short_step = 0.05;
  int most_short_steps = 4;
  /// Joints are held with this part of their mobility.
  double joint_softness = 1e-7;
  /// Products are aimed at this part of what the predictor suggests.
  double centring = 0.5;
  /// Directions that are made better: how many times at most, how much farther each has to go, what
  /// is far enough, how much farther one looks than the last one went, what is far from the centre.
  int corrections = 2;
  double worthwhile = 1.05, far_enough = 0.95, ahead = 0.3, far = 10;
};

class PairInteriorPoint {
 public:
  struct Limits {
    std::int64_t iterations = 30;
    double sigma = 1e-10;  ///< mean product at which to stop
    double prox = 1e-5;
  };

  /// Far inside, at the size of the problem's velocities.
  void startCold(const LawPairs& pairs, ScaledIsland& island);
  /// At z and w.
  void startAt(const LawPairs& pairs, ScaledIsland& island, std::span<const double> z,
               std::span<const double> w);
  /// Goes on; true when sigma is reached, false when it stalls.
  bool run(const Limits& limits);

  std::span<const double> z() const { return z_; }
  /// Factorizations since the start.
  std::int64_t factorizations() const { return factorizations_; }

 private:
  void prepare(const LawPairs& pairs, ScaledIsland& island);
  void evaluate(double prox);
  double direction(std::span<double> dz, std::span<double> dw);
  double longestStep() const;
  /// Mean product, measured by the weights, after part of the last direction.
  double sigmaAfter(double step) const;
  /// Better directions than the last one, which goes as far as `step`, as long as they go farther:
  /// products that would be far from `centre` are brought back. Returns how far they go.
  double recentre(double centre, double step);
  std::size_t pairs() const { return static_cast<std::size_t>(pairs_->pairCount()); }

  PairInteriorPointSettings settings_;
  const LawPairs* pairs_ = nullptr;
  ScaledIsland* island_ = nullptr;
  PairSystem system_;
  std::int64_t factorizations_ = 0;
  std::vector<double> z_, w_, p_, u_;
  std::vector<double> gap_;  ///< w minus what the impulses give
  std::vector<double> a_, rho_, R_, dz_, dw_, last_dz_, last_dw_;
};

}  // namespace stickslip
