// The part of the certificate that asks whether other impulses would give the same motion.
#include <algorithm>
#include <atomic>
#include <cstdint>

#include "base/parallel_for.hpp"
#include "certificate/workspace.hpp"

namespace stickslip {

using namespace certificate;

namespace {

// A contact is closed if its velocity is below this part of the velocity scale, or below the error
// of the solution: then nobody knows that it is open.
constexpr double kClosed = 1e-9;
// Multiplications that the question of uniqueness may cost, in any case and per direction.
constexpr std::int64_t kWork = 100000;
constexpr std::int64_t kWorkPerRow = 300;
// And directions that it is asked for at all: so many rows take some 4 MB.
constexpr std::ptrdiff_t kMostDirections = 20000;

}  // namespace

// Impulses along which the velocity does not change form the null space of the directions that are
// free to carry load: rigid joints, all directions of a sticking contact, the edge of the cone of a
// sliding one. If these are independent the impulses are unique. The impulse of a compliant row
// follows from the velocity.
bool Certifier::Workspace::impulsesUnique(const ContactProblem& problem, const ContactSolution& s,
                                          double residual) {
  const bool rigid_joints = std::any_of(problem.compliance.begin(), problem.compliance.end(),
                                        [](double c) { return !(c > 0); });
  if (largestMagnitude(s.p) == 0 && !rigid_joints) return true;
  closed = std::max(kClosed, residual) * velocity_scale;
  const std::ptrdiff_t count =
      std::count(problem.compliance.begin(), problem.compliance.end(), 0.0) + loadCount(problem, s);
  const std::ptrdiff_t most = std::min<std::ptrdiff_t>(problem.velocityCount(), kMostDirections);
  return count == 0 || (count <= most && loadsIndependent(problem, s, count));
}

std::ptrdiff_t Certifier::Workspace::loadCount(const ContactProblem& problem,
                                               const ContactSolution& s) {
  std::atomic<std::ptrdiff_t> all = 0;
  parallelFor(problem.contactCount(), kContactGrain, [&](int begin, int end) {
    std::ptrdiff_t count = 0;
    for (int i = begin; i < end; ++i)
      if (!isOpen(problem, i)) count += loadsOf(problem, s, i).count;
    all.fetch_add(count, std::memory_order_relaxed);
  });
  return all.load(std::memory_order_relaxed);
}

// Circular cones that carry no load.
bool Certifier::Workspace::isOpen(const ContactProblem& problem, int i) const {
  const std::size_t k = i;
  return isCircularCone(problem.sets[k]) && std::abs(opening[k]) > closed;
}

LoadDirections Certifier::Workspace::loadsOf(const ContactProblem& problem,
                                             const ContactSolution& s, int i) {
  ScaledSet scaled;
  const ImpulseSet& set = setOf(problem, i, scaled);
  ImpulseVector u = inNormalUnits(scaled.length, velocityOf(problem, i, s.v));
  // With the relaxed law a contact that slides under load moves apart at this velocity.
  if (problem.law == Law::relaxed) u[0] -= correctedVelocity(set, Law::coulomb, u)[0] - u[0];
  LoadDirections loads = loadDirections(set, u, closed);
  for (std::size_t row = 0; row < static_cast<std::size_t>(loads.count); ++row)
    for (std::size_t k = 0; k < scaled.length.size(); ++k) loads.rows[row][k] *= scaled.length[k];
  return loads;
}

bool Certifier::Workspace::loadsIndependent(const ContactProblem& problem, const ContactSolution& s,
                                            std::ptrdiff_t count) {
  independence.start(problem.M);
  const double whole[] = {1};
  for (int row = 0; row < problem.G.rowCount(); ++row)
    if (problem.compliance[row] == 0) independence.add(joints, row, whole);
  loaded.start(roots);
  for (int i = 0; i < problem.contactCount(); ++i) {
    if (isOpen(problem, i)) continue;
    const LoadDirections load = loadsOf(problem, s, i);
    if (load.count == 0) continue;
    const int first = loaded.rowCount();
    loaded.addGroup(problem.J, i);
    const std::size_t dimension = problem.J.rowsOf(i);
    for (std::size_t k = 0; k < static_cast<std::size_t>(load.count); ++k)
      independence.add(loaded, first, std::span(load.rows[k]).first(dimension));
  }
  return independence.isProven(kWork + kWorkPerRow * static_cast<std::int64_t>(count));
}

}  // namespace stickslip
