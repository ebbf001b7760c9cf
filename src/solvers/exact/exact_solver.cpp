#include "solvers/exact/exact_solver.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace stickslip {

IslandReport ExactSolver::solveIsland(ScaledIsland& island, Iterate& point, std::int64_t budget) {
  search_.start(island, point, target(), budget);
  sweeps_.prepare(island);
  lemke_status_ = SolveStatus::inaccurate;
  now_.resize(island.rowCount());
  relaxed_ = point;
  relaxed_.residual = std::numeric_limits<double>::infinity();

  run(ExactStage::start, [] {});
  runIfNeeded(ExactStage::sweeps, [&] { sweep(); });
  run(ExactStage::newton, [&] { newton(point.p); });
  runIfNeeded(ExactStage::interior_point, [&] { interiorPoint(); });
  runIfNeeded(ExactStage::convex_start, [&] { convexStart(); });
  runIfNeeded(ExactStage::corners, [&] { corners(); });
  if (ThetaPath::covers(island)) paths();

  SolveStatus status = search_.left() > 0 ? SolveStatus::inaccurate : SolveStatus::iteration_limit;
  if (lemke_status_ == SolveStatus::ray) status = SolveStatus::ray;
  if (search_.accepted()) status = SolveStatus::solved;
  return {status, search_.iterations()};
}

template <class Action>
void ExactSolver::run(ExactStage stage, Action action) {
  if (left_out_.has(stage)) return;
  const auto progress = [&] {
    return StageLog::Progress{search_.iterations(), search_.best().residual, search_.accepted()};
  };
  stages().run(toString(stage), progress, action);
}

template <class Action>
void ExactSolver::runIfNeeded(ExactStage stage, Action action) {
  if (!search_.ended()) run(stage, action);
}

void ExactSolver::reserve(int velocities, int contacts, int tangents, int joint_rows) {
  IslandSolver::reserve(velocities, contacts, tangents, joint_rows);
  contacts = std::min(contacts, settings_.reserved_contacts);
  const int contact_rows = (1 + tangents) * contacts, rows = contact_rows + joint_rows;
  sweeps_.reserve(contacts + joint_rows, rows);
  newton_.reserve(rows);
  interior_.reserve(contacts + joint_rows, rows);
  dense_.reserve(std::min(contact_rows, settings_.reserved_dense_rows), joint_rows);
  corners_.reserve(contacts, contact_rows);
  for (Iterate* point : {&now_, &relaxed_}) {
    point->p.reserve(rows);
    point->u.reserve(rows);
  }
}

// As long as they help. Joints alone are for Newton's method, and contacts with polygons, too,
// where a sweep costs as much as a step of it.
void ExactSolver::sweep() {
  const std::span<const Cone> cones = search_.island().cones();
  const auto is_joint = [](const Cone& cone) { return cone.kind == Cone::Kind::joint; };
  const auto is_polygon = [](const Cone& cone) { return cone.kind == Cone::Kind::polygon; };
  const bool once = std::all_of(cones.begin(), cones.end(), is_joint) ||
                    std::any_of(cones.begin(), cones.end(), is_polygon);
  const int most = once ? 1 : settings_.sweeps;
  now_ = search_.best();
  double before = now_.residual;
  for (int k = 1; k <= most && !search_.solved() && search_.left() > 0; ++k) {
    search_.count();
    sweeps_.sweep(search_.island(), 1, now_.p);
    now_.evaluate(search_.island());
    search_.offer(now_);
    if (k % settings_.sweeps_at_once != 0) continue;
    if (!(now_.residual <= before / settings_.worthwhile)) return;
    before = now_.residual;
  }
}

// Also where the target is reached: a few steps to rounding are cheap there.
void ExactSolver::newton(std::span<const double> p) {
  if (search_.best().residual > settings_.near) return;
  newton_.run(search_, sweeps_, p, settings_.first_newton_steps);
}

void ExactSolver::finish(std::span<const double> p, int steps) {
  now_.p.assign(p.begin(), p.end());
  now_.evaluate(search_.island());
  search_.offer(now_);
  newton_.run(search_, sweeps_, now_.p, steps);
}

void ExactSolver::interiorPoint() {
  if (LawPairs::covers(search_.island()))
    return pair_path_.tryWithoutPath(search_, newton_, sweeps_);
  interior_.start(search_.island());
  for (const double enough : settings_.hand_over) {
    if (search_.ended()) return;
    const bool there = interior_.run(search_, enough, settings_.interior_steps);
    newton_.run(search_, sweeps_, interior_.best().p, settings_.newton_steps);
    if (!there) return;
  }
}

// What sticks in the relaxed law sticks in Coulomb's.
void ExactSolver::convexStart() {
  now_.p = search_.best().p;
  const ConvexReport report = convex_.solve(search_.island(), {}, now_.p, search_.target(),
                                            std::min(settings_.convex_steps, search_.left()));
  search_.count(report.iterations);
  now_.evaluate(search_.island());
  relaxed_ = now_;
  finish(relaxed_.p, settings_.newton_steps);
}

// Lemke's method, on polygons as they are, and with corners that close in on round cones.
void ExactSolver::corners() {
  const std::span<const Cone> all = search_.island().cones();
  const auto is_joint = [](const Cone& cone) { return cone.kind == Cone::Kind::joint; };
  const auto joints = std::count_if(all.begin(), all.end(), is_joint);
  if (static_cast<std::ptrdiff_t>(all.size()) - joints > ClosingCorners::kMostContacts) return;
  dense_.build(search_.island());
  if (!ClosingCorners::covers(dense_)) return;
  const std::span<const Cone> cones = dense_.cones();
  dense_p_.resize(dense_.size());
  dense_u_.resize(dense_.size());
  const auto is_round = [](const Cone& cone) { return cone.isRound(); };
  const auto has_corners = [](const Cone& cone) {
    return cone.kind == Cone::Kind::polygon || cone.shapes[0].directions > 0;
  };
  if (std::any_of(cones.begin(), cones.end(), has_corners) &&
      std::none_of(cones.begin(), cones.end(), is_round))
    return solvePolygons();
  closeIn(ClosingCorners::Expect::against_sliding, settings_.closer_quickly);
  if (cones.size() > settings_.few_contacts) return;
  closeIn(ClosingCorners::Expect::as_before, settings_.closer_slowly);
  closeIn(ClosingCorners::Expect::against_sliding, settings_.closer_slowly);
}

void ExactSolver::solvePolygons() {
  std::int64_t pivots = 0;
  lemke_status_ = corners_.solvePolygons(dense_, search_.left(), dense_p_, pivots);
  search_.count(pivots);
  dense_.toIsland(dense_p_, now_.p);
  finish(now_.p, settings_.newton_steps);
}

void ExactSolver::closeIn(ClosingCorners::Expect expect, double closer) {
  const int rounds = dense_.cones().size() <= settings_.few_contacts ? settings_.many_corner_rounds
                                                                     : settings_.few_corner_rounds;
  double spacing = settings_.first_spacing;
  dense_.fromIsland(search_.best().p, dense_p_);
  dense_.fromIsland(search_.best().u, dense_u_);
  corners_.start(dense_, expect, dense_p_, dense_u_);
  for (int round = 0; round < rounds && !search_.ended(); ++round, spacing *= closer) {
    std::int64_t pivots = 0;
    lemke_status_ = corners_.solve(dense_, spacing, search_.left(), dense_p_, dense_u_, pivots);
    search_.count(pivots);
    dense_.toIsland(dense_p_, now_.p);
    finish(now_.p, settings_.newton_steps);
  }
}

// Of pairs where laws are polyhedral. Else the central path comes first only in small islands,
// where it is cheap: jammed piles, which are what large islands get here, need the theta path.
void ExactSolver::paths() {
  const auto central = [&](int first, int last) {
    runIfNeeded(ExactStage::central_path, [&] { centralPaths(first, last); });
  };
  const int most = settings_.central_paths;
  const bool polyhedral = LawPairs::covers(search_.island());
  const bool small =
      static_cast<std::int64_t>(search_.island().cones().size()) <= settings_.many_contacts_central;
  if (polyhedral)
    runIfNeeded(ExactStage::pair_path, [&] { pair_path_.run(search_, newton_, sweeps_); });
  if (!polyhedral && small) central(0, 1);
  runIfNeeded(ExactStage::theta_path, [&] { thetaPath(); });
  if (!polyhedral) small ? central(1, most) : central(0, 1);
}

// Each time another one; Newton's method tries to finish it several times.
void ExactSolver::centralPaths(int first, int last) {
  for (int path = first; path < last && !search_.ended(); ++path) {
    const std::int64_t limit = affordable(settings_.central_steps, settings_.many_contacts_central);
    const std::int64_t end = search_.iterations() + limit;
    const double kappa = settings_.kappa[static_cast<std::size_t>(path) % settings_.kappa.size()];
    if (!central_path_.start(search_, kappa, static_cast<std::uint64_t>(path))) continue;
    auto outcome = CentralPath::Outcome::arrived;
    for (double c = settings_.first_try;
         c > settings_.last_try && !search_.ended() && outcome == CentralPath::Outcome::arrived;
         c *= settings_.next_try) {
      outcome = central_path_.follow(search_, c, end - search_.iterations());
      finish(central_path_.impulses(), settings_.newton_steps);
    }
  }
}

void ExactSolver::thetaPath() {
  const std::int64_t limit = affordable(settings_.theta_steps, settings_.many_contacts_theta);
  theta_path_.run(search_, convex_, newton_, sweeps_, relaxed_, limit);
}

// Islands of more contacts have fewer factorizations, so that time grows slowly.
std::int64_t ExactSolver::affordable(std::int64_t steps, std::int64_t many) const {
  const auto contacts = static_cast<std::int64_t>(search_.island().cones().size());
  if (contacts <= many) return steps;
  return std::max(std::int64_t{1}, steps * many / contacts * many / contacts);
}

}  // namespace stickslip
