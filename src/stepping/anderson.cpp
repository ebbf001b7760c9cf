#include "stepping/anderson.hpp"

#include <algorithm>
#include <array>

#include "math/blocks/block_products.hpp"

namespace stickslip {
namespace {

// A difference that the newer ones span up to this part of itself says nothing more.
constexpr double kDependentStep = 1e-8;

}  // namespace

void AndersonMixing::reserve(std::size_t unknowns) {
  for (std::vector<double>* v : {&points_, &residuals_, &basis_}) v->reserve(kDepth * unknowns);
  for (std::vector<double>* v : {&last_x_, &last_r_, &rest_}) v->reserve(unknowns);
}

void AndersonMixing::restart(std::size_t unknowns) {
  unknowns_ = unknowns;
  count_ = next_ = 0;
  has_last_ = false;
  for (std::vector<double>* v : {&points_, &residuals_, &basis_}) v->resize(kDepth * unknowns);
  for (std::vector<double>* v : {&last_x_, &last_r_, &rest_}) v->resize(unknowns);
}

void AndersonMixing::remember(std::span<const double> x, std::span<const double> r) {
  if (has_last_) {
    for (std::size_t i = 0; i < unknowns_; ++i) {
      point(next_)[i] = x[i] - last_x_[i];
      residual(next_)[i] = r[i] - last_r_[i];
    }
    next_ = (next_ + 1) % kDepth;
    count_ = count_ < kDepth ? count_ + 1 : kDepth;
  }
  std::copy(x.begin(), x.end(), last_x_.begin());
  std::copy(r.begin(), r.end(), last_r_.begin());
  has_last_ = true;
}

// Least squares by Gram-Schmidt on the differences, the newest first. Each basis vector q is a
// combination of dR, and the same combination of dX is what the point has to go back for it.
void AndersonMixing::advance(std::span<double> x, std::span<const double> r) {
  remember(x, r);
  std::copy(r.begin(), r.end(), rest_.begin());
  std::array<std::array<double, kDepth>, kDepth> combination{};
  std::array<double, kDepth> back{};
  for (int k = 0; k < count_; ++k) {
    auto& of_q = combination[k];
    const int newest = (next_ - 1 - k + 2 * kDepth) % kDepth;
    const std::span<double> q = basis(k);
    const std::span<const double> d = residual(newest);
    std::copy(d.begin(), d.end(), q.begin());
    of_q[newest] = 1;
    // Twice is enough to be orthogonal to rounding.
    for (int j = 0; j < 2 * k; ++j) {
      const double part = dot(basis(j % k), q);
      addScaled(-part, basis(j % k), q);
      addScaled(-part, combination[j % k], of_q);
    }
    const double left = norm(q);
    const double scale = left > kDependentStep * norm(d) ? 1 / left : 0;
    for (double& value : q) value *= scale;
    for (double& value : of_q) value *= scale;
    const double share = dot(q, rest_);
    addScaled(-share, q, rest_);
    addScaled(share, of_q, back);
  }
  addScaled(1, rest_, x);
  for (int j = 0; j < count_; ++j) addScaled(-back[j], point(j), x);
}

}  // namespace stickslip
