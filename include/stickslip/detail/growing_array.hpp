// Numbers in one piece of memory that grows where it is, as far as the machine can: it moves pages,
// where std::vector copies and has old and new memory at once, which would be most of the memory of
// a large scene.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace stickslip::detail {

/// Elements that resize() adds are whatever they are: all of them are to be written.
template <class T>
requires std::is_trivially_copyable_v<T>
class GrowingArray {
 public:
  GrowingArray() = default;
  GrowingArray(const GrowingArray& other) { *this = other; }
  GrowingArray(GrowingArray&& other) noexcept { swap(other); }
  GrowingArray& operator=(const GrowingArray& other) {
    if (this == &other) return *this;
    resize(other.size_);
    if (size_ > 0) std::memcpy(data(), other.data(), size_ * sizeof(T));
    return *this;
  }
  GrowingArray& operator=(GrowingArray&& other) noexcept {
    swap(other);
    return *this;
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }

  /// Makes room for so many.
  void reserve(std::size_t count) {
    if (count <= capacity_) return;
    void* grown = std::realloc(data_.get(), count * sizeof(T));
    if (grown == nullptr) throw std::bad_alloc();
    [[maybe_unused]] T* const freed_by_realloc = data_.release();
    data_.reset(static_cast<T*>(grown));
    capacity_ = count;
  }
  /// Room grows by a sixteenth at least; what is in use no more keeps it.
  void resize(std::size_t count) {
    if (count > capacity_) reserve(count + count / 16);
    size_ = count;
  }

 private:
  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };
  void swap(GrowingArray& other) {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace stickslip::detail
