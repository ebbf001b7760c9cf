// A problem without bodies, u = W p + q, as a system for momentum.hpp. One thread: such problems
// come from files.
#pragma once

#include <span>
#include <vector>

#include "solvers/sweeps/accelerated/accelerated_cones.hpp"
#include "solvers/sweeps/accelerated/momentum.hpp"
#include "stickslip/local_problem.hpp"

namespace stickslip {

class AcceleratedMatrix final : public SweepSystem, private SweepRows {
 public:
  void build(const LocalProblem& problem, std::span<const int> contacts, double velocity_scale);
  void startAtZero();
  void toImpulses(std::span<double> p) const { cones_.toImpulses(p); }

  double sweep(double momentum) override;
  double residual() override;
  double energy() override;
  void refresh() override {}
  void keep() override { cones_.keep(); }
  void takeBack() override;

 private:
  void addContact(const LocalProblem& problem, int contact);
  void addRows(const LocalProblem& problem);
  /// With q in it, from the impulses as they are.
  void sweepVelocity(int cone, std::span<double> u) const override;
  void sweepChange(int, std::span<const double>) override {}

  bool coulomb_ = false;
  double velocity_scale_ = 0;
  AcceleratedCones cones_;
  std::vector<int> first_rows_;  ///< of contacts
  std::vector<int> row_of_;      ///< here, of each row of W; -1 if it has none
  std::vector<int> sources_;
  // W in scaled rows.
  std::vector<std::size_t> start_;
  std::vector<int> column_;
  std::vector<double> value_;
};

/// The largest |q_i| of a contact, angular velocities by their lengths.
double largestVelocity(const LocalProblem& problem);

}  // namespace stickslip
