#include "convergence/trajectory.hpp"

#include <cstdint>

namespace stickslip {
namespace {

std::vector<double> coordinateColumn(const std::vector<double>& rows, std::size_t width,
                                     std::size_t k) {
  std::vector<double> column;
  for (; k < rows.size(); k += width) column.push_back(rows[k]);
  return column;
}

}  // namespace

std::vector<double> Trajectory::positionsOf(std::size_t k) const {
  return coordinateColumn(q, positions, k);
}

std::vector<double> Trajectory::velocitiesOf(std::size_t k) const {
  return coordinateColumn(u, velocities, k);
}

void Trajectory::append(const State& state) {
  positions = state.q.size();
  velocities = state.u.size();
  times.push_back(state.t);
  q.insert(q.end(), state.q.begin(), state.q.end());
  u.insert(u.end(), state.u.begin(), state.u.end());
}

FinishedMotion runAndKeep(const Scene& scene) {
  FinishedMotion out;
  Stepper stepper(scene.model);
  out.summary = run(stepper, scene.initial, scene.run,
                    [&](std::int64_t, const State& state, const Stepper&, const StepReport*) {
                      out.motion.append(state);
                    });
  return out;
}

}  // namespace stickslip
