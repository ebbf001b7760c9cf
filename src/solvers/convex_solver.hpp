// Solver `convex`: the relaxed law (Law::relaxed), in which a sliding contact lifts off. One
// strictly convex program in the velocities (001 (5.3), with circular cones (5.5)), solved island
// by island by convex_island.hpp.
#pragma once

#include <cstdint>

#include "solvers/convex_island.hpp"
#include "solvers/island_solver.hpp"

namespace stickslip {

class ConvexSolver final : public IslandSolver {
 public:
  explicit ConvexSolver(const Method& method) : IslandSolver(method) {}
  std::string_view name() const override { return "convex"; }

 private:
  SolveReport solveIsland(ContactIsland& island, IslandPoint& point, std::int64_t budget) override;
  std::unique_ptr<IslandSolver> another() const override {
    return std::make_unique<ConvexSolver>(method());
  }
  bool isBetterStart(const ContactIsland& island, const IslandPoint& last,
                     const IslandPoint& zero) const override;
  std::int64_t usualBudget() const override;

  ConvexIsland convex_;
};

}  // namespace stickslip
