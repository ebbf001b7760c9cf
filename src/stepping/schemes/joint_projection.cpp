#include "stepping/schemes/joint_projection.hpp"

#include <algorithm>
#include <cmath>

#include "math/blocks/block_products.hpp"

namespace stickslip {
namespace {

constexpr int kMostNewtonSteps = 5;
constexpr int kMostHalvings = 6;
// Conjugate gradients end at this part of their first residual, or after this many rounds a row.
constexpr double kSolved = 1e-12;
constexpr int kRoundsPerRow = 3;

}  // namespace

void JointProjection::reserve(const System& system) {
  const std::size_t rows = system.jointCapacity(), columns = system.velocityCount();
  for (std::vector<double>* x : {&weight_, &x_, &residual_, &direction_, &product_})
    x->reserve(rows);
  for (std::vector<double>* x : {&motion_, &part_}) x->reserve(columns);
  q_trial_.reserve(system.positionCount());
}

void JointProjection::project(const System& system, double t, ProblemBuilder& masses,
                              std::span<const double> touching, std::vector<double>& q) {
  if (system.jointCapacity() == 0) return;
  motion_.resize(touching.size());
  part_.resize(touching.size());
  look(system, t, q);
  weigh(masses);
  for (int k = 0; k < kMostNewtonSteps && !isClosed(touching); ++k) {
    solve(masses);
    if (!advance(system, t, q)) return;
    weigh(masses);
  }
}

void JointProjection::look(const System& system, double t, std::span<const double> q) {
  joints_.clear();
  system.joints(t, q, joints_);
}

void JointProjection::weigh(ProblemBuilder& masses) {
  weight_.assign(joints_.gap.size(), 0.0);
  for (int group = 0; group < joints_.directions.groupCount(); ++group)
    for (int k = 0; k < joints_.directions.rowsOf(group); ++k) {
      const std::size_t row = joints_.directions.firstRow(group) + k;
      if (joints_.stiffness[row] != JointSet::kRigid) continue;
      const double mobility = masses.mobility(joints_.directions, group, k);
      if (mobility > 0) weight_[row] = 1 / mobility;
    }
}

bool JointProjection::isClosed(std::span<const double> touching) const {
  const BlockRows& rows = joints_.directions;
  for (int group = 0; group < rows.groupCount(); ++group)
    for (int k = 0; k < rows.rowsOf(group); ++k) {
      const std::size_t row = rows.firstRow(group) + k;
      if (weight_[row] == 0) continue;
      double allowed = 0;
      for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
        const StripValues entries = rows.values(group, strip);
        const std::span<const double> w = entries.row(k);
        for (std::size_t i = 0; i < w.size(); ++i)
          allowed += std::abs(w[i]) * touching[strip.first_column + i];
      }
      if (!(std::abs(joints_.gap[row]) <= allowed)) return false;
    }
  return true;
}

// Square of the gaps, weighted.
double JointProjection::size() const {
  double sum = 0;
  for (std::size_t row = 0; row < weight_.size(); ++row)
    sum += weight_[row] * joints_.gap[row] * joints_.gap[row];
  return sum;
}

void JointProjection::spread(std::span<const double> x, const ProblemBuilder& masses,
                             std::span<double> out) const {
  const BlockRows& rows = joints_.directions;
  std::fill(out.begin(), out.end(), 0.0);
  for (int group = 0; group < rows.groupCount(); ++group)
    for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
      const StripValues entries = rows.values(group, strip);
      for (int k = 0; k < rows.rowsOf(group); ++k) {
        const std::size_t row = rows.firstRow(group) + k;
        if (weight_[row] > 0) addScaled(x[row], entries.row(k), out.subspan(strip.first_column));
      }
    }
  masses.divideByMass(out);
}

// x with G M^-1 G' x = gap, and d from it.
void JointProjection::solve(const ProblemBuilder& masses) {
  const std::size_t rows = weight_.size();
  x_.assign(rows, 0.0);
  product_.resize(rows);
  residual_ = joints_.gap;
  const auto weighted = [&] {
    double sum = 0;
    for (std::size_t k = 0; k < rows; ++k) sum += weight_[k] * residual_[k] * residual_[k];
    return sum;
  };
  direction_.resize(rows);
  for (std::size_t k = 0; k < rows; ++k) direction_[k] = weight_[k] * residual_[k];
  const double first = weighted();
  double here = first;
  for (std::size_t round = 0; round < kRoundsPerRow * rows && here > kSolved * kSolved * first;
       ++round) {
    spread(direction_, masses, motion_);
    multiply(joints_.directions, motion_, product_);
    double curvature = 0;
    for (std::size_t k = 0; k < rows; ++k)
      if (weight_[k] > 0) curvature += direction_[k] * product_[k];
    if (!(curvature > 0)) break;
    const double step = here / curvature;
    for (std::size_t k = 0; k < rows; ++k) {
      if (weight_[k] == 0) continue;
      x_[k] += step * direction_[k];
      residual_[k] -= step * product_[k];
    }
    const double before = here;
    here = weighted();
    for (std::size_t k = 0; k < rows; ++k)
      direction_[k] = weight_[k] * residual_[k] + here / before * direction_[k];
  }
  spread(x_, masses, motion_);
  for (double& m : motion_) m = -m;
}

// The longest part of d, by halves, that makes the gaps smaller. False if there is none.
bool JointProjection::advance(const System& system, double t, std::vector<double>& q) {
  const double before = size();
  double factor = 1;
  for (int k = 0; k < kMostHalvings; ++k, factor /= 2) {
    for (std::size_t i = 0; i < motion_.size(); ++i) part_[i] = factor * motion_[i];
    q_trial_ = q;
    system.move(t, part_, 1, q_trial_);
    look(system, t, q_trial_);
    // Rows of joints have changed little: the weights of the start serve to compare.
    if (!(size() < before)) continue;
    std::swap(q, q_trial_);
    return true;
  }
  return false;
}

}  // namespace stickslip
