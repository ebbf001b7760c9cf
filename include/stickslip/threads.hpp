// Threads that the engine may use: one pool for the whole process.
//
// Results have the same bits for every number of threads, so this is a matter of speed alone.
#pragma once

namespace stickslip {

/// Sets how many threads work on a step, the calling one included; 0 takes as many as the machine
/// has. One is the setting at the start. Waits for the loop that another thread is in; throws
/// std::logic_error in a function that a loop of stepAll() calls.
void setThreadCount(int count);
int threadCount();

}  // namespace stickslip
