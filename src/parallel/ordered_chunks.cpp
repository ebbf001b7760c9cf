#include "parallel/ordered_chunks.hpp"

#include "parallel/spin.hpp"

namespace stickslip {

void OrderedChunks::start(int chunks, int things) {
  count_ = chunks;
  touched_.assign(at(things), {});
  waits_.assign(at(chunks) * at(chunks), 0);
}

void OrderedChunks::touch(int chunk, std::span<const int> things) {
  for (const int thing : things) {
    if (thing < 0) continue;
    Touched& by = touched_[at(thing)];
    if (by.last == chunk) continue;
    if (by.last < 0)
      by.first = chunk;
    else
      setToWait(chunk, by.last);
    by.last = chunk;
  }
}

void OrderedChunks::finish() {
  for (const Touched& by : touched_)
    if (by.first != by.last) setToWait(by.first, by.last);
  first_.clear();
  waited_for_.clear();
  for (int chunk = 0; chunk < count_; ++chunk) {
    first_.push_back(static_cast<int>(waited_for_.size()));
    for (int other = 0; other < count_; ++other)
      if (waits_[at(chunk) * at(count_) + at(other)] != 0) waited_for_.push_back(other);
  }
  first_.push_back(static_cast<int>(waited_for_.size()));
  if (rounds_done_.size() < at(count_)) rounds_done_ = std::vector<std::atomic<long>>(at(count_));
}

std::span<const int> OrderedChunks::waitsFor(int chunk) const {
  const int first = first_[at(chunk)];
  return std::span(waited_for_).subspan(at(first), at(first_[at(chunk) + 1] - first));
}

void OrderedChunks::startRounds() {
  next_.store(0, std::memory_order_relaxed);
  for (std::atomic<long>& done : rounds_done_) done.store(0, std::memory_order_relaxed);
}

void OrderedChunks::awaitTurn(int chunk, long round) const {
  await(chunk, round);
  for (const int other : waitsFor(chunk)) await(other, other < chunk ? round + 1 : round);
}

void OrderedChunks::await(int chunk, long rounds) const {
  Spin spin;
  while (rounds_done_[at(chunk)].load(std::memory_order_acquire) < rounds) spin.once();
}

}  // namespace stickslip
