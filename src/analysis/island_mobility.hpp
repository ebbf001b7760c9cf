// What an island's masses and joints say about its contacts one by one: how many joint rows are
// redundant, and where a normal impulse with friction pulls bodies together (Painleve).
//
// With B = G L^-T, M = L L', and Q an orthonormal basis of the rows of B, the response of contact i
// to its own impulses with all joints held is J_i L^-T (1 - Q'Q) L^-1 J_i'.
#pragma once

#include <vector>

#include "certificate/scaled_directions.hpp"
#include "math/dense/orthonormal_rows.hpp"
#include "stickslip/analysis.hpp"

namespace stickslip {

class IslandMobility {
 public:
  /// Keeps a reference to the problem, which has rigid joint rows and cones only.
  explicit IslandMobility(const ContactProblem& bare);

  /// IslandAnalysis::kUnknown if there are some, and too many rows to count.
  int redundantJointRows() const;
  /// Contacts are numbered as in the problem. Empty if there are too many joint rows.
  std::vector<PainleveContact> painleveContacts() const;
  /// True if all rows of contacts and joints are linearly independent; false also if that is not
  /// known after some work.
  bool rowsIndependent() const;

 private:
  bool jointsAreFew() const;
  bool independent(bool with_contacts) const;
  std::vector<double> heldRow(int row) const;
  std::vector<double> responseOf(int contact) const;

  const ContactProblem& bare_;
  ScaledDirections contact_rows_;
  ScaledDirections joint_rows_;
  OrthonormalRows joints_;
};

}  // namespace stickslip
