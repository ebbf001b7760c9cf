// Parts of a problem that do not feel each other: contacts and joints that are connected by
// velocity blocks, or by entries of W. Each island is a problem of its own. Fixed bodies have no
// velocities and connect nothing. Contacts and joints that nothing can move are in no island.
#pragma once

#include <atomic>
#include <span>
#include <vector>

#include "stickslip/local_problem.hpp"

namespace stickslip {

class Islands {
 public:
  void reserve(int velocities, int contacts, int joint_rows);
  void find(const ContactProblem& problem);
  void find(const LocalProblem& problem);

  int count() const { return static_cast<int>(contacts_.first.size()) - 1; }
  /// True if there is one island and it is the whole problem.
  bool isWhole() const { return whole_; }
  /// Ascending; islands come in the order of their first contacts, those without after them.
  std::span<const int> contacts(int island) const { return contacts_.of(island); }
  /// Contacts in no island.
  std::span<const int> unmovedContacts() const { return unmoved_; }
  /// Velocity blocks; none where W is given.
  std::span<const int> blocks(int island) const { return blocks_.of(island); }
  std::span<const int> joints(int island) const { return joints_.of(island); }

 private:
  /// Members of every island, one island after the other.
  struct Lists {
    std::vector<int> first{0};
    std::vector<int> members;
    std::span<const int> of(int island) const;
  };
  void startNodes(int count);
  std::atomic_ref<int> parentOf(int node) { return std::atomic_ref(parent_[node]); }
  int rootOf(int node);
  void connect(int a, int b);
  void connectStrips(const ContactProblem& problem, const BlockRows& rows, std::vector<int>& node);
  int connectStrips(const ContactProblem& problem, const BlockRows& rows, int group);
  void numberIslands(std::span<const int> nodes);
  void collect(std::span<const int> nodes, Lists& lists);
  void collectUnmoved();

  std::vector<int> parent_;
  std::vector<int> island_of_root_;
  std::vector<int> island_of_;  ///< of each member, while it is collected
  std::vector<int> next_;
  std::vector<int> contact_node_;  ///< a block of it, -1 if there is none
  std::vector<int> joint_node_;
  std::vector<int> contact_of_row_;
  int islands_ = 0;
  bool whole_ = false;
  std::vector<int> block_node_;
  std::vector<int> unmoved_;
  Lists contacts_;
  Lists blocks_;
  Lists joints_;
};

}  // namespace stickslip
