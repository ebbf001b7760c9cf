#include "solvers/central_path.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace stickslip {
namespace {

std::size_t at(int k) {
  return static_cast<std::size_t>(k);
}

}  // namespace

void CentralPath::start(ContactIsland& island, std::span<const double> pi, double c,
                        double theta) {
  c_ = c;
  theta_ = theta;
  const double inside = std::sqrt(c);
  points_.resize(island.items().size());
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const ContactItem& item = island.items()[i];
    points_[i].start(item, pi.subspan(at(item.first), at(item.rows)), inside);
  }
  for (auto* x : {&pi_, &omega_, &residual_, &rhs_, &d_pi_, &d_omega_, &correction_, &tangent_, &u_})
    x->resize(pi.size());
  zero_.assign(pi.size(), 0.0);
  S_.resize(island.W().blockEntries());
  evaluate(island);
}

// Impulses, W pi + q - omega, and its norm.
void CentralPath::evaluate(const ContactIsland& island) {
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const ContactItem& item = island.items()[i];
    points_[i].impulse(std::span(pi_).subspan(at(item.first), at(item.rows)));
    points_[i].velocity(c_, theta_, std::span(omega_).subspan(at(item.first), at(item.rows)));
  }
  island.velocity(pi_, residual_);
  for (std::size_t k = 0; k < pi_.size(); ++k) residual_[k] -= omega_[k];
  norm_ = 0;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const ContactItem& item = island.items()[i];
    const double norm = points_[i].relativeNorm(
        c_, std::span(residual_).subspan(at(item.first), at(item.rows)));
    norm_ = norm <= norm_ ? norm_ : norm;
  }
}

double CentralPath::sizeIn(std::span<const CentralPoint> points, const ContactIsland& island, double c) const {
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ContactItem& item = island.items()[i];
    const double norm = points[i].relativeNorm(c, std::span(residual_).subspan(at(item.first), at(item.rows)));
    sum += norm * norm;
  }
  return std::sqrt(sum);
}

// Newton's step and the tangent.
bool CentralPath::prepare(ContactIsland& island) {
  ImpulseOperator& W = island.W();
  for (int i = 0; i < W.itemCount(); ++i)
    points_[at(i)].linearize(c_, theta_, 1e-10,
                             {S_.data() + W.firstOfBlock(i), W.rowsOf(i), W.rowsOf(i)});
  if (!W.factor(S_, ImpulseOperator::Symmetry::general)) return false;
  // d_pi = 0 - S (W d_pi + residual).
  W.solve(zero_, residual_, d_pi_, d_omega_);
  for (int i = 0; i < W.itemCount(); ++i) {
    const std::size_t first = at(W.firstRow(i)), rows = at(W.rowsOf(i));
    points_[at(i)].direct(c_, theta_, 0, std::span(d_pi_).subspan(first, rows),
                          std::span(d_omega_).subspan(first, rows),
                          std::span(correction_).subspan(first, rows));
    points_[at(i)].growth(std::span(rhs_).subspan(first, rows));
  }
  W.solve(rhs_, zero_, d_pi_, d_omega_);
  for (int i = 0; i < W.itemCount(); ++i) {
    const std::size_t first = at(W.firstRow(i)), rows = at(W.rowsOf(i));
    points_[at(i)].direct(c_, theta_, 1, std::span(d_pi_).subspan(first, rows),
                          std::span(d_omega_).subspan(first, rows),
                          std::span(tangent_).subspan(first, rows));
  }
  return true;
}

void CentralPath::step(double amount, double d_log_c) {
  for (std::size_t k = 0; k < u_.size(); ++k)
    u_[k] = amount * correction_[k] + d_log_c * tangent_[k];
}

bool CentralPath::descend(ContactSearch& search, double end, int limit) {
  ContactIsland& island = search.island();
  double pace = 2.3;
  int stuck = 0;
  for (int k = 0; k < limit && search.left() > 0; ++k) {
    search.count();
    if (!prepare(island)) return false;
    before_ = points_;
    const double c_before = c_, norm_before = norm_;
    const double size_before = sizeIn(before_, island, c_before);
    bool moved = false;
    const auto attempt = [&](double amount, double d_log_c) {
      step(amount, d_log_c);
      for (std::size_t i = 0; i < points_.size(); ++i) {
        const ContactItem& item = island.items()[i];
        points_[i] = before_[i];
        points_[i].move(std::span(u_).subspan(at(item.first), at(item.rows)));
      }
      c_ = c_before * std::exp(d_log_c);
      evaluate(island);
    };
    double amount = 1;
    // As far down as the norm stays small.
    pace = std::min(2 * pace, 9.0);
    if (norm_before <= 3)
    for (int halving = 0; halving < 6 && !moved; ++halving) {
      attempt(1, -pace);
      moved = norm_ <= 0.6;
      if (!moved) pace /= 2;
    }
    if (!moved) {
      pace = std::max(pace, 0.05);
      for (int halving = 0; halving < 10 && !moved; ++halving, amount /= 2) {
        attempt(amount, 0);
        const double now = sizeIn(before_, island, c_before);
        moved = now <= (1 - 0.1 * amount) * size_before;
      }
    }
    if (getenv("SHOW")) printf("   central %d c %.2e norm %.2e pace %.2f amount %.2g moved %d\n", k, c_, norm_, pace, amount, moved);
    if (!moved) { points_ = before_; c_ = c_before; evaluate(island); if (++stuck > 2) return false; }
    if (c_ <= end && norm_ < 1) return true;
  }
  return false;
}

}  // namespace stickslip
