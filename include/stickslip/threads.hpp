// Threads that the engine may use: one pool for the whole process.
//
// Results have the same bits for every number of threads, so this is a matter of speed alone.
#pragma once

#include <memory>

namespace stickslip {

/// Sets how many threads work on a step, the calling one included; 0 takes as many as the machine
/// has. One is the setting at the start. Waits for the loop that another thread is in; throws
/// std::logic_error in a function that a loop of stepAll() calls.
void setThreadCount(int count);
int threadCount();

class ThreadPool;

/// Threads apart from those of the process, for stepAll(): whoever has a team can use it without a
/// word to others. It may be handed to several threads, of which one at a time has its help. In a
/// child of fork() it starts new threads for those that stayed behind.
class ThreadTeam {
 public:
  /// `count` as in setThreadCount().
  explicit ThreadTeam(int count);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int count() const;
  ThreadPool& pool() { return *pool_; }

 private:
  std::unique_ptr<ThreadPool> pool_;
};

}  // namespace stickslip
