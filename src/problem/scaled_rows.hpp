// Rows of contacts and joints in velocities y = L' v, whose mass matrix is the identity: J L^-T
// with M = L L'.
//
// Rows come in groups: those of one contact, joint or cone. A group has one dense strip, row-major,
// for each block of velocities that it touches. Strips of J that share velocities are added: one
// body may be on both sides of a contact.
#pragma once

#include <array>
#include <span>
#include <tuple>
#include <vector>

#include "cones/cone.hpp"
#include "stickslip/block_matrix.hpp"

namespace stickslip {

// Rows of one joint made orthonormal, so that a step of length one solves the joint exactly.
//
//   W = R R',   G^ = R^-1 G,   u^ = R^-1 u,   c = R^-T c^
//
// with W = G M^-1 G' + C the joint's own block. Rows that say what those before them say become
// zero.
class JointScaling {
 public:
  using Block = std::array<double, kMostRows * kMostRows>;

  JointScaling() = default;
  /// `W` is rows x rows, row-major with kMostRows columns.
  JointScaling(int rows, const Block& W);

  /// x := R^-1 x.
  void toScaled(std::span<double> x) const;
  /// Impulses: c := R^-T c^ and back.
  void toImpulses(std::span<const double> scaled, std::span<double> c) const;
  void fromImpulses(std::span<const double> c, std::span<double> scaled) const;

 private:
  double entry(int i, int j) const { return R_[kMostRows * i + j]; }

  Block R_{};  ///< 0 on the diagonal of rows that are left out
};

class ScaledRows {
 public:
  struct Strip {
    int block;  ///< of velocities
    int first;  ///< where it begins among the velocities
    int columns;
    std::size_t first_value;
  };

  /// Drops all groups and keeps the memory.
  void clear();
  void reserve(int groups, int rows);
  /// Appends a group: these rows of one of J, or all of them. L holds the Cholesky factors of M.
  void add(const BlockDiagonal& L, const BlockRows& J, int group, std::span<const int> kept);
  void add(const BlockDiagonal& L, const BlockRows& J, int group);
  /// Appends some rows of the last group of others.
  void add(const ScaledRows& others, std::span<const int> kept);
  /// Appends a strip of zeros to the last group.
  MatrixView addStrip(int block, int first, int columns);
  /// Numbers the blocks of the last group anew: `place` takes the number of one in M and returns
  /// its new number and where its velocities begin.
  template <class Place>
  void place(Place place) {
    for (std::size_t s = groups_.back().first_strip; s < strips_.size(); ++s)
      std::tie(strips_[s].block, strips_[s].first) = place(strips_[s].block);
  }
  /// Multiplies or divides a row of the last group.
  void scaleRow(int row, double factor);
  void divideRow(int row, double divisor);
  /// Multiplies the last group by R^-1.
  void scale(const JointScaling& scaling);

  int groupCount() const { return static_cast<int>(groups_.size()); }
  int rowCount() const { return static_cast<int>(group_of_row_.size()); }
  int rowsOf(int group) const { return groups_[group].rows; }
  std::span<const Strip> strips(int group) const {
    const std::size_t first = groups_[group].first_strip;
    const bool last = group + 1 == groupCount();
    return {strips_.data() + first,
            (last ? strips_.size() : groups_[group + 1].first_strip) - first};
  }
  const double* values(const Strip& strip) const { return values_.data() + strip.first_value; }
  /// Calls visit(velocity, value) for what is not zero in a row, of all rows.
  template <class Visit>
  void forEntries(int row, Visit visit) const {
    const int group = group_of_row_[row];
    for (const Strip& strip : strips(group)) {
      const double* x = values(strip) + (row - groups_[group].first_row) * strip.columns;
      for (int k = 0; k < strip.columns; ++k)
        if (x[k] != 0) visit(strip.first + k, x[k]);
    }
  }

  /// The product of two rows of a group: an entry of W.
  double product(int group, int i, int j) const;
  /// u = A y, the rows of a group.
  void velocity(int group, std::span<const double> y, std::span<double> u) const;
  /// y += A' p.
  void push(int group, std::span<const double> p, std::span<double> y) const;

 private:
  struct Group {
    int rows;
    int first_row;
    std::size_t first_strip;
  };
  template <class RowAt>
  void addRows(const BlockDiagonal& L, const BlockRows& J, int group, int rows, RowAt rowAt);
  void startGroup(int rows);
  std::size_t stripOf(int block, int first, int columns);

  std::vector<Group> groups_;
  std::vector<int> group_of_row_;
  std::vector<Strip> strips_;
  std::vector<double> values_;
};

/// The rows of a contact between one or two bodies of up to six velocities, by products with L^-1.
/// A second mechanism beside ScaledRows: solver `accelerated` sets up 10^5 such contacts at once,
/// on many threads, where neither memory nor divisions are cheap enough.
struct PairRows {
  static constexpr int kColumns = 6;  ///< of each body

  int count = 0;  ///< of bodies
  std::array<int, 2> blocks{};
  std::array<std::array<double, 2 * kColumns>, kMostRows> rows{};

  /// `inverse_L` has the inverses of the lower triangles of L, `block_of_column` the block of each
  /// velocity.
  PairRows(const BlockDiagonal& L, const BlockDiagonal& inverse_L, const BlockRows& J, int contact,
           std::span<const int> block_of_column);

  /// The product of two rows: an entry of W.
  double product(int i, int j) const;

 private:
  std::size_t sideOf(int block);
};

}  // namespace stickslip
