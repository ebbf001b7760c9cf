#include "base/ordered_chunks.hpp"

#include <cstdint>

namespace stickslip {

void OrderedChunks::start(std::span<const int> places, int things) {
  count_ = static_cast<int>(places.size());
  places_.assign(places.begin(), places.end());
  touched_.assign(things, {});
  waits_.assign(places.size() * places.size(), 0);
}

void OrderedChunks::touch(int chunk, std::span<const int> things) {
  for (const int thing : things) {
    if (thing < 0) continue;
    Touched& by = touched_[thing];
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
      if (waits_[at(chunk) * at(count_) + other] != 0) waited_for_.push_back(other);
  }
  first_.push_back(static_cast<int>(waited_for_.size()));
  if (rounds_done_.size() < at(count_))
    rounds_done_ = std::vector<std::atomic<std::int64_t>>(at(count_));
}

std::span<const int> OrderedChunks::waitsFor(int chunk) const {
  const int first = first_[chunk];
  return std::span(waited_for_).subspan(first, first_[chunk + 1] - first);
}

void OrderedChunks::startRounds(int threads) {
  for (std::atomic<std::int64_t>& done : rounds_done_) done.store(0, std::memory_order_relaxed);
  if (shares_.size() != at(threads)) shares_ = std::vector<Share>(at(threads));
  for (Share& share : shares_) {
    share.chunks.clear();
    share.next.store(0, std::memory_order_relaxed);
  }
  for (int chunk = 0; chunk < count_; ++chunk)
    shares_[places_[chunk] * threads / count_].chunks.push_back(chunk);
}

bool OrderedChunks::isReady(int chunk, std::int64_t round) const {
  if (!hasDone(chunk, round)) return false;
  for (const int other : waitsFor(chunk))
    if (!hasDone(other, other < chunk ? round + 1 : round)) return false;
  return true;
}

}  // namespace stickslip
