// Python's lock, let go of and taken back.
//
// A thread that comes for the lock when the interpreter ends, such as a daemon thread in a run,
// does not get it. Python up to 3.13 ends such a thread by unwinding its stack, which no C++ code
// survives: the process would abort instead of ending. Here it waits until the process has ended,
// as it does in Python 3.14.
#pragma once

#include "binding.hpp"

namespace stickslip::python {

/// For as long as the engine works by itself.
class WithoutLock {
 public:
  WithoutLock() : state_(PyEval_SaveThread()) {}
  ~WithoutLock();
  WithoutLock(const WithoutLock&) = delete;
  WithoutLock& operator=(const WithoutLock&) = delete;

 private:
  PyThreadState* state_;
};

/// In a thread with the lock or without it.
class WithLock {
 public:
  WithLock();
  ~WithLock() { PyGILState_Release(state_); }
  WithLock(const WithLock&) = delete;
  WithLock& operator=(const WithLock&) = delete;

 private:
  PyGILState_STATE state_;
};

/// A call of a function of the user. Null if it raised.
PyObject* called(PyObject* function, PyObject* const* arguments, std::size_t count);

}  // namespace stickslip::python
