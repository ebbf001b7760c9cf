#include "solvers/exact/exact_solver.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/index.hpp"

namespace stickslip {
namespace {

constexpr std::int64_t kUsualBudget = 20000;
constexpr int kSweeps = 20, kManySweeps = 500, kSweepsAtOnce = 5;
// Sweeps that do not reduce the residual by this factor are not worth going on with.
constexpr double kWorthwhile = 4;
constexpr int kFirstNewtonSteps = 8, kNewtonSteps = 12, kPatientNewtonSteps = 25;
// From farther away Newton steps lead nowhere.
constexpr double kNear = 0.3;
constexpr int kInteriorSteps = 40;
// Residuals at which the interior point method hands over to Newton's.
constexpr std::array kHandOver{1e-6, 1e-8};
constexpr std::int64_t kRelaxedSteps = 80;
// Pivoting is quick with few contacts, and too slow with many.
constexpr int kFewContacts = 24;
// Rounds of DenseLemke's method, with few contacts and with more,
constexpr int kManyRounds = 10, kFewRounds = 3;
// the spacing of corners in the first of them, and from one to the next.
constexpr double kFirstSpacing = 0.8, kQuickly = 0.12, kSlowly = 0.3;
// Central paths: how many, c / t of each in turn, factorizations for one of them,
constexpr int kPaths = 6;
constexpr std::array kKappa{300.0, 30.0, 3000.0};
constexpr std::int64_t kPathSteps = 3000;
// c where Newton's method is first tried, from one try to the next, and the last.
constexpr double kFirstTry = 1e-3, kNextTry = 0.03, kLastTry = 1e-20;
constexpr std::int64_t kSmoothedSteps = 400;
// Islands of more contacts have less of them, so that time grows slowly.
constexpr std::int64_t kManyContacts = 500;
constexpr double kSmoothedProximal = 1e-2;

// Islands of more contacts find room when they first come.
constexpr int kReservedContacts = 256, kReservedDenseRows = 96;

}  // namespace

std::int64_t ExactSolver::usualBudget() const {
  return kUsualBudget;
}

void ExactSolver::reserve(int velocities, int contacts, int tangents, int joint_rows) {
  IslandSolver::reserve(velocities, contacts, tangents, joint_rows);
  contacts = std::min(contacts, kReservedContacts);
  const int contact_rows = (1 + tangents) * contacts, rows = contact_rows + joint_rows;
  sweeps_.reserve(contacts + joint_rows, rows);
  newton_.reserve(rows);
  interior_.reserve(contacts + joint_rows, rows);
  dense_.reserve(std::min(contact_rows, kReservedDenseRows), joint_rows);
  polyhedral_.reserve(contacts, contact_rows);
  now_.p.reserve(rows);
  now_.u.reserve(rows);
}

template <class Action>
void ExactSolver::run(ExactStage stage, Action action) {
  if (left_out_.has(stage)) return;
  stages().run(
      toString(stage),
      [&] {
        return StageLog::Progress{search_.iterations(), search_.best().residual,
                                  search_.accepted()};
      },
      action);
}

template <class Action>
void ExactSolver::runIfNeeded(ExactStage stage, Action action) {
  if (!search_.ended()) run(stage, action);
}

IslandReport ExactSolver::solveIsland(ScaledIsland& island, Iterate& point, std::int64_t budget) {
  search_.start(island, point, target(), budget);
  lemke_status_ = SolveStatus::inaccurate;
  sweeps_.prepare(island);
  now_.resize(island.rowCount());
  run(ExactStage::start, [] {});
  if (LawPairs::covers(island)) solveLinearLaws();
  runIfNeeded(ExactStage::sweeps, [&] { sweeps(kSweeps); });
  if (search_.best().residual <= kNear)
    run(ExactStage::newton, [&] { newton_.run(search_, sweeps_, point.p, kFirstNewtonSteps); });
  const auto is_polygon = [](const Cone& cone) { return cone.kind == Cone::Kind::polygon; };
  const auto is_plain = [](const Cone& cone) { return cone.isPlain(); };
  const auto is_round = [](const Cone& cone) { return cone.isRound(); };
  const std::span<const Cone> cones = island.cones();
  const bool polygons = std::any_of(cones.begin(), cones.end(), is_polygon);
  const bool mixed = polygons && std::any_of(cones.begin(), cones.end(), is_round);
  if (mixed || !std::all_of(cones.begin(), cones.end(), is_plain))
    solveSections();
  else if (polygons)
    runIfNeeded(ExactStage::pivoting, [&] { solvePolygons(); });
  else
    solveRoundCones();
  if (search_.accepted()) return {SolveStatus::solved, search_.iterations()};
  if (lemke_status_ == SolveStatus::ray) return {SolveStatus::ray, search_.iterations()};
  return {search_.left() > 0 ? SolveStatus::inaccurate : SolveStatus::iteration_limit,
          search_.iterations()};
}

// All that has a form as linear complementarity problem.
void ExactSolver::solveLinearLaws() {
  now_ = search_.best();
  std::int64_t iterations = 0;
  linear_.solve(search_.island(), now_, search_.target(), search_.left(), iterations, left_out_,
                &stages());
  search_.count(iterations);
  search_.offer(now_);
}

void ExactSolver::solveRoundCones() {
  approach();
  runIfNeeded(ExactStage::closing_corners, [&] { pivot(); });
  runIfNeeded(ExactStage::central_path, [&] { followCentralPaths(); });
  runIfNeeded(ExactStage::smoothed_path, [&] { followSmoothedPaths(); });
}

// What all cones begin with.
void ExactSolver::approach() {
  runIfNeeded(ExactStage::interior_point, [&] { interiorPoint(); });
  runIfNeeded(ExactStage::convex_start, [&] { relaxedFirst(); });
  runIfNeeded(ExactStage::many_sweeps, [&] { manySweeps(); });
}

// No paths for these, nor for cones beside polygons.
void ExactSolver::solveSections() {
  const auto is_round = [](const Cone& cone) { return cone.isRound(); };
  const auto has_corners = [](const Cone& cone) {
    return cone.kind == Cone::Kind::polygon || cone.shapes[0].directions > 0;
  };
  const std::span<const Cone> cones = search_.island().cones();
  approach();
  if (std::any_of(cones.begin(), cones.end(), has_corners) &&
      std::none_of(cones.begin(), cones.end(), is_round))
    runIfNeeded(ExactStage::pivoting, [&] { solvePolygons(); });
  else
    runIfNeeded(ExactStage::closing_corners, [&] { pivot(); });
}

// As long as they help.
void ExactSolver::sweeps(int count) {
  now_ = search_.best();
  double before = now_.residual;
  for (int k = 1; k <= count && !search_.solved() && search_.left() > 0; ++k) {
    search_.count();
    sweeps_.sweep(search_.island(), 1, now_.p);
    now_.evaluate(search_.island());
    search_.offer(now_);
    if (k % kSweepsAtOnce != 0) continue;
    if (!(now_.residual <= before / kWorthwhile)) return;
    before = now_.residual;
  }
}

// Slow, but they find the loads of a pile in motion, from which Newton's method may go on.
void ExactSolver::manySweeps() {
  now_ = search_.best();
  for (int k = 0; k < kManySweeps && !search_.ended(); k += kSweepsAtOnce) {
    search_.count(kSweepsAtOnce);
    sweeps_.sweep(search_.island(), kSweepsAtOnce, now_.p);
    now_.evaluate(search_.island());
    search_.offer(now_);
  }
  newton_.run(search_, sweeps_, now_.p, kPatientNewtonSteps);
}

void ExactSolver::finish(std::span<const double> p, int steps) {
  now_.p.assign(p.begin(), p.end());
  now_.evaluate(search_.island());
  search_.offer(now_);
  newton_.run(search_, sweeps_, now_.p, steps);
}

void ExactSolver::interiorPoint() {
  interior_.start(search_.island());
  for (const double enough : kHandOver) {
    if (search_.ended()) return;
    const bool there = interior_.run(search_, enough, kInteriorSteps);
    newton_.run(search_, sweeps_, interior_.best().p, kNewtonSteps);
    if (!there) return;
  }
}

// What sticks in the relaxed law sticks in Coulomb's.
void ExactSolver::relaxedFirst() {
  now_.p = search_.best().p;
  const ConvexReport report = relaxed_.solve(search_.island(), {}, now_.p, search_.target(),
                                             std::min(kRelaxedSteps, search_.left()));
  search_.count(report.iterations);
  finish(now_.p, kNewtonSteps);
}

void ExactSolver::pivot() {
  dense_.build(search_.island());
  if (dense_.cones().size() > at(ClosingCorners::kMostContacts)) return;
  if (!ClosingCorners::covers(dense_)) return;
  dense_p_.resize(dense_.size());
  dense_u_.resize(dense_.size());
  closeIn(ClosingCorners::Expect::against_sliding, kQuickly);
  if (dense_.cones().size() > at(kFewContacts)) return;
  closeIn(ClosingCorners::Expect::as_before, kSlowly);
  closeIn(ClosingCorners::Expect::against_sliding, kSlowly);
}

// DenseLemke's method on the polygons themselves.
void ExactSolver::solvePolygons() {
  dense_.build(search_.island());
  if (dense_.cones().size() > at(ClosingCorners::kMostContacts)) return;
  if (!ClosingCorners::covers(dense_)) return;
  dense_p_.resize(dense_.size());
  std::int64_t pivots = 0;
  lemke_status_ = polyhedral_.solvePolygons(dense_, search_.left(), dense_p_, pivots);
  search_.count(pivots);
  dense_.toIsland(dense_p_, now_.p);
  finish(now_.p, kNewtonSteps);
}

void ExactSolver::closeIn(ClosingCorners::Expect expect, double closer) {
  const int rounds = dense_.cones().size() <= at(kFewContacts) ? kManyRounds : kFewRounds;
  double spacing = kFirstSpacing;
  dense_.fromIsland(search_.best().p, dense_p_);
  dense_.fromIsland(search_.best().u, dense_u_);
  polyhedral_.start(dense_, expect, dense_p_, dense_u_);
  for (int round = 0; round < rounds && !search_.ended(); ++round, spacing *= closer) {
    std::int64_t pivots = 0;
    lemke_status_ = polyhedral_.solve(dense_, spacing, search_.left(), dense_p_, dense_u_, pivots);
    search_.count(pivots);
    dense_.toIsland(dense_p_, now_.p);
    finish(now_.p, kNewtonSteps);
  }
}

std::int64_t ExactSolver::affordable(std::int64_t steps) const {
  const std::int64_t contacts = static_cast<std::int64_t>(search_.island().cones().size());
  if (contacts <= kManyContacts) return steps;
  return std::max(std::int64_t{1}, steps * kManyContacts / contacts * kManyContacts / contacts);
}

void ExactSolver::followCentralPaths() {
  const std::int64_t one = affordable(kPathSteps);
  const std::int64_t end = search_.iterations() + (one < kPathSteps ? one : kPaths * kPathSteps);
  for (int path = 0; path < kPaths && !search_.ended() && search_.iterations() < end; ++path)
    if (central_.start(search_, kKappa[at(path) % kKappa.size()], static_cast<unsigned>(path)))
      followCentralPath(std::min(kPathSteps, end - search_.iterations()));
}

void ExactSolver::followCentralPath(std::int64_t limit) {
  const std::int64_t end = search_.iterations() + limit;
  for (double c = kFirstTry; c > kLastTry && !search_.ended(); c *= kNextTry) {
    const CentralPath::Outcome outcome = central_.follow(search_, c, end - search_.iterations());
    finish(central_.impulses(), kNewtonSteps);
    if (outcome != CentralPath::Outcome::arrived) return;
  }
}

void ExactSolver::followSmoothedPaths() {
  smoothed_.start(search_.island(), search_.best().p, search_.best().residual, kSmoothedProximal);
  const std::int64_t end = search_.iterations() + affordable(kSmoothedSteps);
  while (!search_.ended() && smoothed_.followPath(search_, end - search_.iterations()))
    finish(smoothed_.impulses(), kNewtonSteps);
}

}  // namespace stickslip
