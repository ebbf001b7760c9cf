// The numbers of the method `lemke`. None has a unit: problems are scaled before they are pivoted,
// and everything is relative to the data. "Bound" says that a number follows from the arithmetic of
// doubles, with room, and that answers do not depend on it as long as problems are not close to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace stickslip {

struct LemkeSettings {
  // Which form, and when it is done (lemke_solver).

  /// Largest violation of a contact that counts as solved, as a part of the largest contact
  /// velocity of the problem: a tenth of the tightest usual tolerance.
  double solved = 1e-10;
  /// Variables up to which an island is pivoted densely: where a pivot on the sparse basis begins
  /// to cost less.
  int most_dense = 90;
  /// Pivots of the relay form, per variable and at least, after which the cone form is the better
  /// choice: the relay form may run away, the cone form cannot.
  std::int64_t relay_pivots = 6, least_relay_pivots = 50;
  /// Contacts that room is made for in advance; more find it when they first come. Memory only.
  int reserved_contacts = 128;

  // The problem with velocities kept (sparse_friction_lcp).

  /// A joint row depends on others if less of its length is left beside them. Bound.
  double dependent_joint = 1e-10;
  /// Weight of directions of friction in the covering vector, to that of the other variables:
  /// normal impulses should come first.
  double friction_weight = 10;

  // Scaling (scaled_lcp).

  /// Rows and columns with their largest entry between these need no scaling: three and four powers
  /// of two from 1 cost no digits.
  double least_balanced = 0.125, most_balanced = 16;
  /// Passes over rows and columns towards their geometric means: the walk before has removed the
  /// units, these even out the rest, and a few are enough.
  int scaling_passes = 3;
  /// Violations are measured in their own row, within this factor of the whole problem: a row whose
  /// terms are smaller than that is rounding of the larger ones, and where huge terms cancel in a
  /// row a violation must still be small beside max|q'|.
  double row_to_all = 1e-4;

  // The dense path and its attempts (dense_path, dense_lemke).

  /// A pivot must exceed this part of the largest entry of its column, so that it has digits of its
  /// own. Bound.
  double pivot_floor = 1e-10;
  /// Only when there is none, and the path would end in a ray, are smaller ones believed: those
  /// above this part times the number of rows, which is rounding. Bound.
  double smallest_pivot = 1e-14;
  /// Constants closer than this are ties of the ratio test. Bound.
  double ratio_noise = 1e-13;
  /// Entries of the basis inverse closer than this are ties of the lexicographic order. Bound.
  double order_noise = 1e-11;
  /// Pivots of the path that the product form may hold at least before it is built anew. A matter
  /// of speed: a small problem is done by then.
  int least_product = 24;
  /// Pivots over all attempts where the user says nothing: at least, and per row. Paths that end
  /// well take a few per row. Bound.
  std::int64_t least_dense_limit = 100, dense_limit_per_row = 50;
  /// Covering vectors that are tried: one that fails did so by rounding, and another path is
  /// another chance.
  int dense_attempts = 4;
  /// Rounding of a sum of n terms relative to their size and n, in a proof that there is no
  /// solution. Bound.
  double proof_noise = 64 * std::numeric_limits<double>::epsilon();

  // The sparse path (sparse_lemke). The unit is that of a pair (mixed_lcp).

  /// What a variable may undershoot zero by in the ratio test. Bound.
  double noise = 1e-12;
  /// What it may do so by after a new factorization: more, and the path was lost before.
  double lost = 1e-7;
  /// A direction counts if it exceeds this part of the largest one, or of 1, the size of the data.
  /// Bound,
  double eligible = 1e-11;
  /// and is believed without fresh factors if it exceeds this part.
  double trusted = 1e-6;
  /// Exchanges after which solves in product form are dearer than a new factorization.
  std::size_t most_updates = 64;

  // Attempts on sparse problems.

  /// Paths that may get lost in rounding errors.
  int lost_paths = 6;
  /// Pivots that a problem may take where the user says nothing: at least, and per pair.
  std::int64_t least_limit = 1000, limit_per_pair = 20;
  /// Pivots of the first paths, at least and per pair: lengths differ by large factors, so that
  /// another covering vector is the better hope. Every other path may be twice as long, so that the
  /// longest has a good part of any budget.
  std::int64_t least_path = 300, path_per_pair = 5;
  /// Doublings after which a path has no limit of its own: 2^40 pivots are never reached.
  int most_doublings = 40;
  /// Largest violation of an answer in its unit: below `solved`, which the whole must meet,
  double sparse_solved = 3e-11;
  /// and of an answer from the basis of the step before: a cold start would not stop before.
  double reused = 1e-12;
  /// Rounding of the sums that prove a ray. Bound.
  double ray_noise = 1e-9;
  /// Part of the largest violation by which a warm start covers what is not negative.
  double warm_cover = 1e-2;
};

inline constexpr LemkeSettings kLemke{};

}  // namespace stickslip
