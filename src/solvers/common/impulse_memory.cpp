#include "solvers/common/impulse_memory.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>

#include "base/parallel_array.hpp"
#include "base/parallel_for.hpp"
#include "stickslip/memory_stream.hpp"

namespace stickslip {
namespace {

constexpr ImpulseMemorySettings kMemory;

}  // namespace

void ImpulseMemory::reserve(int contacts, int contact_rows, int joint_rows) {
  contacts_.reserve(contacts);
  p_.reserve(contact_rows);
  c_.reserve(joint_rows);
}

void ImpulseMemory::remember(const ContactProblem& problem, std::span<const double> p,
                             std::span<const double> c) {
  empty_ = problem.contact_id.size() != static_cast<std::size_t>(problem.contactCount());
  if (empty_) return;
  copyByAll(p, p_);
  c_.assign(c.begin(), c.end());
  // Not twice as many, as it would grow by itself.
  const std::size_t count = problem.contactCount();
  if (count > contacts_.capacity()) contacts_.reserve(count + count / kMemory.spare_of);
  contacts_.resize(count);
  std::atomic<bool> is_ascending = true;
  parallelFor(problem.contactCount(), kMemory.contacts_a_task, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const std::size_t k = i;
      contacts_[k] = {problem.contact_id[k], problem.J.firstRow(i)};
      if (i > 0 && problem.contact_id[k] < problem.contact_id[k - 1])
        is_ascending.store(false, std::memory_order_relaxed);
    }
  });
  if (!is_ascending.load(std::memory_order_relaxed)) std::sort(contacts_.begin(), contacts_.end());
}

bool ImpulseMemory::recall(const ContactProblem& problem, std::span<double> p,
                           std::span<double> c) const {
  std::fill(c.begin(), c.end(), 0.0);
  if (empty_ || problem.contact_id.empty()) {
    std::fill(p.begin(), p.end(), 0.0);
    return false;
  }
  if (c.size() == c_.size()) std::copy(c_.begin(), c_.end(), c.begin());
  parallelFor(problem.contactCount(), kMemory.contacts_a_task,
              [&](int begin, int end) { recallContacts(problem, begin, end, p); });
  return true;
}

void ImpulseMemory::recallContacts(const ContactProblem& problem, int begin, int end,
                                   std::span<double> p) const {
  auto place = contacts_.end();
  for (int i = begin; i < end; ++i) {
    const std::uint64_t id = problem.contact_id[i];
    for (int near = 0; near < kMemory.near && place != contacts_.end() && place->first < id; ++near)
      ++place;
    if (place == contacts_.end() || place->first < id ||
        (place != contacts_.begin() && std::prev(place)->first >= id))
      place = std::lower_bound(contacts_.begin(), contacts_.end(),
                               std::pair<std::uint64_t, int>{id, 0});
    const std::size_t rows = problem.J.rowsOf(i);
    const auto to = p.begin() + problem.J.firstRow(i);
    if (place == contacts_.end() || place->first != id ||
        static_cast<std::size_t>(place->second) + rows > p_.size())
      std::fill_n(to, rows, 0.0);
    else
      std::copy_n(p_.begin() + place->second, rows, to);
  }
}

// What is forgotten need not be kept.
void ImpulseMemory::save(MemoryWriter& to) const {
  to(empty_);
  if (!empty_) to(contacts_, p_, c_);
}

void ImpulseMemory::restore(MemoryReader& from) {
  from(empty_);
  if (empty_) return;
  from(contacts_, p_, c_);
  from.expect(std::all_of(contacts_.begin(), contacts_.end(),
                          [](const auto& contact) { return contact.second >= 0; }),
              "an impulse is before all others");
}

}  // namespace stickslip
