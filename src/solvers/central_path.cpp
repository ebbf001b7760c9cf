#include "solvers/central_path.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace stickslip {
namespace {

const double kFirstSoftness = getenv("SOFT") ? atof(getenv("SOFT")) : 1e-12; const double kMostSoftness = 1e-8;
// A correction after which the tangent is still good.
constexpr double kSmall = 0.02;
constexpr double kTightly = 2e-3;
constexpr int kCorrectors = 5;
constexpr double kFirstStep = 1, kLongestStep = 2, kShortestStep = 1e-6;

std::size_t at(int k) {
  return static_cast<std::size_t>(k);
}

// In [1, 2): the golden ratio's multiples are spread evenly.
double spread(std::uint64_t k) {
  return 1 + static_cast<double>((k * 0x9E3779B97F4A7C15u) >> 11) * 0x1p-53;
}

double largest(std::span<const double> x) {
  double most = 0;
  for (const double value : x) most = std::max(most, std::abs(value));
  return most;
}

}  // namespace

bool CentralPath::start(ContactSearch& search, double kappa, std::uint64_t seed) {
  ContactIsland& island = search.island();
  const std::size_t rows = at(island.rowCount());
  for (auto* x : {&pi_, &omega_, &residual_, &rhs_, &shift_, &d_pi_, &d_omega_, &correction_,
                  &tangent_, &ahead_})
    x->assign(rows, 0.0);
  d_.assign(rows, 0.0);
  S_.resize(island.W().blockEntries());
  kappa_ = kappa;
  points_.resize(island.items().size());
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const ContactItem& item = island.items()[i];
    const auto first = at(item.first);
    if (item.kind == ContactItem::Kind::cone || item.kind == ContactItem::Kind::polygon) {
      d_[first] = spread(seed * points_.size() + i + 1);
      pi_[first] = kappa / d_[first];
    }
    points_[i].start(item, std::span(pi_).subspan(first, at(item.rows)), kappa);
  }
  island.velocity(pi_, residual_);
  t_ = 30 * std::max(1.0, largest(residual_));
  evaluate(island);
  step_ = kFirstStep;
  softness_ = kFirstSoftness;
  orientation_ = 0;
  fresh_ = false;
  return correct(search, 0.1, 30, false);
}

// Impulses, W pi + q + t d - omega, and its norm.
void CentralPath::evaluate(const ContactIsland& island) {
  const double c = kappa_ * t_;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const ContactItem& item = island.items()[i];
    points_[i].impulse(std::span(pi_).subspan(at(item.first), at(item.rows)));
    points_[i].velocity(c, 1, std::span(omega_).subspan(at(item.first), at(item.rows)));
  }
  island.velocity(pi_, residual_);
  for (std::size_t k = 0; k < pi_.size(); ++k) residual_[k] += t_ * d_[k] - omega_[k];
  norm_ = 0;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const ContactItem& item = island.items()[i];
    const double norm =
        points_[i].relativeNorm(c, softness_, std::span(residual_).subspan(at(item.first), at(item.rows)));
    norm_ = norm <= norm_ ? norm_ : norm;
  }
}

bool CentralPath::linearize(ContactSearch& search) {
  search.count();
  ImpulseOperator& W = search.island().W();
  for (int i = 0; i < W.itemCount(); ++i)
    points_[at(i)].linearize(kappa_ * t_, 1, softness_,
                             {S_.data() + W.firstOfBlock(i), W.rowsOf(i), W.rowsOf(i)});
  return W.factor(S_, ImpulseOperator::Symmetry::general);
}

void CentralPath::solveFor(ContactIsland& island, std::span<const double> r,
                           std::span<const double> s, double d_log_c, std::span<double> u) {
  ImpulseOperator& W = island.W();
  W.solve(r, s, d_pi_, d_omega_);
  for (int i = 0; i < W.itemCount(); ++i) {
    const std::size_t first = at(W.firstRow(i)), rows = at(W.rowsOf(i));
    points_[at(i)].direct(kappa_ * t_, 1, d_log_c, std::span(d_pi_).subspan(first, rows),
                          std::span(d_omega_).subspan(first, rows), u.subspan(first, rows));
  }
}

// ahead_: u for d log t = 1.
void CentralPath::tangentOf(ContactIsland& island) {
  const ImpulseOperator& W = island.W();
  for (int i = 0; i < W.itemCount(); ++i)
    points_[at(i)].growth(kappa_ * t_, softness_, std::span(rhs_).subspan(at(W.firstRow(i)), at(W.rowsOf(i))));
  for (std::size_t k = 0; k < shift_.size(); ++k) shift_[k] = t_ * d_[k];
  solveFor(island, rhs_, shift_, 1, ahead_);
}

void CentralPath::movePoints(const ContactIsland& island, double step, std::span<const double> u,
                             double d_log_t) {
  for (std::size_t k = 0; k < rhs_.size(); ++k) rhs_[k] = step * u[k];
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const ContactItem& item = island.items()[i];
    points_[i].move(std::span(rhs_).subspan(at(item.first), at(item.rows)));
  }
  t_ *= std::exp(step * d_log_t);
  evaluate(island);
}

// Newton's steps at constant t, or across the path.
bool CentralPath::correct(ContactSearch& search, double tolerance, int most, bool across) {
  ContactIsland& island = search.island();
  moved_ = 0;
  fresh_ = false;
  for (int k = 0; k < most && search.left() > 0; ++k) {
    if (norm_ <= tolerance) return true;
    if (!linearize(search)) return false;
    std::fill(rhs_.begin(), rhs_.end(), 0.0);
    solveFor(island, rhs_, residual_, 0, correction_);
    double d_log_t = 0;
    if (across) {
      tangentOf(island);
      double back = 0, along = tangent_t_;
      for (std::size_t j = 0; j < ahead_.size(); ++j) {
        back += tangent_[j] * correction_[j];
        along += tangent_[j] * ahead_[j];
      }
      d_log_t = -back / along;
      for (std::size_t j = 0; j < ahead_.size(); ++j) correction_[j] += d_log_t * ahead_[j];
    }
    const double size = std::max(largest(correction_), std::abs(d_log_t));
    if (!std::isfinite(size)) return false;
    if (across && size > 2) return false;
    const double share = across ? 1 : std::min(1.0, 1 / size);
    moved_ += share * size;
    movePoints(island, share, correction_, d_log_t);
    fresh_ = across && size <= kSmall;
    if (fresh_ && (norm_ <= 1 || size <= kTightly)) return true;
    if (getenv("SHOW2")) printf("        corr %d size %.2e dlogt %.2e norm %.2e\n", k, size, d_log_t, norm_);
  }
  return norm_ <= tolerance;
}

CentralPath::Outcome CentralPath::follow(ContactSearch& search, double end, long limit) {
  ContactIsland& island = search.island();
  const long last = search.iterations() + limit;
  while (search.iterations() < last && search.left() > 0) {
    if (!fresh_) {
      if (!linearize(search)) return Outcome::lost;
      tangentOf(island);
    }
    const int sign = island.W().determinantSign();
    if (orientation_ == 0) orientation_ = sign;
    const double size = std::max(1.0, largest(ahead_));
    tangent_t_ = (sign == orientation_ ? -1 : 1) / size;
    for (std::size_t k = 0; k < tangent_.size(); ++k) tangent_[k] = tangent_t_ * ahead_[k];
    before_ = points_;
    const double t_before = t_;
    for (int tries = 0;; ++tries) {
      movePoints(island, step_, tangent_, tangent_t_);
      const double predicted = norm_;
      const bool ok = correct(search, kTightly, kCorrectors, true) && moved_ <= 0.6 * step_ + 0.03;
      if (getenv("SHOW")) printf("    path t %.3e sign %d dt %.2e step %.2e predicted %.1e norm %.1e moved %.1e ok %d\n", t_, sign, tangent_t_, step_, predicted, norm_, moved_, ok);
      if (ok) {
        if (moved_ < 0.15 * step_) step_ = std::min(1.6 * step_, kLongestStep);
        else if (moved_ > 0.4 * step_) step_ *= 0.7;
        break;
      }
      points_ = before_;
      t_ = t_before;
      step_ *= 0.35;
      if (search.left() <= 0) break;
      if (step_ < kShortestStep || tries >= 10) {
        evaluate(island);
        if (softness_ >= kMostSoftness) return Outcome::lost;
        softness_ *= 10;
        step_ = kFirstStep / 10;
        fresh_ = false;
        break;
      }
    }
    if (c() <= end) return Outcome::arrived;
  }
  return Outcome::limit;
}

}  // namespace stickslip
