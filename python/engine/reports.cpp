// _engine.Certificate, _engine.StepReport, _engine.RunSummary.
#include "reports.hpp"

#include <cstddef>
#include <iomanip>
#include <sstream>

#include "stickslip/report_parts.hpp"
#include "stickslip/run.hpp"
#include "stickslip/version.hpp"

namespace stickslip::python {

nb::list stagesOf(const StageSummary& stages) {
  nb::list list;
  for (const StageEffort& effort : stages.efforts())
    list.append(nb::make_tuple(effort.name, effort.solved, effort.tried, effort.iterations));
  return list;
}

namespace {

std::string shown(double value) {
  constexpr int kDigits = 3;
  std::ostringstream text;
  text << std::setprecision(kDigits) << value;
  return text.str();
}

std::string describe(const Certificate& c) {
  if (!c.finite) return "<Certificate: the solution is not finite>";
  return "<Certificate: worst residual " + shown(c.worstResidual()) + " (" +
         std::string(c.worstName()) + ")>";
}

// The lines that the program prints after a run.
std::string describe(const RunSummary& s) {
  std::string text = "<RunSummary: " + std::to_string(s.steps) +
                     " steps to t = " + shown(s.final_state.t) + " s, ";
  if (s.stopped) text += "ended early because the state would not have stayed finite, ";
  text += s.uncertified_steps == 0
              ? "certified"
              : std::to_string(s.uncertified_steps) + " of them not certified, the first one at " +
                    shown(s.first_uncertified_time) + " s by its " +
                    std::string(s.first_uncertified_residual) + " of " +
                    shown(s.first_uncertified_value);
  return text + "; worst residual " + shown(s.residual_max) + ", energy " + shown(s.energy_start) +
         " -> " + shown(s.energy_end) + ">";
}

// ---- Pickles, equality ----

// A report is the bytes that a saved simulation has of it.
void write(MemoryWriter& to, const Certificate& c) {
  to(c);
}

void write(MemoryWriter& to, const StepReportCopy& r) {
  to(r.report);
}

void write(MemoryWriter& to, const RunSummary& s) {
  to(s.final_state, s);
}

Certificate readCertificate(MemoryReader& from) {
  Certificate c;
  from(c);
  return c;
}

StepReportCopy readStepReport(MemoryReader& from) {
  StepReport r;
  from(r);
  return StepReportCopy(r);
}

RunSummary readRunSummary(MemoryReader& from) {
  RunSummary s;
  from(s.final_state, s);
  return s;
}

template <class Report>
std::vector<std::byte> bytesOf(const Report& report) {
  MemoryWriter to;
  to(std::string_view(version()));
  write(to, report);
  return {to.bytes().begin(), to.bytes().end()};
}

// Reports are equal if all of their bits are.
template <class Report>
void bindBytes(nb::class_<Report>& type, Report (*read)(MemoryReader&)) {
  type.def("__getstate__",
           [](const Report& r) {
             const std::vector<std::byte> bytes = bytesOf(r);
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def("__setstate__",
           [read](Report* self, const nb::bytes& state) {
             MemoryReader from({static_cast<const std::byte*>(state.data()), state.size()});
             std::string of;
             from(of);
             from.expect(of == version(), "it is of another version of stickslip");
             new (self) Report(read(from));
           })
      .def(
          "__eq__", [](const Report& a, const Report& b) { return bytesOf(a) == bytesOf(b); },
          nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const Report& r) {
        const std::vector<std::byte> bytes = bytesOf(r);
        return nb::hash(nb::bytes(bytes.data(), bytes.size()));
      });
}

void bindCertificate(nb::module_& module) {
  using C = Certificate;
  nb::class_<C> type(module, "Certificate",
                     "How well a step satisfies its contact problem, by code that shares nothing "
                     "with the solvers.");
  bindBytes<C>(type, readCertificate);
  type.def_ro("residual", &C::residual,
              "How far each contact is from its law, relative to the largest free contact velocity")
      .def_ro("fclib_error", &C::fclib_error,
              "The error as FCLIB defines it (its value depends on units)")
      .def_ro("momentum_residual", &C::momentum_residual,
              "Worst row of the balance of momentum, relative to its terms")
      .def_ro("joint_residual", &C::joint_residual,
              "Worst row of the joints, relative to its terms")
      .def_ro("geometry_residual", &C::geometry_residual,
              "Implicit schemes: velocities against the geometry that follows from them, relative")
      .def_ro("friction_residual", &C::friction_residual,
              "Friction that depends on speed: coefficients against sliding speeds, relative")
      .def_ro("energy_residual", &C::energy_residual,
              "Energy that contacts and joints should not put in, relative to the kinetic energy")
      .def_ro("worst_gap", &C::worst_gap,
              "Most negative gap where the geometry was taken, 0 if none [length]")
      .def_ro("joint_drift", &C::joint_drift,
              "Largest violation of a joint, in the joint's own unit")
      .def_ro("kinetic_energy_start", &C::kinetic_energy_start,
              "At the start of the step [force x length]")
      .def_ro("kinetic_energy_free", &C::kinetic_energy_free,
              "With the forces of the step, without contacts and joints [force x length]")
      .def_ro("kinetic_energy_end", &C::kinetic_energy_end,
              "At the end of the step [force x length]")
      .def_ro(
          "contact_work", &C::contact_work,
          "Energy that contacts and joints put in; negative when they dissipate [force x length]")
      .def_ro(
          "lift", &C::lift,
          "Law relaxed: the largest velocity at which a contact that slides is lifted [velocity]")
      .def_ro("impulses_unique", &C::impulses_unique,
              "False if other impulses may give the same motion, or if that is not known")
      .def_ro("finite", &C::finite, "False if the solution holds a number that is not finite")
      .def_prop_ro("worst_residual", &C::worstResidual,
                   "The largest of the residuals: what is compared with the tolerance")
      .def_prop_ro("worst_name", &C::worstName, "The name of that residual")
      .def("holds", &C::holds, nb::arg("tolerance"), "True if every residual is at most this")
      .def("__repr__", [](const C& c) { return describe(c); });
}

void bindStepReport(nb::module_& module) {
  using R = StepReportCopy;
  nb::class_<R> type(module, "StepReport", "What became of a step.");
  bindBytes<R>(type, readStepReport);
  type.def_prop_ro(
          "certificate", [](const R& r) { return r.report.certificate; },
          "The certificate of all contact problems of the step together")
      .def_prop_ro(
          "certified", [](const R& r) { return r.report.certified; },
          "True if every residual is within the tolerance")
      .def_prop_ro(
          "advanced", [](const R& r) { return r.report.advanced; },
          "False if the new state would not be finite; the state is then kept")
      .def_prop_ro(
          "tolerance", [](const R& r) { return r.report.tolerance; }, "Of the method")
      .def_prop_ro(
          "solver", [](const R& r) { return r.solver; }, "The solver's name")
      .def_prop_ro(
          "solved_by", [](const R& r) { return std::string(r.report.solve.solved_by); },
          "Solver auto: the one whose solution this is")
      .def_prop_ro(
          "status", [](const R& r) { return std::string(toString(r.report.solve.status)); },
          "What the solver says: solved, iteration_limit, ...")
      .def_prop_ro(
          "iterations", [](const R& r) { return r.report.solve.iterations; }, "Of the solver")
      .def_prop_ro(
          "stages", [](const R& r) { return stagesOf(r.report.solve.stages); },
          nb::for_getter(nb::sig("def stages(self, /) -> list[tuple[str, int, int, int]]")),
          "(name, islands solved, islands tried, iterations) of each stage of the solver")
      .def_prop_ro(
          "problems", [](const R& r) { return r.report.stages; },
          "Contact problems that the step is made of")
      .def_prop_ro(
          "collisions", [](const R& r) { return r.report.scheme.collisions; },
          "Schemes that locate collisions: their number")
      .def_prop_ro(
          "restitution_dropped", [](const R& r) { return r.report.restitution_dropped; },
          "True if some contacts gave up restitution, as no solution with it was found or it "
          "gained energy")
      .def_prop_ro(
          "drift_kept", [](const R& r) { return r.report.drift_kept; },
          "True if some overlaps or open joints were not taken back")
      .def("explain", [](const R& r) { return explain(r.report); })
      .def("__repr__", [](const R& r) { return "<StepReport: " + explain(r.report) + ">"; });
}

void bindRunSummary(nb::module_& module) {
  using S = RunSummary;
  nb::class_<S> type(module, "RunSummary", "What is said about all steps of a run.");
  bindBytes<S>(type, readRunSummary);
  type.def_ro("steps", &S::steps, "Steps done")
      .def_prop_ro(
          "time", [](const S& s) { return s.final_state.t; }, "Where the run is [s]")
      .def_prop_ro("certified", &S::certified, "True if all steps are certified")
      .def_ro("stopped", &S::stopped,
              "True if it ended because the state would not have stayed finite")
      .def_ro("uncertified_steps", &S::uncertified_steps, "Steps that are not certified")
      .def_ro("first_uncertified_step", &S::first_uncertified_step,
              "Counted from 1; 0 is the impact at the start, -1: there is none")
      .def_ro("first_uncertified_time", &S::first_uncertified_time, "Where that step starts [s]")
      .def_ro("residual_max", &S::residual_max, "Worst relative residual of any step")
      .def_ro("fclib_error_max", &S::fclib_error_max, "Worst FCLIB error")
      .def_ro("momentum_residual_max", &S::momentum_residual_max, "Worst balance of momentum")
      .def_ro("joint_residual_max", &S::joint_residual_max, "Worst row of the joints")
      .def_ro("geometry_residual_max", &S::geometry_residual_max, "Worst geometry")
      .def_ro("energy_residual_max", &S::energy_residual_max,
              "Most energy that should not be there, relative")
      .def_ro("friction_residual_max", &S::friction_residual_max,
              "Worst friction that depends on speed")
      .def_ro("penetration_max", &S::penetration_max, "Deepest overlap [length]")
      .def_ro("joint_drift_max", &S::joint_drift_max, "Largest violation of a joint")
      .def_ro("lift_max", &S::lift_max, "Law relaxed: largest velocity of a lift [velocity]")
      .def_ro("contacts_max", &S::contacts_max, "Most contacts active in a step")
      .def_ro("nonunique_steps", &S::nonunique_steps, "Steps whose impulses may not be unique")
      .def_ro("restitution_dropped_steps", &S::restitution_dropped_steps,
              "Steps that gave up restitution")
      .def_ro("drift_kept_steps", &S::drift_kept_steps,
              "Steps that gave up closing overlaps and open joints")
      .def_ro("iterations", &S::iterations, "Of the solver, in all")
      .def_ro("energy_start", &S::energy_start,
              "Kinetic plus potential, at the start [force x length]")
      .def_ro("energy_end", &S::energy_end, "Now")
      .def_ro("energy_max_gain", &S::energy_max_gain,
              "Most energy that contacts and joints put in during a step")
      .def_ro("rejected_steps", &S::rejected_steps,
              "Steps by error: tried again with a shorter step")
      .def_ro("coarse_steps", &S::coarse_steps, "As short as they get, and yet with a larger error")
      .def_ro("shortest_step", &S::shortest_step, "[s]")
      .def_ro("longest_step", &S::longest_step, "[s]")
      .def_ro("collisions", &S::collisions, "Collisions located")
      .def_prop_ro(
          "stages", [](const S& s) { return stagesOf(s.stages); },
          nb::for_getter(nb::sig("def stages(self, /) -> list[tuple[str, int, int, int]]")),
          "(name, islands solved, islands tried, iterations) of each stage of the solver, in all")
      .def("__repr__", [](const S& s) { return describe(s); });
}

}  // namespace

void bindReports(nb::module_& module) {
  bindCertificate(module);
  bindStepReport(module);
  bindRunSummary(module);
}

}  // namespace stickslip::python
