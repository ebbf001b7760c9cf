// An island of a contact problem as a problem of its own, and its solution put back.
#pragma once

#include <vector>

#include "problem/islands.hpp"

namespace stickslip {

class ExtractedIsland {
 public:
  /// Room for islands of problems of this size.
  void reserve(int velocities, int contacts, int rows, int joint_rows);
  /// Takes an island out; what only the certificate reads stays empty.
  void extract(const ContactProblem& problem, const Islands& islands, int island);
  const ContactProblem& problem() const { return part_; }
  /// Puts the island's solution into that of the whole, which has its sizes.
  static void insert(const ContactProblem& problem, const Islands& islands, int island,
                     const ContactSolution& part, ContactSolution& whole);

 private:
  void extractBlocks(const ContactProblem& problem, std::span<const int> blocks);
  void extractRows(const BlockRows& from, std::span<const int> groups, BlockRows& to) const;

  ContactProblem part_;
  std::vector<int> new_column_;  ///< of each velocity, -1 outside the island
  std::vector<int> sizes_;
};

}  // namespace stickslip
