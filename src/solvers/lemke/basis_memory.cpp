#include "solvers/lemke/basis_memory.hpp"

#include <algorithm>

namespace stickslip {
namespace {

constexpr int kMain = 0, kLast = 1, kDirection = 2;
// Roles of a contact's sections are that far apart.
constexpr int kSection = 256;

std::uint64_t idOf(std::span<const std::uint64_t> contact_id,
                   const FrictionVariables::ConeVariables& cone) {
  return contact_id[cone.contact];
}

}  // namespace

void BasisMemory::nextStep() {
  old_.swap(new_);
  new_.clear();
  std::sort(old_.begin(), old_.end(), [](const Entry& a, const Entry& b) {
    return a.contact_id != b.contact_id ? a.contact_id < b.contact_id : a.role < b.role;
  });
}

void BasisMemory::store(std::span<const std::uint64_t> contact_id,
                        const FrictionVariables& variables, std::span<const int> basic_pairs) {
  is_basic_.assign(variables.size(), 0);
  for (const int pair : basic_pairs) is_basic_[pair] = 1;
  for (const FrictionVariables::ConeVariables& cone : variables.cones()) {
    const auto note = [&](int pair, int role) {
      if (pair >= 0 && is_basic_[pair] != 0)
        new_.push_back({idOf(contact_id, cone), role + kSection * cone.section});
    };
    note(cone.main, kMain);
    note(cone.last, kLast);
    for (int k = 0; k < cone.directions; ++k) note(cone.first_direction + k, kDirection + k);
  }
}

void BasisMemory::recall(std::span<const std::uint64_t> contact_id,
                         const FrictionVariables& variables, std::vector<int>& basic_pairs) const {
  basic_pairs.clear();
  for (const FrictionVariables::ConeVariables& cone : variables.cones()) {
    const std::uint64_t wanted = idOf(contact_id, cone);
    auto entry = std::lower_bound(
        old_.begin(), old_.end(), wanted,
        [](const Entry& stored, std::uint64_t id) { return stored.contact_id < id; });
    for (; entry != old_.end() && entry->contact_id == wanted; ++entry) {
      const int role = entry->role - kSection * cone.section, k = role - kDirection;
      if (role < 0 || role >= kSection) continue;
      const int pair = role == kMain         ? cone.main
                       : role == kLast       ? cone.last
                       : k < cone.directions ? cone.first_direction + k
                                             : -1;
      if (pair >= 0) basic_pairs.push_back(pair);
    }
  }
  // A contact that was there twice says everything twice.
  std::sort(basic_pairs.begin(), basic_pairs.end());
  basic_pairs.erase(std::unique(basic_pairs.begin(), basic_pairs.end()), basic_pairs.end());
}

}  // namespace stickslip
