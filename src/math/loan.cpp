#include "math/loan.hpp"

#include <utility>

namespace stickslip {
namespace {

// Loans of a thread at a time, beyond which memory is freed.
constexpr std::size_t kMostLoans = 8;

class Lender {
 public:
  Lender() { free_.reserve(kMostLoans); }

  // The smallest that is large enough; if none is, the last one, which is freed.
  std::vector<double> take(std::size_t size) {
    std::vector<double> taken;
    if (!free_.empty()) {
      auto best = free_.end() - 1;
      for (auto x = free_.begin(); x != free_.end(); ++x)
        if (x->capacity() >= size && (best->capacity() < size || x->capacity() < best->capacity()))
          best = x;
      taken = std::move(*best);
      free_.erase(best);
    }
    if (taken.capacity() < size) taken = std::vector<double>();
    taken.resize(size);
    return taken;
  }

  void giveBack(std::vector<double>&& numbers) {
    if (free_.size() < kMostLoans) free_.push_back(std::move(numbers));
  }

 private:
  std::vector<std::vector<double>> free_;
};

Lender& lender() {
  static thread_local Lender the_lender;
  return the_lender;
}

}  // namespace

Loan::Loan(std::vector<double>& to, std::size_t size) : to_(to) {
  to_ = lender().take(size);
}

Loan::~Loan() {
  lender().giveBack(std::exchange(to_, {}));
}

}  // namespace stickslip
