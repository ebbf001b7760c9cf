// Interior point method on the pairs of an island, with theta between Coulomb's law (0) and the
// relaxed one (1): Mehrotra's predictor and corrector, then up to two more of Gondzio (as in
// cone_interior_point), one step length for z and w.
//
// For the relaxed law, whose LCP is monotone, it converges from anywhere. For Coulomb's law it does
// as long as nothing comes in the way, which is nearly always so in small problems and in moving
// ones, and near a solution. A proximal term prox E (z - z_k) keeps redundant contacts apart.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/exact/polyhedral/pair_system.hpp"

namespace stickslip {

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
  bool run(double theta, const Limits& limits);

  /// Mean product, measured by the weights.
  double sigma() const;
  std::span<const double> z() const { return z_; }
  std::span<const double> w() const { return w_; }
  /// Factorizations since the start.
  std::int64_t factorizations() const { return factorizations_; }

 private:
  void prepare(const LawPairs& pairs, ScaledIsland& island);
  void evaluate(double theta, double prox);
  double direction(std::span<double> dz, std::span<double> dw);
  double longestStep() const;
  double sigmaAfter(double step) const;
  /// Better directions than the last one, which goes as far as `step`, as long as they go farther:
  /// products that would be far from `centre` are brought back. Returns how far they go.
  double recentre(double centre, double step);
  std::size_t pairs() const { return static_cast<std::size_t>(pairs_->pairCount()); }

  const LawPairs* pairs_ = nullptr;
  ScaledIsland* island_ = nullptr;
  PairSystem system_;
  std::int64_t factorizations_ = 0;
  std::vector<double> z_, w_, p_, u_;
  std::vector<double> gap_;  ///< w minus what the impulses give
  std::vector<double> a_, rho_, R_, dz_, dw_, last_dz_, last_dw_;
};

}  // namespace stickslip
