// What was basic in the last step, by the ids of contacts: the start of the next one ([AP97]
// section 6). Contacts that are gone are forgotten, new ones start open.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "solvers/lemke/friction_variables.hpp"

namespace stickslip {

class BasisMemory {
 public:
  /// What is stored from now on is recalled after the next call.
  void nextStep();
  void forget() {
    old_.clear();
    new_.clear();
  }
  /// Notes the pairs whose z is basic. The contacts are those that `variables` was built for.
  void store(std::span<const std::uint64_t> contact_id, const FrictionVariables& variables,
             std::span<const int> basic_pairs);
  /// The pairs of these contacts that were basic in the last step; ascending.
  void recall(std::span<const std::uint64_t> contact_id, const FrictionVariables& variables,
              std::vector<int>& basic_pairs) const;

  /// Between steps.
  template <class Memory, class Self>
  static void parts(Memory& memory, Self& self) {
    memory(self.new_);
  }

 private:
  /// A basic variable: role 0 is a contact's main one, 1 its last, 2 + k a direction; those of
  /// further sections follow.
  struct Entry {
    std::uint64_t contact_id;
    int role;

    template <class Memory, class Self>
    static void parts(Memory& memory, Self& entry) {
      memory(entry.contact_id, entry.role);
      if constexpr (!std::is_const_v<Self>)
        memory.expect(entry.role >= 0, "a variable has none of the roles that there are");
    }
  };
  std::vector<Entry> old_;  ///< sorted by id
  std::vector<Entry> new_;
  std::vector<char> is_basic_;
};

}  // namespace stickslip
