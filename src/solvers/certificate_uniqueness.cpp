// The part of the certificate that asks whether other impulses would give the same motion.
#include <algorithm>

#include "solvers/certificate_workspace.hpp"

namespace stickslip {

using namespace certificate;

namespace {

// A contact is closed if its velocity is below this part of the velocity scale.
constexpr double kClosed = 1e-9;
// Multiplications that the question of uniqueness may cost, in any case and per row and velocity.
constexpr long kWork = 1000000;
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
  loads.clear();
  for (int i = 0; i < problem.contactCount(); ++i) {
    const ScaledSet contact = scaledContact(problem, i);
    ImpulseVector u = contactVelocity(contact, velocity, problem.J.firstRow(i));
    // With the relaxed law a contact that slides under load moves apart at this velocity.
    if (problem.law == Law::relaxed)
      u[0] -= correctedVelocity(contact.set, Law::coulomb, u)[0] - u[0];
    loads.push_back(loadDirections(contact.set, u, kClosed * velocity_scale));
    for (ImpulseVector& row : loads.back().rows)
      for (std::size_t k = 0; k < row.size(); ++k) row[k] *= contact.length[k];
    count += loads.back().count;
  }
  return count <= problem.velocityCount() && loadsIndependent(problem);
}

bool Certifier::Workspace::loadsIndependent(const ContactProblem& problem) {
  independence.start(problem.M);
  const double whole[] = {1};
  for (int row = 0; row < problem.G.rowCount(); ++row)
    if (problem.compliance[static_cast<std::size_t>(row)] == 0)
      independence.add(joints, row, whole);
  for (int i = 0; i < problem.contactCount(); ++i) {
    const LoadDirections& load = loads[static_cast<std::size_t>(i)];
    const auto dimension = static_cast<std::size_t>(problem.J.rowsOf(i));
    for (std::size_t k = 0; k < static_cast<std::size_t>(load.count); ++k)
      independence.add(contacts, problem.J.firstRow(i), std::span(load.rows[k]).first(dimension));
  }
  const int rows = problem.velocityCount() + problem.J.rowCount() + problem.G.rowCount();
  return independence.isProven(kWork + kWorkPerRow * rows);
}

}  // namespace stickslip
