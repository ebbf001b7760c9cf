// Contacts that rows would close, but whose sides pass each other; see the head of
// contact_watch.hpp.
#include <algorithm>
#include <cmath>

#include "math/index.hpp"
#include "parallel/parallel_for.hpp"
#include "stepping/contact_approach.hpp"
#include "stepping/contact_watch.hpp"

namespace stickslip {
namespace {

// A contact is followed on its way if gap and overlap by its row are more than this part of the
// way,
constexpr double kClearly = 0.05;
// and the way is neither what forces make within the step nor a difference of much longer ones:
// then rows are as good as the bodies, and bodies at rest need not be looked at.
constexpr double kFasterThanForces = 4;
constexpr double kOfTheTerms = 0.01;
constexpr int kContactGrain = 256;

/// Velocities of a contact along its linear rows.
struct RowSpeeds {
  double moving = 0;  ///< of the two sides beside each other
  double forced = 0;  ///< what forces make of that within the step
  double terms = 0;   ///< largest number that was added up
};

RowSpeeds rowSpeeds(const ContactProblem& problem, int contact, std::span<const double> v) {
  RowSpeeds out;
  double moving_square = 0, forced_square = 0;
  for (int row = 0; row < problem.sets[at(contact)].linearRows(); ++row) {
    double moving = driveOf(problem.drive, at(problem.J.firstRow(contact) + row)), forced = 0;
    for (const BlockRows::Strip& strip : problem.J.stripsOf(contact)) {
      const StripValues entries = problem.J.values(contact, strip);
      const std::span<const double> values = entries.row(row);
      for (std::size_t k = 0; k < values.size(); ++k) {
        const std::size_t column = at(strip.first_column) + k;
        moving += values[k] * v[column];
        forced += values[k] * (problem.v_free[column] - problem.v_old[column]);
        out.terms = std::max(out.terms, std::abs(values[k] * v[column]));
      }
    }
    moving_square += moving * moving;
    forced_square += forced * forced;
  }
  out.moving = std::sqrt(moving_square);
  out.forced = std::sqrt(forced_square);
  return out;
}

}  // namespace

void ContactWatch::dropPassing(const System& system, Place place, ProblemBuilder& builder,
                               ContactProblem& problem) {
  passed_.assign(at(problem.M.blockCount()), 0);
  if (h_ == 0) return;
  const std::span<const double> expected = is_wider_ ? predicted_ : problem.v_free;
  passing_.resize(at(problem.contactCount()));
  parallelFor(problem.contactCount(), kContactGrain, [&](int begin, int end) {
    for (int i = begin; i < end; ++i)
      passing_[at(i)] = builder.contactData()[at(i)].driven && problem.gap[at(i)] > margin_ &&
                        maySeemToClose(i, expected, problem);
  });
  bool any = false;
  for (int i = 0; i < problem.contactCount(); ++i) {
    if (!passing_[at(i)]) continue;
    passing_[at(i)] = !system.meetsAhead(problem.contact_id[at(i)], place.t, place.q, expected, h_);
    if (!passing_[at(i)]) continue;
    any = true;
    for (const BlockRows::Strip& strip : problem.J.stripsOf(i))
      passed_[at(problem.M.blockOf(strip.first_column))] = 1;
  }
  if (any) builder.dropContacts(passing_, problem);
}

// Whether its row says that it closes, from clearly open to clearly overlapping, and not only
// because of forces or rounding.
bool ContactWatch::maySeemToClose(int contact, std::span<const double> v,
                                  const ContactProblem& problem) const {
  const double gap = problem.gap[at(contact)];
  if (!(gap > 0)) return false;
  const double after = gap + h_ * gapRate(problem.J, contact, problem.drive, v);
  if (!(after < 0)) return false;
  const RowSpeeds speeds = rowSpeeds(problem, contact, v);
  const double least = kClearly * h_ * speeds.moving;
  return gap > least && after < -least && speeds.moving > kOfTheTerms * speeds.terms &&
         speeds.moving > kFasterThanForces * speeds.forced;
}

}  // namespace stickslip
