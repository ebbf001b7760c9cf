#include "solvers/exact/law_branch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace stickslip {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

using BranchVector = std::array<double, kMostRows>;

double product(const BranchVector& a, std::span<const double> x) {
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += a[k] * x[k];
  return sum;
}

// Flat cones: contacts in the plane, whose polygon has the corners 1 and -1, and polygons.
bool isFlat(const Cone& cone) {
  return cone.kind == Cone::Kind::polygon || (cone.kind == Cone::Kind::lorentz && cone.rows == 2);
}
int corners(const Cone& cone) {
  return cone.kind == Cone::Kind::polygon ? cone.directions : 2;
}
BranchVector edgeOf(const Cone& cone, int k) {
  const int n = corners(cone);
  k = (k + n) % n;
  if (cone.kind == Cone::Kind::lorentz) return {1, k == 0 ? 1.0 : -1.0};
  const std::array<double, 2> corner = polygonCorner(n, k);
  return {1, corner[0], corner[1]};
}
// Weights of the two edges of face k (from edge k to the next) in the point of its plane next to x
// are A.x and B.x; `inward` is the normal of the face.
struct Face {
  BranchVector a{}, b{}, inward{};
};
Face faceOf(const Cone& cone, int k) {
  const BranchVector e = edgeOf(cone, k), f = edgeOf(cone, k + 1);
  Face face;
  double ee = 0, ef = 0, ff = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    ee += e[i] * e[i];
    ef += e[i] * f[i];
    ff += f[i] * f[i];
  }
  const double determinant = ee * ff - ef * ef;
  for (std::size_t i = 0; i < 3; ++i) {
    face.a[i] = (ff * e[i] - ef * f[i]) / determinant;
    face.b[i] = (ee * f[i] - ef * e[i]) / determinant;
  }
  BranchVector& m = face.inward;
  m = {e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]};
  const double length = std::sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
  for (std::size_t i = 0; i < 3; ++i) m[i] /= length;
  return face;
}

// The border of a region in parts: visit(inward, beyond) for each linear function that is >= 0
// inside, and the branch beyond. Branches of a polygon are its edges, then its faces; in the plane
// there are no faces.
template <class Visit>
void visitPlanarBorders(int branch, Visit&& visit) {
  const auto line = [&](double n, double t, int beyond) { visit(BranchVector{n, t}, beyond); };
  switch (branch) {
    case LawBranch::free:
      line(1, -1, LawBranch::side);
      return line(1, 1, LawBranch::side + 1);
    case LawBranch::constant:
      line(-1, -1, LawBranch::side);
      return line(-1, 1, LawBranch::side + 1);
    case LawBranch::side:
      line(1, 1, LawBranch::constant);
      return line(-1, 1, LawBranch::free);
    default:
      line(1, -1, LawBranch::constant);
      return line(-1, -1, LawBranch::free);
  }
}
template <class Visit>
void visitPolygonBorders(const Cone& cone, int branch, Visit&& visit) {
  const int n = corners(cone);
  const auto edge = [&](int k) { return LawBranch::side + (k + n) % n; };
  const auto face = [&](int k) { return LawBranch::side + n + (k + n) % n; };
  const auto outside = [&](BranchVector inward, int beyond) {
    for (double& value : inward) value = -value;
    visit(inward, beyond);
  };
  if (branch == LawBranch::free) {
    for (int k = 0; k < n; ++k) visit(faceOf(cone, k).inward, face(k));
  } else if (branch == LawBranch::constant) {
    for (int k = 0; k < n; ++k) outside(edgeOf(cone, k), edge(k));
  } else if (branch < LawBranch::side + n) {
    const int k = branch - LawBranch::side;
    visit(edgeOf(cone, k), LawBranch::constant);
    outside(faceOf(cone, k).b, face(k));
    outside(faceOf(cone, k - 1).a, face(k - 1));
  } else {
    const int k = branch - LawBranch::side - n;
    const Face it = faceOf(cone, k);
    outside(it.inward, LawBranch::free);
    visit(it.a, edge(k + 1));
    visit(it.b, edge(k));
  }
}
template <class Visit>
void visitBorders(const Cone& cone, int branch, Visit&& visit) {
  if (cone.kind == Cone::Kind::polygon)
    visitPolygonBorders(cone, branch, visit);
  else
    visitPlanarBorders(branch, visit);
}

double norm(std::span<const double> x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return std::sqrt(sum);
}

// The direction of x_t, any one where there is none.
BranchVector axisOf(std::span<const double> x, double side) {
  BranchVector e{};
  if (x.size() < 2) return e;
  if (side > 0)
    for (std::size_t k = 1; k < x.size(); ++k) e[k] = x[k] / side;
  else
    e[1] = 1;
  return e;
}

// By how much x is beyond the worst part of the border of a region.
double outsideOf(const Cone& cone, int branch, std::span<const double> x) {
  double most = 0;
  visitBorders(cone, branch, [&](const BranchVector& inward, int) {
    most = std::max(most, -product(inward, x));
  });
  return most;
}

// Regions of sides overlap and gape by rounding.
int flatBranch(const Cone& cone, std::span<const double> x) {
  if (outsideOf(cone, LawBranch::free, x) == 0) return LawBranch::free;
  if (outsideOf(cone, LawBranch::constant, x) == 0) return LawBranch::constant;
  if (cone.kind == Cone::Kind::lorentz) return x[1] > 0 ? LawBranch::side : LawBranch::side + 1;
  int best = LawBranch::side;
  double least = kNever;
  for (int k = 0; k < 2 * corners(cone); ++k) {
    const double outside = outsideOf(cone, LawBranch::side + k, x);
    if (outside >= least) continue;
    least = outside;
    best = LawBranch::side + k;
  }
  return best;
}

// Projection on the line or plane of a side of a polyhedron, as a matrix.
void projector(const Cone& cone, int branch, MatrixView D) {
  const int n = corners(cone);
  const bool on_edge = branch < LawBranch::side + n;
  BranchVector e{};
  if (on_edge) {
    e = edgeOf(cone, branch - LawBranch::side);
    const double length = std::sqrt(2.0);
    for (double& value : e) value /= length;
  } else {
    e = faceOf(cone, branch - LawBranch::side - n).inward;
  }
  for (int i = 0; i < D.rows; ++i)
    for (int j = 0; j < D.columns; ++j)
      D(i, j) = on_edge ? e[i] * e[j] : (i == j ? 1 : 0) - e[i] * e[j];
}

// d slip / d x_t of a contact without impulse, u_hat_t = -x_t.
BranchVector openSlope(const Cone& cone, std::span<const double> x) {
  if (cone.kind == Cone::Kind::lorentz) return axisOf(x, norm(x.subspan(1)));
  BranchVector best{};
  double most = -kNever;
  for (int k = 0; k < corners(cone); ++k) {
    const BranchVector e = edgeOf(cone, k);
    const double power = e[1] * x[1] + e[2] * x[2];
    if (power <= most) continue;
    most = power;
    best = e;
  }
  best[0] = 0;
  return best;
}

LawBranch::Exit intervalExit(const Cone& cone, int branch, double x, double d) {
  LawBranch::Exit out{kNever, branch};
  const auto reach = [&](double bound, bool from_above, int beyond) {
    const double gap = from_above ? x - bound : bound - x, rate = from_above ? -d : d;
    if (!(rate > 0) || !std::isfinite(bound)) return;
    const double s = std::max(gap, 0.0) / rate;
    if (s < out.s) out = {s, beyond};
  };
  if (branch == LawBranch::free) {
    reach(cone.lower, true, LawBranch::constant);
    reach(cone.upper, false, LawBranch::side);
  } else if (branch == LawBranch::constant) {
    reach(cone.lower, false, cone.lower == cone.upper ? int{LawBranch::side} : LawBranch::free);
  } else {
    reach(cone.upper, true, cone.lower == cone.upper ? int{LawBranch::constant} : LawBranch::free);
  }
  return out;
}

LawBranch::Exit flatExit(const Cone& cone, int branch, std::span<const double> x,
                         std::span<const double> d) {
  LawBranch::Exit out{kNever, branch};
  visitBorders(cone, branch, [&](const BranchVector& inward, int beyond) {
    const double rate = -product(inward, d);
    if (!(rate > 0)) return;
    const double s = std::max(product(inward, x), 0.0) / rate;
    if (s < out.s) out = {s, beyond};
  });
  return out;
}

// x >= 0: p = x, else 0.
LawBranch::Exit frictionlessExit(int branch, double x, double d) {
  const bool is_free = branch == LawBranch::free;
  const double rate = is_free ? -d : d;
  if (!(rate > 0)) return {kNever, branch};
  return {std::max(is_free ? x : -x, 0.0) / rate,
          is_free ? int{LawBranch::constant} : int{LawBranch::free}};
}

// The regions inside, about and beyond the round cone |x_t| <= x_n meet where x_n^2 = |x_t|^2.
LawBranch::Exit roundExit(int branch, std::span<const double> x, std::span<const double> d) {
  const double n = x[0], d_n = d[0], side = norm(x.subspan(1));
  double along = 0, square = 0;
  for (std::size_t k = 1; k < x.size(); ++k) {
    along += x[k] * d[k];
    square += d[k] * d[k];
  }
  const double d_side = side > 0 ? along / side : std::sqrt(square);
  const double near = LawBranch::kSettings.on_border * (1 + std::abs(n) + side);
  if (branch == LawBranch::free && n - side <= near && d_n < d_side) return {0, LawBranch::side};
  if (branch == LawBranch::constant && -n - side <= near && -d_n < d_side)
    return {0, LawBranch::side};
  if (branch == LawBranch::side) {
    if (side - n <= near && d_side < d_n) return {0, LawBranch::free};
    if (side + n <= near && d_side + d_n < 0) return {0, LawBranch::constant};
  }
  LawBranch::Exit out{kNever, branch};
  const double a = d_n * d_n - square, b = n * d_n - along, c = n * n - side * side;
  const double discriminant = b * b - a * c;
  if (discriminant < 0) return out;
  const double q = -(b + std::copysign(std::sqrt(discriminant), b));
  const double speed = std::sqrt(d_n * d_n + square);
  for (const double s : {a != 0 ? q / a : -1, q != 0 ? c / q : -1}) {
    // A border that the point is on already has been looked at above.
    if (!(s > 0) || s >= out.s || s * speed < 2 * near) continue;
    out.s = s;
    out.branch = branch != LawBranch::side ? int{LawBranch::side}
                 : n + s * d_n > 0         ? int{LawBranch::free}
                                           : LawBranch::constant;
  }
  return out;
}

}  // namespace

int LawBranch::at(const Cone& cone, std::span<const double> x) {
  switch (cone.kind) {
    case Cone::Kind::joint:
      return free;
    case Cone::Kind::interval:
      return x[0] <= cone.lower ? int{constant} : x[0] >= cone.upper ? side : free;
    default:
      break;
  }
  if (isFlat(cone)) return flatBranch(cone, x);
  const double tangential = norm(x.subspan(1));
  return tangential <= x[0] ? int{free} : tangential <= -x[0] ? constant : side;
}

bool LawBranch::isConstant(const Cone& cone, int branch) {
  return branch == constant || (branch == side && cone.kind == Cone::Kind::interval);
}

double LawBranch::evaluate(const Cone& cone, int branch, Mixture law, std::span<const double> x,
                           std::span<double> p, std::span<double> u) {
  const std::size_t rows = x.size();
  if (branch == free) {
    std::copy(x.begin(), x.end(), p.begin());
  } else if (cone.kind == Cone::Kind::interval) {
    p[0] = branch == constant ? cone.lower : cone.upper;
  } else if (branch == constant) {
    std::fill(p.begin(), p.end(), 0.0);
  } else if (isFlat(cone)) {
    std::array<double, 9> entries;
    const MatrixView D{entries.data(), cone.rows, cone.rows};
    projector(cone, branch, D);
    for (std::size_t i = 0; i < rows; ++i) {
      p[i] = 0;
      for (std::size_t j = 0; j < rows; ++j) p[i] += entries[i * rows + j] * x[j];
    }
  } else {
    const double tangential = norm(x.subspan(1));
    const BranchVector e = axisOf(x, tangential);
    p[0] = (x[0] + tangential) / 2;
    for (std::size_t k = 1; k < rows; ++k) p[k] = p[0] * e[k];
  }
  for (std::size_t k = 0; k < rows; ++k) u[k] = p[k] - x[k];
  if (!cone.hasNormal()) return 0;
  const double slip = branch == constant ? slipOf(cone, Law::coulomb, u) : u[0];
  u[0] -= (1 - law.theta) * law.held + law.theta * slip;
  return law.held - slip;
}

double LawBranch::invert(const Cone& cone, int branch, Mixture law, std::span<const double> u,
                         std::span<double> x) {
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = -u[k];
  if (!cone.hasNormal()) {
    x[0] += branch == constant ? cone.lower : cone.upper;
    return 0;
  }
  const double slip = slipOf(cone, Law::coulomb, u);
  x[0] -= (1 - law.theta) * law.held + law.theta * slip;
  return law.held - slip;
}

void LawBranch::linearize(const Cone& cone, int branch, double theta, std::span<const double> x,
                          MatrixView D, MatrixView B) {
  const int rows = cone.rows;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < rows; ++j) {
      D(i, j) = branch == free && i == j ? 1 : 0;
      B(i, j) = 0;
    }
  if (branch == free) return;
  if (isConstant(cone, branch)) {
    for (int i = 0; i < rows; ++i) B(i, i) = 1;
    if (!cone.hasNormal()) return;
    const BranchVector slope = openSlope(cone, x);
    for (int j = 1; j < rows; ++j) B(0, j) = theta * slope[j];
    return;
  }
  if (isFlat(cone)) {
    projector(cone, branch, D);
  } else {
    const double tangential = norm(x.subspan(1));
    const BranchVector e = axisOf(x, tangential);
    const double share = (1 + (tangential > 0 ? x[0] / tangential : 0)) / 2;
    D(0, 0) = 0.5;
    for (int i = 1; i < rows; ++i) {
      D(0, i) = D(i, 0) = e[i] / 2;
      for (int j = 1; j < rows; ++j)
        D(i, j) = e[i] * e[j] / 2 + share * ((i == j ? 1 : 0) - e[i] * e[j]);
    }
  }
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < rows; ++j)
      B(i, j) = (i == 0 ? 1 - theta : 1) * ((i == j ? 1 : 0) - D(i, j));
}

LawBranch::Exit LawBranch::exit(const Cone& cone, int branch, std::span<const double> x,
                                std::span<const double> d) {
  if (cone.kind == Cone::Kind::joint) return {kNever, branch};
  if (cone.kind == Cone::Kind::interval) return intervalExit(cone, branch, x[0], d[0]);
  if (isFlat(cone)) return flatExit(cone, branch, x, d);
  if (cone.rows == 1) return frictionlessExit(branch, x[0], d[0]);
  return roundExit(branch, x, d);
}

}  // namespace stickslip
