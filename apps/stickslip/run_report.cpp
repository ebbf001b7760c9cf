#include "run_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "body_report.hpp"
#include "stage_report.hpp"
#include "status_text.hpp"
#include "stickslip/registry.hpp"

namespace stickslip::cli {
namespace {

std::string_view statusOf(const RunSummary& summary) {
  if (summary.stopped) return "stopped";
  return summary.certified() ? "certified" : "uncertified";
}

std::string hashOf(const RunSummary& summary) {
  return fmt::format("{:016x}", fingerprint(summary.final_state));
}

nlohmann::ordered_json finalState(const System& system, const State& state) {
  nlohmann::ordered_json json{{"t", state.t},
                              {"q", nlohmann::ordered_json::object()},
                              {"u", nlohmann::ordered_json::object()}};
  for (std::size_t i = 0; i < state.q.size(); ++i)
    json["q"][system.positionName(static_cast<int>(i))] = state.q[i];
  for (std::size_t i = 0; i < state.u.size(); ++i)
    json["u"][system.velocityName(static_cast<int>(i))] = state.u[i];
  return json;
}

std::vector<std::string> finalLines(const System& system, const State& state) {
  if (const auto* bodies = dynamic_cast<const BodySystem*>(&system))
    return bodiesAsLines(*bodies, state);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < state.q.size(); ++i)
    lines.push_back(fmt::format("{:<10} q = {:<13.6g} u = {:.6g}",
                                system.positionName(static_cast<int>(i)), state.q[i], state.u[i]));
  return lines;
}

}  // namespace

std::string asJson(const FinishedRun& run) {
  const RunSummary& s = run.summary;
  nlohmann::ordered_json json{
      {"scene", run.scene.name},
      {"scheme", run.scene.model.method.scheme},
      {"solver", run.scene.model.method.solver},
      {"steps", s.steps},
      {"time", s.final_state.t},
      {"wall_seconds", run.wall_seconds},
      {"status", statusOf(s)},
      {"tolerance", run.scene.model.method.tolerance},
      {"residual_max", s.residual_max},
      {"fclib_error_max", s.fclib_error_max},
      {"momentum_residual_max", s.momentum_residual_max},
      {"joint_residual_max", s.joint_residual_max},
      {"energy_residual_max", s.energy_residual_max},
      {"penetration_max", s.penetration_max},
      {"joint_drift_max", s.joint_drift_max},
      {"contacts_max", s.contacts_max},
      {"iterations", s.iterations},
      {"stages", stagesAsJson(s.stages)},
      {"uncertified_steps", s.uncertified_steps},
      {"nonunique_steps", s.nonunique_steps},
      {"restitution_dropped_steps", s.restitution_dropped_steps},
      {"drift_kept_steps", s.drift_kept_steps},
      {"energy",
       {{"start", s.energy_start}, {"end", s.energy_end}, {"max_gain", s.energy_max_gain}}}};
  if (const auto* bodies = dynamic_cast<const BodySystem*>(run.scene.model.system.get())) {
    json["bodies"] = bodiesAsJson(*bodies, s.final_state);
    json["joints"] = jointsAsJson(*bodies, s.final_state);
  } else {
    json["final"] = finalState(*run.scene.model.system, s.final_state);
  }
  json["hash"] = hashOf(s);
  if (run.scene.model.method.law == Law::relaxed) json["lift_max"] = s.lift_max;
  if (s.outer_iterations_max > 0) {
    json["outer_iterations_max"] = s.outer_iterations_max;
    json["contraction_max"] = s.contraction_max;
  }
  if (s.friction_iterations_max > 0) {
    json["friction_residual_max"] = s.friction_residual_max;
    json["friction_iterations_max"] = s.friction_iterations_max;
  }
  if (schemeTraits(run.scene.model.method.scheme).watches_contacts) {
    json["contact_rounds"] = s.contact_rounds;
    json["missed_contact_steps"] = s.missed_contact_steps;
  }
  if (s.geometry_iterations_max > 0) {
    json["geometry_residual_max"] = s.geometry_residual_max;
    json["geometry_iterations_max"] = s.geometry_iterations_max;
    json["geometry_contraction_max"] = s.geometry_contraction_max;
  }
  if (schemeTraits(run.scene.model.method.scheme).locates_collisions) {
    json["collisions"] = s.collisions;
    json["missed_contact_steps"] = s.missed_contact_steps;
    json["limited_restitution_steps"] = s.limited_restitution_steps;
    json["crowded_steps"] = s.crowded_steps;
  }
  if (run.scene.run.time.error > 0)
    json["step_control"] = {{"shortest_step", s.shortest_step},
                            {"longest_step", s.longest_step},
                            {"rejected_steps", s.rejected_steps},
                            {"coarse_steps", s.coarse_steps}};
  if (s.uncertified_steps > 0) {
    json["first_uncertified_step"] = s.first_uncertified_step;
    json["first_uncertified_solve"] = toString(s.first_uncertified_solve);
    json["first_uncertified_residual"] = s.first_uncertified_residual;
  }
  if (!run.recording.empty()) json["recording"] = run.recording;
  if (!run.problems.empty()) json["problems"] = run.problems;
  return json.dump(2) + "\n";
}

std::string asTable(const FinishedRun& run) {
  const RunSummary& s = run.summary;
  const System& system = *run.scene.model.system;
  std::string text;
  const auto line = [&](std::string_view label, const std::string& value) {
    text += fmt::format("{:<12} {}\n", label, value);
  };
  const double per_step = s.steps > 0 ? 1e6 * run.wall_seconds / static_cast<double>(s.steps) : 0;
  line("scene", run.scene.name);
  line("method",
       fmt::format("{} + {}", run.scene.model.method.scheme, run.scene.model.method.solver));
  line("steps", fmt::format("{} to t = {:g} s, in {:.2f} s ({:.2f} us a step{})", s.steps,
                            s.final_state.t, run.wall_seconds, per_step,
                            run.recording.empty() ? "" : ", recording included"));
  line("status", fmt::format("{}: worst residual {:.1e}, tolerance {:.0e}", statusOf(s),
                             s.residual_max, run.scene.model.method.tolerance));
  if (run.scene.run.time.error > 0)
    line("step lengths",
         fmt::format("{:.3g} to {:.3g} s, {} tried in vain, {} with more error than asked for",
                     s.shortest_step, s.longest_step, s.rejected_steps, s.coarse_steps));
  if (s.geometry_iterations_max > 0)
    line("geometry", fmt::format("at most {} iterations a step, worst contraction {:.2g}",
                                 s.geometry_iterations_max, s.geometry_contraction_max));
  if (schemeTraits(run.scene.model.method.scheme).locates_collisions)
    line("collisions",
         fmt::format("{}, {} steps with too many to bounce", s.collisions, s.crowded_steps));
  line("contacts", fmt::format("at most {} at once, deepest overlap {:.2g}", s.contacts_max,
                               s.penetration_max));
  if (s.missed_contact_steps > 0 && schemeTraits(run.scene.model.method.scheme).locates_collisions)
    line("missed",
         fmt::format("contacts may close on the way of {} steps: their search was given up",
                     s.missed_contact_steps));
  else if (s.missed_contact_steps > 0)
    line("missed", fmt::format("contacts that close within the step in {} steps, after {} rounds "
                               "for such contacts in all",
                               s.missed_contact_steps, s.contact_rounds));
  if (s.friction_iterations_max > 0)
    line("friction", fmt::format("fits the sliding speeds to {:.1e}, at most {} contact problems a "
                                 "step",
                                 s.friction_residual_max, s.friction_iterations_max));
  if (s.restitution_dropped_steps > 0)
    line(
        "given up",
        fmt::format("restitution in {} steps, which had no solution with it or gained energy by it",
                    s.restitution_dropped_steps));
  if (s.drift_kept_steps > 0)
    line("given up", fmt::format("closing overlaps and open joints in {} steps, which had no "
                                 "solution with it or gained energy by it",
                                 s.drift_kept_steps));
  if (system.jointCapacity() > 0)
    line("joints", fmt::format("largest drift {:.2g}", s.joint_drift_max));
  line("energy", fmt::format("{:.6g} -> {:.6g}, most gained at contacts in a step {:.1e}",
                             s.energy_start, s.energy_end, s.energy_max_gain));
  std::string_view label = "final state";
  for (const std::string& row : finalLines(system, s.final_state)) {
    line(label, row);
    label = "";
  }
  line("hash", hashOf(s));
  if (!run.recording.empty()) line("recording", run.recording);
  for (const std::string& problem : run.problems) line("problem", problem);
  return text;
}

std::string complaint(const FinishedRun& run) {
  const RunSummary& s = run.summary;
  if (s.certified()) return "";
  std::string text = fmt::format(
      "step {} from t = {:g} s is the first of {} without a certificate: {} {:.3g}, tolerance "
      "{:.0e}; worst residual of all steps {:.3g}",
      s.first_uncertified_step, s.first_uncertified_time, s.uncertified_steps,
      s.first_uncertified_residual, s.first_uncertified_value, run.scene.model.method.tolerance,
      s.residual_max);
  if (s.first_uncertified_solve != SolveStatus::solved)
    text += fmt::format("; there the solver ended with {}",
                        describe(s.first_uncertified_solve, run.scene.model.method.budget));
  if (s.stopped)
    text += fmt::format(
        "; the run stopped after step {}, as the next state would not be finite "
        "(a smaller time.step may help)",
        s.steps);
  return text;
}

}  // namespace stickslip::cli
