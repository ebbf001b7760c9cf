// The columns that tables of body scenes have: one row for each recorded state.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "stickslip/body_system.hpp"
#include "stickslip/io/recording.hpp"

namespace stickslip {

class BodyColumns {
 public:
  explicit BodyColumns(std::shared_ptr<const BodySystem> system);

  /// "<body>.x" ... of every body that moves, then "<joint>.<coordinate>".
  std::vector<std::string> names() const;
  /// The values of one state, in the same order.
  void values(const State& state, std::vector<double>& out) const;

 private:
  void appendBody(const BodyState& body, std::vector<double>& out) const;

  std::shared_ptr<const BodySystem> system_;
  std::vector<int> bodies_;  ///< dynamic and kinematic ones
};

/// The system of bodies that a recording is of, built anew from its scene; null if it is of another
/// system.
std::shared_ptr<const BodySystem> recordedBodies(const RecordingReader& recording);

}  // namespace stickslip
