// The offsets b of contacts in scheme `position`: gaps, how fast overlaps are pushed out, and
// restitution; see the head of position.hpp.
#include <algorithm>
#include <cmath>

#include "stepping/contact_approach.hpp"
#include "stepping/position.hpp"

namespace stickslip {
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
    for (int k = 0; k < values.columns; ++k)
      sums[static_cast<std::size_t>(i)][0] += values(i, k) * x[k];
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
      motion.terms +=
          std::abs(normal[k] * problem.v_old[static_cast<std::size_t>(strip.first_column) + k]);
  }
  for (std::size_t k = 0; k < static_cast<std::size_t>(problem.J.rowsOf(i)); ++k) {
    motion.old[k] = old[k][0] + old[k][1];
    motion.free[k] = free[k][0] + free[k][1];
  }
  return motion;
}

// b of a contact.
void PositionScheme::setOffset(int i, Concession given_up, ContactProblem& problem) const {
  const Contact& contact = builder_.contactData()[static_cast<std::size_t>(i)];
  const ContactParameters& law = builder_.parametersOf(i);
  if (!law.isUnilateral()) return;
  const auto normal = static_cast<std::size_t>(problem.J.firstRow(i));
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
  const auto normal = static_cast<std::size_t>(problem.J.firstRow(i));
  const double drive = driveOf(problem.drive, normal);
  const double speed = std::abs(motion.old[0] + drive);
  double forces = std::abs(motion.free[0] - motion.old[0]);
  double along = std::abs(drive) + motion.terms;
  const int linear = problem.sets[static_cast<std::size_t>(i)].linearRows();
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
  const auto normal = static_cast<std::size_t>(problem.J.firstRow(i));
  const double approach = motion.old[0] + driveOf(problem.drive, normal);
  if (!(approach < -rest_speed_) || motion.free[0] + problem.b[normal] >= 0) return;
  if (law.e_n > 0)
    problem.b[normal] =
        std::min(problem.b[normal], driveOf(problem.drive, normal) + law.e_n * approach);
  const int linear = problem.sets[static_cast<std::size_t>(i)].linearRows();
  for (std::size_t k = 1; k < static_cast<std::size_t>(linear); ++k)
    problem.b[normal + k] += law.e_t * (motion.old[k] + driveOf(problem.drive, normal + k));
}

}  // namespace stickslip
