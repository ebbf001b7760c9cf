#include "contact/planar_lcp.hpp"

#include <algorithm>
#include <cmath>

namespace stickslip {
namespace {

// The power of two next to 1/sqrt(w); 1 if w says nothing.
double scaleFor(double w) {
  return w > 0 && std::isfinite(w) ? std::ldexp(1.0, -std::ilogb(w) / 2) : 1.0;
}

}  // namespace

void PlanarLcp::reserve(int contacts) {
  const auto n = 4 * static_cast<std::size_t>(contacts);
  items_.reserve(static_cast<std::size_t>(contacts));
  N_.reserve(n * n);
  rhs_.reserve(n);
}

void PlanarLcp::build(Form form, ConstMatrixView W, std::span<const double> q, const BlockRows& J,
                      std::span<const ImpulseSet> cones) {
  form_ = form;
  frictional_ = 0;
  items_.clear();
  for (int i = 0; i < J.groupCount(); ++i) {
    const ImpulseSet& cone = cones[static_cast<std::size_t>(i)];
    const bool has_friction = cone.kind == ImpulseSet::Kind::planar;
    const int normal = J.firstRow(i);
    items_.push_back({normal, normal + 1, has_friction ? frictional_ : -1, cone.mu,
                      scaleFor(W(normal, normal))});
    if (has_friction) ++frictional_;
  }
  size_ = J.groupCount() + (form == Form::relay ? 2 : 3) * frictional_;
  N_.assign(static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_), 0.0);
  rhs_.assign(static_cast<std::size_t>(size_), 0.0);
  if (form == Form::relay)
    buildRelay(W, q);
  else
    buildCone(W, q);
}

void PlanarLcp::buildRelay(ConstMatrixView W, std::span<const double> q) {
  const MatrixView N = matrix();
  const int k = static_cast<int>(items_.size());
  const int R = k, L = k + frictional_;  // first index of Lambda_R and of xi_L
  const auto fillRow = [&](int row, int w_row, double scale) {
    for (int j = 0; j < k; ++j) {
      const Item& other = items_[static_cast<std::size_t>(j)];
      const double factor = scale * other.scale;
      N(row, j) = factor * W(w_row, other.normal);
      if (other.friction < 0) continue;
      N(row, j) -= factor * other.mu * W(w_row, other.tangent);
      N(row, R + other.friction) = factor * W(w_row, other.tangent);
    }
    rhs_[static_cast<std::size_t>(row)] = scale * q[static_cast<std::size_t>(w_row)];
  };
  for (int i = 0; i < k; ++i) {
    const Item& item = items_[static_cast<std::size_t>(i)];
    fillRow(i, item.normal, item.scale);
    if (item.friction < 0) continue;
    fillRow(R + item.friction, item.tangent, item.scale);
    N(R + item.friction, L + item.friction) = 1;
    N(L + item.friction, i) = 2 * item.mu;
    N(L + item.friction, R + item.friction) = -1;
  }
}

void PlanarLcp::buildCone(ConstMatrixView W, std::span<const double> q) {
  const MatrixView N = matrix();
  const int k = static_cast<int>(items_.size());
  const int first_beta = k, first_lambda = k + 2 * frictional_;
  const auto fillRow = [&](int row, int w_row, double signed_scale) {
    for (int j = 0; j < k; ++j) {
      const Item& other = items_[static_cast<std::size_t>(j)];
      const double factor = signed_scale * other.scale;
      N(row, j) = factor * W(w_row, other.normal);
      if (other.friction < 0) continue;
      N(row, first_beta + 2 * other.friction) = factor * W(w_row, other.tangent);
      N(row, first_beta + 2 * other.friction + 1) = -factor * W(w_row, other.tangent);
    }
    rhs_[static_cast<std::size_t>(row)] = signed_scale * q[static_cast<std::size_t>(w_row)];
  };
  for (int i = 0; i < k; ++i) {
    const Item& item = items_[static_cast<std::size_t>(i)];
    fillRow(i, item.normal, item.scale);
    if (item.friction < 0) continue;
    const int beta = first_beta + 2 * item.friction, lambda = first_lambda + item.friction;
    fillRow(beta, item.tangent, item.scale);
    fillRow(beta + 1, item.tangent, -item.scale);
    N(beta, lambda) = N(beta + 1, lambda) = 1;
    N(lambda, i) = item.mu;
    N(lambda, beta) = N(lambda, beta + 1) = -1;
  }
}

double PlanarLcp::velocityResidual(std::span<const double> z) const {
  const int k = static_cast<int>(items_.size());
  const int tangential = form_ == Form::relay ? 1 : 2;  // rows of a contact between normal and last
  double worst = 0, reference = 0;
  const auto look = [&](int row, double scale) {
    const auto i = static_cast<std::size_t>(row);
    double w = rhs_[i];
    for (int j = 0; j < size_; ++j)
      w += N_[i * static_cast<std::size_t>(size_) + static_cast<std::size_t>(j)] *
           z[static_cast<std::size_t>(j)];
    worst = std::max(worst, std::abs(std::min(z[i], w)) / scale);
    reference = std::max(reference, std::abs(rhs_[i]) / scale);
  };
  for (int i = 0; i < k; ++i) {
    const Item& item = items_[static_cast<std::size_t>(i)];
    look(i, item.scale);
    if (item.friction < 0) continue;
    for (int t = 0; t < tangential; ++t) look(k + tangential * item.friction + t, item.scale);
    look(k + tangential * frictional_ + item.friction, item.scale);
  }
  return worst == 0 ? 0 : worst / reference;
}

void PlanarLcp::impulses(std::span<const double> z, std::span<double> p) const {
  const std::size_t k = items_.size();
  for (std::size_t i = 0; i < k; ++i) {
    const Item& item = items_[i];
    p[static_cast<std::size_t>(item.normal)] = item.scale * z[i];
    if (item.friction < 0) continue;
    const auto place = static_cast<std::size_t>(item.friction);
    const double tangential = form_ == Form::relay ? z[k + place] - item.mu * z[i]
                                                   : z[k + 2 * place] - z[k + 2 * place + 1];
    p[static_cast<std::size_t>(item.tangent)] = item.scale * tangential;
  }
}

}  // namespace stickslip
