// Chunks of work that come in an order, round after round, where some touch the same things: those
// keep to the order, the others do not wait for each other. The result is that of one thread.
//
//   start(places, things); touch(chunk, things) in the order of the chunks; finish();
//   run(rounds, body)
//
// Loops over groups of chunks that share nothing, one after the other (parallel_for.hpp), leave
// threads idle where groups are small. Here a chunk waits for those that touched what it touches
// last, and for nothing else; rounds overlap, too.
//
// Chunks have places, and each thread has those of neighbouring places: in every round the same, so
// that what it has in its caches is of use. It takes the next of its own in the order as soon as
// that has not to wait any more. Where it would wait for long, or has none left, it takes one of
// another thread: no thread is missed that comes late or not at all.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "base/index.hpp"
#include "base/parallel_for.hpp"
#include "base/thread_pool.hpp"
#include "stickslip/threads.hpp"

namespace stickslip {

class OrderedChunks {
 public:
  /// Of each chunk, in their order, its place among all; things are numbered 0..things.
  void start(std::span<const int> places, int things);
  /// To be called for one chunk after the other; for those that share nothing in any order, by any
  /// thread. Negative numbers do not count.
  void touch(int chunk, std::span<const int> things);
  void finish();

  int count() const { return count_; }
  /// Chunks that this one waits for, beside itself: those before it of the same round, those after
  /// it of the round before.
  std::span<const int> waitsFor(int chunk) const;

  /// Calls body(chunk) for all chunks of all rounds. `body` must not throw.
  template <class Body>
  void run(std::int64_t rounds, Body&& body);

 private:
  /// The first and the last chunk that touches a thing, -1 if none does.
  struct Touched {
    int first = -1;
    int last = -1;
  };

  /// Chunks that one thread takes before others do, in their order.
  struct alignas(64) Share {
    std::vector<int> chunks;
    std::atomic<std::int64_t> next{0};  ///< round after round
  };
  static constexpr int kPatience = 100;  ///< looks at its own before a thread takes another's

  void setToWait(int chunk, int other) { waits_[at(chunk) * at(count_) + other] = 1; }
  void startRounds(int threads);
  bool isReady(int chunk, std::int64_t round) const;
  bool hasDone(int chunk, std::int64_t rounds) const {
    return rounds_done_[chunk].load(std::memory_order_acquire) >= rounds;
  }
  /// Works on the next chunk of a share if that need not wait.
  enum class Turn { taken, waits, none_left };
  template <class Body>
  Turn take(Share& share, std::int64_t rounds, Body& body);
  template <class Body>
  void work(int own, std::int64_t rounds, Body& body);

  int count_ = 0;
  std::vector<int> places_;
  std::vector<Touched> touched_;
  std::vector<char> waits_;  ///< a row a chunk: does it wait for the other?
  std::vector<int> first_;   ///< of each chunk among
  std::vector<int> waited_for_;
  std::vector<std::atomic<std::int64_t>>
      rounds_done_;            ///< by each chunk; may be more than there are
  std::vector<Share> shares_;  ///< one a thread
};

template <class Body>
void OrderedChunks::run(std::int64_t rounds, Body&& body) {
  const int threads = std::min(threadCount(), count_);
  startRounds(threads);
  parallelFor(threads, 1, [&](int own, int) { work(own, rounds, body); });
}

template <class Body>
void OrderedChunks::work(int own, std::int64_t rounds, Body& body) {
  const int threads = static_cast<int>(shares_.size());
  Spin spin;
  for (int looks = 0;;) {
    const Turn turn = take(shares_[own], rounds, body);
    bool any_left = turn == Turn::waits, any_taken = turn == Turn::taken;
    const bool helps = turn == Turn::none_left || (turn == Turn::waits && looks > kPatience);
    for (int k = 1; helps && !any_taken && k < threads; ++k) {
      const Turn other = take(shares_[(own + k) % threads], rounds, body);
      any_taken = other == Turn::taken;
      any_left = any_left || other == Turn::waits;
    }
    if (any_taken) {
      looks = 0;
      spin = Spin();
    } else if (any_left) {
      ++looks;
      spin.once();
    } else {
      return;
    }
  }
}

template <class Body>
OrderedChunks::Turn OrderedChunks::take(Share& share, std::int64_t rounds, Body& body) {
  const auto size = static_cast<std::int64_t>(share.chunks.size());
  std::int64_t next = share.next.load(std::memory_order_relaxed);
  if (next >= size * rounds) return Turn::none_left;
  const int chunk = share.chunks[next % size];
  const std::int64_t round = next / size;
  if (!isReady(chunk, round) ||
      !share.next.compare_exchange_strong(next, next + 1, std::memory_order_relaxed))
    return Turn::waits;
  body(chunk);
  rounds_done_[chunk].store(round + 1, std::memory_order_release);
  return Turn::taken;
}

}  // namespace stickslip
