#include "solvers/exact_contact_solver.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/single_contact.hpp"

namespace stickslip {
namespace {

constexpr long kUsualBudget = 20000;
constexpr int kSweeps = 30;
constexpr int kNewtonSteps = 25;
// Pivoting is quick with few contacts, and too slow with many.
constexpr std::size_t kFewContacts = 24;
// Rounds of Lemke's method, with few contacts and with more,
constexpr int kManyRounds = 10, kFewRounds = 3;
// the spacing of corners in the first of them, and from one to the next.
constexpr double kFirstSpacing = 0.8, kQuickly = 0.12, kSlowly = 0.3;
constexpr long kPathSteps = 400;
constexpr double kFirstProximal = 1e-2;
// r of the law of Alart and Curnier, in units of the effective mass.
constexpr double kForecast = 3;
// A residual that counts as solved,
constexpr double kSolved = 1e-10;
// one from which on only quick progress is worth a step,
constexpr double kSettled = 1e-12;
// and one below which nothing is left to be gained.
constexpr double kRounding = 1e-14;
// Problems with more contacts find room when they first come.
constexpr int kReservedContacts = 256;

}  // namespace

ExactContactSolver::ExactContactSolver(long budget) {
  setBudget(budget);
}

void ExactContactSolver::setBudget(long budget) {
  budget_ = budget > 0 ? budget : kUsualBudget;
}

void ExactContactSolver::reserve(int velocities, int contacts, int tangents, int joint_rows) {
  contacts = std::min(contacts, kReservedContacts);
  const int rows = (1 + tangents) * contacts;
  const auto n = static_cast<std::size_t>(rows);
  reduced_.reserve(velocities, rows, joint_rows);
  islands_.reserve(contacts);
  cone_.reserve(contacts, rows);
  newton_.reserve(rows);
  polyhedral_.reserve(contacts, rows);
  smoothed_.reserve(rows);
  for (Point* point : {&now_, &trial_, &best_}) {
    point->pi.reserve(n);
    point->omega.reserve(n);
  }
  step_.reserve(n);
  p_.reserve(n);
  warm_.reserve(n);
  last_p_.reserve(n);
  last_contacts_.reserve(static_cast<std::size_t>(contacts));
}

SolveReport ExactContactSolver::solve(const ContactProblem& problem, ContactSolution& solution) {
  if (problem.J.rowCount() == 0 && problem.G.rowCount() == 0) {
    solution.v = problem.v_free;
    solution.p.clear();
    solution.c.clear();
    return {};
  }
  iterations_ = 0;
  reduced_.reduce(problem);
  islands_.find(reduced_.W(), problem.J);
  recallImpulses(problem);
  p_.assign(static_cast<std::size_t>(problem.J.rowCount()), 0.0);
  cone_.findUnits(reduced_.W(), reduced_.q());
  bool all_solved = true, jammed = false;
  for (int island = 0; island < islands_.count(); ++island) {
    cone_.build(reduced_.W(), reduced_.q(), problem.J, problem.sets, islands_.contacts(island));
    solveIsland();
    cone_.toImpulses(best_.pi, p_);
    all_solved = all_solved && solved();
    jammed = jammed || (lemke_status_ == SolveStatus::ray && !solved());
  }
  rememberImpulses(problem);
  reduced_.recover(p_, solution);
  if (all_solved) return {SolveStatus::solved, iterations_};
  if (jammed) return {SolveStatus::ray, iterations_};
  return {budgetLeft() ? SolveStatus::inaccurate : SolveStatus::iteration_limit, iterations_};
}

void ExactContactSolver::solveIsland() {
  lemke_status_ = SolveStatus::inaccurate;
  start();
  sweeps(kSweeps);
  now_ = best_;
  newton(kNewtonSteps);
  const std::size_t contacts = cone_.items().size();
  if (contacts > kFewContacts) followSmoothedPaths();
  if (contacts > PolyhedralStart::kMostContacts) return;
  closeIn(PolyhedralStart::Expect::against_sliding, kQuickly);
  if (contacts <= kFewContacts) {
    closeIn(PolyhedralStart::Expect::as_before, kSlowly);
    closeIn(PolyhedralStart::Expect::against_sliding, kSlowly);
  }
  followSmoothedPaths();
}

// At zero or at the last impulses, whichever is better.
void ExactContactSolver::start() {
  const auto n = static_cast<std::size_t>(cone_.size());
  for (Point* point : {&now_, &trial_, &best_}) {
    point->pi.assign(n, 0.0);
    point->omega.assign(n, 0.0);
  }
  step_.resize(n);
  evaluate(best_);
  if (!warm_.empty()) {
    cone_.fromImpulses(warm_, now_.pi);
    evaluate(now_);
    keepBest();
  }
  now_ = best_;
}

void ExactContactSolver::recallImpulses(const ContactProblem& problem) {
  warm_.clear();
  if (last_contacts_.empty() || problem.contact_id.empty()) return;
  warm_.assign(static_cast<std::size_t>(problem.J.rowCount()), 0.0);
  for (int i = 0; i < problem.contactCount(); ++i) {
    const std::uint64_t id = problem.contact_id[static_cast<std::size_t>(i)];
    const auto last = std::lower_bound(last_contacts_.begin(), last_contacts_.end(),
                                       std::pair<std::uint64_t, int>{id, 0});
    if (last == last_contacts_.end() || last->first != id) continue;
    const auto from = static_cast<std::size_t>(last->second);
    const auto rows = static_cast<std::size_t>(problem.J.rowsOf(i));
    if (from + rows > last_p_.size()) continue;
    std::copy_n(last_p_.begin() + static_cast<std::ptrdiff_t>(from), rows,
                warm_.begin() + problem.J.firstRow(i));
  }
}

void ExactContactSolver::rememberImpulses(const ContactProblem& problem) {
  last_p_ = p_;
  last_contacts_.clear();
  if (problem.contact_id.empty()) return;
  for (int i = 0; i < problem.contactCount(); ++i)
    last_contacts_.emplace_back(problem.contact_id[static_cast<std::size_t>(i)],
                                problem.J.firstRow(i));
  std::sort(last_contacts_.begin(), last_contacts_.end());
}

void ExactContactSolver::evaluate(Point& point) {
  cone_.velocity(point.pi, point.omega);
  point.residual = cone_.residual(point.pi, point.omega);
}

void ExactContactSolver::keepBest() {
  if (now_.residual.velocity < best_.residual.velocity) best_ = now_;
}

bool ExactContactSolver::solved() const {
  return best_.residual.velocity <= kSolved;
}

bool ExactContactSolver::finished() const {
  return best_.residual.velocity <= kRounding || !budgetLeft();
}

void ExactContactSolver::sweeps(int count) {
  for (int k = 0; k < count && !finished() && !(best_.residual.velocity <= kSettled); ++k) {
    sweepOnce();
    evaluate(now_);
    keepBest();
  }
}

void ExactContactSolver::sweepOnce() {
  ++iterations_;
  const ConstMatrixView W = cone_.W();
  for (const ConeProblem::Item& item : cone_.items()) {
    std::array<ConeVector, 3> A{};
    ConeVector b{};
    const ConeVector old = partOf(now_.pi, item);
    for (int i = 0; i < item.rows; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const auto row = static_cast<std::size_t>(item.first + i);
      b[k] = now_.omega[row];
      for (int j = 0; j < item.rows; ++j) {
        A[k][static_cast<std::size_t>(j)] = W(item.first + i, item.first + j);
        b[k] -= W(item.first + i, item.first + j) * old[static_cast<std::size_t>(j)];
      }
    }
    const ConeVector pi =
        item.interval ? ConeVector{std::clamp(-b[0] / A[0][0], item.lower, item.upper), 0, 0}
                      : solveSingleContact(A, b, item.rows);
    ConeVector change{};
    for (int i = 0; i < item.rows; ++i) {
      const auto k = static_cast<std::size_t>(i);
      change[k] = pi[k] - old[k];
      now_.pi[static_cast<std::size_t>(item.first + i)] = pi[k];
    }
    cone_.addChange(std::span(change).first(static_cast<std::size_t>(item.rows)), item.first,
                    now_.omega);
  }
}

void ExactContactSolver::newton(int steps) {
  double eps = std::min(kFirstProximal, now_.residual.velocity);
  for (int k = 0; k < steps && !finished(); ++k) {
    const double before = best_.residual.velocity;
    if (!tryStep(eps) && budgetLeft()) {
      sweepOnce();
      evaluate(now_);
    }
    keepBest();
    const double after = best_.residual.velocity;
    if (after <= kSettled && !(after < before / 2)) return;
  }
}

void ExactContactSolver::closeIn(PolyhedralStart::Expect expect, double closer) {
  const int rounds = cone_.items().size() <= kFewContacts ? kManyRounds : kFewRounds;
  double spacing = kFirstSpacing;
  if (!solved()) polyhedral_.start(cone_, expect, best_.pi, best_.omega);
  for (int round = 0; round < rounds && !solved() && budgetLeft(); ++round, spacing *= closer) {
    lemke_status_ =
        polyhedral_.solve(cone_, spacing, budget_ - iterations_, now_.pi, now_.omega, iterations_);
    evaluate(now_);
    keepBest();
    newton(kNewtonSteps);
  }
}

void ExactContactSolver::followSmoothedPaths() {
  if (solved() || !budgetLeft()) return;
  smoothed_.start(cone_, best_.pi, best_.residual.velocity);
  const long limit = std::min(budget_, iterations_ + kPathSteps);
  while (!solved() && smoothed_.followPath(cone_, limit, iterations_, now_.pi)) {
    evaluate(now_);
    keepBest();
    newton(kNewtonSteps);
  }
}

bool ExactContactSolver::tryStep(double& eps) {
  ++iterations_;
  if (!newton_.step(cone_, now_.pi, now_.omega, kForecast, eps, step_)) {
    eps = std::min(10 * eps, 1.0);
    return false;
  }
  double share = 1;
  for (int halving = 0; halving < 8; ++halving, share /= 2) {
    for (std::size_t k = 0; k < step_.size(); ++k)
      trial_.pi[k] = now_.pi[k] + share * (step_[k] - now_.pi[k]);
    evaluate(trial_);
    if (!(trial_.residual.merit < (1 - 1e-2 * share) * now_.residual.merit)) continue;
    std::swap(now_, trial_);
    eps = share == 1 ? std::max(eps / 10, 1e-13) : std::min(2 * eps, 1.0);
    return true;
  }
  eps = std::min(10 * eps, 1.0);
  return false;
}

}  // namespace stickslip
