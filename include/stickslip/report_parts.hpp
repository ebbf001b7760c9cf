// What states, reports and summaries are made of, for what saves and restores them
// (stickslip/memory_stream.hpp): Simulation::save(), and programs that send results elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>

#include "stickslip/memory_stream.hpp"
#include "stickslip/run.hpp"
#include "stickslip/stepper.hpp"

namespace stickslip {

template <class Memory, MaybeConst<State> S>
void parts(Memory& memory, S& s) {
  memory(s.t, s.q, s.u);
}

template <class Memory, MaybeConst<Certificate> C>
void parts(Memory& memory, C& c) {
  memory(c.residual, c.fclib_error, c.momentum_residual, c.joint_residual, c.geometry_residual,
         c.friction_residual, c.energy_residual, c.worst_gap, c.joint_drift, c.kinetic_energy_start,
         c.kinetic_energy_free, c.kinetic_energy_end, c.contact_work, c.forced_energy,
         c.overlap_work, c.lift, c.impulses_unique, c.finite);
}

template <class Memory, MaybeConst<StageEffort> E>
void parts(Memory& memory, E& e) {
  memory(e.name, e.solved, e.tried, e.iterations);
}

// Adding what it has had before makes it again.
template <class Memory, MaybeConst<StageSummary> S>
void parts(Memory& memory, S& s) {
  std::uint64_t count = s.efforts().size();
  memory(count);
  if constexpr (std::is_const_v<S>) {
    for (const StageEffort& effort : s.efforts()) memory(effort);
  } else {
    memory.expect(count <= StageSummary::kMost, "there are more stages than there is room for");
    s.clear();
    for (std::uint64_t k = 0; k < count; ++k) {
      StageEffort effort;
      memory(effort);
      s.add(effort);
    }
  }
}

template <class Memory, MaybeConst<SolveReport> R>
void parts(Memory& memory, R& r) {
  memory.choice(r.status, SolveStatus::diverged);
  memory(r.iterations, r.solved_by, r.outer_iterations, r.contraction, r.friction_iterations,
         r.stages);
}

template <class Memory, MaybeConst<SchemeReport> R>
void parts(Memory& memory, R& r) {
  memory(r.geometry_iterations, r.geometry_change, r.geometry_contraction, r.contact_rounds,
         r.contacts_missed, r.collisions, r.collisions_cut, r.restitution_limited,
         r.restitution_work);
}

template <class Memory, MaybeConst<StepReport> R>
void parts(Memory& memory, R& r) {
  memory(r.certificate, r.solve, r.scheme, r.stages, r.restitution_dropped, r.drift_kept,
         r.certified, r.advanced, r.tolerance, r.solver);
}

// All but final_state, which is known only when somebody asks for the summary.
template <class Memory, MaybeConst<RunSummary> S>
void parts(Memory& memory, S& s) {
  memory(s.steps, s.residual_max, s.fclib_error_max, s.momentum_residual_max, s.joint_residual_max,
         s.penetration_max, s.joint_drift_max, s.lift_max, s.geometry_residual_max,
         s.energy_residual_max, s.friction_residual_max, s.friction_iterations_max,
         s.restitution_dropped_steps, s.drift_kept_steps, s.contacts_max, s.nonunique_steps,
         s.iterations, s.stages, s.outer_iterations_max, s.contraction_max, s.energy_start,
         s.energy_end, s.energy_max_gain);
  memory(s.rejected_steps, s.coarse_steps, s.shortest_step, s.longest_step, s.contact_rounds,
         s.missed_contact_steps, s.geometry_iterations_max, s.geometry_contraction_max,
         s.collisions, s.crowded_steps, s.limited_restitution_steps);
  memory(s.uncertified_steps, s.first_uncertified_step, s.first_uncertified_time,
         s.first_uncertified_residual, s.first_uncertified_value);
  memory.choice(s.first_uncertified_solve, SolveStatus::diverged);
  memory(s.stopped);
}

}  // namespace stickslip
