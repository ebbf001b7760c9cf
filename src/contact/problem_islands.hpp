// Parts of a contact problem that have nothing to do with each other: velocity blocks that contacts
// and joints connect, each with its contacts and joints. Every island is a problem of its own;
// blocks without contacts and joints are in none and keep their free velocity.
#pragma once

#include <span>
#include <vector>

#include "stickslip/contact_problem.hpp"

namespace stickslip {

class ProblemIslands {
 public:
  /// Room for problems of this size, and in `part` for their islands.
  void reserve(int velocities, int contacts, int rows, int joint_rows, ContactProblem& part);
  void find(const ContactProblem& problem);

  int count() const { return static_cast<int>(blocks_.first.size()) - 1; }
  /// True if there is one island and it is the whole problem.
  bool isWhole() const { return whole_; }
  /// Ascending; islands come in the order of their first blocks, those without any last.
  std::span<const int> blocks(int island) const { return blocks_.of(island); }
  std::span<const int> contacts(int island) const { return contacts_.of(island); }
  std::span<const int> joints(int island) const { return joints_.of(island); }

  /// The island as a problem; what only the certificate reads stays empty.
  void extract(const ContactProblem& problem, int island, ContactProblem& part);
  /// Puts the island's solution into that of the whole, which has its sizes.
  void insert(const ContactProblem& problem, int island, const ContactSolution& part,
              ContactSolution& whole) const;

 private:
  /// Members of each island, one island after the other.
  struct Members {
    std::vector<int> first;
    std::vector<int> member;
    std::span<const int> of(int island) const;
  };

  int rootOf(int node);
  void connect(int a, int b);
  void connectGroups(const BlockRows& rows, int first_node);
  void numberIslands(int blocks);
  void collect(int first_node, int nodes, Members& members) const;
  void extractRows(const BlockRows& from, std::span<const int> groups, BlockRows& to) const;

  bool whole_ = false;
  std::vector<int> parent_;      ///< of blocks, then contacts, then joints
  std::vector<int> island_;      ///< of each node, -1: none
  std::vector<int> block_of_;    ///< block of each velocity
  std::vector<int> new_column_;  ///< of each velocity in the part extracted last
  std::vector<int> sizes_;
  Members blocks_, contacts_, joints_;
};

}  // namespace stickslip
