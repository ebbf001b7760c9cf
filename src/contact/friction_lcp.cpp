#include "contact/friction_lcp.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace stickslip {
namespace {

using Kind = ImpulseSet::Kind;

// The power of two next to 1/sqrt(w); 1 if w says nothing.
double scaleFor(double w) {
  return w > 0 && std::isfinite(w) ? std::ldexp(1.0, -std::ilogb(w) / 2) : 1.0;
}

bool hasRange(const ImpulseSet& set) {
  return std::isfinite(set.lower) && std::isfinite(set.upper);
}

// An impulse without bounds is the difference of two variables.
bool isFree(const ImpulseSet& set) {
  return !std::isfinite(set.lower) && !std::isfinite(set.upper);
}

int directionCount(FrictionLcp::Form form, const ImpulseSet& set) {
  switch (set.kind) {
    case Kind::planar:
      return form == FrictionLcp::Form::relay ? 1 : 2;
    case Kind::polyhedral:
      if (set.mu > 0 && set.mu_2 > 0) return set.directions;
      return set.mu > 0 || set.mu_2 > 0 ? 2 : 0;
    case Kind::interval:
      return isFree(set) ? 1 : 0;
    default:
      return 0;
  }
}

bool hasLast(const ImpulseSet& set, int directions) {
  if (set.kind == Kind::interval) return hasRange(set) && set.lower < set.upper;
  return directions > 0;
}

}  // namespace

void FrictionLcp::reserve(int contacts, int directions) {
  const auto count = static_cast<std::size_t>(contacts);
  const auto impulses = count * static_cast<std::size_t>(1 + directions);
  const std::size_t n = impulses + count;
  items_.reserve(count);
  variables_.reserve(impulses);
  owner_.reserve(impulses);
  W_column_.reserve(3 * count);
  N_.reserve(n * n);
  rhs_.reserve(n);
}

void FrictionLcp::build(Form form, ConstMatrixView W, std::span<const double> q, const BlockRows& J,
                        std::span<const ImpulseSet> sets, std::span<const double> angles) {
  form_ = form;
  items_.clear();
  for (int i = 0; i < J.groupCount(); ++i)
    addItem(sets[static_cast<std::size_t>(i)], J.firstRow(i), W(J.firstRow(i), J.firstRow(i)));
  numberVariables();
  N_.assign(static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_), 0.0);
  rhs_.assign(static_cast<std::size_t>(size_), 0.0);
  describeVariables(sets, angles);
  fillImpulseColumns(W);
  fillConstants(W, q);
  for (std::size_t i = 0; i < items_.size(); ++i) couple(items_[i], sets[i]);
}

void FrictionLcp::addItem(const ImpulseSet& set, int first_row, double w_nn) {
  assert(set.kind != Kind::elliptic);
  assert(form_ == Form::cone || set.kind != Kind::polyhedral);
  Item item;
  item.first_row = first_row;
  item.rows = set.dimension();
  item.scale = scaleFor(w_nn);
  item.mu = set.kind == Kind::polyhedral ? std::max(set.mu, set.mu_2) : set.mu;
  item.directions = directionCount(form_, set);
  const bool interval = set.kind == Kind::interval;
  if (interval && !isFree(set)) item.base = std::isfinite(set.lower) ? set.lower : set.upper;
  if (!interval || set.lower < set.upper) item.main = 0;
  if (hasLast(set, item.directions)) item.last = 0;
  items_.push_back(item);
}

// All main variables first, then all directions, then the rest: the order of the papers.
void FrictionLcp::numberVariables() {
  int next = 0;
  for (Item& item : items_)
    if (item.main == 0) item.main = next++;
  for (Item& item : items_) {
    item.first_direction = next;
    next += item.directions;
  }
  impulse_count_ = next;
  for (Item& item : items_)
    if (item.last == 0) item.last = next++;
  size_ = next;
}

void FrictionLcp::describeVariables(std::span<const ImpulseSet> sets,
                                    std::span<const double> angles) {
  variables_.assign(static_cast<std::size_t>(impulse_count_), Variable{});
  owner_.assign(static_cast<std::size_t>(impulse_count_), 0);
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const Item& item = items_[i];
    if (item.main < 0) continue;
    owner_[static_cast<std::size_t>(item.main)] = i;
    for (int k = 0; k < item.directions; ++k)
      owner_[static_cast<std::size_t>(item.first_direction + k)] = i;
    if (sets[i].kind == Kind::interval)
      describeInterval(item, sets[i]);
    else
      describeFriction(item, sets[i], angles);
  }
}

void FrictionLcp::describeInterval(const Item& item, const ImpulseSet& set) {
  const double sign = std::isfinite(set.lower) || isFree(set) ? 1 : -1;
  variable(item.main) = {{sign, 0, 0}, {sign, 0, 0}};
  if (isFree(set)) variable(item.first_direction) = {{-1, 0, 0}, {-1, 0, 0}};
}

void FrictionLcp::describeFriction(const Item& item, const ImpulseSet& set,
                                   std::span<const double> angles) {
  assert(angles.empty() || set.kind != Kind::polyhedral ||
         set.directions == static_cast<int>(angles.size()));
  Variable& normal = variable(item.main);
  normal = {{1, 0, 0}, {1, 0, 0}};
  if (item.directions == 1) {
    normal.column[1] = -item.mu;
    variable(item.first_direction) = {{0, 1, 0}, {0, 1, 0}};
    return;
  }
  for (int k = 0; k < item.directions; ++k) {
    std::array<double, 3> d{0, k == 0 ? 1.0 : -1.0, 0};
    if (item.directions == 2) {
      if (set.kind == Kind::polyhedral && set.mu == 0) std::swap(d[1], d[2]);
    } else {
      const double angle = angles.empty() ? 2 * std::numbers::pi * k / item.directions
                                          : angles[static_cast<std::size_t>(k)];
      d = {0, set.mu / item.mu * std::cos(angle), set.mu_2 / item.mu * std::sin(angle)};
    }
    variable(item.first_direction + k) = {d, d};
  }
}

// w = scale row.(W p + q), p = base + scale column z.
void FrictionLcp::fillImpulseColumns(ConstMatrixView W) {
  const MatrixView N = matrix();
  W_column_.resize(static_cast<std::size_t>(W.rows));
  for (int b = 0; b < impulse_count_; ++b) {
    const Item& from = ownerOf(b);
    const std::array<double, 3>& column = variable(b).column;
    for (int i = 0; i < W.rows; ++i) {
      double sum = 0;
      for (int k = 0; k < from.rows; ++k)
        if (column[static_cast<std::size_t>(k)] != 0)
          sum += column[static_cast<std::size_t>(k)] * W(i, from.first_row + k);
      W_column_[static_cast<std::size_t>(i)] = sum;
    }
    for (int a = 0; a < impulse_count_; ++a) {
      const Item& to = ownerOf(a);
      double sum = 0;
      for (int k = 0; k < to.rows; ++k)
        sum += variable(a).row[static_cast<std::size_t>(k)] *
               W_column_[static_cast<std::size_t>(to.first_row + k)];
      N(a, b) = to.scale * from.scale * sum;
    }
  }
}

void FrictionLcp::fillConstants(ConstMatrixView W, std::span<const double> q) {
  W_column_.assign(q.begin(), q.end());
  for (const Item& item : items_)
    if (item.base != 0)
      for (int i = 0; i < W.rows; ++i)
        W_column_[static_cast<std::size_t>(i)] += W(i, item.first_row) * item.base;
  for (int a = 0; a < impulse_count_; ++a) {
    const Item& item = ownerOf(a);
    double sum = 0;
    for (int k = 0; k < item.rows; ++k)
      sum += variable(a).row[static_cast<std::size_t>(k)] *
             W_column_[static_cast<std::size_t>(item.first_row + k)];
    rhs_[static_cast<std::size_t>(a)] = item.scale * sum;
  }
}

// What belongs to lambda, xi_L or u_-.
void FrictionLcp::couple(const Item& item, const ImpulseSet& set) {
  if (item.last < 0) return;
  const MatrixView N = matrix();
  if (set.kind == Kind::interval) {
    N(item.main, item.last) = 1;
    N(item.last, item.main) = -1;
    rhs_[static_cast<std::size_t>(item.last)] = (set.upper - set.lower) / item.scale;
    return;
  }
  N(item.last, item.main) = item.directions == 1 ? 2 * item.mu : item.mu;
  for (int k = 0; k < item.directions; ++k) {
    N(item.first_direction + k, item.last) = 1;
    N(item.last, item.first_direction + k) = -1;
  }
}

double FrictionLcp::velocityResidual(std::span<const double> z) const {
  double worst = 0, reference = 0;
  const auto look = [&](int row, double scale) {
    const auto i = static_cast<std::size_t>(row);
    double w = rhs_[i];
    for (int j = 0; j < size_; ++j)
      w += N_[i * static_cast<std::size_t>(size_) + static_cast<std::size_t>(j)] *
           z[static_cast<std::size_t>(j)];
    worst = std::max(worst, std::abs(std::min(z[i], w)) / scale);
    // The constants of the other rows are impulses.
    if (row < impulse_count_) reference = std::max(reference, std::abs(rhs_[i]) / scale);
  };
  for (const Item& item : items_) {
    if (item.main >= 0) look(item.main, item.scale);
    for (int k = 0; k < item.directions; ++k) look(item.first_direction + k, item.scale);
    if (item.last >= 0) look(item.last, item.scale);
  }
  return worst == 0 ? 0 : worst / reference;
}

void FrictionLcp::impulses(std::span<const double> z, std::span<double> p) const {
  std::fill(p.begin(), p.end(), 0.0);
  for (const Item& item : items_) p[static_cast<std::size_t>(item.first_row)] = item.base;
  for (std::size_t a = 0; a < static_cast<std::size_t>(impulse_count_); ++a) {
    const Item& item = items_[owner_[a]];
    for (int k = 0; k < item.rows; ++k)
      p[static_cast<std::size_t>(item.first_row + k)] +=
          item.scale * (variables_[a].column[static_cast<std::size_t>(k)] * z[a]);
  }
}

}  // namespace stickslip
