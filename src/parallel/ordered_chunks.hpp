// Chunks of work that come in an order, round after round, where some touch the same things: those
// keep to the order, the others do not wait for each other. The result is that of one thread.
//
//   start(chunks, things); touch(chunk, things) in the order of the chunks; finish();
//   run(rounds, body)
//
// Loops over groups of chunks that share nothing, one after the other (parallel_for.hpp), leave
// threads idle where groups are small. Here a chunk waits for those that touched what it touches
// last, and for nothing else; rounds overlap, too. Whoever is free takes the next chunk in the
// order. What a chunk waits for has been taken before, so that someone is at it.
#pragma once

#include <algorithm>
#include <atomic>
#include <span>
#include <vector>

#include "math/index.hpp"
#include "parallel/parallel_for.hpp"
#include "stickslip/threads.hpp"

namespace stickslip {

class OrderedChunks {
 public:
  /// Things are numbered 0..things.
  void start(int chunks, int things);
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
  void run(long rounds, Body&& body);

 private:
  /// The first and the last chunk that touches a thing, -1 if none does.
  struct Touched {
    int first = -1;
    int last = -1;
  };

  void setToWait(int chunk, int other) { waits_[at(chunk) * at(count_) + at(other)] = 1; }
  void startRounds();
  void awaitTurn(int chunk, long round) const;
  void await(int chunk, long rounds) const;

  int count_ = 0;
  std::vector<Touched> touched_;
  std::vector<char> waits_;  ///< a row a chunk: does it wait for the other?
  std::vector<int> first_;   ///< of each chunk among
  std::vector<int> waited_for_;
  std::vector<std::atomic<long>> rounds_done_;  ///< by each chunk; may be more than there are
  std::atomic<long> next_{0};                   ///< task: chunk after chunk, round after round
};

template <class Body>
void OrderedChunks::run(long rounds, Body&& body) {
  const long tasks = rounds * count_;
  startRounds();
  parallelFor(std::min(threadCount(), count_), 1, [&](int, int) {
    for (long task; (task = next_.fetch_add(1, std::memory_order_relaxed)) < tasks;) {
      const long round = task / count_;
      const auto chunk = static_cast<int>(task % count_);
      awaitTurn(chunk, round);
      body(chunk);
      rounds_done_[at(chunk)].store(round + 1, std::memory_order_release);
    }
  });
}

}  // namespace stickslip
