// Loops on the threads of the process (stickslip/threads.hpp), with the same bits for any number of
// them.
//
// A loop over 0..count is cut into chunks of `grain`; where they begin depends on these two alone,
// never on the threads. A chunk writes to places of its own; sums over a loop are sums over chunks,
// added in the order of the chunks afterwards. Chunks are taken by whoever is free, first those
// that the same thread had in other loops of this size.
//
// The pool is our own (thread_pool.cpp) and not OpenMP or TBB: the engine keeps to the
// standard library; the thread sanitizer understands it, which it does not for g++'s OpenMP; and a
// step has hundreds of loops of 10-100 us, for which nothing else of a task library is needed.
#pragma once

#include <algorithm>
#include <type_traits>

#include "stickslip/threads.hpp"

namespace stickslip {

namespace parallel {

/// Calls run(context, k) for k in 0..chunks, each once, on all threads that are free.
void runChunks(int chunks, void (*run)(void* context, int chunk), void* context);
/// The same on the threads of a team.
void runChunks(ThreadTeam& team, int chunks, void (*run)(void* context, int chunk), void* context);

}  // namespace parallel

inline int chunkCount(int count, int grain) {
  return (count + grain - 1) / grain;
}

namespace parallel {

/// A loop over 0..count in chunks of `grain`, as runChunks() takes it.
template <class Body>
struct Loop {
  int count;
  int grain;
  Body* body;

  static void run(void* context, int chunk) {
    const Loop& l = *static_cast<const Loop*>(context);
    (*l.body)(chunk * l.grain, std::min(l.count, (chunk + 1) * l.grain));
  }
};

}  // namespace parallel

/// Calls body(begin, end) for every chunk of 0..count. `body` must not throw. Within a body, and
/// where another thread is in a loop, the chunks are taken one after the other.
template <class Body>
void parallelFor(int count, int grain, Body&& body) {
  using Loop = parallel::Loop<std::remove_reference_t<Body>>;
  Loop loop{count, grain, &body};
  parallel::runChunks(chunkCount(count, grain), Loop::run, &loop);
}

/// The same on the threads of a team.
template <class Body>
void parallelFor(ThreadTeam& team, int count, int grain, Body&& body) {
  using Loop = parallel::Loop<std::remove_reference_t<Body>>;
  Loop loop{count, grain, &body};
  parallel::runChunks(team, chunkCount(count, grain), Loop::run, &loop);
}

}  // namespace stickslip
