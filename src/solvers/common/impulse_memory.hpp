// Impulses of the last solve, found again by the ids of contacts: where the next one may start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "stickslip/contact_problem.hpp"

namespace stickslip {

class MemoryReader;
class MemoryWriter;

struct ImpulseMemorySettings {
  /// Places after the last one found in which the next id is looked for before a search: contacts
  /// come in nearly the same order each time.
  int near = 8;
  /// Contacts of one task for the threads.
  int contacts_a_task = 1024;
  /// Where contacts outgrow the room, there is new room for one in so many more.
  std::size_t spare_of = 8;
};

class ImpulseMemory {
 public:
  void reserve(int contacts, int contact_rows, int joint_rows);
  void remember(const ContactProblem& problem, std::span<const double> p,
                std::span<const double> c);
  void forget() { empty_ = true; }
  /// Fills p and c with what is known, zero elsewhere. False if nothing is.
  bool recall(const ContactProblem& problem, std::span<double> p, std::span<double> c) const;

  void save(MemoryWriter& to) const;
  void restore(MemoryReader& from);

 private:
  void recallContacts(const ContactProblem& problem, int begin, int end, std::span<double> p) const;

  bool empty_ = true;
  std::vector<std::pair<std::uint64_t, int>> contacts_;  ///< id and first row, ascending
  std::vector<double> p_;
  std::vector<double> c_;
};

}  // namespace stickslip
