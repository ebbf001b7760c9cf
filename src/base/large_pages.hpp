// Memory in large pages, for arrays that every sweep goes through: with pages of 4 KB their
// addresses do not fit into the tables of the processor, which takes a twentieth of the time of
// sweeps over 10^5 bodies. Where the system has no large pages it is memory like any other.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace stickslip {

template <class T>
class LargePages {
 public:
  using value_type = T;

  LargePages() = default;
  template <class Other>
  LargePages(const LargePages<Other>&) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < kWorthIt) return static_cast<T*>(::operator new(bytes, std::align_val_t(kAlign)));
    const std::size_t whole = (bytes + kPage - 1) / kPage * kPage;
    void* memory = std::aligned_alloc(kPage, whole);
    if (memory == nullptr) throw std::bad_alloc();
#if defined(__linux__)
    // If it is refused, pages are small.
    madvise(memory, whole, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) {
    if (count * sizeof(T) < kWorthIt)
      ::operator delete(memory, std::align_val_t(kAlign));
    else
      std::free(memory);
  }
  bool operator==(const LargePages&) const {
    return true;
  }

 private:
  static constexpr std::size_t kPage = std::size_t{1} << 21;
  static constexpr std::size_t kWorthIt = 2 * kPage;
  static constexpr std::size_t kAlign = alignof(T) > 64 ? alignof(T) : 64;
};

template <class T>
using LargePageVector = std::vector<T, LargePages<T>>;

}  // namespace stickslip
