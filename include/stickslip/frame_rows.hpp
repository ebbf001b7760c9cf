// What a recording keeps of a run: one frame after the other, in columns of rows. Here they are
// gathered; who writes them to a file (io/recording, Python's recorder) takes them and clears.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stickslip/contact_view.hpp"
#include "stickslip/stepper.hpp"

namespace stickslip {

/// Frames and what belongs to them. The rows of a frame's contacts and stages follow those of the
/// frame before; `contact_count` and `stage_count` say how many there are.
class FrameRows {
 public:
  /// What is kept of a certificate, in the order of a row of `certificate`.
  static constexpr std::array<const char*, 13> kCertificate{
      "residual",          "fclib_error",       "momentum_residual", "joint_residual",  "worst_gap",
      "joint_drift",       "kinetic_energy",    "contact_work",      "impulses_unique", "certified",
      "geometry_residual", "friction_residual", "energy_residual"};

  explicit FrameRows(const System& system);

  /// `report` and the stepper's problem and solution are those of the step that led to `state`;
  /// without a report the frame has no contacts and an empty certificate.
  void append(std::int64_t step, const State& state, const Stepper& stepper,
              const StepReport* report);
  /// True after 1, 2, 4, ... frames and then every so many, or when much has been gathered: a slow
  /// run shows early, a fast one is not slowed down.
  bool areDue() const;
  /// Forgets the frames, which have been written, but not the names of stages.
  void clear();

  std::size_t frames() const { return time.size(); }

  // Widths of rows, and which rows there are.
  const std::size_t positions, velocities, joint_rows;
  const bool has_moments;  ///< contacts with torsion or rolling
  const bool has_places;   ///< contacts of bodies

  // A row for each frame:
  std::vector<double> time, q, u, joint_impulse;
  std::vector<std::int64_t> step;
  std::vector<std::int32_t> contact_count, stage_count;
  std::array<std::vector<double>, kCertificate.size()> certificate;
  // A row for each contact:
  std::vector<std::uint64_t> contact_id;
  std::vector<double> contact_gap;
  /// The normal one, then along the tangents.
  std::vector<std::array<double, 3>> contact_impulse;
  /// About the normal, then about the tangents.
  std::vector<std::array<double, 3>> contact_moment;
  /// To look at, in single precision. Limits and motors of joints are nowhere: zeros.
  std::vector<std::array<float, 3>> contact_point, contact_normal;
  // A row for each stage:
  std::vector<std::int32_t> stage;  ///< which one of stageNames()
  std::vector<std::int64_t> stage_solved, stage_tried, stage_iterations;

  /// Of all frames so far, in the order in which they came up.
  std::span<const std::string> stageNames() const { return stage_names_; }

 private:
  void appendContacts(const ContactProblem& problem, const ContactSolution& solution);
  void appendPlaces(int contacts, std::span<const ContactView> views);
  void appendCertificate(const StepReport& report);
  void appendStages(const StageSummary& stages);
  std::int32_t numberOf(std::string_view stage_name);

  std::vector<std::string> stage_names_;
  std::size_t frames_until_due_ = 1;
};

}  // namespace stickslip
