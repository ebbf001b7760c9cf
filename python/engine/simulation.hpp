// A simulation that Python holds. The engine steps it without Python's lock; who would look at it
// or step it in the meantime, from another thread or from a function that the engine calls, is
// refused. So it is while a look at it calls functions of the user, as energies of a system of
// one's own do.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "binding.hpp"
#include "callbacks.hpp"
#include "model.hpp"
#include "stickslip/simulation.hpp"

namespace stickslip::python {

/// Positions and velocities where NumPy looks at them: they stay in their place while the engine
/// exchanges those of the state, and live as long as any view of them.
struct StateView {
  std::vector<double> q;
  std::vector<double> u;
};

/// Sees every step as soon as it is made: what must not be missed, and not wait for Python.
class StepWatcher {
 public:
  virtual ~StepWatcher() = default;
  /// Called without Python's lock. True if tell() is to be called.
  virtual bool see(const Simulation& simulation) = 0;
  /// Called with Python's lock, while the simulation may not be looked at.
  virtual void tell() = 0;
};

class PySimulation {
 public:
  /// `bodies`: of the model's system, null for others. `parts`: those that hold Python objects,
  /// and that nobody else has.
  PySimulation(Simulation simulation, const BodySystem* bodies,
               std::vector<PythonPart*> parts = {});

  /// In the engine, or about to be: look() is refused.
  class Stepping;
  /// Looked at by something that may call functions of the user, who may let other threads run.
  class Asking;
  /// The simulation, to be looked at or changed without a call of Python. Throws if it is being
  /// stepped or asked.
  Simulation& look();
  const BodySystem* bodies() const { return bodies_; }

  bool step();
  /// Steps until `until`, or so many steps, whichever comes first. Calls before(), after() each
  /// step, and progress() now and then, unless they are None. False if the state stopped being
  /// finite.
  bool run(double until, std::int64_t steps, const nb::object& before, const nb::object& after,
           const nb::object& progress);

  /// `watcher` is the Python object of `seeing`, which lives as long as it watches.
  void watch(StepWatcher& seeing, nb::object watcher);
  void unwatch(const StepWatcher& seeing);

  nb::object positions();
  nb::object velocities();
  /// After a change of the state.
  void refresh();

  /// For Python's garbage collector: all objects that this holds; and lets go of them.
  int traverse(visitproc visit, void* argument) const;
  void forget();

 private:
  enum class Phase { idle, stepping, paused };

  struct Watch {
    StepWatcher* seeing;
    nb::object watcher;
  };

  /// Throws while it is asked: a step would change what is being read.
  void expectNotAsked() const;
  bool showWatchers();
  void tellWatchers();
  /// Tells its parts that code of the user has run.
  void askAgain();
  nb::object viewOf(std::vector<double> StateView::*part, nb::object& cached);

  Simulation simulation_;
  const BodySystem* bodies_;
  std::vector<PythonPart*> parts_;
  std::atomic<Phase> phase_{Phase::idle};
  bool is_asked_ = false;
  std::vector<Watch> watches_;
  std::shared_ptr<StateView> view_;  ///< null until one is asked for
  nb::object q_;
  nb::object u_;
};

/// From before the engine is called until it has returned.
class PySimulation::Stepping {
 public:
  explicit Stepping(PySimulation& simulation);
  ~Stepping();
  Stepping(const Stepping&) = delete;
  Stepping& operator=(const Stepping&) = delete;

  /// Between steps of a run: functions of the user may look and change, but not step.
  void pause() { simulation_.phase_ = Phase::paused; }
  /// What may be stepped now.
  Simulation& simulation() { return simulation_.simulation_; }
  /// Throws if another thread is asking it.
  void resume();

 private:
  PySimulation& simulation_;
};

/// From before a function of the user may be called until the answer is there: nobody else may look
/// at the simulation, change it or step it, also between the steps of a run.
class PySimulation::Asking {
 public:
  explicit Asking(PySimulation& simulation)
      : is_asked_(simulation.is_asked_), simulation_(simulation.look()) {
    is_asked_ = true;
  }
  ~Asking() { is_asked_ = false; }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;

  Simulation& simulation() const { return simulation_; }

 private:
  bool& is_asked_;
  Simulation& simulation_;
};

}  // namespace stickslip::python
