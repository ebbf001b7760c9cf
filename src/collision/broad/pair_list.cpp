#include "collision/broad/pair_list.hpp"

#include "base/parallel_for.hpp"

namespace stickslip {
namespace {

constexpr int kListGrain = 256;

}  // namespace

void PairList::allot() {
  for (std::size_t k = 1; k < first_.size(); ++k) first_[k] += first_[k - 1];
  const std::size_t count = first_.back();
  if (count > second_.capacity()) {
    // Nothing of the old is worth a copy.
    second_.clear();
    second_.reserve(count + count / 8);
  }
  second_.resize(count);
}

void PairList::sort() {
  parallelFor(static_cast<int>(first_.size()) - 2, kListGrain, [&](int begin, int end) {
    for (std::size_t a = begin; a < static_cast<std::size_t>(end); ++a)
      std::sort(second_.begin() + first_[a], second_.begin() + first_[a + 1]);
  });
}

void PairList::dropRepeated() {
  auto to = second_.begin();
  int begin = 0;
  for (std::size_t a = 0; a + 2 < first_.size(); ++a) {
    const int end = first_[a + 1];
    to = std::unique_copy(second_.begin() + begin, second_.begin() + end, to);
    first_[a + 1] = static_cast<int>(to - second_.begin());
    begin = end;
  }
  second_.erase(to, second_.end());
}

}  // namespace stickslip
