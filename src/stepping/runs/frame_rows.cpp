#include "stickslip/frame_rows.hpp"

#include <algorithm>

#include "stickslip/body_system.hpp"

namespace stickslip {
namespace {

constexpr std::size_t kMostFrames = 4096;
constexpr std::size_t kMostBytes = 1 << 24;

void appendAll(std::vector<double>& list, const std::vector<double>& values) {
  list.insert(list.end(), values.begin(), values.end());
}

std::array<float, 3> asFloats(const Vec3& x) {
  return {static_cast<float>(x.x), static_cast<float>(x.y), static_cast<float>(x.z)};
}

std::size_t bytesOf(const auto&... lists) {
  return (... + (lists.size() * sizeof(lists[0])));
}

}  // namespace

FrameRows::FrameRows(const System& system)
    : positions(static_cast<std::size_t>(system.positionCount())),
      velocities(static_cast<std::size_t>(system.velocityCount())),
      joint_rows(static_cast<std::size_t>(system.jointCapacity())),
      has_moments(system.momentCount() > 0),
      has_places(dynamic_cast<const BodySystem*>(&system) != nullptr && system.touches()) {}

void FrameRows::append(std::int64_t step_number, const State& state, const Stepper& stepper,
                       const StepReport* report) {
  time.push_back(state.t);
  step.push_back(step_number);
  appendAll(q, state.q);
  appendAll(u, state.u);
  if (report != nullptr) appendAll(joint_impulse, stepper.solution().c);
  joint_impulse.resize(frames() * joint_rows);
  const std::int32_t contacts = report != nullptr ? stepper.problem().contactCount() : 0;
  contact_count.push_back(contacts);
  if (report != nullptr) {
    appendContacts(stepper.problem(), stepper.solution());
    if (has_places) appendPlaces(contacts, stepper.contacts());
  }
  StepReport no_step;
  no_step.certified = true;
  appendCertificate(report != nullptr ? *report : no_step);
  appendStages(report != nullptr ? report->solve.stages : no_step.solve.stages);
}

void FrameRows::appendContacts(const ContactProblem& problem, const ContactSolution& solution) {
  for (int i = 0; i < problem.contactCount(); ++i) {
    const std::size_t k = i;
    const std::size_t row = problem.J.firstRow(i);
    const ImpulseSet& set = problem.sets[k];
    const double* p = solution.p.data() + row;
    std::array<double, 3> impulse{}, moment{};
    std::copy_n(p, set.linearRows(), impulse.data());
    std::copy_n(p + set.linearRows(), set.spinRows(), moment.data());
    std::copy_n(p + set.linearRows() + set.spinRows(), set.rollingRows(), moment.data() + 1);
    contact_id.push_back(problem.contact_id[k]);
    contact_gap.push_back(problem.gap[k]);
    contact_impulse.push_back(impulse);
    if (has_moments) contact_moment.push_back(moment);
  }
}

void FrameRows::appendPlaces(int contacts, std::span<const ContactView> views) {
  auto view = views.begin();
  for (int i = 0; i < contacts; ++i) {
    const bool is_here = view != views.end() && view->index == i;
    contact_point.push_back(asFloats(is_here ? view->point : Vec3{}));
    contact_normal.push_back(asFloats(is_here ? view->normal : Vec3{}));
    if (is_here) ++view;
  }
}

void FrameRows::appendCertificate(const StepReport& report) {
  const Certificate& c = report.certificate;
  const std::array<double, kCertificate.size()> values{c.residual,
                                                       c.fclib_error,
                                                       c.momentum_residual,
                                                       c.joint_residual,
                                                       c.worst_gap,
                                                       c.joint_drift,
                                                       c.kinetic_energy_end,
                                                       c.contact_work,
                                                       c.impulses_unique ? 1.0 : 0.0,
                                                       report.certified ? 1.0 : 0.0,
                                                       c.geometry_residual,
                                                       c.friction_residual,
                                                       c.energy_residual};
  for (std::size_t k = 0; k < values.size(); ++k) certificate[k].push_back(values[k]);
}

void FrameRows::appendStages(const StageSummary& stages) {
  stage_count.push_back(static_cast<std::int32_t>(stages.efforts().size()));
  for (const StageEffort& effort : stages.efforts()) {
    stage.push_back(numberOf(effort.name));
    stage_solved.push_back(effort.solved);
    stage_tried.push_back(effort.tried);
    stage_iterations.push_back(effort.iterations);
  }
}

std::int32_t FrameRows::numberOf(std::string_view stage_name) {
  const auto found = std::find(stage_names_.begin(), stage_names_.end(), stage_name);
  const auto number = static_cast<std::int32_t>(found - stage_names_.begin());
  if (found == stage_names_.end()) stage_names_.emplace_back(stage_name);
  return number;
}

void FrameRows::clear() {
  if (areDue()) frames_until_due_ = std::min(2 * frames_until_due_, kMostFrames);
  for (std::vector<double>* list : {&time, &q, &u, &joint_impulse, &contact_gap}) list->clear();
  for (std::vector<double>& list : certificate) list.clear();
  for (auto* list : {&contact_count, &stage_count, &stage}) list->clear();
  for (auto* list : {&step, &stage_solved, &stage_tried, &stage_iterations}) list->clear();
  for (auto* list : {&contact_impulse, &contact_moment}) list->clear();
  for (auto* list : {&contact_point, &contact_normal}) list->clear();
  contact_id.clear();
}

bool FrameRows::areDue() const {
  return frames() >= frames_until_due_ ||
         bytesOf(q, u, joint_impulse, contact_id, contact_gap, contact_impulse, contact_moment,
                 contact_point, contact_normal) >= kMostBytes;
}

}  // namespace stickslip
