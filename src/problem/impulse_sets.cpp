#include "stickslip/impulse_sets.hpp"

#include <algorithm>

namespace stickslip {
namespace {

// A set that is added is looked for among so many kinds, the last ones first.
constexpr std::size_t kKindsToCompare = 8;

}  // namespace

ImpulseSets::ImpulseSets(std::initializer_list<ImpulseSet> sets) {
  for (const ImpulseSet& set : sets) push_back(set);
}

void ImpulseSets::clear() {
  kinds_.clear();
  is_own_.clear();
  kind_of_.clear();
}

void ImpulseSets::push_back(const ImpulseSet& given) {
  const ImpulseSet set = given;  // NOLINT: a copy, as it may be one of these
  const std::size_t oldest = kinds_.size() - std::min(kinds_.size(), kKindsToCompare);
  for (std::size_t k = kinds_.size(); k > oldest; --k)
    if (!is_own_[k - 1] && kinds_[k - 1] == set) {
      kind_of_.push_back(static_cast<int>(k - 1));
      return;
    }
  kind_of_.push_back(static_cast<int>(kinds_.size()));
  kinds_.push_back(set);
  is_own_.push_back(0);
}

ImpulseSet& ImpulseSets::own(std::size_t i) {
  const std::size_t kind = kind_of_[i];
  if (is_own_[kind]) return kinds_[kind];
  const ImpulseSet shared = kinds_[kind];
  kind_of_[i] = static_cast<int>(kinds_.size());
  is_own_.push_back(1);
  return kinds_.emplace_back(shared);
}

void ImpulseSets::drop(std::span<const char> marked) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < size(); ++i)
    if (!marked[i]) kind_of_[kept++] = kind_of_[i];
  kind_of_.resize(kept);
}

void ImpulseSets::start(std::span<const ImpulseSet> kinds, std::size_t contacts) {
  kinds_.assign(kinds.begin(), kinds.end());
  is_own_.assign(kinds.size(), 0);
  kind_of_.resize(contacts);
}

}  // namespace stickslip
