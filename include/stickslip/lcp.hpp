// Linear complementarity problems: given N and q, find z with
//
//   w = N z + q,   z >= 0,   w >= 0,   z.w = 0.
//
// `DenseLemke` solves them by complementary pivoting. It finds a solution whenever N is copositive
// and every z >= 0 with N z >= 0, z.N z = 0 has q.z >= 0, which contact problems satisfy ([AP97]
// Thm 2.1). On other data it may end in a ray, which it returns.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "stickslip/matrix_view.hpp"
#include "stickslip/solve_status.hpp"

namespace stickslip {

/// The data of one problem; owned by the caller.
struct Lcp {
  ConstMatrixView N;
  std::span<const double> q;

  int size() const { return N.rows; }
};

/// |min(z, N z + q)|_inf / |q|_inf: zero exactly at solutions.
double lcpResidual(const Lcp& lcp, std::span<const double> z);

/// How a solve of a linear complementarity problem ended.
struct LcpReport {
  SolveStatus status = SolveStatus::solved;
  double residual = 0;      ///< lcpResidual of the z returned
  std::int64_t pivots = 0;  ///< over all attempts
  /// With status ray: the ray y also has N'y <= 0, y >= 0 and q.y < 0, up to the rounding of these
  /// sums, which proves that not even the inequalities have a solution.
  bool infeasible = false;
};

/// Lemke's method on dense data, without a tableau; the class owns the workspace, and after
/// reserve(n) problems of size up to n are solved without allocation.
class DenseLemke {
 public:
  /// How far to go, and how exactly.
  struct Options {
    /// Most pivots over all attempts; 0 means 100 + 50 n.
    std::int64_t pivot_limit = 0;
    /// Largest violation of an answer that is called solved, on equilibrated data, relative to the
    /// terms of its row. Range (0, 1).
    double tolerance = 1e-10;
  };

  DenseLemke();
  explicit DenseLemke(const Options& options);
  ~DenseLemke();
  DenseLemke(DenseLemke&&) noexcept;
  DenseLemke& operator=(DenseLemke&&) noexcept;

  void reserve(int n);
  /// Changes options.pivot_limit for the solves that follow.
  void setPivotLimit(std::int64_t pivot_limit) { options_.pivot_limit = pivot_limit; }
  /// Solves the problem. Unless the status is solved, z is the best point met, its residual tells
  /// how good it is, and ray() is the direction if the status is ray.
  LcpReport solve(const Lcp& lcp, std::span<double> z);
  /// The direction along which the last solve ran off, scaled to maximum 1; empty if it did not.
  std::span<const double> ray() const;

 private:
  struct Workspace;
  Options options_;
  std::unique_ptr<Workspace> work_;
};

}  // namespace stickslip
