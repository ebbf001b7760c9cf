// Pairs of indices (a, b) with a < b, sorted, in half the memory of an array of pairs: of each a,
// its b one after the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <vector>

namespace stickslip {

struct CandidatePair {
  int a = 0;  ///< a < b
  int b = 0;

  friend constexpr bool operator==(CandidatePair, CandidatePair) = default;
};

class PairList {
 public:
  class Iterator {
   public:
    using value_type = CandidatePair;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    Iterator(const PairList& list, int place) : list_(&list), place_(place) {
      const std::vector<int>& first = list.first_;
      const auto next = std::upper_bound(first.begin(), first.end(), place);
      a_ = static_cast<int>(next - first.begin()) - 1;
    }

    CandidatePair operator*() const { return {a_, list_->second_[place_]}; }
    Iterator& operator++() {
      ++place_;
      if (place_ < list_->size())
        while (list_->first_[a_ + 1] <= place_) ++a_;
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator& p, const Iterator& q) { return p.place_ == q.place_; }

   private:
    friend PairList;

    const PairList* list_ = nullptr;
    int place_ = 0;
    int a_ = 0;
  };

  int size() const { return static_cast<int>(second_.size()); }
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }
  /// Calls visit(a, its b) for every a of those with places from `begin` to before `end`.
  template <class Visit>
  void visitRuns(int begin, int end, const Visit& visit) const {
    if (begin >= end) return;
    for (int a = Iterator(*this, begin).a_; begin < end; ++a) {
      const int last = std::min(first_[a + 1], end);
      if (last > begin)
        visit(a, std::span(second_.data() + begin, static_cast<std::size_t>(last - begin)));
      begin = last;
    }
  }
  /// Makes room for so many.
  void reserve(std::size_t pairs) { second_.reserve(pairs); }

  // Made in steps: every pair is announced, then entered, in any order; then all are sorted.
  void startAnew(int boxes) { first_.assign(static_cast<std::size_t>(boxes) + 2, 0); }
  // Two places ahead when counting, one when filling: in the end each start is in its own place.
  void announce(CandidatePair pair) { ++first_[pair.a + 2]; }
  void allot();
  void enter(CandidatePair pair) {
    int& place = first_[pair.a + 1];
    second_[place++] = pair.b;
  }
  void sort();
  /// For lists into which pairs may have been entered twice.
  void dropRepeated();

 private:
  std::vector<int> first_;   ///< where each a begins, and the end
  std::vector<int> second_;  ///< the b
};

}  // namespace stickslip
