// Follows a path of the pairs of an island from far away to a solution, through folds.
//
//   w = C u + H_theta z + h + t d + eps E z,   z w = sigma weight   (pair by pair)
//
// with sigma and eps proportional to t and theta = 0 or t / (t + 0.1). At t = 0 it is the LCP. At
// large t the pairs are alone with d and eps, and the path starts there, or at an interior point of
// the relaxed law. For Coulomb's law t need not fall all the way: the path has folds, where t turns
// round, and may pass tens of them in a pile near rest.
//
// Predictor and corrector in the logarithms of z, w and t (w = sigma weight / z holds exactly),
// with arc length in their common norm; the corrector is Newton's method in the plane normal to the
// tangent. Which way is forward is told by the sign of the determinant: dt / ds times that sign
// keeps its sign along the path. (Smoothed DenseLemke path; Watson, Applied Mathematics and
// Computation 5, 1979, and Allgower and Georg, Introduction to Numerical Continuation Methods.)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/exact/polyhedral/pair_system.hpp"

namespace stickslip {

class PairPath {
 public:
  struct Kind {
    double sigma = 300;      ///< / t
    double eps = 0.01;       ///< / t
    double cover_main = 1;   ///< d of main pairs is between this and twice this
    double cover_side = 0;   ///< d of the others
    bool bend = false;       ///< theta = t / (t + 0.1) instead of 0
    std::uint32_t seed = 0;  ///< of the cover
  };

  /// From far away. Returns false if the path is not found.
  bool start(const LawPairs& pairs, ScaledIsland& island, const Kind& kind);
  /// From an interior point whose mean product is sigma.
  bool start(const LawPairs& pairs, ScaledIsland& island, const Kind& kind,
             std::span<const double> z, double sigma);
  /// One step; false if the path is lost.
  bool advance();
  /// Most factorizations from now on; the path is lost where they end.
  void allow(std::int64_t factorizations) { allowed_ = factorizations_ + factorizations; }

  double sigma() const { return kind_.sigma * t_; }
  std::span<const double> z() const { return z_; }
  std::span<const double> w() const { return w_; }
  /// Factorizations so far.
  std::int64_t factorizations() const { return factorizations_; }

 private:
  void prepare(const LawPairs& pairs, ScaledIsland& island, const Kind& kind);
  void drawCover();
  bool settle(int most);
  void evaluate();
  bool linearize();
  bool correct(double step);
  bool refresh();
  double correction(std::span<const double> normal, double normal_t, double& d_t);
  void predict(double step);
  void move(std::span<const double> dz, double d_t);
  double theta() const { return kind_.bend ? t_ / (t_ + kBend) : 0; }
  double product(std::span<const double> a, double a_t, std::span<const double> b,
                 double b_t) const;
  double findTangent();
  void useTangent(double step, bool reversed);
  std::size_t pairs() const { return static_cast<std::size_t>(pairs_->pairCount()); }

  static constexpr double kBend = 0.1;

  const LawPairs* pairs_ = nullptr;
  ScaledIsland* island_ = nullptr;
  Kind kind_;
  PairSystem system_;
  double t_ = 1;
  double step_ = 0;
  double last_step_ = 0;
  std::int64_t factorizations_ = 0;
  std::int64_t allowed_ = 0;
  std::vector<double> z_, w_, cover_, p_, u_;
  std::vector<double> a_, F_, F_t_;             ///< of the linear system: left side, right sides
  std::vector<double> by_F_, by_t_;             ///< what the two right sides do, relative to z
  std::vector<double> tangent_, next_, older_;  ///< d log z / ds, and of the points around
  double tangent_t_ = 0, next_t_ = 0, older_t_ = 0;
  int orientation_ = 1;
  std::vector<double> z_kept_, direction_;
};

}  // namespace stickslip
