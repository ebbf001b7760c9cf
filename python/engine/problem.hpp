// A contact problem that Python holds, with bodies or without. Nobody changes it.
//
// A solver that is a Python function is shown the engine's own problem without a copy:
//
//   const LentProblem lent(problem);           // with Python's lock
//   function(lent.object());                   // an _engine.Problem
//
// What Python keeps of it beyond the life of `lent` becomes a copy then.
#pragma once

#include <memory>
#include <variant>

#include "binding.hpp"
#include "stickslip/contact_problem.hpp"
#include "stickslip/local_problem.hpp"

namespace stickslip::python {

class PyProblem {
 public:
  /// Throw InputError if it is none (problem_check.hpp).
  explicit PyProblem(ContactProblem problem);
  explicit PyProblem(LocalProblem problem);

  bool isLocal() const { return std::holds_alternative<Local>(problem_); }
  /// To be looked at with Python's lock. Throw InputError if it is of the other kind.
  const ContactProblem& global() const;
  const LocalProblem& local() const;
  const ImpulseSets& sets() const;
  Law law() const;

  using Global = std::shared_ptr<const ContactProblem>;
  using Local = std::shared_ptr<const LocalProblem>;
  /// To be used without the lock: stays as it is, whatever becomes of this. Copies what is lent.
  std::variant<Global, Local> share();

 private:
  friend class LentProblem;
  explicit PyProblem(const ContactProblem* lent) : lent_(lent) {}

  std::variant<Global, Local> problem_;   ///< null if it was lent, and there was no room to keep it
  const ContactProblem* lent_ = nullptr;  ///< somebody else's, instead of problem_
};

/// Lends a problem to Python as long as this lives, which is to be with Python's lock.
class LentProblem {
 public:
  explicit LentProblem(const ContactProblem& problem);
  ~LentProblem();
  LentProblem(const LentProblem&) = delete;
  LentProblem& operator=(const LentProblem&) = delete;

  const nb::object& object() const { return object_; }

 private:
  nb::object object_;
};

/// Impulses and velocities that Python hands over: v, p, c. Throws InputError unless there are as
/// many as the problem has.
ContactSolution solutionOf(const ContactProblem& problem, const Numbers& v, const Numbers& p,
                           const Numbers& c);

/// A problem as lists of numbers, named as in the project's own file format
/// (docs/problem-format.md), and back.
nb::dict partsOf(const PyProblem& problem);
PyProblem problemOf(const nb::dict& parts);

}  // namespace stickslip::python
