#include "problem/joint_scaling.hpp"

#include <algorithm>
#include <cmath>

namespace stickslip {
namespace {

// What is left of a row beside the others, squared: below this part it is rounding.
constexpr double kDependentJoint = 1e-12;

}  // namespace

JointScaling::JointScaling(int rows, const Block& W) {
  const auto at = [&](Block& B, int i, int j) -> double& { return B[kMostRows * i + j]; };
  for (int j = 0; j < rows; ++j) {
    const double whole = W[kMostRows * j + j];
    double left = whole;
    for (int k = 0; k < j; ++k) left -= entry(j, k) * entry(j, k);
    if (!(left > kDependentJoint * whole)) continue;
    at(R_, j, j) = std::sqrt(left);
    for (int i = j + 1; i < rows; ++i) {
      double sum = W[kMostRows * i + j];
      for (int k = 0; k < j; ++k) sum -= entry(i, k) * entry(j, k);
      at(R_, i, j) = sum / entry(j, j);
    }
  }
}

void JointScaling::toScaled(std::span<double> x) const {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const int row = static_cast<int>(i);
    double sum = x[i];
    for (std::size_t k = 0; k < i; ++k) sum -= entry(row, static_cast<int>(k)) * x[k];
    x[i] = entry(row, row) > 0 ? sum / entry(row, row) : 0;
  }
}

void JointScaling::toImpulses(std::span<const double> scaled, std::span<double> c) const {
  for (std::size_t i = c.size(); i-- > 0;) {
    const int row = static_cast<int>(i);
    double sum = scaled[i];
    for (std::size_t k = i + 1; k < c.size(); ++k) sum -= entry(static_cast<int>(k), row) * c[k];
    c[i] = entry(row, row) > 0 ? sum / entry(row, row) : 0;
  }
}

void JointScaling::fromImpulses(std::span<const double> c, std::span<double> scaled) const {
  for (std::size_t i = 0; i < c.size(); ++i) {
    const int row = static_cast<int>(i);
    scaled[i] = 0;
    for (std::size_t k = i; k < c.size(); ++k) scaled[i] += entry(static_cast<int>(k), row) * c[k];
  }
}

}  // namespace stickslip
