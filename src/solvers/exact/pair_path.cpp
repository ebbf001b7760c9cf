#include "solvers/exact/pair_path.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

// exp(x), near enough for a retraction, and positive: a Pade approximation that vectorizes.
double growth(double x) {
  const double even = 1 + x * x / 12;
  return (even + x / 2) / (even - x / 2);
}

double largestPart(std::span<const double> x) {
  double most = 0;
  for (const double value : x) most = std::max(most, std::abs(value));
  return most;
}

}  // namespace

void PairPath::tryWithoutPath(Search& search, SemismoothNewton& newton, IslandSweeps& sweeps) {
  pairs_.build(search.island());
  p_.resize(search.island().rowCount());
  interior_.startCold(pairs_, search.island());
  if (approach(search, settings_.cold)) finish(search, newton, sweeps);
}

bool PairPath::approach(Search& search, PairInteriorPoint::Limits limits) {
  limits.iterations = std::min(limits.iterations, search.left());
  const bool close = interior_.run(limits);
  search.count(interior_.factorizations());
  return close;
}

void PairPath::finish(Search& search, SemismoothNewton& newton, IslandSweeps& sweeps) {
  pairs_.impulses(interior_.z(), p_);
  sweeps.sweep(search.island(), 1, p_);
  newton.run(search, sweeps, p_, settings_.newton_steps);
}

void PairPath::run(Search& search, SemismoothNewton& newton, IslandSweeps& sweeps) {
  ScaledIsland& island = search.island();
  pairs_.build(island);
  for (std::uint32_t number = 0; number < settings_.paths && !search.ended(); ++number) {
    const std::int64_t end = search.iterations() + std::min(settings_.longest, search.left());
    const auto counted = [&](bool found) {
      search.count(factorizations_ - std::exchange(counted_, factorizations_));
      return found;
    };
    double try_below = settings_.first_try;
    prepare(island, settings_.kinds[number % settings_.kinds.size()], number);
    allowed_ = factorizations_ + end - search.iterations();
    bool alive = counted(start());
    while (alive && search.iterations() < end && !search.ended()) {
      allowed_ = factorizations_ + end - search.iterations();
      alive = counted(advance());
      if (kind_.sigma * t_ >= try_below) continue;
      try_below = settings_.next_try * kind_.sigma * t_;
      interior_.startAt(pairs_, island, z_, w_);
      approach(search, settings_.ending);
      finish(search, newton, sweeps);
    }
  }
}

void PairPath::prepare(ScaledIsland& island, const PairPathSettings::Kind& kind,
                       std::uint32_t seed) {
  island_ = &island;
  kind_ = kind;
  step_ = settings_.first_step;
  last_step_ = 0;
  orientation_ = 1;
  tangent_t_ = 0;
  const std::size_t size = pairs_.size();
  for (auto* x :
       {&z_, &w_, &a_, &F_, &F_t_, &by_F_, &by_t_, &tangent_, &next_, &older_, &direction_})
    x->assign(size, 0.0);
  for (auto* x : {&p_, &u_}) x->resize(island.rowCount());
  drawCover(seed);
}

// The cover is generic, so that no two pairs change at the same point of the path.
void PairPath::drawCover(std::uint32_t seed) {
  std::mt19937 engine(seed);
  const auto unit = [&] { return static_cast<double>(engine()) * 0x1p-32; };
  cover_.assign(pairs(), 0.0);
  for (std::size_t k = 0; k < pairs(); ++k) {
    const bool main = pairs_.isMain(static_cast<int>(k));
    cover_[k] = (main ? 1 : kind_.cover_side) * (1 + unit());
  }
}

// From far away: the root of z (eps E z + cover) = sigma weight, everything divided by t.
bool PairPath::start() {
  t_ = settings_.far_away;
  for (std::size_t k = 0; k < pairs(); ++k) {
    const double product = kind_.sigma * pairs_.weight()[k], soft = kind_.eps * pairs_.E()[k];
    z_[k] = 2 * product / (cover_[k] + std::sqrt(cover_[k] * cover_[k] + 4 * soft * product));
  }
  return settle(10);
}

// Newton's method at fixed t.
bool PairPath::settle(int most) {
  for (int k = 0; k < most; ++k) {
    if (!linearize()) return false;
    const double size = largestPart(std::span(by_F_).first(pairs()));
    const double damping = std::min(1.0, 1 / size);
    for (double& value : by_F_) value *= damping;
    move(by_F_, 0);
    if (size < 1e-2) {
      findTangent();
      useTangent(0, false);
      return true;
    }
  }
  return false;
}

void PairPath::evaluate() {
  const double sigma = kind_.sigma * t_, eps = kind_.eps * t_;
  pairs_.impulses(z_, p_);
  island_->velocity(p_, u_);
  pairs_.velocities(u_, z_, F_);
  const std::span<const double> E = pairs_.E(), weight = pairs_.weight();
  for (std::size_t k = 0; k < pairs(); ++k) {
    w_[k] = sigma * weight[k] / z_[k];
    const double outside = t_ * cover_[k] + eps * E[k] * z_[k];
    F_[k] = w_[k] - F_[k] - outside;
    F_t_[k] = w_[k] - outside;
    a_[k] = w_[k] / z_[k] + eps * E[k];
  }
  for (std::size_t k = pairs(); k < z_.size(); ++k) {
    F_[k] = -F_[k];
    F_t_[k] = 0;
    a_[k] = settings_.joint_softness * E[k];
  }
}

// What the two right sides do to log z.
bool PairPath::linearize() {
  if (factorizations_ >= allowed_) return false;
  evaluate();
  ++factorizations_;
  if (!system_.factor(pairs_, island_->W(), a_)) return false;
  const double error = std::max(system_.solve(F_, by_F_), system_.solve(F_t_, by_t_));
  for (std::size_t k = 0; k < pairs(); ++k) {
    by_F_[k] /= z_[k];
    by_t_[k] /= z_[k];
  }
  return error <= settings_.accurate;
}

// In (log z, log w, log t); free variables do not count.
double PairPath::product(std::span<const double> a, double a_t, std::span<const double> b,
                         double b_t) const {
  double sum = a_t * b_t;
  for (std::size_t k = 0; k < pairs(); ++k) sum += a[k] * b[k] + (a_t - a[k]) * (b_t - b[k]);
  return sum;
}

// The tangent has the largest component 1. Returns the cosine of the turn.
double PairPath::findTangent() {
  double size = 1;
  for (std::size_t k = 0; k < pairs(); ++k)
    size = std::max({size, std::abs(by_t_[k]), std::abs(1 - by_t_[k])});
  next_t_ = -orientation_ * system_.determinantSign() / size;
  for (std::size_t k = 0; k < by_t_.size(); ++k) next_[k] = next_t_ * by_t_[k];
  const double length = product(tangent_, tangent_t_, tangent_, tangent_t_);
  if (length == 0) return 1;
  return product(next_, next_t_, tangent_, tangent_t_) /
         std::sqrt(length * product(next_, next_t_, next_, next_t_));
}

void PairPath::useTangent(double step, bool reversed) {
  if (reversed) {
    orientation_ = -orientation_;
    next_t_ = -next_t_;
    for (double& value : next_) value = -value;
  }
  std::swap(tangent_, older_);
  std::swap(next_, tangent_);
  older_t_ = tangent_t_;
  tangent_t_ = next_t_;
  last_step_ = step;
}

void PairPath::move(std::span<const double> dz, double d_t) {
  t_ *= growth(d_t);
  for (std::size_t k = 0; k < pairs(); ++k) z_[k] *= growth(std::clamp(dz[k], -2.5, 2.5));
  for (std::size_t k = pairs(); k < z_.size(); ++k) z_[k] += dz[k];
}

// With two tangents that agree, the second-order formula of Adams and Bashforth.
void PairPath::predict(double step) {
  double more = 0;
  if (last_step_ > 0) {
    const double cosine = product(tangent_, tangent_t_, older_, older_t_) /
                          std::sqrt(product(tangent_, tangent_t_, tangent_, tangent_t_) *
                                    product(older_, older_t_, older_, older_t_));
    if (cosine > 0.5) more = step / (2 * last_step_);
  }
  for (std::size_t k = 0; k < z_.size(); ++k)
    direction_[k] = step * (tangent_[k] + more * (tangent_[k] - older_[k]));
  move(direction_, step * (tangent_t_ + more * (tangent_t_ - older_t_)));
}

// Newton's correction in the plane normal to a direction. Leaves it in by_F_ and returns its size.
double PairPath::correction(std::span<const double> normal, double normal_t, double& d_t) {
  d_t = -product(normal, normal_t, by_F_, 0) / product(normal, normal_t, by_t_, 1);
  for (std::size_t k = 0; k < by_F_.size(); ++k) by_F_[k] += d_t * by_t_[k];
  return std::max(largestPart(std::span(by_F_).first(pairs())), std::abs(d_t));
}

bool PairPath::correct(double step) {
  const double tolerance =
      step < settings_.short_step ? settings_.fine_tolerance : settings_.tolerance;
  double moved = 0, first = 0;
  for (int k = 0; k < settings_.corrections; ++k) {
    if (!linearize()) return false;
    double d_t = 0;
    const double size = correction(tangent_, tangent_t_, d_t);
    if (k == 0) first = size;
    moved += size;
    if (!(moved <= settings_.share * step + settings_.allowance)) return false;
    move(by_F_, d_t);
    if (size < tolerance) {
      step_ *= std::clamp(math::cbrt(settings_.first_correction / first), 0.5, 2.0);
      return true;
    }
  }
  return false;
}

// The nearest point of the path, and its tangent. Points are accepted a little off the path, with
// the tangent of where Newton's method came from, which may point across near a fold.
bool PairPath::refresh() {
  for (int k = 0; k < settings_.refresh_steps; ++k) {
    if (!linearize()) return false;
    double d_t = 0;
    const double size = correction(by_t_, 1, d_t);
    if (!(size < settings_.far_off)) break;
    move(by_F_, d_t);
    if (size < settings_.refreshed) break;
  }
  findTangent();
  std::swap(next_, tangent_);
  tangent_t_ = next_t_;
  last_step_ = 0;
  return true;
}

bool PairPath::advance() {
  z_kept_ = z_;
  double t_kept = t_;
  for (int rejections = 0; rejections < settings_.rejections; ++rejections) {
    const double step = step_ = std::min(step_, settings_.longest_step);
    predict(step);
    if (correct(step)) {
      const double cosine = findTangent();
      if (cosine > settings_.sharpest_turn || step < settings_.short_step) {
        useTangent(step, cosine < 0);
        return true;
      }
    }
    z_ = z_kept_;
    t_ = t_kept;
    step_ *= 0.35;
    if (rejections != settings_.refresh_at) continue;
    if (!refresh()) return false;
    z_kept_ = z_;
    t_kept = t_;
  }
  return false;
}

}  // namespace stickslip
