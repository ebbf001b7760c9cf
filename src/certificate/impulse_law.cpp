#include "certificate/impulse_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "certificate/friction_sections.hpp"
#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

using SetForm = ImpulseSet::Kind;

double dotProduct(const ImpulseVector& a, const ImpulseVector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

ImpulseVector crossProduct(const ImpulseVector& a, const ImpulseVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

ImpulseVector difference(const ImpulseVector& a, const ImpulseVector& b) {
  ImpulseVector out;
  for (std::size_t k = 0; k < a.size(); ++k) out[k] = a[k] - b[k];
  return out;
}

double lengthOf(const ImpulseVector& x) {
  double square = 0;
  for (const double part : x) square += part * part;
  if (square > 1e-280 && square < 1e280) return std::sqrt(square);
  return math::hypot(math::hypot(x[0], x[1], x[2]), math::hypot(x[3], x[4], x[5]));
}

struct Planar {
  double n = 0;
  double t = 0;
};

// Nearest point of |t| <= mu n.
Planar projectOnWedge(Planar x, double mu) {
  const double side = std::abs(x.t);
  if (x.n >= 0 && side <= mu * x.n) return x;
  const double along = x.n + mu * side;
  if (along <= 0) return {};
  const double n = along / (1 + mu * mu);
  return {n, std::copysign(mu * n, x.t)};
}

// Both coefficients are positive and differ. The boundary point y with y - x normal to the cone is
//   y_i = x_i m_i (1 - t) / (m_i (1 - t) + t),  m_i = mu_i^2,  y_n = |(y_1/mu_1, y_2/mu_2)|,
// where t in (0, 1) is the root of the decreasing function
//   f(t) = (1 - 2 t) |(mu_i x_i / (m_i (1 - t) + t))_i| - x_n:
// the multiplier of the cone's equation is t / (1 - t), which puts its whole range into (0, 1).
ImpulseVector projectOnEllipticBoundary(const ImpulseVector& x, double mu_1, double mu_2) {
  const double m[] = {mu_1 * mu_1, mu_2 * mu_2};
  const double a[] = {mu_1 * x[1], mu_2 * x[2]};
  double low = 0, high = 1, t = 0.5;
  for (int pass = 0; pass < 200 && low < high; ++pass) {
    double square = 0, slope = 0;  // of the norm's square, and half of its derivative
    for (int i = 0; i < 2; ++i) {
      const double d = m[i] * (1 - t) + t, part = a[i] / d;
      square += part * part;
      slope -= part * part * (1 - m[i]) / d;
    }
    const double length = std::sqrt(square);
    const double f = (1 - 2 * t) * length - x[0];
    (f > 0 ? low : high) = t;
    const double derivative = -2 * length + (1 - 2 * t) * slope / length;
    double next = t - f / derivative;
    if (!(next > low && next < high)) next = low + (high - low) / 2;
    if (next == t || next == low || next == high) break;
    t = next;
  }
  const double y_1 = x[1] * m[0] * (1 - t) / (m[0] * (1 - t) + t);
  const double y_2 = x[2] * m[1] * (1 - t) / (m[1] * (1 - t) + t);
  return {math::hypot(y_1 / mu_1, y_2 / mu_2), y_1, y_2};
}

// What both kinds of cone in space become if a tangent has no friction.
ImpulseVector projectOnFlatCone(const ImpulseVector& x, double mu_1, double mu_2) {
  if (mu_1 > 0) {
    const Planar y = projectOnWedge({x[0], x[1]}, mu_1);
    return {y.n, y.t, 0};
  }
  const Planar y = projectOnWedge({x[0], x[2]}, mu_2);
  return {y.n, 0, mu_2 > 0 ? y.t : 0};
}

ImpulseVector projectOnEllipticCone(const ImpulseVector& x, double mu_1, double mu_2) {
  if (!(mu_1 > 0 && mu_2 > 0)) return projectOnFlatCone(x, mu_1, mu_2);
  if (mu_1 == mu_2) {
    const double side = planeLength(x[1], x[2]);
    const Planar y = projectOnWedge({x[0], side}, mu_1);
    const double ratio = side > 0 ? y.t / side : 0;
    return {y.n, ratio * x[1], ratio * x[2]};
  }
  if (math::hypot(x[1] / mu_1, x[2] / mu_2) <= x[0]) return x;
  if (math::hypot(mu_1 * x[1], mu_2 * x[2]) <= -x[0]) return {};
  return projectOnEllipticBoundary(x, mu_1, mu_2);
}

ImpulseVector cornerRay(const ImpulseSet& set, int k) {
  const double angle = 2 * std::numbers::pi * (k % set.directions) / set.directions;
  return {1, set.mu * math::cos(angle), set.mu_2 * math::sin(angle)};
}

// How far the polygon reaches along each axis: half of the segment that is left of it without
// friction along the other.
struct Reaches {
  double along_1 = 0;
  double along_2 = 0;
};

Reaches reachesOf(const ImpulseSet& set) {
  Reaches out;
  for (int k = 0; k < set.directions; ++k) {
    out.along_1 = std::max(out.along_1, cornerRay(set, k)[1]);
    out.along_2 = std::max(out.along_2, cornerRay(set, k)[2]);
  }
  return out;
}

// The nearest of all points that can be it: x itself, its feet on facets and rays, and zero.
ImpulseVector projectOnPolyhedralCone(const ImpulseSet& set, const ImpulseVector& x) {
  if (!(set.mu > 0 && set.mu_2 > 0)) {
    const Reaches reach = reachesOf(set);
    return projectOnFlatCone(x, reach.along_1, reach.along_2);
  }
  ImpulseVector nearest{};
  double least = dotProduct(x, x);
  bool inside = true;
  const auto consider = [&](const ImpulseVector& y) {
    const ImpulseVector apart = difference(x, y);
    const double square = dotProduct(apart, apart);
    if (square >= least) return;
    least = square;
    nearest = y;
  };
  for (int k = 0; k < set.directions; ++k) {
    const ImpulseVector ray = cornerRay(set, k), next = cornerRay(set, k + 1);
    const ImpulseVector inward = crossProduct(ray, next);
    const double height = dotProduct(x, inward);
    if (height < 0) inside = false;
    const double along = dotProduct(x, ray) / dotProduct(ray, ray);
    if (along > 0) consider({along, along * ray[1], along * ray[2]});
    const double share = height / dotProduct(inward, inward);
    const ImpulseVector foot =
        difference(x, {share * inward[0], share * inward[1], share * inward[2]});
    if (dotProduct(crossProduct(ray, foot), inward) >= 0 &&
        dotProduct(crossProduct(foot, next), inward) >= 0)
      consider(foot);
  }
  return inside ? x : nearest;
}

// The largest p_t.(-u_t) over the impulses with p_n = 1.
double frictionPower(const ImpulseSet& set, const ImpulseVector& u) {
  if (certificate::hasSections(set)) return certificate::sectionsPower(set, u);
  switch (set.kind) {
    case SetForm::planar:
      return set.mu * std::abs(u[1]);
    case SetForm::elliptic:
      return planeLength(set.mu * u[1], set.mu_2 * u[2]);
    case SetForm::polyhedral: {
      double most = 0;
      if (!(set.mu > 0 && set.mu_2 > 0)) {
        const Reaches reach = reachesOf(set);
        return std::max(reach.along_1 * std::abs(u[1]), reach.along_2 * std::abs(u[2]));
      }
      for (int k = 0; k < set.directions; ++k) {
        const ImpulseVector ray = cornerRay(set, k);
        most = std::max(most, -(ray[1] * u[1] + ray[2] * u[2]));
      }
      return most;
    }
    default:
      return 0;
  }
}

LoadDirections slidingDirections(const ImpulseSet& set, const ImpulseVector& u, double closed) {
  LoadDirections out;
  if (set.kind == SetForm::planar) {
    out.rows[out.count++] = {1, -std::copysign(set.mu, u[1]), 0};
  } else if (set.kind == SetForm::elliptic) {
    const double size = math::hypot(set.mu * u[1], set.mu_2 * u[2]);
    out.rows[out.count++] = {1, -set.mu * set.mu * u[1] / size, -set.mu_2 * set.mu_2 * u[2] / size};
  } else if (!(set.mu > 0 && set.mu_2 > 0)) {
    const Reaches reach = reachesOf(set);
    out.rows[out.count++] = {1, -std::copysign(reach.along_1, u[1]),
                             -std::copysign(reach.along_2, u[2])};
  } else {
    // The corners that take as much power as the best one: two if u_t is normal to a side.
    const double most = frictionPower(set, u), slack = std::max(set.mu, set.mu_2) * closed;
    for (int k = 0; k < set.directions && out.count < 2; ++k) {
      const ImpulseVector ray = cornerRay(set, k);
      if (-(ray[1] * u[1] + ray[2] * u[2]) < most - slack) continue;
      out.rows[out.count++] = ray;
    }
  }
  return out;
}

}  // namespace

ImpulseVector projectOnSet(const ImpulseSet& set, const ImpulseVector& x) {
  if (certificate::hasSections(set)) return certificate::projectOnSections(set, x);
  switch (set.kind) {
    case SetForm::planar: {
      const Planar y = projectOnWedge({x[0], x[1]}, set.mu);
      return {y.n, y.t, 0};
    }
    case SetForm::elliptic:
      return projectOnEllipticCone(x, set.mu, set.mu_2);
    case SetForm::polyhedral:
      return projectOnPolyhedralCone(set, x);
    case SetForm::interval:
      return {std::min(std::max(x[0], set.lower), set.upper), 0, 0};
    default:
      return {std::max(x[0], 0.0), 0, 0};
  }
}

ImpulseVector correctedVelocity(const ImpulseSet& set, Law law, const ImpulseVector& u) {
  if (law == Law::relaxed) return u;
  ImpulseVector u_hat = u;
  u_hat[0] += frictionPower(set, u);
  return u_hat;
}

double distanceToLaw(const ImpulseSet& set, const ImpulseVector& p, const ImpulseVector& u_hat,
                     double rho) {
  if (isCircularCone(set))
    return distanceToCircle(set.mu, {p[0], p[1], p[2]}, {u_hat[0], u_hat[1], u_hat[2]}, rho);
  ImpulseVector shifted;
  for (std::size_t k = 0; k < p.size(); ++k) shifted[k] = p[k] - rho * u_hat[k];
  return lengthOf(difference(p, projectOnSet(set, shifted)));
}

double naturalMap(const ImpulseSet& set, Law law, const ImpulseVector& p, const ImpulseVector& u,
                  double rho) {
  return distanceToLaw(set, p, correctedVelocity(set, law, u), rho);
}

LoadDirections loadDirections(const ImpulseSet& set, const ImpulseVector& u, double closed) {
  if (certificate::hasSections(set)) return certificate::sectionLoads(set, u, closed);
  LoadDirections out;
  const bool fixed = set.kind == SetForm::interval && !(set.lower < set.upper);
  if (fixed || std::abs(u[0]) > closed) return out;
  const bool spatial = set.kind == SetForm::elliptic || set.kind == SetForm::polyhedral;
  const double mu[] = {spatial || set.kind == SetForm::planar ? set.mu : 0, spatial ? set.mu_2 : 0};
  const double u_1 = mu[0] > 0 ? u[1] : 0, u_2 = mu[1] > 0 ? u[2] : 0;
  if (math::hypot(u_1, u_2) > closed) return slidingDirections(set, u, closed);
  out.rows[out.count++] = {1, 0, 0};
  if (mu[0] > 0) out.rows[out.count++] = {0, 1, 0};
  if (mu[1] > 0) out.rows[out.count++] = {0, 0, 1};
  return out;
}

}  // namespace stickslip
