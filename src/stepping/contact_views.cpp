#include "stepping/contact_views.hpp"

#include <algorithm>
#include <cmath>

#include "stickslip/detail/row_drive.hpp"
#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

using Components = std::array<double, 3>;

// J v of the linear rows of a contact.
Components productsOf(const BlockRows& J, int i, int rows, std::span<const double> v) {
  Components out{};
  for (const BlockRows::Strip& strip : J.stripsOf(i)) {
    const StripValues entries = J.values(i, strip);
    for (int row = 0; row < rows; ++row)
      for (int k = 0; k < strip.columns; ++k)
        out[row] += entries(row, k) * v[strip.first_column + k];
  }
  return out;
}

// Velocities of the rows that solvers bring to rest, and those without offsets of a scheme.
Components plus(Components x, std::span<const double> offset, int first_row, int rows) {
  for (int row = 0; row < rows; ++row) x[row] += driveOf(offset, first_row + row);
  return x;
}

double slipOf(const Components& x) {
  return math::hypot(x[1], x[2]);
}

/// What the views of one problem have in common.
class Views {
 public:
  Views(const ContactProblem& problem, const ContactSolution& solution, double tolerance)
      : problem_(problem), solution_(solution) {
    double velocity = 0, impulse = 0;
    for (int i = 0; i < problem.contactCount(); ++i) {
      const Components free = plus(productsOf(problem.J, i, rowsOf(i), problem.v_free), problem.b,
                                   problem.J.firstRow(i), rowsOf(i));
      for (const double x : free) velocity = std::max(velocity, std::abs(x));
      impulse = std::max(impulse, std::abs(solution.p[problem.J.firstRow(i)]));
    }
    smallest_velocity_ = tolerance * velocity;
    smallest_impulse_ = tolerance * impulse;
  }

  int rowsOf(int i) const { return std::min(problem_.sets[i].linearRows(), problem_.J.rowsOf(i)); }

  ContactView view(int i) const {
    ContactView out;
    const int first = problem_.J.firstRow(i), rows = rowsOf(i);
    out.index = i;
    out.id = problem_.contact_id[i];
    out.gap = problem_.gap[i];
    std::copy_n(solution_.p.begin() + first, rows, out.p.begin());
    out.gamma = plus(productsOf(problem_.J, i, rows, solution_.v), problem_.drive, first, rows);
    out.state = stateOf(i, out);
    return out;
  }

 private:
  ContactView::State stateOf(int i, const ContactView& view) const {
    using State = ContactView::State;
    const int first = problem_.J.firstRow(i), rows = rowsOf(i);
    if (!(view.p[0] > smallest_impulse_)) return State::open;
    const double drive = driveOf(problem_.drive, static_cast<std::size_t>(first));
    const double old = productsOf(problem_.J, i, 1, problem_.v_old)[0];
    const double forced = std::abs(productsOf(problem_.J, i, 1, problem_.v_free)[0] - old);
    if (old + drive < -(forced + smallest_velocity_)) return State::impact;
    if (rows == 1) return State::slip;
    const Components u =
        plus(productsOf(problem_.J, i, rows, solution_.v), problem_.b, first, rows);
    return slipOf(u) > smallest_velocity_ ? State::slip : State::stick;
  }

  const ContactProblem& problem_;
  const ContactSolution& solution_;
  double smallest_velocity_ = 0;
  double smallest_impulse_ = 0;
};

void place(const Contact& contact, const ContactAxes& axes, double duration, ContactView& view) {
  view.body_a = axes.body_a;
  view.body_b = axes.body_b;
  view.is_placed = contact.is_placed && axes.count > 0;
  if (!view.is_placed) return;
  view.point = contact.point;
  view.normal = axes.axes[0];
  for (int k = 0; k < axes.count; ++k) {
    view.impulse += view.p[k] * axes.axes[k];
    if (k > 0) view.slip_velocity += view.gamma[k] * axes.axes[k];
  }
  if (duration > 0) view.force = (1 / duration) * view.impulse;
}

}  // namespace

std::string_view toString(ContactView::State state) {
  switch (state) {
    case ContactView::State::open:
      return "open";
    case ContactView::State::stick:
      return "stick";
    case ContactView::State::slip:
      return "slip";
    case ContactView::State::impact:
      break;
  }
  return "impact";
}

void viewContacts(const System& system, const ContactProblem& problem,
                  const ContactSolution& solution, const ProblemBuilder& builder, double tolerance,
                  std::vector<ContactView>& out) {
  out.clear();
  const std::size_t rows = problem.J.rowCount();
  if (solution.p.size() != rows || solution.v.size() != problem.v_free.size()) return;
  // A scheme may have contacts that its builder knows nothing of.
  const bool is_built = builder.contactData().size() == problem.sets.size();
  const Views views(problem, solution, tolerance);
  for (int i = 0; i < problem.contactCount(); ++i) {
    if (is_built ? !builder.parametersOf(i).isUnilateral()
                 : problem.sets[i].kind == ImpulseSet::Kind::interval)
      continue;
    const ContactAxes axes =
        system.contactAxes(problem.contact_id[i], problem.J, i, views.rowsOf(i));
    if (axes.of_joint) continue;
    out.push_back(views.view(i));
    place(is_built ? builder.contactData()[i] : Contact{}, axes, problem.duration, out.back());
  }
}

}  // namespace stickslip
