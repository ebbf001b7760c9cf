#include "solvers/sweeps/accelerated/accelerated_cones.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stickslip {

void AcceleratedCones::clear() {
  cones_.clear();
  source_.clear();
  for (auto* x : {&scale_, &velocity_, &impulse_, &q_, &p_, &before_, &kept_}) x->clear();
}

void AcceleratedCones::add(const ScaledLaw& law, std::span<const int> source,
                           std::span<const double> q) {
  cones_.push_back({law.law, law.measured, law.caution, rowCount()});
  for (std::size_t k = 0; k < source.size(); ++k) {
    source_.push_back(source[k]);
    scale_.push_back(law.scale[k]);
    velocity_.push_back(law.velocity[k]);
    impulse_.push_back(law.impulse[k]);
    q_.push_back(q[k] / law.scale[k]);
  }
  for (auto* x : {&p_, &before_, &kept_}) x->resize(q_.size());
}

void AcceleratedCones::addJoint(std::span<const double> q) {
  AcceleratedLaw law;
  law.kind = Cone::Kind::joint;
  law.rows = static_cast<int>(q.size());
  cones_.push_back({law, law, 1, rowCount()});
  source_.insert(source_.end(), q.size(), -1);
  for (auto* x : {&scale_, &velocity_, &impulse_}) x->insert(x->end(), q.size(), 1.0);
  q_.insert(q_.end(), q.begin(), q.end());
  for (auto* x : {&p_, &before_, &kept_}) x->resize(q_.size());
}

void AcceleratedCones::extrapolate(double momentum) {
  for (std::size_t k = 0; k < p_.size(); ++k) {
    const double last = p_[k];
    p_[k] += momentum * (last - before_[k]);
    before_[k] = last;
  }
}

double AcceleratedCones::sweep(SweepRows& rows, int first, int end, bool coulomb) {
  std::array<double, kMostRows> u{}, change{};
  double turn = 0;
  for (int cone = first; cone < end; ++cone) {
    const std::span<double> velocity = std::span(u).first(rowsOf(cone));
    const std::span<double> moved = std::span(change).first(velocity.size());
    rows.sweepVelocity(cone, velocity);
    turn += step(cone, coulomb, velocity, moved);
    rows.sweepChange(cone, moved);
  }
  return turn;
}

double AcceleratedCones::violation(const SweepRows& rows, int first, int end, Which which,
                                   bool coulomb) const {
  std::array<double, kMostRows> u{};
  double worst = 0;
  for (int cone = first; cone < end; ++cone) {
    if (isJoint(cone) != (which == Which::joints)) continue;
    const std::span<double> velocity = std::span(u).first(rowsOf(cone));
    rows.sweepVelocity(cone, velocity);
    const double error = violation(cone, coulomb, velocity);
    if (!std::isfinite(error)) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, error);
  }
  return worst;
}

double AcceleratedCones::step(int cone, bool coulomb, std::span<const double> u,
                              std::span<double> change) {
  const AcceleratedLaw& law = cones_[cone].law;
  const std::span<double> p = part(p_, cone);
  const std::span<const double> before = part(before_, cone);
  for (std::size_t k = 0; k < p.size(); ++k) change[k] = p[k] - u[k];
  if (coulomb) change[0] -= slipOfLaw(law, u);
  projectOnLaw(law, change);
  double turn = 0;
  for (std::size_t k = 0; k < p.size(); ++k) {
    const double next = change[k];
    change[k] -= p[k];
    turn -= change[k] * (next - before[k]);
    p[k] = next;
  }
  return turn;
}

double AcceleratedCones::violation(int cone, bool coulomb, std::span<const double> u) const {
  const Item& it = cones_[cone];
  const std::span<const double> p = part(p_, cone), velocity = part(velocity_, cone),
                                impulse = part(impulse_, cone);
  std::array<double, kMostRows> measured{}, moved{};
  for (std::size_t k = 0; k < p.size(); ++k) {
    measured[k] = velocity[k] * u[k];
    moved[k] = impulse[k] * p[k] - measured[k];
  }
  const std::span<double> x = std::span(moved).first(p.size());
  if (coulomb) x[0] -= slipOfLaw(it.measured, std::span<const double>(measured).first(p.size()));
  projectOnLaw(it.measured, x);
  double square = 0;
  for (std::size_t k = 0; k < p.size(); ++k) {
    const double apart = impulse[k] * p[k] - x[k];
    square += apart * apart;
  }
  return it.caution * std::sqrt(square);
}

double AcceleratedCones::speed(int cone, std::span<const double> u) const {
  const std::span<const double> velocity = part(velocity_, cone);
  double square = 0;
  for (std::size_t k = 0; k < u.size(); ++k) square += velocity[k] * u[k] * velocity[k] * u[k];
  return std::sqrt(square);
}

double AcceleratedCones::energy() const {
  double sum = 0;
  for (std::size_t k = 0; k < p_.size(); ++k) sum += q_[k] * p_[k];
  return sum;
}

void AcceleratedCones::fromImpulses(std::span<const double> impulses) {
  for (std::size_t k = 0; k < p_.size(); ++k)
    if (source_[k] >= 0) p_[k] = scale_[k] * impulses[source_[k]];
}

void AcceleratedCones::toImpulses(std::span<double> impulses) const {
  for (std::size_t k = 0; k < p_.size(); ++k)
    if (source_[k] >= 0) impulses[source_[k]] = p_[k] / scale_[k];
}

namespace {

using Kind = Cone::Kind;

// Half the derivative of the squared distance from x by the impulse n of the normal, and its own
// derivative; friction goes to its nearest place.
struct Misfit {
  double value;
  double slope;
};

Misfit misfitAt(const AcceleratedLaw& law, double n, std::span<const double> x,
                std::span<double> y) {
  Misfit out{n - x[0], 1};
  y[0] = n;
  std::size_t first = 1;
  for (std::size_t g = 0; g < kMostSections; ++g) {
    const std::size_t rows = law.shapes[g].rows;
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
void projectOnSections(const AcceleratedLaw& law, std::span<double> x) {
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
      sum += std::abs(B[i * n + j]);
      squares += B[i * n + j] * B[i * n + j];
    }
    gershgorin = std::max(gershgorin, sum);
    trace += B[i * n + i];
  }
  const double mean = trace / n, spread = std::max(0.0, squares / n - mean * mean);
  return std::min(gershgorin, mean + std::sqrt(spread * (n - 1)));
}

// Which number scales a row of a cone: 0 the normal, 1 and 2 the sections of friction.
int groupOf(const Cone& cone, int row) {
  if (!cone.hasNormal()) return 1;
  if (row == 0) return 0;
  return row <= cone.shapes[0].rows ? 1 : 2;
}

using Groups = std::array<double, 1 + kMostSections>;

// The largest of f(row) over the rows of each group; 1 where all are zero.
template <class F>
Groups largestOfGroups(const Cone& cone, F f) {
  Groups out{};
  for (int i = 0; i < cone.rows; ++i) {
    double& most = out[groupOf(cone, i)];
    most = std::max(most, f(i));
  }
  for (double& most : out)
    if (!(most > 0)) most = 1;
  return out;
}

void copySet(const Cone& cone, double size, AcceleratedLaw& law) {
  law.kind = cone.kind;
  law.rows = cone.rows;
  law.shapes = cone.shapes;
  law.lower = cone.lower * size;
  law.upper = cone.upper * size;
  law.radius = cone.radius * size;
}

void chooseScales(const ConeLayout& part, ConstMatrixView W, ScaledLaw& out) {
  const Cone& cone = part.cone;
  const auto entry = [&](int i, int j) {
    return part.factor[i] * part.factor[j] * W(part.kept[i], part.kept[j]);
  };
  Groups r = largestOfGroups(cone, [&](int i) { return entry(i, i); });
  std::array<double, kMostRows * kMostRows> B{};
  for (int i = 0; i < cone.rows; ++i)
    for (int j = 0; j < cone.rows; ++j)
      B[i * cone.rows + j] = entry(i, j) / std::sqrt(r[groupOf(cone, i)] * r[groupOf(cone, j)]);
  const double bound = largestEigenvalue(cone.rows, B);
  if (bound > 0)
    for (double& x : r) x *= bound;
  for (int i = 0; i < cone.rows; ++i)
    out.scale[i] = std::sqrt(r[groupOf(cone, i)]) / part.factor[i];
  copySet(cone, cone.hasNormal() ? 0 : std::sqrt(r[1]), out.law);
  for (std::size_t g = 0; g < kMostSections; ++g)
    out.law.slopes[g] = cone.shapes[g].rows > 0 ? std::sqrt(r[1 + g] / r[0]) : 0;
}

// The half axes of the certificate's set are factor / length, and those of one section need not be
// equal: rows along the shorter ones are stretched, and the smaller residual is made up for.
void chooseMeasure(const ConeLayout& part, double rho, const std::array<double, kMostRows>& lengths,
                   ScaledLaw& out) {
  const Cone& cone = part.cone;
  const auto axis = [&](int i) { return part.factor[i] / lengths[part.kept[i]]; };
  const Groups most = largestOfGroups(cone, axis);
  double least = 1;
  for (int i = 0; i < cone.rows; ++i) {
    const double stretch = axis(i) / most[groupOf(cone, i)];
    const double length = lengths[part.kept[i]] * out.scale[i];
    out.velocity[i] = stretch * length;
    out.impulse[i] = 1 / (stretch * length * rho);
    least = std::min(least, stretch);
  }
  out.caution = 1 / (least * least);
  copySet(cone, cone.hasNormal() ? 0 : most[1] / rho, out.measured);
  for (std::size_t g = 0; g < kMostSections; ++g)
    out.measured.slopes[g] = cone.shapes[g].rows > 0 ? most[1 + g] : 0;
}

}  // namespace

void projectOnLaw(const AcceleratedLaw& law, std::span<double> x) {
  switch (law.kind) {
    case Kind::lorentz:
      return projectOnRoundCone(law.slopes[0], x);
    case Kind::polygon:
    case Kind::sections:
      return projectOnSections(law, x);
    case Kind::load_independent: {
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

double slipOfLaw(const AcceleratedLaw& law, std::span<const double> u) {
  if (!law.hasNormal()) return 0;
  double sum = 0;
  std::size_t first = 1;
  for (std::size_t g = 0; g < kMostSections; ++g) {
    const std::size_t rows = law.shapes[g].rows;
    if (rows > 0) sum += law.slopes[g] * frictionPower(law.shapes[g], u.subspan(first, rows));
    first += rows;
  }
  return sum;
}

ScaledLaw scaleLaw(const ImpulseSet& set, const ConeLayout& part, ConstMatrixView W,
                   const std::array<double, kMostRows>& lengths) {
  double trace = 0;
  for (int k = 0; k < set.dimension(); ++k) trace += lengths[k] * lengths[k] * W(k, k);
  ScaledLaw out;
  chooseScales(part, W, out);
  chooseMeasure(part, trace > 0 ? set.dimension() / trace : 1, lengths, out);
  // What the certificate takes together is measured in two parts.
  if (set.load_independent) out.caution *= std::sqrt(2.0);
  return out;
}

}  // namespace stickslip
