#include "stickslip/generalized_system.hpp"

#include <algorithm>
#include <cmath>

namespace stickslip {
namespace {

bool isWithinReach(double distance, std::span<const double> w, double drive, const Reach& reach) {
  double most = reach.margin + reach.time * std::abs(drive);
  for (std::size_t k = 0; k < w.size(); ++k) most += std::abs(w[k]) * reach.way[k];
  return distance <= most;
}

// Directions that are given are measured by how far they reach (ImpulseSet::given).
ContactParameters parametersOf(const ContactLaw& law) {
  ContactParameters out{.kind = law.kind,
                        .mu = law.mu,
                        .e_n = law.e_n,
                        .e_t = law.e_t,
                        .friction_force = law.friction_force,
                        .curve = law.curve,
                        .min_force = law.min_force,
                        .max_force = law.max_force};
  if (law.tangents == 1) return out;
  assert(law.tangents == 2 && (!law.given || law.given->rows() == 2));
  const double reach = law.given ? law.given->tangentReach() : 1;
  out.mu *= reach;
  out.mu_2 = law.given ? out.mu : law.mu_2.value_or(law.mu);
  out.friction_force *= reach;
  out.friction_force_2 = out.friction_force;
  out.directions = law.directions;
  out.given = law.given;
  return out;
}

}  // namespace

ContactLaw ContactLaw::dryFriction(double most) {
  ContactLaw law;
  law.kind = ContactParameters::Kind::bounded;
  law.min_force = -most;
  law.max_force = most;
  return law;
}

ContactLaw ContactLaw::oneWay() {
  ContactLaw law;
  law.kind = ContactParameters::Kind::one_way;
  return law;
}

ContactLaw ContactLaw::prestress(double most) {
  ContactLaw law = dryFriction(most);
  law.kind = ContactParameters::Kind::prestressed;
  return law;
}

GeneralizedSystem::GeneralizedSystem(int coordinate_count) : block_{coordinate_count} {
  assert(coordinate_count > 0);
}

ContactLaw GeneralizedSystem::contactLaw(int) const {
  return {};
}

JointLaw GeneralizedSystem::jointLaw(int) const {
  return {};
}

// A class that says it has contacts or joints must override these; the base has nothing to return.
double GeneralizedSystem::gap(int, double, std::span<const double>) const {
  assert(false && "contactCount() > 0 needs gap()");
  return 0;
}
double GeneralizedSystem::normalDirection(int, double, std::span<const double>,
                                          std::span<double>) const {
  assert(false && "contactCount() > 0 needs normalDirection()");
  return 0;
}
double GeneralizedSystem::tangentDirection(int, double, std::span<const double>,
                                           std::span<double>) const {
  assert(false && "a contact with friction needs tangentDirection()");
  return 0;
}
double GeneralizedSystem::secondTangentDirection(int, double, std::span<const double>,
                                                 std::span<double>) const {
  assert(false && "a contact with two tangents needs secondTangentDirection()");
  return 0;
}
double GeneralizedSystem::jointGap(int, double, std::span<const double>) const {
  assert(false && "jointCount() > 0 needs jointGap()");
  return 0;
}
double GeneralizedSystem::jointDirection(int, double, std::span<const double>,
                                         std::span<double>) const {
  assert(false && "jointCount() > 0 needs jointDirection()");
  return 0;
}

std::string GeneralizedSystem::coordinateName(int i) const {
  return std::string("q").append(std::to_string(i));
}
std::string GeneralizedSystem::contactName(std::uint64_t i) const {
  return "contact" + std::to_string(i);
}

void GeneralizedSystem::massMatrix(double t, std::span<const double> q, BlockDiagonal& M) const {
  generalizedMass(t, q, M.block(0));
}

void GeneralizedSystem::forces(double t, std::span<const double> q, std::span<const double> u,
                               double, std::span<double> h) const {
  std::fill(h.begin(), h.end(), 0.0);
  generalizedForces(t, q, u, h);
}

void GeneralizedSystem::contacts(double t, std::span<const double> q, const Reach& reach,
                                 ContactSet& out) const {
  for (int i = 0; i < contactCount(); ++i) {
    const double distance = gap(i, t, q);
    const ContactLaw law = contactLaw(i);
    assert(law.isUnilateral() || !law.hasFriction());
    assert(law.min_force <= 0 && law.max_force >= 0);
    assert(law.mu >= 0 && law.e_n >= 0 && law.e_n <= 1 && law.e_t >= 0 && law.e_t <= 1);
    out.directions.addGroup(1 + (law.hasFriction() ? law.tangents : 0));
    const MatrixView w = out.directions.addStrip(0, coordinateCount());
    const double drive = normalDirection(i, t, q, w.row(0));
    if (law.isUnilateral() && !(distance <= 0) &&
        !isWithinReach(distance, w.row(0), drive, reach)) {
      out.directions.dropGroup();
      continue;
    }
    out.add({.id = static_cast<std::uint64_t>(i), .gap = distance}, parametersOf(law));
    out.drive.push_back(drive);
    if (!law.hasFriction()) continue;
    out.drive.push_back(tangentDirection(i, t, q, w.row(1)));
    if (law.tangents == 2) out.drive.push_back(secondTangentDirection(i, t, q, w.row(2)));
  }
}

int GeneralizedSystem::tangentCount() const {
  int most = 1;
  for (int i = 0; i < contactCount(); ++i) most = std::max(most, contactLaw(i).tangents);
  return most;
}

bool GeneralizedSystem::bounces() const {
  for (int i = 0; i < contactCount(); ++i)
    if (contactLaw(i).e_n > 0 || contactLaw(i).e_t > 0) return true;
  return false;
}

void GeneralizedSystem::joints(double t, std::span<const double> q, JointSet& out) const {
  for (int j = 0; j < jointCount(); ++j) {
    out.directions.addGroup(1);
    const MatrixView w = out.directions.addStrip(0, coordinateCount());
    const double drive = jointDirection(j, t, q, w.row(0));
    const JointLaw law = jointLaw(j);
    if (law.stiffness == JointSet::kRigid)
      out.addRigid(jointGap(j, t, q), drive);
    else
      out.addSpring(jointGap(j, t, q), drive, law.stiffness, law.damping);
  }
}

void GeneralizedSystem::move(double, std::span<const double> u, double dt,
                             std::span<double> q) const {
  for (std::size_t k = 0; k < q.size(); ++k) q[k] += dt * u[k];
}

}  // namespace stickslip
