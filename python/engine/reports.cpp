// _engine.Certificate, _engine.StepReport, _engine.RunSummary.
#include "reports.hpp"

#include <iomanip>
#include <sstream>

#include "stickslip/run.hpp"

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

void bindCertificate(nb::module_& module) {
  using C = Certificate;
  nb::class_<C>(module, "Certificate")
      .def_ro("residual", &C::residual)
      .def_ro("fclib_error", &C::fclib_error)
      .def_ro("momentum_residual", &C::momentum_residual)
      .def_ro("joint_residual", &C::joint_residual)
      .def_ro("geometry_residual", &C::geometry_residual)
      .def_ro("friction_residual", &C::friction_residual)
      .def_ro("energy_residual", &C::energy_residual)
      .def_ro("worst_gap", &C::worst_gap)
      .def_ro("joint_drift", &C::joint_drift)
      .def_ro("kinetic_energy_start", &C::kinetic_energy_start)
      .def_ro("kinetic_energy_free", &C::kinetic_energy_free)
      .def_ro("kinetic_energy_end", &C::kinetic_energy_end)
      .def_ro("contact_work", &C::contact_work)
      .def_ro("lift", &C::lift)
      .def_ro("impulses_unique", &C::impulses_unique)
      .def_ro("finite", &C::finite)
      .def_prop_ro("worst_residual", &C::worstResidual)
      .def_prop_ro("worst_name", &C::worstName)
      .def("holds", &C::holds, nb::arg("tolerance"))
      .def("__repr__", [](const C& c) { return describe(c); });
}

void bindStepReport(nb::module_& module) {
  using R = StepReportCopy;
  nb::class_<R>(module, "StepReport")
      .def_prop_ro("certificate", [](const R& r) { return r.report.certificate; })
      .def_prop_ro("certified", [](const R& r) { return r.report.certified; })
      .def_prop_ro("advanced", [](const R& r) { return r.report.advanced; })
      .def_prop_ro("tolerance", [](const R& r) { return r.report.tolerance; })
      .def_prop_ro("solver", [](const R& r) { return r.solver; })
      .def_prop_ro("solved_by", [](const R& r) { return std::string(r.report.solve.solved_by); })
      .def_prop_ro("status",
                   [](const R& r) { return std::string(toString(r.report.solve.status)); })
      .def_prop_ro("iterations", [](const R& r) { return r.report.solve.iterations; })
      .def_prop_ro("stages", [](const R& r) { return stagesOf(r.report.solve.stages); })
      .def_prop_ro("problems", [](const R& r) { return r.report.stages; })
      .def_prop_ro("collisions", [](const R& r) { return r.report.scheme.collisions; })
      .def_prop_ro("restitution_dropped", [](const R& r) { return r.report.restitution_dropped; })
      .def_prop_ro("drift_kept", [](const R& r) { return r.report.drift_kept; })
      .def("explain", [](const R& r) { return explain(r.report); })
      .def("__repr__", [](const R& r) { return "<StepReport: " + explain(r.report) + ">"; });
}

void bindRunSummary(nb::module_& module) {
  using S = RunSummary;
  nb::class_<S>(module, "RunSummary")
      .def_ro("steps", &S::steps)
      .def_prop_ro("time", [](const S& s) { return s.final_state.t; })
      .def_prop_ro("certified", &S::certified)
      .def_ro("stopped", &S::stopped)
      .def_ro("uncertified_steps", &S::uncertified_steps)
      .def_ro("first_uncertified_step", &S::first_uncertified_step)
      .def_ro("first_uncertified_time", &S::first_uncertified_time)
      .def_ro("residual_max", &S::residual_max)
      .def_ro("fclib_error_max", &S::fclib_error_max)
      .def_ro("momentum_residual_max", &S::momentum_residual_max)
      .def_ro("joint_residual_max", &S::joint_residual_max)
      .def_ro("geometry_residual_max", &S::geometry_residual_max)
      .def_ro("energy_residual_max", &S::energy_residual_max)
      .def_ro("friction_residual_max", &S::friction_residual_max)
      .def_ro("penetration_max", &S::penetration_max)
      .def_ro("joint_drift_max", &S::joint_drift_max)
      .def_ro("lift_max", &S::lift_max)
      .def_ro("contacts_max", &S::contacts_max)
      .def_ro("nonunique_steps", &S::nonunique_steps)
      .def_ro("restitution_dropped_steps", &S::restitution_dropped_steps)
      .def_ro("drift_kept_steps", &S::drift_kept_steps)
      .def_ro("iterations", &S::iterations)
      .def_ro("energy_start", &S::energy_start)
      .def_ro("energy_end", &S::energy_end)
      .def_ro("energy_max_gain", &S::energy_max_gain)
      .def_ro("rejected_steps", &S::rejected_steps)
      .def_ro("coarse_steps", &S::coarse_steps)
      .def_ro("shortest_step", &S::shortest_step)
      .def_ro("longest_step", &S::longest_step)
      .def_ro("collisions", &S::collisions)
      .def_prop_ro("stages", [](const S& s) { return stagesOf(s.stages); })
      .def("__repr__", [](const S& s) { return describe(s); });
}

}  // namespace

void bindReports(nb::module_& module) {
  bindCertificate(module);
  bindStepReport(module);
  bindRunSummary(module);
}

}  // namespace stickslip::python
