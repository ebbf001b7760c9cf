#include "stickslip/linear_system.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/block_products.hpp"

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

}  // namespace

LinearSystem::LinearSystem(LinearSystemData data)
    : GeneralizedSystem(static_cast<int>(data.coordinates.size())),
      data_(std::move(data)),
      stiffness_has_potential_(isSymmetric(data_.K, data_.coordinates.size())) {
  [[maybe_unused]] const std::size_t n = data_.coordinates.size();
  assert(data_.M.size() == n * n);
  assert(data_.K.empty() || data_.K.size() == n * n);
  assert(data_.C.empty() || data_.C.size() == n * n);
  assert(data_.f.empty() || data_.f.size() == n);
}

void LinearSystem::generalizedMass(double, std::span<const double>, MatrixView M) const {
  std::copy(data_.M.begin(), data_.M.end(), M.data);
}

void LinearSystem::generalizedForces(double, std::span<const double> q, std::span<const double> u,
                                     std::span<double> h) const {
  const std::size_t n = h.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (!data_.f.empty()) h[i] = data_.f[i];
    if (!data_.K.empty()) h[i] -= dot(rowOf(data_.K, i, n), q);
    if (!data_.C.empty()) h[i] -= dot(rowOf(data_.C, i, n), u);
  }
}

ContactLaw LinearSystem::contactLaw(int i) const {
  return data_.contacts[static_cast<std::size_t>(i)].law;
}

double LinearSystem::gap(int i, double t, std::span<const double> q) const {
  const LinearContact& contact = data_.contacts[static_cast<std::size_t>(i)];
  return contact.g0 + dot(contact.w_N, q) + contact.drive_n * t;
}

double LinearSystem::normalDirection(int i, double, std::span<const double>,
                                     std::span<double> w) const {
  const LinearContact& contact = data_.contacts[static_cast<std::size_t>(i)];
  std::copy(contact.w_N.begin(), contact.w_N.end(), w.begin());
  return contact.drive_n;
}

double LinearSystem::tangentDirection(int i, double, std::span<const double>,
                                      std::span<double> w) const {
  const LinearContact& contact = data_.contacts[static_cast<std::size_t>(i)];
  std::copy(contact.w_T.begin(), contact.w_T.end(), w.begin());
  return contact.drive_t;
}

double LinearSystem::secondTangentDirection(int i, double, std::span<const double>,
                                            std::span<double> w) const {
  const LinearContact& contact = data_.contacts[static_cast<std::size_t>(i)];
  std::copy(contact.w_T2.begin(), contact.w_T2.end(), w.begin());
  return contact.drive_t2;
}

double LinearSystem::jointGap(int j, double t, std::span<const double> q) const {
  const LinearJoint& joint = data_.joints[static_cast<std::size_t>(j)];
  return joint.g0 + dot(joint.w, q) + joint.drive * t;
}

double LinearSystem::jointDirection(int j, double, std::span<const double>,
                                    std::span<double> w) const {
  const LinearJoint& joint = data_.joints[static_cast<std::size_t>(j)];
  std::copy(joint.w.begin(), joint.w.end(), w.begin());
  return joint.drive;
}

double LinearSystem::potentialEnergy(double, std::span<const double> q) const {
  const std::size_t n = q.size();
  double energy = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!data_.f.empty()) energy -= data_.f[i] * q[i];
    if (!data_.K.empty() && stiffness_has_potential_)
      energy += 0.5 * q[i] * dot(rowOf(data_.K, i, n), q);
  }
  return energy;
}

std::string LinearSystem::coordinateName(int i) const {
  return data_.coordinates[static_cast<std::size_t>(i)];
}

std::string LinearSystem::contactName(std::uint64_t i) const {
  return data_.contacts[static_cast<std::size_t>(i)].name;
}

}  // namespace stickslip
