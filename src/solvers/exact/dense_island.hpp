// A small island as a dense matrix, for pivoting: joints are eliminated, the rows of contacts and
// bounded impulses stay,
//
//   u = W p + q,   in the coordinates of scaled_island.hpp.
#pragma once

#include <span>
#include <vector>

#include "problem/scaled_island.hpp"
#include "stickslip/block_matrix.hpp"

namespace stickslip {

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
  BlockDiagonal joint_L_;        ///< one block, Cholesky factor of W between joints
  std::vector<double> joint_W_;  ///< L^-1 W between joints and the rest, one column of it a row
  std::vector<double> joint_q_;  ///< L^-1 q
  std::vector<double> unit_;
  std::vector<double> column_;
  mutable std::vector<double> joint_p_;
};

}  // namespace stickslip
