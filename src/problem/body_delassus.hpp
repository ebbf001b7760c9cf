// W = A A' + D, given by rows over velocity blocks: A = J L^-T with M = L L', and D diagonal
// (compliance of joints). The velocities are y = L' v, in which the mass matrix is the identity.
//
// With d_u = A y + D d_p + s the linear systems of delassus.hpp become
//
//   (I + A' S~ A) y = A' (I + S D)^-1 (r - S s),   S~ = (I + S D)^-1 S,
//
// whose matrix has one block for each pair of bodies in contact. Rows with D > 0 must have a
// diagonal block of S.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "math/factor/block_factor.hpp"
#include "problem/delassus.hpp"
#include "problem/scaled_rows.hpp"

namespace stickslip {

class BodyDelassus final : public Delassus {
 public:
  /// Room for so many velocity blocks, and cones with so many rows between two blocks each.
  void reserve(int blocks, int cones, int rows);
  // Building: blocks, then cones with their strips, then finish().
  void start(std::span<const int> block_sizes);
  /// The next cone: these rows of a group of J. `place` is that of ScaledRows, with the blocks and
  /// velocities of this operator.
  template <class Place>
  void add(const BlockDiagonal& L, const BlockRows& J, int group, std::span<const int> kept,
           Place place) {
    rows_.add(L, J, group, kept);
    rows_.place(place);
    addLastCone();
  }
  /// Multiplies a row of the last cone by a factor, and gives it a compliance.
  void scaleLastRow(int row, double factor) { rows_.scaleRow(row, factor); }
  void setCompliance(int row, double compliance);
  /// Analyses the pattern, unless it is that of the last time.
  void finish();

  /// y = A' p: what impulses do to the velocities, block after block.
  void velocities(std::span<const double> p, std::span<double> y) const;
  int velocityCount() const { return block_first_.back(); }
  int firstOfVelocityBlock(int block) const { return block_first_[block]; }

  void apply(std::span<const double> p, std::span<double> out) const override;
  void diagonalBlock(int cone, MatrixView out) const override;
  bool factor(std::span<const double> S, Symmetry symmetry) override;
  double solve(std::span<const double> r, std::span<const double> s, std::span<double> d_p,
               std::span<double> d_u) override;
  void solveOnce(std::span<const double> r, std::span<const double> s, std::span<double> d_p,
                 std::span<double> d_u) override;
  int determinantSign() const override { return factor_.determinantSign(); }
  void startSweeps(std::span<const double> p) override;
  void sweepVelocity(int cone, std::span<double> out) const override;
  void sweepChange(int cone, std::span<const double> change) override;

 private:
  using Strip = ScaledRows::Strip;
  /// Cones one after the other whose strips are all of one size; 0 columns where sizes differ.
  struct Run {
    int first_cone;
    int end_cone;
    int rows;
    int columns;
  };
  /// A place of the matrix to which a pair of strips contributes.
  struct Place {
    double* values;
    bool is_lower;
  };
  /// A row with D > 0, and its diagonal entry of S.
  struct CompliantRow {
    std::size_t row;
    std::size_t entry;
  };
  void addLastCone();
  void analyse();
  void findRuns();
  void findPlaces();
  void findCompliantRows();
  template <class Kernels>
  void addProducts(const Kernels& kernels, int cone, Symmetry symmetry);
  /// out = A y + s, rows of all cones.
  void rowsTimes(std::span<const double> y, std::span<const double> s, std::span<double> out) const;
  void impulsesFrom(std::span<const double> r, std::span<const double> d_u,
                    std::span<double> d_p) const;
  /// d_u and d_p from y_.
  void eliminatedImpulses(std::span<const double> r, std::span<const double> s,
                          std::span<double> d_p, std::span<double> d_u) const;

  std::vector<int> block_sizes_;
  std::vector<int> block_first_{0};
  ScaledRows rows_;                 ///< A
  std::vector<double> compliance_;  ///< D
  std::vector<std::pair<int, int>> couplings_;
  std::vector<Run> runs_;
  std::vector<CompliantRow> compliant_rows_;
  std::vector<Place> places_;  ///< strips x strips for each cone
  std::vector<std::size_t> first_place_;
  BlockFactor factor_;
  bool is_analysed_ = false;     ///< factor_ and places_ belong to the cones
  std::vector<double> S_;        ///< S~
  std::vector<double> product_;  ///< S~ A of the strips of one cone
  mutable std::vector<double> y_;
  mutable std::vector<double> zero_;
  std::vector<double> correction_;
  std::vector<double> sweep_y_;
  std::vector<double> sweep_p_;
};

}  // namespace stickslip
