// A scheme that is written in Python: stickslip.Scheme. Its functions get a SchemeStep, which has
// the calls of the ProblemBuilder for the step at hand, and is of no use outside of them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "callbacks.hpp"
#include "stickslip/scheme.hpp"

namespace stickslip::python {

class PythonScheme;

/// A new array.
using Doubles = nb::ndarray<nb::numpy, double>;

/// What the functions of a scheme see of a step.
class SchemeStep {
 public:
  explicit SchemeStep(PythonScheme& scheme) : scheme_(&scheme) {}

  /// While one of the functions is called: outside there is nothing to be seen, nor from other
  /// threads, for which the engine does not wait.
  class Open;

  double length() const { return at().h; }
  /// Nothing has been set up yet.
  void begin() { has_motion_ = has_contacts_ = has_joints_ = false; }
  /// What a problem needs that has not been set up; empty if it is complete.
  std::string missing() const;
  /// What Python has written goes into the problem.
  void store();

  const State& state() const { return *at().state; }
  nb::dict method() const;

  void freeMotion(const nb::object& mass, const nb::object& force, const nb::object& u);
  void contacts(double t, const nb::object& q, const nb::object& way, double margin, double time);
  void joints(double t, const nb::object& q);
  Doubles move(double t, const nb::object& u, double dt, const nb::object& q) const;
  Doubles coast(double dt, const nb::object& u) const;
  bool coasts() const { return at().system->coasts(); }

  /// Columns of the problem that can be written: what is in them counts when the function returns.
  nb::object column(std::size_t which);
  void setColumn(std::size_t which, const nb::object& values);
  const ContactProblem& problem() const { return *at().problem; }
  ContactProblem snapshot();
  Doubles contactVelocities(const nb::object& v) const;
  Doubles jointVelocities(const nb::object& v) const;
  const ContactParameters& parametersOf(int contact) const;
  const JointSet& jointData() const;

  void makeSpring(int row, double stretch, double resistance);
  void prestress(int contact, double x, double lead);
  double mobility(int row, bool of_joint) const;
  bool keepDrift(const nb::object& joints);
  Doubles divideByMass(const nb::object& x) const;

 private:
  struct At {
    const System* system = nullptr;
    const State* state = nullptr;
    double h = 0;
    ContactProblem* problem = nullptr;
    std::thread::id thread{};
  };
  /// b or g, where NumPy writes to it.
  struct Column {
    std::shared_ptr<std::vector<double>> values;
    nb::object array;
  };
  /// Throws unless there is something to be seen, and it is whole.
  const At& at() const;
  std::vector<double>& columnOf(std::size_t which) const;
  void load();
  void expectContact(int i) const;
  static std::pair<int, int> placeOf(const BlockRows& rows, int row, const char* what);

  /// While the engine works for the step: it may call Python, but not be called by it.
  class Busy;

  PythonScheme* scheme_;
  At at_;
  Column columns_[2];
  bool has_motion_ = false, has_contacts_ = false, has_joints_ = false;
  mutable bool is_busy_ = false;
};

class PythonScheme final : public Scheme, public PythonPart {
 public:
  /// `description`: a stickslip.methods.SchemeDescription. Call with Python's lock.
  PythonScheme(const nb::object& description, const Method& method);

  std::string_view name() const override { return name_; }
  SchemeTraits traits() const override { return traits_; }
  void reserve(const System& system, ContactProblem& problem) override;
  void formulate(const System& system, const State& state, double h,
                 ContactProblem& problem) override;
  bool concede(std::span<const Concession> contacts, std::span<const Concession> joints,
               ContactProblem& problem) override;
  StageEnd conclude(const System& system, const ContactSolution& solution,
                    ContactProblem& problem) override;
  void advance(const System& system, double h, std::span<const double> v, State& state) override;
  void saveMemory(MemoryWriter& to) const override;
  void restoreMemory(MemoryReader& from) override;

  const Method& method() const { return method_; }
  static SchemeTraits traitsOf(const nb::object& description);

 private:
  friend class SchemeStep;

  SchemeStep& step() const;

  std::string name_;
  SchemeTraits traits_;
  Method method_;
  // Of the step at hand, for the functions that are not told:
  const System* system_ = nullptr;
  const State* state_ = nullptr;
  double h_ = 0;
  ContactProblem* problem_ = nullptr;
};

void bindSchemeStep(nb::module_& module);

}  // namespace stickslip::python
