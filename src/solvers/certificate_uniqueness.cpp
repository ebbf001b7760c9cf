// The part of the certificate that asks whether other impulses would give the same motion.
#include <algorithm>

#include "solvers/certificate_workspace.hpp"

namespace stickslip {

using namespace certificate;

namespace {

// A contact is closed if its velocity is below this part of the velocity scale.
constexpr double kClosed = 1e-9;
// Multiplications that the question of uniqueness may cost, in any case and per direction.
constexpr long kWork = 100000;
constexpr long kWorkPerRow = 300;

}  // namespace

// Impulses along which the velocity does not change form the null space of the directions that are
// free to carry load: rigid joints, all directions of a sticking contact, the edge of the cone of a
// sliding one. If these are independent the impulses are unique. The impulse of a compliant row
// follows from the velocity.
bool Certifier::Workspace::impulsesUnique(const ContactProblem& problem, const ContactSolution& s) {
  const bool rigid_joints = std::any_of(problem.compliance.begin(), problem.compliance.end(),
                                        [](double c) { return !(c > 0); });
  if (largestMagnitude(s.p) == 0 && !rigid_joints) return true;
  std::ptrdiff_t count = std::count(problem.compliance.begin(), problem.compliance.end(), 0.0);
  for (int i = 0; i < problem.contactCount(); ++i) count += loadsOf(problem, i).count;
  return count == 0 || (count <= problem.velocityCount() && loadsIndependent(problem, count));
}

LoadDirections Certifier::Workspace::loadsOf(const ContactProblem& problem, int i) {
  const double closed = kClosed * velocity_scale;
  const ImpulseSet& set = problem.sets[static_cast<std::size_t>(i)];
  const auto normal = static_cast<std::size_t>(problem.J.firstRow(i));
  // Most contacts of a step that is not solved to the end, at no cost.
  if (problem.law == Law::coulomb && std::abs(velocity[normal]) > closed && !set.load_independent)
    return {};
  const ScaledSet contact = scaledContact(problem, i);
  ImpulseVector u = contactVelocity(contact, velocity, problem.J.firstRow(i));
  // With the relaxed law a contact that slides under load moves apart at this velocity.
  if (problem.law == Law::relaxed)
    u[0] -= correctedVelocity(contact.set, Law::coulomb, u)[0] - u[0];
  LoadDirections loads = loadDirections(contact.set, u, closed);
  for (ImpulseVector& row : loads.rows)
    for (std::size_t k = 0; k < row.size(); ++k) row[k] *= contact.length[k];
  return loads;
}

bool Certifier::Workspace::loadsIndependent(const ContactProblem& problem, std::ptrdiff_t count) {
  independence.start(problem.M);
  const double whole[] = {1};
  for (int row = 0; row < problem.G.rowCount(); ++row)
    if (problem.compliance[static_cast<std::size_t>(row)] == 0)
      independence.add(joints, row, whole);
  loaded.start(problem.M);
  for (int i = 0; i < problem.contactCount(); ++i) {
    const LoadDirections load = loadsOf(problem, i);
    if (load.count == 0) continue;
    const int first = loaded.rowCount();
    loaded.addGroup(problem.J, i);
    const auto dimension = static_cast<std::size_t>(problem.J.rowsOf(i));
    for (std::size_t k = 0; k < static_cast<std::size_t>(load.count); ++k)
      independence.add(loaded, first, std::span(load.rows[k]).first(dimension));
  }
  return independence.isProven(kWork + kWorkPerRow * static_cast<long>(count));
}

}  // namespace stickslip
