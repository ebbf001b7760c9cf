// A start for the exact solver: the problem with polyhedral cones inside the round ones, by
// Lemke's method ([AP97] (2.13)), which cannot fail in exact arithmetic.
//
// Each polygon has a corner in the direction in which the friction of its contact is expected, and
// others around it at angles that grow from a given spacing; where the spin shares the cone, in two
// planes through that direction. Where contacts are redundant or jam, impulses may turn by large
// angles while hardly anything moves, and Newton's method has to creep along the curved cones;
// solved again and again with the corners about the last solution and less space between them, the
// polyhedral problem finds the directions to any accuracy.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "problem/scaled_island.hpp"
#include "solvers/lemke/friction_lcp.hpp"
#include "stickslip/block_matrix.hpp"
#include "stickslip/lcp.hpp"

namespace stickslip {

struct ClosingCornersSettings {
  /// Least spacing of corners, an angle: a side is apart from its arc by the square of it, which
  /// would drown in rounding for closer ones. Most corners, which are those of this spacing.
  double least_spacing = 2e-4;
  int corners = 16;
  /// The angles of corners on either side grow by this factor, up to `most_of_side`; what is left
  /// of the circle has three more, at `far_side` and opposite.
  double growth = 5;
  double most_of_side = 1.8, far_side = 2.2;
  /// A slip of less than this part of the impulse, both in units of the problem, says nothing about
  /// its direction.
  double no_slip = 1e-14;
  /// Problems with more contacts find room when they first come.
  int reserved_contacts = 32;
};

// A small island as a dense matrix, for pivoting: joints are eliminated, the rows of contacts and
// bounded impulses stay,
//
//   u = W p + q,   in the coordinates of scaled_island.hpp.
class DenseIsland {
 public:
  void reserve(int rows, int joint_rows);
  void build(const ScaledIsland& island);

  int size() const { return static_cast<int>(rows_.size()); }
  /// Items but joints; their rows are those of W.
  std::span<const Cone> cones() const { return cones_; }
  ConstMatrixView W() const { return {W_.data(), size(), size()}; }
  std::span<const double> q() const { return q_; }
  void velocity(std::span<const double> p, std::span<double> u) const;

  /// Impulses of the island from those here: joints follow. And back.
  void toIsland(std::span<const double> p, std::span<double> island_pi) const;
  void fromIsland(std::span<const double> island_pi, std::span<double> p) const;

 private:
  void split(const ScaledIsland& island);
  void fillColumns(const ScaledIsland& island);
  void eliminateJoints();

  std::vector<Cone> cones_;
  std::vector<int> rows_;    ///< of the island
  std::vector<int> joints_;  ///< rows of joints in the island
  std::vector<double> W_;
  std::vector<double> q_;
  /// Beside the ones on the diagonal of W; makes redundant joints regular. Newton's method, which
  /// starts from what is found with it, knows nothing of it.
  static constexpr double kJointSoftness = 1e-12;
  BlockDiagonal joint_L_;        ///< one block, Cholesky factor of W between joints
  std::vector<double> joint_W_;  ///< L^-1 W between joints and the rest, one column of it a row
  std::vector<double> joint_q_;  ///< L^-1 q
  std::vector<double> unit_;
  std::vector<double> column_;
  mutable std::vector<double> joint_p_;
};

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

  ClosingCornersSettings settings_;
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
