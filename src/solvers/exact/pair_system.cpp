#include "solvers/exact/pair_system.hpp"

#include <algorithm>
#include <array>

namespace stickslip {
namespace {

using PairKind = LawPairs::Item::Kind;

// Directions need few digits, impulses many.
constexpr double kRefined = 1e-9;
constexpr double kFully = 1e-13;

}  // namespace

bool PairSystem::factor(const LawPairs& pairs, Delassus& W, std::span<const double> a) {
  pairs_ = &pairs;
  W_ = &W;
  a_.assign(a.begin(), a.end());
  inverse_.resize(a.size());
  for (std::size_t k = 0; k < a.size(); ++k) inverse_[k] = 1 / a[k];
  S_.resize(W.blockEntries());
  for (int index = 0; index < W.coneCount(); ++index) {
    const Item& cone = pairs.cones()[index];
    double* S = S_.data() + W.firstOfBlock(index);
    const std::size_t first = cone.first;
    if (cone.kind == PairKind::friction)
      cone.tangents == 1 ? eliminatePlanarFriction(cone, S) : eliminateFriction(cone, S);
    else if (cone.kind == PairKind::between)
      S[0] = a_[first + 1] / (a_[first] * a_[first + 1] + 1);
    else
      S[0] = cone.kind == PairKind::fixed ? 0 : inverse_[first];
  }
  return W.factor(S_, Delassus::Symmetry::general);
}

void PairSystem::eliminatePlanarFriction(const Item& cone, double* S) {
  double* i = inverse_.data() + cone.first;
  const double a_l = a_[cone.first + 1], i_c = i[0], x = i[2] + i[3], y = i[2] - i[3];
  const double inverse_D = 1 / (a_l + x);
  i[1] = inverse_D;
  S[0] = i_c;
  S[1] = 0;
  S[2] = i_c * y * inverse_D;
  S[3] = (a_l * x + 4 * i[2] * i[3]) * inverse_D;
}

void PairSystem::eliminateFriction(const Item& cone, double* S) {
  double* i = inverse_.data() + cone.first;
  const double* d = pairs_->directionsOf(cone);
  const double a_l = a_[cone.first + 1], i_c = i[0];
  double x = 0, y[2] = {}, Q[3] = {};
  for (int k = 0; k < cone.directions; ++k) {
    const double i_k = i[2 + k], e_1 = d[2 * k], e_2 = d[2 * k + 1];
    x += i_k;
    y[0] += i_k * e_1;
    y[1] += i_k * e_2;
    Q[0] += a_l * i_k * e_1 * e_1;
    Q[1] += a_l * i_k * e_1 * e_2;
    Q[2] += a_l * i_k * e_2 * e_2;
    for (int l = 0; l < k; ++l) {
      const double both = i_k * i[2 + l], g_1 = e_1 - d[2 * l], g_2 = e_2 - d[2 * l + 1];
      Q[0] += both * g_1 * g_1;
      Q[1] += both * g_1 * g_2;
      Q[2] += both * g_2 * g_2;
    }
  }
  const double inverse_D = 1 / (a_l + x);
  i[1] = inverse_D;
  const double t_1 = i_c * y[0] * inverse_D, t_2 = i_c * y[1] * inverse_D;
  const std::array<double, 9> block{
      i_c, 0, 0, t_1, Q[0] * inverse_D, Q[1] * inverse_D, t_2, Q[1] * inverse_D, Q[2] * inverse_D};
  std::copy(block.begin(), block.end(), S);
}

// Every cone alone, as if u stayed as it is.
void PairSystem::solveItems(std::span<const double> rho, std::span<double> dz) const {
  for (const Item& cone : pairs_->cones()) {
    const std::size_t first = cone.first;
    switch (cone.kind) {
      case PairKind::friction:
        solveFriction(cone, rho.data() + first, dz.data() + first);
        break;
      case PairKind::between: {
        const double a_0 = a_[first], a_1 = a_[first + 1];
        dz[first] = (a_1 * rho[first] - rho[first + 1]) / (a_0 * a_1 + 1);
        dz[first + 1] = (rho[first] + a_0 * rho[first + 1]) / (a_0 * a_1 + 1);
        break;
      }
      case PairKind::fixed:
        break;
      default:
        dz[first] = rho[first] * inverse_[first];
    }
  }
}

void PairSystem::solveFriction(const Item& cone, const double* rho, double* dz) const {
  const double* i = inverse_.data() + cone.first;
  double sum = rho[1] - i[0] * rho[0];
  for (int k = 2; k < 2 + cone.directions; ++k) sum += i[k] * rho[k];
  const double d_lambda = sum * i[1];
  dz[0] = i[0] * rho[0];
  dz[1] = d_lambda;
  for (int k = 2; k < 2 + cone.directions; ++k) dz[k] = i[k] * (rho[k] - d_lambda);
}

double PairSystem::solve(std::span<const double> rho, std::span<double> dz) {
  const std::size_t rows = W_->rowCount();
  for (auto* x : {&r_, &none_, &d_p_, &d_u_}) x->resize(rows);
  std::fill(r_.begin(), r_.end(), 0.0);
  std::fill(none_.begin(), none_.end(), 0.0);
  solveItems(rho, dz);
  pairs_->addImpulses(dz, r_);
  W_->refineTo(kRefined);
  const double error = W_->solve(r_, none_, d_p_, d_u_);
  W_->refineTo(kFully);
  rho_.assign(rho.begin(), rho.end());
  pairs_->subtractVelocities(d_u_, rho_);
  solveItems(rho_, dz);
  return error;
}

}  // namespace stickslip
