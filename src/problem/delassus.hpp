// What a solver needs to know of W in u = W p + q, however W is given: by bodies and rows
// (body_delassus.hpp) or as a sparse matrix (matrix_delassus.hpp).
//
// Rows come in cones, one for each contact, joint or motor. Newton methods on a contact law have
// the linear systems
//
//   d_p = r - S d_u,   d_u = W d_p + s
//
// with one small dense block of S for each cone. They are solved in the space in which they are
// sparse; the sign of det(I + S W) comes with the factorization.
#pragma once

#include <span>
#include <vector>

#include "stickslip/matrix_view.hpp"

namespace stickslip {

/// What sweeps go over: W p of one cone after the other, kept up to date while single cones change.
class SweepRows {
 public:
  virtual ~SweepRows() = default;
  /// The rows of a cone in W p.
  virtual void sweepVelocity(int cone, std::span<double> out) const = 0;
  virtual void sweepChange(int cone, std::span<const double> change) = 0;
};

class Delassus : public SweepRows {
 public:
  enum class Symmetry {
    symmetric,  ///< S is symmetric and positive semidefinite
    general,
  };

  int coneCount() const { return static_cast<int>(first_row_.size()) - 1; }
  int rowCount() const { return first_row_.back(); }
  int firstRow(int cone) const { return first_row_[cone]; }
  int rowsOf(int cone) const { return firstRow(cone + 1) - firstRow(cone); }
  /// Where the block of a cone starts in S; blocks are row-major, one after the other.
  std::size_t firstOfBlock(int cone) const { return first_of_block_[cone]; }
  /// Numbers in S.
  std::size_t blockEntries() const { return first_of_block_.back(); }

  /// out = W p.
  virtual void apply(std::span<const double> p, std::span<double> out) const = 0;
  /// The block of W on the diagonal that belongs to a cone.
  virtual void diagonalBlock(int cone, MatrixView out) const = 0;

  /// Prepares solve(); false if the matrix is singular to rounding.
  virtual bool factor(std::span<const double> S, Symmetry symmetry) = 0;
  /// Solves the system above with the S of factor(), refined. Returns what is left of the
  /// residual, relative to the terms in it: small if the factorization was accurate.
  virtual double solve(std::span<const double> r, std::span<const double> s, std::span<double> d_p,
                       std::span<double> d_u) = 0;
  /// The same at a third of the cost: neither refined nor checked.
  virtual void solveOnce(std::span<const double> r, std::span<const double> s,
                         std::span<double> d_p, std::span<double> d_u) = 0;
  /// How far solve() refines: it stops at a residual that is at most this.
  void refineTo(double residual) { refined_ = residual; }
  /// The sign of det(I + S W) after factor() with Symmetry::general.
  virtual int determinantSign() const = 0;

  /// Makes the rows of sweeps those of W p.
  virtual void startSweeps(std::span<const double> p) = 0;

 protected:
  /// Drops all cones and keeps the memory.
  void clearCones() {
    first_row_.resize(1);
    first_of_block_.resize(1);
  }
  void reserveCones(int cones) {
    first_row_.reserve(static_cast<std::size_t>(cones) + 1);
    first_of_block_.reserve(static_cast<std::size_t>(cones) + 1);
  }
  void addCone(int rows) {
    first_row_.push_back(first_row_.back() + rows);
    first_of_block_.push_back(first_of_block_.back() + static_cast<std::size_t>(rows * rows));
  }
  double refined() const { return refined_; }

 private:
  double refined_ = 1e-13;
  std::vector<int> first_row_{0};
  std::vector<std::size_t> first_of_block_{0};
};

}  // namespace stickslip
