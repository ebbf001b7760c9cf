// The linear systems of Newton methods in the space of velocities.
#include <algorithm>
#include <cmath>

#include "contact/strip_kernels.hpp"
#include "contact/velocity_operator.hpp"

namespace stickslip {
namespace {

constexpr int kRefinements = 2;

double largest(std::span<const double> x) {
  double most = 0;
  for (const double value : x) most = std::max(most, std::abs(value));
  return most;
}

}  // namespace

bool VelocityOperator::factor(std::span<const double> S, Symmetry symmetry) {
  if (!is_analysed_) analyse();
  std::copy(S.begin(), S.end(), S_.begin());
  for (const CompliantRow& row : compliant_rows_) {
    double& diagonal = S_[row.entry];
    diagonal /= 1 + diagonal * compliance_[row.row];
  }
  factor_.clear();
  for (int block = 0; block < static_cast<int>(block_sizes_.size()); ++block) {
    const MatrixView K = factor_.block(factor_.entry(block, block));
    for (int k = 0; k < K.rows; ++k) K(k, k) = 1;
  }
  for (const Run& run : runs_)
    withStripKernels(run.rows, run.columns, [&](auto kernels) {
      for (int item = run.first_item; item < run.end_item; ++item)
        addProducts(kernels, item, symmetry);
    });
  return symmetry == Symmetry::symmetric ? factor_.factorCholesky() : factor_.factorLu();
}

// K_ab += A_a' S~ A_b for all pairs of strips of an item.
template <class Kernels>
void VelocityOperator::addProducts(const Kernels& kernels, int item, Symmetry symmetry) {
  const double* S = S_.data() + firstOfBlock(item);
  const Place* place = places_.data() + first_place_[static_cast<std::size_t>(item)];
  const std::span<const Strip> strips = stripsOf(item);
  for (std::size_t b = 0; b < strips.size(); ++b) {
    const Kernels of_b = kernels.with(columnsOf(strips[b]));
    product_.resize(static_cast<std::size_t>(of_b.size()));
    of_b.scale(S, values_.data() + strips[b].first_value, product_.data());
    for (std::size_t a = 0; a < strips.size(); ++a) {
      const Place& target = place[a * strips.size() + b];
      if (symmetry == Symmetry::symmetric && !target.is_lower) continue;
      const Kernels of_a = kernels.with(columnsOf(strips[a]));
      of_a.addGram(values_.data() + strips[a].first_value, product_.data(), of_b, target.values);
    }
  }
}

// From y: d_omega = A y + D d_pi + s and d_pi = r - S d_omega. With S~ = S / (1 + S D) where
// D > 0: 1 / (1 + S D) = 1 - S~ D.
void VelocityOperator::eliminatedImpulses(std::span<const double> r, std::span<const double> s,
                                          std::span<double> d_pi, std::span<double> d_omega) const {
  rowsTimes(y_, s, d_omega);
  impulsesFrom(r, d_omega, d_pi);
  for (const CompliantRow& row : compliant_rows_)
    d_omega[row.row] += compliance_[row.row] * d_pi[row.row];
}

// d_pi = r - S (d_omega + D d_pi).
void VelocityOperator::impulsesFrom(std::span<const double> r, std::span<const double> d_omega,
                                    std::span<double> d_pi) const {
  for (const Run& run : runs_)
    withStripKernels(run.rows, run.columns, [&](auto kernels) {
      int row = firstRow(run.first_item);
      for (int item = run.first_item; item < run.end_item; ++item, row += kernels.rows())
        kernels.impulses(S_.data() + firstOfBlock(item), r.data() + row, d_omega.data() + row,
                         d_pi.data() + row);
    });
  for (const CompliantRow& row : compliant_rows_)
    d_pi[row.row] -= r[row.row] * S_[row.entry] * compliance_[row.row];
}

void VelocityOperator::solveOnce(std::span<const double> r, std::span<const double> s,
                                 std::span<double> d_pi, std::span<double> d_omega) {
  impulsesFrom(r, s, d_pi);
  velocities(d_pi, y_);
  factor_.solve(y_);
  eliminatedImpulses(r, s, d_pi, d_omega);
}

double VelocityOperator::solve(std::span<const double> r, std::span<const double> s,
                               std::span<double> d_pi, std::span<double> d_omega) {
  solveOnce(r, s, d_pi, d_omega);
  double error = 1;
  for (int pass = 0; pass <= kRefinements; ++pass) {
    // What is missing from y = A' d_pi.
    velocities(d_pi, correction_);
    for (std::size_t k = 0; k < y_.size(); ++k) correction_[k] -= y_[k];
    const double size = largest(y_), missing = largest(correction_);
    if (missing == 0) return 0;
    error = size > 0 ? missing / size : 1;
    if (pass == kRefinements || error <= refined()) break;
    factor_.solve(correction_);
    for (std::size_t k = 0; k < y_.size(); ++k) y_[k] += correction_[k];
    eliminatedImpulses(r, s, d_pi, d_omega);
  }
  return error;
}

}  // namespace stickslip
