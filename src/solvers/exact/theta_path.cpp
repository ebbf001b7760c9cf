#include "solvers/exact/theta_path.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace stickslip {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostBlock = kMostRows * kMostRows;

double largestOf(std::span<const double> x) {
  double most = 0;
  for (const double value : x) most = std::abs(value) <= most ? most : std::abs(value);
  return most;
}
double dotOf(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}
std::span<const double> partOf(std::span<const double> x, const Cone& cone) {
  return x.subspan(cone.first, cone.rows);
}
std::span<double> partIn(std::span<double> x, const Cone& cone) {
  return x.subspan(cone.first, cone.rows);
}
double lengthOf(std::span<const double> x) {
  return std::sqrt(dotOf(x, x));
}

// T := T^-1 by Gauss and Jordan with row pivoting; returns the sign of its determinant.
int invertBlock(MatrixView T) {
  const int n = T.rows;
  std::array<int, kMostRows> swapped{};
  int sign = 1;
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(T(i, k)) > std::abs(T(pivot, k))) pivot = i;
    swapped[k] = pivot;
    if (pivot != k) {
      sign = -sign;
      for (int j = 0; j < n; ++j) std::swap(T(k, j), T(pivot, j));
    }
    const double value = T(k, k);
    if (value == 0) return 0;
    if (value < 0) sign = -sign;
    T(k, k) = 1;
    for (int j = 0; j < n; ++j) T(k, j) /= value;
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = T(i, k);
      T(i, k) = 0;
      for (int j = 0; j < n; ++j) T(i, j) -= factor * T(k, j);
    }
  }
  for (int k = n - 1; k >= 0; --k)
    if (swapped[k] != k)
      for (int i = 0; i < n; ++i) std::swap(T(i, k), T(i, swapped[k]));
  return sign;
}

}  // namespace

bool ThetaPath::covers(const ScaledIsland& island) {
  return std::all_of(island.cones().begin(), island.cones().end(),
                     [](const Cone& cone) { return LawBranch::covers(cone); });
}

void ThetaPath::prepare(const ScaledIsland& island) {
  const std::size_t n = island.rowCount();
  for (Vector* v :
       {&del_, &centre_, &x_, &p_, &u_, &velocity_, &F_, &F_theta_, &tangent_, &by_theta_, &by_F_,
        &trial_, &rhs_, &r_, &none_, &d_p_, &d_u_, &mark_.x, &mark_.tangent})
    v->assign(n, 0.0);
  const std::size_t cones = island.cones().size();
  held_.assign(cones, 0.0);
  branch_.assign(cones, LawBranch::free);
  kept_branch_.assign(cones, LawBranch::free);
  flips_.assign(cones, 0);
  mark_.branch.assign(cones, LawBranch::free);
  exits_.reserve(cones);
  for (Vector* v : {&D_, &Q_, &S_}) v->resize(island.W().blockEntries());
  point_.resize(island.rowCount());
}

void ThetaPath::run(Search& search, ConvexIsland& convex, SemismoothNewton& newton,
                    IslandSweeps& sweeps, const Iterate& relaxed, std::int64_t limit) {
  newton_ = &newton;
  sweeps_ = &sweeps;
  search_ = &search;
  island_ = &search.island();
  statistics_ = {};
  prepare(*island_);
  sweep(relaxed);
  if (search.ended()) return;
  end_ = search.iterations() + std::min(limit, search.left());
  eps_ = settings_.eps;
  startConvex(convex);
  for (int path = 0; path < settings_.short_paths && mayGoOn(); ++path) {
    ++statistics_.paths;
    follow();
    if (search.ended()) return;
    eps_ = std::max(settings_.least_eps, settings_.eps_shrinks * eps_);
    startAt(search.best().p);
  }
}

// Slow, but they find the loads of a pile in motion, and wander through states of a pile that
// barely slides: to where Newton's method arrives, which tries after the first, second, fourth, ...
// round, or to a point whose slip is nearly that of a solution.
void ThetaPath::sweep(const Iterate& relaxed) {
  point_ = relaxed.residual <= settings_.nearly_exact ? relaxed : search_->best();
  for (int round = 1; round <= settings_.rounds && !search_->ended(); ++round) {
    search_->count(std::min(settings_.cost_of_round, search_->left()));
    sweeps_->sweepThereAndBack(*island_, settings_.sweeps_of_round, point_.p);
    point_.evaluate(*island_);
    search_->offer(point_);
    const bool try_it = (round & (round - 1)) == 0 || round == settings_.rounds;
    if (try_it && !search_->ended())
      newton_->run(*search_, *sweeps_, point_.p, settings_.newton_steps_of_round);
  }
}

bool ThetaPath::mayGoOn() const {
  return search_->iterations() < end_ && !search_->solved();
}

void ThetaPath::offer() {
  point_.p = p_;
  point_.evaluate(*island_);
  search_->offer(point_);
}

// The slip that point_ has is held.
void ThetaPath::startConvex(ConvexIsland& convex) {
  const std::span<const Cone> cones = island_->cones();
  for (std::size_t i = 0; i < cones.size(); ++i)
    held_[i] = slipOf(cones[i], Law::coulomb, partOf(point_.u, cones[i]));
  const std::int64_t most = std::min(settings_.convex_steps, end_ - search_->iterations());
  search_->count(convex.solve(*island_, held_, point_.p, settings_.convex_target, most).iterations);
  point_.evaluate(*island_);
  search_->offer(point_);
  centre_ = point_.p;
  for (std::size_t k = 0; k < x_.size(); ++k) x_[k] = point_.p[k] - point_.u[k];
  for (std::size_t i = 0; i < cones.size(); ++i)
    if (cones[i].hasNormal()) x_[cones[i].first] -= held_[i];
  std::fill(del_.begin(), del_.end(), 0.0);
  chooseBranches(x_);
  evaluate(x_, 0);
  del_ = F_;
}

// x of p, exact for theta = 0 by what is added.
void ThetaPath::startAt(std::span<const double> p) {
  std::copy(p.begin(), p.end(), point_.p.begin());
  point_.evaluate(*island_);
  const std::span<const Cone> cones = island_->cones();
  for (std::size_t i = 0; i < cones.size(); ++i) {
    const Cone& cone = cones[i];
    for (int k = cone.first; k < cone.first + cone.rows; ++k) x_[k] = point_.p[k] - point_.u[k];
    x_[cone.first] -= slipOf(cone, Law::coulomb, partOf(point_.u, cone));
  }
  std::fill(del_.begin(), del_.end(), 0.0);
  chooseBranches(x_);
  evaluate(x_, 1);
  centre_ = p_;
  for (std::size_t i = 0; i < cones.size(); ++i)
    held_[i] = slipOf(cones[i], Law::coulomb, partOf(u_, cones[i]));
  evaluate(x_, 1);
  del_ = F_;
}

void ThetaPath::chooseBranches(std::span<const double> x) {
  const std::span<const Cone> cones = island_->cones();
  for (std::size_t i = 0; i < cones.size(); ++i)
    branch_[i] = LawBranch::at(cones[i], partOf(x, cones[i]));
}

// Returns the largest |F|.
double ThetaPath::evaluate(std::span<const double> x, double theta) {
  const std::span<const Cone> cones = island_->cones();
  F_theta_ = del_;
  for (std::size_t i = 0; i < cones.size(); ++i) {
    const Cone& cone = cones[i];
    F_theta_[cone.first] += LawBranch::evaluate(
        cone, branch_[i], {theta, held_[i]}, partOf(x, cone), partIn(p_, cone), partIn(u_, cone));
  }
  island_->velocity(p_, velocity_);
  for (std::size_t k = 0; k < F_.size(); ++k)
    F_[k] = u_[k] - velocity_[k] - eps_ * (p_[k] - centre_[k]) - (1 - theta) * del_[k];
  return largestOf(F_);
}

// Cones with constant impulses follow from the rest: their part of F becomes zero. Returns what is
// left.
double ThetaPath::settle(std::span<double> x, double theta) {
  const std::span<const Cone> cones = island_->cones();
  std::array<double, kMostRows> u;
  for (std::size_t i = 0; i < cones.size(); ++i) {
    const Cone& cone = cones[i];
    if (!LawBranch::isConstant(cone, branch_[i])) continue;
    for (int k = 0; k < cone.rows; ++k) {
      const int row = cone.first + k;
      u[k] = velocity_[row] + eps_ * (p_[row] - centre_[row]) + (1 - theta) * del_[row];
      u_[row] = u[k];
      F_[row] = 0;
    }
    F_theta_[cone.first] =
        del_[cone.first] + LawBranch::invert(cone, branch_[i], {theta, held_[i]},
                                             std::span<const double>(u).first(cone.rows),
                                             partIn(x, cone));
  }
  return largestOf(F_);
}

// With Q = (B + eps D)^-1 and S = D Q the system F_x dx = g is
// d_p = -S (W d_p + g), dx = -Q (W d_p + g).
bool ThetaPath::factor(std::span<const double> x, double theta) {
  search_->count();
  Delassus& W = island_->W();
  std::array<double, kMostBlock> b;
  int sign = 1;
  for (int i = 0; i < W.coneCount(); ++i) {
    const Cone& cone = island_->cones()[i];
    const int n = cone.rows;
    const std::size_t block = W.firstOfBlock(i);
    const MatrixView D{D_.data() + block, n, n}, Q{Q_.data() + block, n, n},
        S{S_.data() + block, n, n}, B{b.data(), n, n};
    LawBranch::linearize(cone, branch_[i], theta, partOf(x, cone), D, B);
    for (int k = 0; k < n * n; ++k) Q.data[k] = B.data[k] + eps_ * D.data[k];
    const int own = invertBlock(Q);
    if (own == 0) return false;
    sign *= own;
    for (int r = 0; r < n; ++r)
      for (int c = 0; c < n; ++c) {
        double sum = 0;
        for (int k = 0; k < n; ++k) sum += D(r, k) * Q(k, c);
        S(r, c) = sum;
      }
  }
  if (!W.factor(S_, Delassus::Symmetry::general)) return false;
  sign_ = sign * W.determinantSign();
  return true;
}

void ThetaPath::solve(std::span<const double> g, std::span<double> dx) {
  Delassus& W = island_->W();
  const auto times = [&](const Vector& blocks, int i, std::span<const double> in,
                         std::span<double> out) {
    const double* A = blocks.data() + W.firstOfBlock(i);
    const int first = W.firstRow(i), n = W.rowsOf(i);
    for (int r = 0; r < n; ++r) {
      double sum = 0;
      for (int c = 0; c < n; ++c) sum += A[r * n + c] * in[first + c];
      out[first + r] = -sum;
    }
  };
  for (int i = 0; i < W.coneCount(); ++i) times(S_, i, g, r_);
  W.solve(r_, none_, d_p_, d_u_);
  for (std::size_t k = 0; k < d_u_.size(); ++k) d_u_[k] += g[k];
  for (int i = 0; i < W.coneCount(); ++i) times(Q_, i, d_u_, dx);
}

// Newton's method on Coulomb's law from the impulses here.
bool ThetaPath::finish() {
  chooseBranches(x_);
  evaluate(x_, 1);
  newton_->run(*search_, *sweeps_, p_, settings_.newton_steps);
  return search_->solved();
}

// Onto the path and along it from theta = 0; true if Coulomb's law is solved.
bool ThetaPath::follow() {
  theta_ = 0;
  length_ = -1;
  step_ = 0;
  most_ = kFar;
  next_try_ = settings_.first_try;
  skip_ = stalled_ = 0;
  penalty_ = 1;
  start_sign_ = last_sign_ = 0;
  std::fill(flips_.begin(), flips_.end(), 0);
  chooseBranches(x_);
  while (mayGoOn()) {
    const bool found = turnTangent();
    if (step_ > settings_.shortest &&
        (!found || correction_ > settings_.allowance + settings_.share * step_)) {
      takeBack();
    } else {
      if (!found) return false;
      markPlace();
      most_ = kFar;
    }
    bool ended = false;
    if (skip_ > 0 || !stepAcross()) {
      if (skip_ > 0) --skip_;
      ended = stepToEvent();
    } else {
      ended = theta_ == 1;
    }
    statistics_.theta = theta_;
    if (ended) return finish();
    if (theta_ > next_try_ && at_.direction > 0) {
      next_try_ = theta_ + settings_.next_try * (1 - theta_);
      kept_branch_ = branch_;
      if (finish()) return true;
      branch_ = kept_branch_;
    }
    if (theta_ < -0.5 || stalled_ > settings_.most_stalled) return false;
  }
  return false;
}

// The tangent with its direction, a correction normal to it, and where cones leave their branches.
bool ThetaPath::turnTangent() {
  evaluate(x_, theta_);
  settle(x_, theta_);
  if (!factor(x_, theta_)) return false;
  if (start_sign_ == 0) start_sign_ = sign_;
  if (last_sign_ != 0 && last_sign_ != sign_) ++statistics_.folds;
  last_sign_ = sign_;
  at_.F_theta_size = largestOf(F_theta_);
  solve(F_theta_, by_theta_);
  for (std::size_t i = 0; i < F_.size(); ++i) rhs_[i] = -F_[i];
  solve(rhs_, by_F_);
  const double size = lengthOf(by_theta_);
  if (!std::isfinite(size)) return false;
  at_.direction = sign_ == start_sign_ ? 1 : -1;
  at_.tangent_theta = at_.direction / std::sqrt(size * size + 1);
  for (std::size_t i = 0; i < x_.size(); ++i) tangent_[i] = -at_.tangent_theta * by_theta_[i];
  const double d_theta =
      -dotOf(tangent_, by_F_) / (-dotOf(tangent_, by_theta_) + at_.tangent_theta);
  for (std::size_t i = 0; i < x_.size(); ++i) by_F_[i] -= d_theta * by_theta_[i];
  correction_ = lengthOf(by_F_);
  if (!std::isfinite(correction_)) return false;
  // Not farther than a step may be off.
  const double share = std::min(1.0, (settings_.allowance + settings_.share * step_) / correction_);
  for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += share * by_F_[i];
  theta_ += share * d_theta;

  at_.way_to_end = at_.direction > 0 ? (1 - theta_) / at_.tangent_theta : kFar;
  exits_.clear();
  at_.first_exit = kFar;
  at_.exit_cone = -1;
  const std::span<const Cone> cones = island_->cones();
  for (std::size_t i = 0; i < cones.size(); ++i) {
    const LawBranch::Exit exit =
        LawBranch::exit(cones[i], branch_[i], partOf(x_, cones[i]), partOf(tangent_, cones[i]));
    if (!(exit.s < kFar) || (flips_[i] >= settings_.flips && exit.s < settings_.shortest)) continue;
    exits_.push_back(exit.s);
    if (exit.s >= at_.first_exit) continue;
    at_.first_exit = exit.s;
    at_.exit_cone = static_cast<int>(i);
    at_.exit_branch = exit.branch;
  }
  if (length_ < 0) {
    length_ = at_.way_to_end;
    if (!exits_.empty()) {
      const std::size_t k =
          std::min(exits_.size() - 1, static_cast<std::size_t>(settings_.first_event));
      std::nth_element(exits_.begin(), exits_.begin() + static_cast<std::ptrdiff_t>(k),
                       exits_.end());
      length_ = exits_[k];
    }
  }
  return true;
}

void ThetaPath::markPlace() {
  mark_.x = x_;
  mark_.tangent = tangent_;
  mark_.branch = branch_;
  mark_.at = at_;
  mark_.theta = theta_;
}

// The next step is shorter than the last one, and goes to an event at most.
void ThetaPath::takeBack() {
  x_ = mark_.x;
  tangent_ = mark_.tangent;
  branch_ = mark_.branch;
  at_ = mark_.at;
  theta_ = mark_.theta;
  most_ = settings_.failed * step_;
  length_ = std::min(length_, most_);
  skip_ = std::max(skip_, 1);
}

// A step of length_ over any changes of branch, or to theta = 1.
bool ThetaPath::stepAcross() {
  const bool end = length_ >= at_.way_to_end;
  const double step = end ? at_.way_to_end : length_;
  const double enough =
      std::max(settings_.least_corrected,
               settings_.corrected * std::max(settings_.corrected_nearly_there, 1 - theta_) *
                   at_.F_theta_size);
  double theta = end ? 1 : theta_ + step * at_.tangent_theta, before = kFar;
  for (std::size_t i = 0; i < x_.size(); ++i) trial_[i] = x_[i] + step * tangent_[i];
  kept_branch_ = branch_;
  for (int k = 0; k < settings_.corrections; ++k) {
    chooseBranches(trial_);
    evaluate(trial_, theta);
    const double now = settle(trial_, theta);
    if (now < enough) {
      for (std::size_t i = 0; i < branch_.size(); ++i)
        statistics_.events += branch_[i] != kept_branch_[i];
      x_.swap(trial_);
      theta_ = theta;
      step_ = step;
      penalty_ = 1;
      length_ = step * (k <= 2 ? settings_.quick : k == 3 ? settings_.usual : settings_.slow);
      offer();
      return true;
    }
    if (!std::isfinite(now) || (k >= 2 && now > before / 2) || !mayGoOn()) break;
    before = now;
    if (!factor(trial_, theta)) break;
    for (std::size_t i = 0; i < F_.size(); ++i) rhs_[i] = -F_[i];
    solve(rhs_, by_F_);
    double d_theta = 0;
    if (!end) {
      solve(F_theta_, by_theta_);
      d_theta = -dotOf(tangent_, by_F_) / (at_.tangent_theta - dotOf(tangent_, by_theta_));
      for (std::size_t i = 0; i < by_F_.size(); ++i) by_F_[i] -= d_theta * by_theta_[i];
    }
    if (!(lengthOf(by_F_) < 1.5 * step) || std::abs(d_theta) > 1) break;
    for (std::size_t i = 0; i < x_.size(); ++i) trial_[i] += by_F_[i];
    theta += d_theta;
  }
  length_ = settings_.failed * step;
  skip_ = penalty_;
  penalty_ = std::min(2 * penalty_, settings_.most_skipped);
  branch_ = kept_branch_;
  return false;
}

// A step to the first change of branch, or as far as the path is straight. True at theta = 1.
bool ThetaPath::stepToEvent() {
  const bool end = at_.first_exit >= at_.way_to_end;
  double step = end ? at_.way_to_end : at_.first_exit;
  if (!(step < kFar)) {
    stalled_ = settings_.most_stalled + 1;
    return false;
  }
  const double enough =
      std::max(settings_.least_predicted,
               settings_.predicted * std::max(settings_.predicted_nearly_there, 1 - theta_) *
                   at_.F_theta_size);
  bool cut = step > most_;
  step = std::min(step, most_);
  for (int cuts = 0;; ++cuts) {
    for (std::size_t i = 0; i < x_.size(); ++i) trial_[i] = x_[i] + step * tangent_[i];
    const double theta = theta_ + step * at_.tangent_theta;
    evaluate(trial_, theta);
    const double now = settle(trial_, theta);
    if (now < enough || step < settings_.shortest || cuts > 25) break;
    step *= std::clamp(std::sqrt(0.7 * enough / now), 0.1, 0.5);
    cut = true;
  }
  x_.swap(trial_);
  theta_ += step * at_.tangent_theta;
  step_ = step;
  if (step > settings_.moving) std::fill(flips_.begin(), flips_.end(), 0);
  if (!cut && !end) {
    branch_[at_.exit_cone] = at_.exit_branch;
    ++statistics_.events;
    if (step < settings_.shortest) ++flips_[at_.exit_cone];
  }
  stalled_ = step < settings_.shortest / 10 ? stalled_ + 1 : 0;
  length_ = std::max(length_, step);
  offer();
  return end && !cut;
}

}  // namespace stickslip
