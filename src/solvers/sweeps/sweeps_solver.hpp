// Solver `sweeps`: nonlinear block Gauss-Seidel for real time. One contact after the other is
// solved exactly while the others are held, a fixed number of times, starting from the impulses of
// the last step: a step costs what its contacts and sweeps cost, and the certificate tells how far
// it came (Jourdan, Alart, Jean, A Gauss-Seidel like algorithm to solve frictional contact
// problems, 1998).
//
//   ContactProblem --VelocitySlots--> w            bodies of mass one
//                  --PacketSweeps---> 4 at once    plain contacts, coloured; those of balls apart
//                  --GeneralCones---> 1 by 1       everything else
//   w, impulses  <---- sweeps
//
// Sweeps go one way: back and forth in turn leaves three times the overlap in a pile.
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/common/impulse_memory.hpp"
#include "solvers/common/stage_log.hpp"
#include "solvers/sweeps/general_cones.hpp"
#include "solvers/sweeps/packet_sweeps.hpp"
#include "solvers/sweeps/velocity_slots.hpp"
#include "stickslip/solver.hpp"

namespace stickslip {

class SweepsSolver : public Solver {
 public:
  explicit SweepsSolver(const Method& method);

  std::string_view name() const override { return "sweeps"; }
  void reserve(int velocities, int contacts, int tangents, int joint_rows) override;
  SolveReport solve(const ContactProblem& problem, ContactSolution& solution) override;
  SolveReport solveLocal(const LocalProblem& problem, std::vector<double>& p) override;
  void setBudget(std::int64_t budget) override { budget_ = budget; }
  void restart() override { memory_.forget(); }
  void saveMemory(MemoryWriter& to) const override { memory_.save(to); }
  void restoreMemory(MemoryReader& from) override { memory_.restore(from); }
  void setTrace(StageTrace* trace) override { trace_ = trace; }

 private:
  std::int64_t sweepCount() const;
  std::vector<int>& contactsFor(PacketKind kind);
  double sweep(Law law, double* w);
  /// All islands at once, whose residual it does not know.
  template <class Sweep>
  bool runAsStage(int rows, Sweep sweep);
  void sortContacts(const ContactProblem& problem);

  StageLog stages_;
  StageTrace* trace_ = nullptr;
  std::int64_t budget_;
  double tolerance_;
  ImpulseMemory memory_;
  VelocitySlots slots_;
  PacketSweeps<PlanarPacket> planar_;
  PacketSweeps<SpatialPacket> spatial_;
  PacketSweeps<BallPacket> balls_;
  GeneralCones general_;
  std::vector<PacketKind> packet_of_;  ///< one a contact
  std::vector<int> in_plane_;          ///< contacts of each of these
  std::vector<int> in_space_;
  std::vector<int> of_balls_;
  std::vector<int> others_;
};

}  // namespace stickslip
