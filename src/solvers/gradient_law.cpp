#include "solvers/gradient_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/index.hpp"

namespace stickslip {
namespace {

using Kind = ContactItem::Kind;

// Half the derivative of the squared distance from x by the impulse n of the normal, and its own
// derivative; friction goes to its nearest place.
struct Misfit {
  double value;
  double slope;
};

Misfit misfitAt(const GradientLaw& law, double n, std::span<const double> x, std::span<double> y) {
  Misfit out{n - x[0], 1};
  y[0] = n;
  std::size_t first = 1;
  for (std::size_t g = 0; g < kMostSections; ++g) {
    const std::size_t rows = at(law.shapes[g].rows);
    if (rows == 0) continue;
    const double s = law.slopes[g];
    const std::span<const double> from = x.subspan(first, rows);
    const NearestFriction near = nearestFriction(law.shapes[g], s * n, from);
    for (std::size_t k = 0; k < rows; ++k) {
      out.value -= s * (from[k] - near.point[k]) * near.growth[k];
      out.slope += s * s * near.growth[k] * near.growth[k];
    }
    std::copy_n(near.point.begin(), rows, y.subspan(first, rows).begin());
    first += rows;
  }
  return out;
}

// The misfit grows with n in linear pieces: Newton's method within a bracket ends after as many
// steps as there are pieces on the way.
void projectOnSections(const GradientLaw& law, std::span<double> x) {
  constexpr int kMostSteps = 100;
  std::array<double, kMostRows> storage{};
  const std::span<double> y = std::span(storage).first(x.size());
  double n = std::max(x[0], 0.0), low = 0, high = std::numeric_limits<double>::infinity();
  for (int step = 0; step < kMostSteps; ++step) {
    const Misfit error = misfitAt(law, n, x, y);
    (error.value < 0 ? low : high) = n;
    double next = n - error.value / error.slope;
    if (!(next >= low && next <= high)) next = low + (high - low) / 2;
    if (std::abs(next - n) <= std::numeric_limits<double>::epsilon() * n) break;
    n = next;
  }
  std::copy(y.begin(), y.end(), x.begin());
}

void projectOnRoundCone(double slope, std::span<double> x) {
  double square = 0;
  for (std::size_t k = 1; k < x.size(); ++k) square += x[k] * x[k];
  const double side = std::sqrt(square);
  if (slope * side <= -x[0]) return std::fill(x.begin(), x.end(), 0.0);
  if (side <= slope * x[0]) return;
  x[0] = (x[0] + slope * side) / (1 + slope * slope);
  for (std::size_t k = 1; k < x.size(); ++k) x[k] *= slope * x[0] / side;
}

// An upper bound of the eigenvalues of a symmetric matrix with a diagonal of about one: the smaller
// of Gershgorin's and of Wolkowicz and Styan's (1980).
double largestEigenvalue(int n, const std::array<double, kMostRows * kMostRows>& B) {
  double gershgorin = 0, trace = 0, squares = 0;
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < n; ++j) {
      sum += std::abs(B[at(i * n + j)]);
      squares += B[at(i * n + j)] * B[at(i * n + j)];
    }
    gershgorin = std::max(gershgorin, sum);
    trace += B[at(i * n + i)];
  }
  const double mean = trace / n, spread = std::max(0.0, squares / n - mean * mean);
  return std::min(gershgorin, mean + std::sqrt(spread * (n - 1)));
}

// Which number scales a row of an item: 0 the normal, 1 and 2 the sections of friction.
int groupOf(const ContactItem& item, int row) {
  if (!item.hasNormal()) return 1;
  if (row == 0) return 0;
  return row <= item.shapes[0].rows ? 1 : 2;
}

using Groups = std::array<double, 1 + kMostSections>;

// The largest of f(row) over the rows of each group; 1 where all are zero.
template <class F>
Groups largestOfGroups(const ContactItem& item, F f) {
  Groups out{};
  for (int i = 0; i < item.rows; ++i) {
    double& most = out[at(groupOf(item, i))];
    most = std::max(most, f(i));
  }
  for (double& most : out)
    if (!(most > 0)) most = 1;
  return out;
}

void copySet(const ContactItem& item, double size, GradientLaw& law) {
  law.kind = item.kind;
  law.rows = item.rows;
  law.shapes = item.shapes;
  law.lower = item.lower * size;
  law.upper = item.upper * size;
  law.radius = item.radius * size;
}

void chooseScales(const ItemLayout& part, ConstMatrixView W, ScaledLaw& out) {
  const ContactItem& item = part.item;
  const auto entry = [&](int i, int j) {
    return part.factor[at(i)] * part.factor[at(j)] * W(part.kept[at(i)], part.kept[at(j)]);
  };
  Groups r = largestOfGroups(item, [&](int i) { return entry(i, i); });
  std::array<double, kMostRows * kMostRows> B{};
  for (int i = 0; i < item.rows; ++i)
    for (int j = 0; j < item.rows; ++j)
      B[at(i * item.rows + j)] =
          entry(i, j) / std::sqrt(r[at(groupOf(item, i))] * r[at(groupOf(item, j))]);
  const double bound = largestEigenvalue(item.rows, B);
  if (bound > 0)
    for (double& x : r) x *= bound;
  for (int i = 0; i < item.rows; ++i)
    out.scale[at(i)] = std::sqrt(r[at(groupOf(item, i))]) / part.factor[at(i)];
  copySet(item, item.hasNormal() ? 0 : std::sqrt(r[1]), out.law);
  for (std::size_t g = 0; g < kMostSections; ++g)
    out.law.slopes[g] = item.shapes[g].rows > 0 ? std::sqrt(r[1 + g] / r[0]) : 0;
}

// The half axes of the certificate's set are factor / length, and those of one section need not be
// equal: rows along the shorter ones are stretched, and the smaller residual is made up for.
void chooseMeasure(const ItemLayout& part, double rho, const std::array<double, kMostRows>& lengths,
                   ScaledLaw& out) {
  const ContactItem& item = part.item;
  const auto axis = [&](int i) { return part.factor[at(i)] / lengths[at(part.kept[at(i)])]; };
  const Groups most = largestOfGroups(item, axis);
  double least = 1;
  for (int i = 0; i < item.rows; ++i) {
    const double stretch = axis(i) / most[at(groupOf(item, i))];
    const double length = lengths[at(part.kept[at(i)])] * out.scale[at(i)];
    out.velocity[at(i)] = stretch * length;
    out.impulse[at(i)] = 1 / (stretch * length * rho);
    least = std::min(least, stretch);
  }
  out.caution = 1 / (least * least);
  copySet(item, item.hasNormal() ? 0 : most[1] / rho, out.measured);
  for (std::size_t g = 0; g < kMostSections; ++g)
    out.measured.slopes[g] = item.shapes[g].rows > 0 ? most[1 + g] : 0;
}

}  // namespace

void projectOnLaw(const GradientLaw& law, std::span<double> x) {
  switch (law.kind) {
    case Kind::cone:
      return projectOnRoundCone(law.slopes[0], x);
    case Kind::polygon:
    case Kind::sections:
      return projectOnSections(law, x);
    case Kind::fixed: {
      const NearestFriction near = nearestFriction(law.shapes[0], law.radius, x);
      std::copy_n(near.point.begin(), x.size(), x.begin());
      return;
    }
    case Kind::interval:
      x[0] = std::clamp(x[0], law.lower, law.upper);
      return;
    case Kind::joint:
      return;
  }
}

double slipOfLaw(const GradientLaw& law, std::span<const double> u) {
  if (!law.hasNormal()) return 0;
  double sum = 0;
  std::size_t first = 1;
  for (std::size_t g = 0; g < kMostSections; ++g) {
    const std::size_t rows = at(law.shapes[g].rows);
    if (rows > 0) sum += law.slopes[g] * frictionPower(law.shapes[g], u.subspan(first, rows));
    first += rows;
  }
  return sum;
}

ScaledLaw scaleLaw(const ImpulseSet& set, const ItemLayout& part, ConstMatrixView W,
                   const std::array<double, kMostRows>& lengths) {
  double trace = 0;
  for (int k = 0; k < set.dimension(); ++k) trace += lengths[at(k)] * lengths[at(k)] * W(k, k);
  ScaledLaw out;
  chooseScales(part, W, out);
  chooseMeasure(part, trace > 0 ? set.dimension() / trace : 1, lengths, out);
  // What the certificate takes together is measured in two parts.
  if (set.load_independent) out.caution *= std::sqrt(2.0);
  return out;
}

}  // namespace stickslip
