// Prescribed motion of kinematic bodies, and functions of time given by a table.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "stickslip/rotation.hpp"

namespace stickslip {

/// Constant velocity and angular velocity (world frame).
struct ConstantMotion {
  Vec3 velocity{};
  Vec3 angular_velocity{};
};

/// About the start: displacement = amplitude sin(2 pi frequency t + phase), and a turn about the
/// direction of `rotation_amplitude` by |rotation_amplitude| times the same sine.
struct SinusoidalMotion {
  Vec3 amplitude{};
  Vec3 rotation_amplitude{};  ///< [rad]
  double frequency = 0;       ///< [Hz], > 0
  double phase = 0;           ///< [rad]
};

/// Piecewise linear between the rows of a table; before the first and after the last row it rests.
struct TabledMotion {
  std::vector<double> times{};        ///< strictly ascending, at least one
  std::vector<Vec3> displacements{};  ///< from the start, one per time
  std::vector<Vec3> rotations{};      ///< rotation vectors from the start [rad], one per time
};

/// One of these. Most bodies have none, so that it is kept apart from them; copies share it.
class Motion {
 public:
  using Form = std::variant<ConstantMotion, SinusoidalMotion, TabledMotion>;

  /// Rests.
  Motion() = default;
  template <class Some>
  requires std::is_constructible_v<Form, Some> Motion(Some form)
      : form_(std::make_shared<const Form>(std::move(form))) {}

  const Form& form() const;

 private:
  std::shared_ptr<const Form> form_;
};

/// Pose and velocity of a frame; velocities in the world frame.
struct FrameMotion {
  Pose pose{};
  Vec3 velocity{};
  Vec3 angular_velocity{};
  Vec3 rotation{};  ///< rotation vector from the start, with all its turns
};

/// Where a frame that starts at `start` is at time t. At a corner of a table the velocity is that
/// of the piece that begins there.
FrameMotion evaluate(const Motion& motion, const Pose& start, double t);

/// A vector that is piecewise linear in time; constant before the first and after the last row.
struct VectorTable {
  std::vector<double> times{};  ///< strictly ascending; one entry makes a constant
  std::vector<Vec3> values{};

  Vec3 at(double t) const;
  /// Its rate of change; at a row that of the piece that begins there.
  Vec3 rateAt(double t) const;
};

}  // namespace stickslip
