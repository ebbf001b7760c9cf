// Solver `paths`: planar_exact by itself, for tests. Islands with other laws, circular cones in
// space or the relaxed law, are left at the better of zero and the last impulses.
#pragma once

#include <cstdint>

#include "solvers/common/island_solver.hpp"
#include "solvers/exact/polyhedral/polyhedral_exact.hpp"

namespace stickslip {

class PathSolver final : public IslandSolver {
 public:
  explicit PathSolver(const Method& method) : IslandSolver(method) {}
  std::string_view name() const override { return "paths"; }

 protected:
  IslandReport solveIsland(ScaledIsland& island, Iterate& point, std::int64_t budget) override;
  std::unique_ptr<IslandSolver> another() const override {
    return std::make_unique<PathSolver>(method());
  }
  std::int64_t usualBudget() const override { return 20000; }

 private:
  PolyhedralExact engine_;
};

}  // namespace stickslip
