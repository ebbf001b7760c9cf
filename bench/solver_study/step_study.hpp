// Whole steps, from collision to recording, warm: a pile of 210 disks over friction and 1,000
// settled spheres, as CSV rows
//
//   scene, parameter, value, law, solver, tolerance, status, steps, certified, contacts,
//   residual, step_ms, median_ms, worst_ms, rest_ms, record_ms
//
// CPU time of the mean, the median and the slowest step, recording included in the mean; rest_ms is
// the mean of all but the solver and the recording, contacts the most of any step, residual the
// worst.
#pragma once

#include <iosfwd>

#include "solver_study/study_problems.hpp"

namespace stickslip::study {

void runStepStudy(Extent extent, std::ostream& out);

}  // namespace stickslip::study
