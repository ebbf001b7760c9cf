#include "stickslip/linear_system.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "math/blocks/block_products.hpp"
#include "math/dense/semidefinite_rows.hpp"
#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

std::span<const double> rowOf(const std::vector<double>& matrix, std::size_t i, std::size_t n) {
  return {matrix.data() + i * n, n};
}

// Up to the rounding of entries that were computed; the empty matrix, too, is symmetric.
bool isSymmetric(const std::vector<double>& matrix, std::size_t n) {
  if (matrix.empty()) return true;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double a = matrix[i * n + j], b = matrix[j * n + i];
      if (std::abs(a - b) > 1e-12 * (std::abs(a) + std::abs(b))) return false;
    }
  return true;
}

double elongation(const LinearSpring& spring, double t, std::span<const double> q) {
  return spring.g0 + dot(spring.w, q) + spring.drive * t;
}

std::vector<LinearSpring> implicitRows(const LinearSystemData& data) {
  std::vector<LinearSpring> rows;
  for (const LinearJoint& joint : data.joints)
    rows.push_back({joint.name, joint.g0, joint.w, joint.drive, JointSet::kRigid, 0});
  rows.insert(rows.end(), data.springs.begin(), data.springs.end());
  if (!data.implicit) return rows;
  const std::size_t n = data.coordinates.size();
  for (const bool is_stiffness : {true, false}) {
    const auto parts = semidefiniteRows(is_stiffness ? data.K : data.C, n);
    assert(parts.has_value());
    for (const WeightedRow& part : *parts)
      rows.push_back(
          {"", 0, part.w, 0, is_stiffness ? part.weight : 0, is_stiffness ? 0 : part.weight});
  }
  return rows;
}

}  // namespace

double LinearLoad::at(double t) const {
  if (const auto* table = std::get_if<VectorTable>(&course)) return table->at(t).x;
  const SinusoidalLoad& wave = std::get<SinusoidalLoad>(course);
  return wave.amplitude * math::sin(2 * std::numbers::pi * wave.frequency * t + wave.phase);
}

LinearSystem::LinearSystem(LinearSystemData data)
    : GeneralizedSystem(static_cast<int>(data.coordinates.size())),
      data_(std::move(data)),
      rows_(implicitRows(data_)),
      stiffness_has_potential_(isSymmetric(data_.K, data_.coordinates.size())) {
  [[maybe_unused]] const std::size_t n = data_.coordinates.size();
  assert(data_.M.size() == n * n);
  assert(data_.K.empty() || data_.K.size() == n * n);
  assert(data_.C.empty() || data_.C.size() == n * n);
  assert(data_.f.empty() || data_.f.size() == n);
  assert(std::all_of(data_.loads.begin(), data_.loads.end(), [&](const LinearLoad& load) {
    return load.coordinate >= 0 && static_cast<std::size_t>(load.coordinate) < n;
  }));
}

void LinearSystem::generalizedMass(double, std::span<const double>, MatrixView M) const {
  std::copy(data_.M.begin(), data_.M.end(), M.data);
}

void LinearSystem::generalizedForces(double t, std::span<const double> q, std::span<const double> u,
                                     std::span<double> h) const {
  const std::size_t n = h.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (!data_.f.empty()) h[i] = data_.f[i];
    if (data_.implicit) continue;
    if (!data_.K.empty()) h[i] -= dot(rowOf(data_.K, i, n), q);
    if (!data_.C.empty()) h[i] -= dot(rowOf(data_.C, i, n), u);
  }
  for (const LinearLoad& load : data_.loads) h[load.coordinate] += load.at(t);
}

ContactLaw LinearSystem::contactLaw(int i) const {
  return data_.contacts[i].law;
}

double LinearSystem::gap(int i, double t, std::span<const double> q) const {
  const LinearContact& contact = data_.contacts[i];
  return contact.g0 + dot(contact.w_N, q) + contact.drive_n * t;
}

double LinearSystem::normalDirection(int i, double, std::span<const double>,
                                     std::span<double> w) const {
  const LinearContact& contact = data_.contacts[i];
  std::copy(contact.w_N.begin(), contact.w_N.end(), w.begin());
  return contact.drive_n;
}

double LinearSystem::tangentDirection(int i, double, std::span<const double>,
                                      std::span<double> w) const {
  const LinearContact& contact = data_.contacts[i];
  std::copy(contact.w_T.begin(), contact.w_T.end(), w.begin());
  return contact.drive_t;
}

JointLaw LinearSystem::jointLaw(int j) const {
  const LinearSpring& row = rows_[j];
  return {row.stiffness, row.damping};
}

double LinearSystem::secondTangentDirection(int i, double, std::span<const double>,
                                            std::span<double> w) const {
  const LinearContact& contact = data_.contacts[i];
  std::copy(contact.w_T2.begin(), contact.w_T2.end(), w.begin());
  return contact.drive_t2;
}

double LinearSystem::jointGap(int j, double t, std::span<const double> q) const {
  return elongation(rows_[j], t, q);
}

double LinearSystem::jointDirection(int j, double, std::span<const double>,
                                    std::span<double> w) const {
  const LinearSpring& row = rows_[j];
  std::copy(row.w.begin(), row.w.end(), w.begin());
  return row.drive;
}

double LinearSystem::potentialEnergy(double t, std::span<const double> q) const {
  const std::size_t n = q.size();
  double energy = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!data_.f.empty()) energy -= data_.f[i] * q[i];
    if (!data_.K.empty() && stiffness_has_potential_)
      energy += 0.5 * q[i] * dot(rowOf(data_.K, i, n), q);
  }
  for (const LinearSpring& spring : data_.springs) {
    const double x = elongation(spring, t, q);
    energy += 0.5 * spring.stiffness * x * x;
  }
  for (int i = 0; i < contactCount(); ++i) {
    const ContactLaw& law = data_.contacts[i].law;
    if (law.kind != ContactParameters::Kind::prestressed) continue;
    const double x = gap(i, t, q);
    energy -= (x > 0 ? law.min_force : law.max_force) * x;
  }
  return energy;
}

std::string LinearSystem::coordinateName(int i) const {
  return data_.coordinates[i];
}

std::string LinearSystem::contactName(std::uint64_t i) const {
  return data_.contacts[i].name;
}

}  // namespace stickslip
