// The pool behind parallelFor, and those of teams. In each of them one loop runs at a time; its
// caller works on it too.
//
// `gate_` says whether a loop is open, how many workers have joined it, and the number of the loop.
// A worker joins by raising the count while the loop is open; the caller closes it when no chunk is
// left, and waits for those that joined, and for no one else: a worker that sleeps is not missed.
//
// Each thread has a share of the chunks, next to each other and the same ones in every loop of a
// size, and takes those of the others when it has done its own: what a thread has in its caches
// from one loop it often needs in the next.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

#include "base/parallel_for.hpp"
#include "base/thread_pool.hpp"
#include "stickslip/threads.hpp"

namespace stickslip {
namespace {

// Looks at the gate before a worker goes to sleep, some 200 us: loops of a step follow each other
// closely, and to wake a worker costs its caller as much as a small loop.
constexpr int kLooks = 20000;

// Set while this thread works on a chunk, so that loops within loops run in place.
thread_local bool working = false;

// A child of fork() has no threads but the one that called it.
std::int64_t processId() {
#if defined(__unix__) || defined(__APPLE__)
  return getpid();
#else
  return 0;
#endif
}

int threadsFor(int count) {
  return count > 0 ? count : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

class ThreadPool {
 public:
  ~ThreadPool() { stop(); }

  void resize(int threads) {
    if (working) throw std::logic_error("setThreadCount: this thread is in a loop of the pool");
    const std::lock_guard<std::mutex> no_loop(caller_);
    start(threads);
  }

  // Starts the threads again if they belong to a process that this one is a child of.
  void revive() {
    std::unique_lock<std::mutex> no_loop(caller_, std::try_to_lock);
    if (no_loop && process_ != processId()) start(count());
  }

  int count() const { return count_.load(std::memory_order_relaxed); }

  void run(int chunks, void (*body)(void*, int), void* context) {
    std::unique_lock<std::mutex> lock(caller_, std::defer_lock);
    if (chunks <= 1 || count() == 1 || working || !lock.try_lock()) {
      for (int k = 0; k < chunks; ++k) body(context, k);
      return;
    }
    body_ = body;
    context_ = context;
    const auto shares = static_cast<std::int64_t>(shares_.size());
    for (std::int64_t k = 0; k < shares; ++k) {
      Share& share = shares_[k];
      share.next.store(static_cast<int>(chunks * k / shares), std::memory_order_relaxed);
      share.end = static_cast<int>(chunks * (k + 1) / shares);
    }
    left_.store(0, std::memory_order_relaxed);
    gate_.fetch_add(kLoop + kOpen, std::memory_order_release);
    gate_.notify_all();
    takeChunks(0);
    const std::uint64_t gate = gate_.fetch_and(~(kOpen | kJoined), std::memory_order_acq_rel);
    const auto joined = static_cast<int>((gate & kJoined) / kJoin);
    Spin spin;
    while (left_.load(std::memory_order_acquire) != joined) spin.once();
  }

 private:
  static constexpr std::uint64_t kOpen = 1;
  static constexpr std::uint64_t kStop = 2;
  static constexpr std::uint64_t kJoin = 4;
  static constexpr std::uint64_t kJoined = 0xffff * kJoin;
  static constexpr std::uint64_t kLoop = 0x10000 * kJoin;

  struct alignas(64) Share {
    std::atomic<int> next{0};
    int end = 0;
  };

  void takeChunks(std::size_t own) {
    working = true;
    for (std::size_t k = 0; k < shares_.size(); ++k) {
      Share& share = shares_[(own + k) % shares_.size()];
      for (int c; (c = share.next.fetch_add(1, std::memory_order_relaxed)) < share.end;)
        body_(context_, c);
    }
    working = false;
  }

  void serve(std::size_t own) {
    std::uint64_t last = 0;
    for (int looks = 0;;) {
      std::uint64_t gate = gate_.load(std::memory_order_acquire);
      if ((gate & kStop) != 0) return;
      if ((gate & kOpen) == 0 || gate / kLoop == last) {
        if (++looks < kLooks) {
          pauseShortly();
        } else {
          gate_.wait(gate, std::memory_order_acquire);
          looks = 0;
        }
        continue;
      }
      if (!gate_.compare_exchange_weak(gate, gate + kJoin, std::memory_order_acq_rel)) continue;
      last = gate / kLoop;
      looks = 0;
      takeChunks(own);
      left_.fetch_add(1, std::memory_order_release);
    }
  }

  void start(int threads) {
    stop();
    gate_.store(0);
    shares_ = std::vector<Share>(static_cast<std::size_t>(threads));
    process_ = processId();
    for (int k = 1; k < threads; ++k)
      workers_.emplace_back([this, k] { serve(static_cast<std::size_t>(k)); });
    count_.store(threads);
  }

  void stop() {
    if (process_ != processId()) {
      // Handles of threads that are not there: neither joined nor freed.
      static_cast<void>(new std::vector<std::thread>(std::move(workers_)));
      workers_.clear();
      return;
    }
    gate_.fetch_or(kStop);
    gate_.notify_all();
    for (std::thread& worker : workers_) worker.join();
    workers_.clear();
  }

  std::mutex caller_;
  std::int64_t process_ = processId();  ///< that the workers are threads of
  std::vector<std::thread> workers_;
  std::atomic<int> count_{1};
  std::atomic<std::uint64_t> gate_{0};
  // Of the loop that is open:
  void (*body_)(void*, int) = nullptr;
  void* context_ = nullptr;
  std::vector<Share> shares_;
  std::atomic<int> left_{0};  ///< workers that joined and have found no chunk any more
};

namespace {

ThreadPool& pool() {
  static ThreadPool the_pool;
  return the_pool;
}

}  // namespace

void setThreadCount(int count) {
  pool().resize(threadsFor(count));
}

int threadCount() {
  return pool().count();
}

ThreadTeam::ThreadTeam(int count) : pool_(std::make_unique<ThreadPool>()) {
  pool_->resize(threadsFor(count));
}

ThreadTeam::~ThreadTeam() = default;

int ThreadTeam::count() const {
  return pool_->count();
}

namespace parallel {

void runChunks(int chunks, void (*run)(void* context, int chunk), void* context) {
  pool().run(chunks, run, context);
}

void runChunks(ThreadTeam& team, int chunks, void (*run)(void* context, int chunk), void* context) {
  team.pool().revive();
  team.pool().run(chunks, run, context);
}

}  // namespace parallel

}  // namespace stickslip
