// All that is not in a packet: joints, motors and limits, polygons, friction with torsion or
// rolling or that does not depend on the load, and systems in generalized coordinates. One after
// the other, each solved while the others are held (island_sweeps.hpp), in the velocities of
// velocity_slots.hpp, which packets change as well.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "cones/cone_layout.hpp"
#include "problem/scaled_rows.hpp"
#include "solvers/sweeps/island_sweeps.hpp"
#include "solvers/sweeps/velocity_slots.hpp"
#include "stickslip/contact_problem.hpp"

namespace stickslip {

class GeneralCones final : private SweepRows {
 public:
  void reserve(int contacts, int joint_rows);
  /// Takes these contacts and all joints, with the impulses p and c to start from.
  void build(const ContactProblem& problem, const VelocitySlots& slots,
             std::span<const int> contacts, std::span<const double> p, std::span<const double> c);

  bool isEmpty() const { return cones_.empty(); }

  // As in PacketSweeps, but one sweep at a time.
  double largestVelocity(const double* w) const;
  void push(double* w) const;
  double sweep(Law law, double* w);
  void impulses(std::span<double> p, std::span<double> c) const;

 private:
  /// Where a row comes from: p = factor pi.
  struct Row {
    int source = 0;
    bool joint = false;
    double factor = 1;
    double b = 0;
    double compliance = 0;
  };

  void addPart(const ContactProblem& problem, const VelocitySlots& slots, int contact,
               const ConeLayout& part, std::span<const double> p);
  void addJointRow(const ContactProblem& problem, const VelocitySlots& slots, int joint, int k,
                   std::span<const double> c);
  void addScaled(const VelocitySlots& slots, const BlockRows& rows, int group,
                 std::span<const int> kept, std::span<const double> factors);
  void finishCone();
  void velocities(int cone, const double* w, std::span<double> u) const;
  void add(int cone, std::span<const double> pi, double* w) const;
  /// With b and compliance in them.
  void sweepVelocity(int cone, std::span<double> out) const override {
    velocities(cone, sweep_w_, out);
  }
  void sweepChange(int cone, std::span<const double> change) override;

  std::vector<Cone> cones_;
  ScaledRows scaled_;  ///< over slots
  std::vector<Row> rows_;
  std::vector<double> pi_;
  IslandSweeps sweeps_;
  // While a sweep goes on:
  double* sweep_w_ = nullptr;
  double most_ = 0;  ///< change of a cone's own normal velocity
};

}  // namespace stickslip
