#include "lock.hpp"

#ifdef __GLIBCXX__
#include <cxxabi.h>

#include <chrono>
#include <thread>
#endif

namespace stickslip::python {
namespace {

// Elsewhere threads end without unwinding.
template <class Use>
auto orWaitForTheEnd(const Use& use) {
#ifdef __GLIBCXX__
  try {
    return use();
  } catch (const abi::__forced_unwind&) {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
#else
  return use();
#endif
}

}  // namespace

WithoutLock::~WithoutLock() {
  orWaitForTheEnd([&] { PyEval_RestoreThread(state_); });
}

WithLock::WithLock() : state_(orWaitForTheEnd([] { return PyGILState_Ensure(); })) {}

PyObject* called(PyObject* function, PyObject* const* arguments, std::size_t count) {
  return orWaitForTheEnd([&] { return PyObject_Vectorcall(function, arguments, count, nullptr); });
}

}  // namespace stickslip::python
