// Impulses of the last solve, found again by the ids of contacts: where the next one may start.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "stickslip/contact_problem.hpp"

namespace stickslip {

class ImpulseMemory {
 public:
  void reserve(int contacts, int contact_rows, int joint_rows);
  void remember(const ContactProblem& problem, std::span<const double> p,
                std::span<const double> c);
  void forget() { empty_ = true; }
  /// Fills p and c with what is known, zero elsewhere. False if nothing is.
  bool recall(const ContactProblem& problem, std::span<double> p, std::span<double> c) const;

 private:
  void recallContacts(const ContactProblem& problem, int begin, int end, std::span<double> p) const;

  bool empty_ = true;
  std::vector<std::pair<std::uint64_t, int>> contacts_;  ///< id and first row, ascending
  std::vector<double> p_;
  std::vector<double> c_;
};

}  // namespace stickslip
