#include "stepping/schemes/position.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/parallel_array.hpp"
#include "base/parallel_for.hpp"
#include "math/blocks/block_products.hpp"
#include "stepping/contact_approach.hpp"
#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

constexpr int kGrain = 256;
// The iteration for the geometry goes on to this relative change, however loose the tolerance.
constexpr double kCoarsestGeometry = 1e-3;
constexpr std::int64_t kPlain = 6;
constexpr std::int64_t kMixed = 20;
constexpr std::int64_t kMostIterations = 40;
// Contact problems solved again for contacts that the one before had missed.
constexpr std::int64_t kMostRounds = 12;
// The same for a solver of fixed effort, whose steps thus cost at most twice as much, and are all
// alike with a margin: looking for missed contacts and a round for them take two fifths of a run of
// spheres that fall into a box.
constexpr std::int64_t kMostRoundsOfFixedEffort = 1;

std::int64_t mostRounds(const Method& method, const SolverTraits& solver) {
  if (!solver.fixed_effort) return kMostRounds;
  return method.margin > 0 ? 0 : kMostRoundsOfFixedEffort;
}

}  // namespace

PositionScheme::PositionScheme(const Method& method, const SolverTraits& solver)
    : Scheme(method),
      watch_(method.margin),
      implicit_(method.implicit),
      correction_(method.correction),
      full_push_(method.full_push),
      rest_speed_(method.rest_speed),
      most_rounds_(mostRounds(method, solver)),
      tolerance_(method.tolerance) {}

void PositionScheme::reserve(const System& system, ContactProblem& problem) {
  builder_.reserve(system, problem);
  watch_.reserve(system);
  const std::size_t columns = system.velocityCount();
  const std::size_t positions = system.positionCount();
  gamma_joints_.reserve(system.jointCapacity());
  b_before_.reserve(problem.b.capacity());
  if (!implicit_) return;
  for (std::vector<double>* v :
       {&v_iterate_, &v_best_, &difference_, &mass_root_, &mixed_, &mixed_change_})
    v->reserve(columns);
  mixing_.reserve(columns);
  q_iterate_.reserve(positions);
}

void PositionScheme::formulate(const System& system, const State& state, double h,
                               ContactProblem& problem) {
  h_ = h;
  t_ = state.t;
  q_ = state.q;
  copyByAll(state.u, problem.v_old);
  if (system.coasts()) system.coast(h, problem.v_old);
  at_end_ = false;
  report_ = {};
  watch_.startStep(h);
  formulateAtIterate(system, problem);
}

void PositionScheme::formulateAtIterate(const System& system, ContactProblem& problem) {
  if (at_end_) {
    q_iterate_.assign(q_.begin(), q_.end());
    system.move(t_, v_iterate_, h_, q_iterate_);
  }
  const Configuration geometry = geometryPlace();
  builder_.freeMotion(system, geometry, {t_, q_}, problem.v_old, h_, problem);
  contacts(system, problem);
  joints(system, problem);
}

void PositionScheme::contacts(const System& system, ContactProblem& problem) {
  builder_.contacts(system, geometryPlace(), watch_.reach(builder_, problem), h_, problem);
  if (!at_end_) watch_.dropPassing(system, geometryPlace(), builder_, problem);
  parallelFor(problem.contactCount(), kGrain, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) setOffset(i, Concession::nothing, problem);
  });
  if (builder_.anyPrestressed()) prestress(problem);
}

void PositionScheme::prestress(ContactProblem& problem) {
  for (int i = 0; i < problem.contactCount(); ++i) {
    if (builder_.parametersOf(i).kind != ContactParameters::Kind::prestressed) continue;
    // What x would be at the end of the step if the row did not move in it.
    double x = builder_.contactData()[i].gap;
    if (at_end_) x -= h_ * gapRate(problem.J, i, problem.drive, v_iterate_);
    builder_.prestress(i, x, h_, h_, problem);
  }
}

void PositionScheme::joints(const System& system, ContactProblem& problem) {
  builder_.joints(system, geometryPlace(), problem);
  const JointSet& data = builder_.jointData();
  gamma_joints_.assign(problem.g.size(), 0.0);
  if (at_end_) {
    multiply(problem.G, v_iterate_, gamma_joints_);
    for (std::size_t row = 0; row < problem.g.size(); ++row)
      gamma_joints_[row] += problem.joint_drive[row];
  }
  for (int group = 0; group < problem.G.groupCount(); ++group)
    for (int k = 0; k < problem.G.rowsOf(group); ++k) {
      const std::size_t row = problem.G.firstRow(group) + k;
      // What the gap would be at the end of the step if the joint did not move in it.
      const double gap = problem.joint_gap[row] - h_ * gamma_joints_[row];
      if (data.stiffness[row] != JointSet::kRigid)
        builder_.makeSpring(group, k, gap, data.damping[row] + h_ * data.stiffness[row], h_,
                            problem);
      else if (h_ > 0)
        problem.g[row] += gap / h_;
    }
}

bool PositionScheme::concede(std::span<const Concession> contacts,
                             std::span<const Concession> joints, ContactProblem& problem) {
  b_before_ = problem.b;
  for (int i = 0; i < problem.contactCount(); ++i) setOffset(i, contacts[i], problem);
  const bool joints_changed = builder_.keepDrift(joints, problem);
  return joints_changed || problem.b != b_before_;
}

StageEnd PositionScheme::conclude(const System& system, const ContactSolution& solution,
                                  ContactProblem& problem) {
  if (h_ == 0) return StageEnd::done;
  if (!at_end_) return concludeAtStart(system, solution, problem);
  followChange(relativeChange(problem, solution.v));
  const double change = report_.geometry_change;
  if (change <= std::min(tolerance_, kCoarsestGeometry) ||
      report_.geometry_iterations > kMostIterations)
    return StageEnd::done;
  if (!(change >= least_change_)) {
    least_change_ = change;
    v_best_ = v_iterate_;
  }
  if (report_.geometry_iterations < kMostIterations)
    improveIterate(solution.v, problem);
  else
    v_iterate_ = v_best_;
  return formulateAgain(system, problem);
}

// The next iterate, given the velocity v that the geometry of the last one has led to.
void PositionScheme::improveIterate(std::span<const double> v, const ContactProblem& problem) {
  const std::int64_t done = report_.geometry_iterations;
  if (done < kPlain || done >= kMixed) {
    const double part = done < kPlain ? 1 : 0.5;
    for (std::size_t k = 0; k < v.size(); ++k) v_iterate_[k] += part * (v[k] - v_iterate_[k]);
    return;
  }
  if (done == kPlain) {
    mass_root_.clear();
    for (int b = 0; b < problem.M.blockCount(); ++b)
      for (int i = 0; i < problem.M.block(b).rows; ++i)
        mass_root_.push_back(std::sqrt(problem.M.block(b)(i, i)));
    mixing_.restart(v.size());
  }
  mixed_.resize(v.size());
  mixed_change_.resize(v.size());
  for (std::size_t k = 0; k < v.size(); ++k) {
    mixed_[k] = mass_root_[k] * v_iterate_[k];
    mixed_change_[k] = mass_root_[k] * (v[k] - v_iterate_[k]);
  }
  mixing_.advance(mixed_, mixed_change_);
  for (std::size_t k = 0; k < v.size(); ++k) v_iterate_[k] = mixed_[k] / mass_root_[k];
}

// Again as long as that wakes what rests.
StageEnd PositionScheme::formulateAgain(const System& system, ContactProblem& problem) {
  do {
    formulateAtIterate(system, problem);
  } while (builder_.wakeTouched(problem));
  return StageEnd::repeat;
}

StageEnd PositionScheme::concludeAtStart(const System& system, const ContactSolution& solution,
                                         ContactProblem& problem) {
  const bool missed =
      most_rounds_ > 0 && watch_.misses(system, geometryPlace(), solution.v, builder_, problem);
  report_.contacts_missed = missed && report_.contact_rounds >= most_rounds_;
  if (missed && !report_.contacts_missed) {
    ++report_.contact_rounds;
    return formulateAgain(system, problem);
  }
  if (!implicit_) return StageEnd::done;
  at_end_ = true;
  least_change_ = INFINITY;
  v_iterate_.assign(solution.v.begin(), solution.v.end());
  return formulateAgain(system, problem);
}

double PositionScheme::relativeChange(const ContactProblem& problem, std::span<const double> v) {
  const auto norm = [&](std::span<const double> x) {
    return std::sqrt(std::max(0.0, quadraticForm(problem.M, x)));
  };
  difference_.resize(v.size());
  for (std::size_t k = 0; k < v.size(); ++k) difference_[k] = v[k] - v_iterate_[k];
  const double size = std::max({norm(v), norm(problem.v_free), norm(problem.v_old)});
  return size > 0 ? norm(difference_) / size : 0;
}

void PositionScheme::followChange(double change) {
  if (report_.geometry_iterations++ == 0) first_change_ = change;
  report_.geometry_change = change;
  const auto steps = static_cast<double>(report_.geometry_iterations - 1);
  if (steps > 0 && change > 0 && first_change_ > 0)
    report_.geometry_contraction = math::pow(change / first_change_, 1 / steps);
}

void PositionScheme::advance(const System& system, double h, std::span<const double> v,
                             State& state) {
  system.move(t_, v, h, state.q);
  copyByAll(v, state.u);
  state.t += h;
}

// The offsets b of contacts in scheme `position`: gaps, how fast overlaps are pushed out, and
// restitution; see the head of position.hpp.

namespace {

// Overlaps are pushed out no faster than this much of what forces change within the step, and of
// the motion along the surface; see the head of position.hpp.
constexpr double kPushByForces = 2;
constexpr double kPushByMotion = 0.1;

// Sums over the columns of each row, of every other column apart: two at once. They have to be in
// memory for that.
using RowSums = std::array<std::array<double, 2>, ImpulseSet::kMostRows>;

[[gnu::noinline]] void addSpatialProducts(const double* w, const double* x, RowSums& sums) {
  for (std::size_t i = 0; i < 3; ++i, w += 6) {
    double sum[2];
    for (int l = 0; l < 2; ++l) sum[l] = w[l] * x[l] + w[2 + l] * x[2 + l] + w[4 + l] * x[4 + l];
    for (std::size_t l = 0; l < 2; ++l) sums[i][l] += sum[l];
  }
}

void addProducts(ConstMatrixView values, const double* x, RowSums& sums) {
  if (values.rows == 3 && values.columns == 6) return addSpatialProducts(values.data, x, sums);
  for (int i = 0; i < values.rows; ++i)
    for (int k = 0; k < values.columns; ++k) sums[i][0] += values(i, k) * x[k];
}

}  // namespace

PositionScheme::RowMotion PositionScheme::motionOf(int i, const ContactProblem& problem) const {
  RowMotion motion;
  RowSums old{}, free{};
  for (const BlockRows::Strip& strip : problem.J.stripsOf(i)) {
    const StripValues entries = problem.J.values(i, strip);
    const ConstMatrixView values = entries.view();
    addProducts(values, problem.v_old.data() + strip.first_column, old);
    addProducts(values, problem.v_free.data() + strip.first_column, free);
    const std::span<const double> normal = values.row(0);
    for (std::size_t k = 0; k < normal.size(); ++k)
      motion.terms += std::abs(normal[k] * problem.v_old[strip.first_column + k]);
  }
  for (std::size_t k = 0; k < static_cast<std::size_t>(problem.J.rowsOf(i)); ++k) {
    motion.old[k] = old[k][0] + old[k][1];
    motion.free[k] = free[k][0] + free[k][1];
  }
  return motion;
}

// b of a contact.
void PositionScheme::setOffset(int i, Concession given_up, ContactProblem& problem) const {
  const Contact& contact = builder_.contactData()[i];
  const ContactParameters& law = builder_.parametersOf(i);
  if (!law.isUnilateral()) return;
  const std::size_t normal = problem.J.firstRow(i);
  for (int k = 0; k < problem.J.rowsOf(i); ++k) {
    const std::size_t row = normal + static_cast<std::size_t>(k);
    problem.b[row] = driveOf(problem.drive, row);
  }
  const bool bounces = given_up == Concession::nothing && (law.e_n != 0 || law.e_t != 0);
  // Contacts that are open are not pushed, and mostly do not bounce either.
  const bool pushed = h_ > 0 && (at_end_ || !(contact.gap >= 0));
  const RowMotion motion = pushed || bounces ? motionOf(i, problem) : RowMotion{};
  if (h_ > 0) {
    if (at_end_) problem.b[normal] = -alongNormal(problem.J, i, v_iterate_);
    problem.b[normal] += (contact.gap < 0 ? correction_ : 1) * contact.gap / h_;
    if (pushed && !full_push_)
      problem.b[normal] = std::max(
          problem.b[normal], driveOf(problem.drive, normal) - fastestPush(i, motion, problem));
  }
  if (bounces)
    bounce(law, i, motion, problem);
  else if (given_up == Concession::drift)
    problem.b[normal] = std::max(problem.b[normal], driveOf(problem.drive, normal));
}

// How fast an overlap may be pushed out.
double PositionScheme::fastestPush(int i, const RowMotion& motion,
                                   const ContactProblem& problem) const {
  const std::size_t normal = problem.J.firstRow(i);
  const double drive = driveOf(problem.drive, normal);
  const double speed = std::abs(motion.old[0] + drive);
  double forces = std::abs(motion.free[0] - motion.old[0]);
  double along = std::abs(drive) + motion.terms;
  const int linear = problem.sets[i].linearRows();
  for (std::size_t k = 1; k < static_cast<std::size_t>(linear); ++k) {
    forces += std::abs(motion.free[k] - motion.old[k]);
    along += std::abs(motion.old[k] + driveOf(problem.drive, normal + k));
  }
  // The larger of the two, not their sum: pushes must not feed on each other.
  return std::max(speed, (at_end_ ? 1 : kPushByMotion) * along) + kPushByForces * forces;
}

// Newton's rule for a contact that the free motion would close. What does not bounce goes all the
// way to the surface instead.
void PositionScheme::bounce(const ContactParameters& law, int i, const RowMotion& motion,
                            ContactProblem& problem) const {
  const std::size_t normal = problem.J.firstRow(i);
  const double approach = motion.old[0] + driveOf(problem.drive, normal);
  if (!(approach < -rest_speed_) || motion.free[0] + problem.b[normal] >= 0) return;
  if (law.e_n > 0)
    problem.b[normal] =
        std::min(problem.b[normal], driveOf(problem.drive, normal) + law.e_n * approach);
  const int linear = problem.sets[i].linearRows();
  for (std::size_t k = 1; k < static_cast<std::size_t>(linear); ++k)
    problem.b[normal + k] += law.e_t * (motion.old[k] + driveOf(problem.drive, normal + k));
}

}  // namespace stickslip
