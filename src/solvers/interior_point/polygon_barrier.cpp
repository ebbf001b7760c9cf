#include "solvers/interior_point/polygon_barrier.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/dense/nonnegative_fit.hpp"

namespace stickslip {

void PolygonBarrier::select(const ConvexProblem& problem) {
  cones_.clear();
  edges_.clear();
  for (std::size_t i = 0; i < problem.cones.size(); ++i) {
    const Cone& cone = problem.cones[i];
    if (cone.kind != Cone::Kind::polygon && !cone.isHull()) continue;
    const int count = cone.isHull() ? cone.shapes[0].directions : cone.directions;
    cones_.push_back({static_cast<std::size_t>(cone.first), static_cast<std::size_t>(cone.rows),
                      problem.W.firstOfBlock(static_cast<int>(i)), edges_.size(),
                      static_cast<std::size_t>(count), !cone.isHull()});
    for (int k = 0; k < count; ++k) {
      edges_.push_back({});
      FrictionVector& d = edges_.back().d;
      if (cone.isHull()) {
        const std::span<const double> given = (*cone.shapes[0].given)[k];
        std::copy(given.begin(), given.end(), d.begin());
      } else {
        const std::array<double, 2> corner = polygonCorner(count, k);
        std::copy(corner.begin(), corner.end(), d.begin());
      }
    }
  }
}

template <class Weight>
void PolygonBarrier::combine(const Item& cone, Weight weight, double* out) {
  std::array<double, kMostRows> sum{};
  for (const Edge& edge : edgesOf(cone)) {
    const double x = weight(edge);
    sum[0] += x;
    for (std::size_t k = 1; k < cone.rows; ++k) sum[k] += x * edge.d[k - 1];
  }
  std::copy_n(sum.begin(), cone.rows, out);
}

// The tangential part is the share of two neighbouring corners; what remains of the normal one is
// given to all alike, whose tangential parts cancel.
void PolygonBarrier::spreadOnPolygon(const Item& cone, const double* p) {
  const std::span<Edge> edges = edgesOf(cone);
  double most = 0;
  for (std::size_t k = 0; k < edges.size(); ++k) {
    Edge &a = edges[k], &b = edges[(k + 1) % edges.size()];
    const double area = a.d[0] * b.d[1] - a.d[1] * b.d[0];
    const double of_a = (p[1] * b.d[1] - p[2] * b.d[0]) / area;
    const double of_b = (a.d[0] * p[2] - a.d[1] * p[1]) / area;
    if (!(of_a >= 0 && of_b >= 0)) continue;
    a.x = of_a;
    b.x = of_b;
    most = of_a + of_b;
    break;
  }
  const double rest = std::max(0.0, p[0] - most) / static_cast<double>(edges.size());
  for (Edge& edge : edges) edge.x += rest;
}

// Weights of the point of the cone next to it.
void PolygonBarrier::spread(const Item& cone, const double* p) {
  if (cone.regular) return spreadOnPolygon(cone, p);
  std::array<FitColumn, FrictionDirections::kMost> columns;
  const std::span<Edge> edges = edgesOf(cone);
  for (std::size_t k = 0; k < edges.size(); ++k) {
    columns[k][0] = 1;
    std::copy(edges[k].d.begin(), edges[k].d.end(), columns[k].begin() + 1);
  }
  FitColumn right{};
  std::copy_n(p, cone.rows, right.begin());
  const NonnegativeFit fit = fitNonnegative(std::span(columns).first(edges.size()), right);
  for (std::size_t i = 0; i < static_cast<std::size_t>(fit.count); ++i)
    edges[fit.column[i]].x = fit.x[i];
}

void PolygonBarrier::enter(double impulse, double velocity, std::span<double> p,
                           std::span<const double> u) {
  for (const Item& cone : cones_) {
    const std::span<Edge> edges = edgesOf(cone);
    const double share = impulse / static_cast<double>(cone.edges);
    for (Edge& edge : edges) edge.x = 0;
    spread(cone, p.data() + cone.first);
    for (Edge& edge : edges) {
      edge.x = std::max(edge.x, share);
      edge.z = std::max(edge.along(u.data() + cone.first, cone.rows), velocity);
    }
    combine(
        cone, [](const Edge& edge) { return edge.x; }, p.data() + cone.first);
  }
}

double PolygonBarrier::gap(std::span<const double>) const {
  double sum = 0;
  for (const Edge& edge : edges_) sum += edge.x * edge.z;
  return sum;
}

void PolygonBarrier::scale(double delta, std::span<const double>, std::span<double> S) {
  delta_ = delta;
  for (const Item& cone : cones_) {
    double* block = S.data() + cone.block;
    std::fill_n(block, cone.rows * cone.rows, 0.0);
    for (Edge& edge : edgesOf(cone)) {
      edge.softness = edge.x / (edge.z + delta * edge.x);
      std::array<double, kMostRows> e{1};
      std::copy(edge.d.begin(), edge.d.end(), e.begin() + 1);
      for (std::size_t i = 0; i < cone.rows; ++i)
        for (std::size_t j = 0; j < cone.rows; ++j)
          block[cone.rows * i + j] += edge.softness * e[i] * e[j];
    }
  }
}

void PolygonBarrier::aim(double mu, double correction, std::span<const double>,
                         std::span<const double> u, std::span<double> r) {
  for (Edge& edge : edges_)
    edge.target = mu - (correction > 0 ? correction * edge.d_x * edge.d_z : 0);
  aimAtTargets(u, r);
}

void PolygonBarrier::recentre(double step, double mu, std::span<const double> u,
                              std::span<double> r) {
  for (Edge& edge : edges_) {
    const double now = edge.x * edge.z, second = edge.d_x * edge.d_z;
    edge.last_target = edge.target;
    edge.target += recentring(productAfter(step, now, edge.target, second), mu);
  }
  aimAtTargets(u, r);
}

void PolygonBarrier::aimAsBefore(std::span<const double> u, std::span<double> r) {
  for (Edge& edge : edges_) edge.target = edge.last_target;
  aimAtTargets(u, r);
}

void PolygonBarrier::aimAtTargets(std::span<const double> u, std::span<double> r) {
  for (const Item& cone : cones_) {
    for (Edge& edge : edgesOf(cone))
      edge.push =
          edge.softness * (edge.target / edge.x - edge.along(u.data() + cone.first, cone.rows));
    combine(
        cone, [](const Edge& edge) { return edge.push; }, r.data() + cone.first);
  }
}

double PolygonBarrier::direct(std::span<const double>, std::span<const double> u,
                              std::span<const double>, std::span<const double> d_u) {
  double most = 1;
  for (const Item& cone : cones_)
    for (Edge& edge : edgesOf(cone)) {
      const double change = edge.along(d_u.data() + cone.first, cone.rows);
      edge.d_x = edge.push - edge.softness * change;
      edge.d_z = edge.along(u.data() + cone.first, cone.rows) - edge.z + change + delta_ * edge.d_x;
      most = std::max({most, -edge.d_x / edge.x, -edge.d_z / edge.z});
    }
  return 1 / most;
}

void PolygonBarrier::move(double step, std::span<double> p, std::span<const double>) {
  for (const Item& cone : cones_) {
    for (Edge& edge : edgesOf(cone)) {
      edge.x += step * edge.d_x;
      edge.z += step * edge.d_z;
    }
    combine(
        cone, [](const Edge& edge) { return edge.x; }, p.data() + cone.first);
  }
}

}  // namespace stickslip
