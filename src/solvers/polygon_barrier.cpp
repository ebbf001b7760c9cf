#include "solvers/polygon_barrier.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/nonnegative_fit.hpp"

namespace stickslip {

void PolygonBarrier::select(const ConvexProblem& problem) {
  items_.clear();
  edges_.clear();
  for (std::size_t i = 0; i < problem.items.size(); ++i) {
    const ContactItem& item = problem.items[i];
    if (item.kind != ContactItem::Kind::polygon && !item.isHull()) continue;
    const int count = item.isHull() ? item.shapes[0].directions : item.directions;
    items_.push_back({static_cast<std::size_t>(item.first), static_cast<std::size_t>(item.rows),
                      problem.W.firstOfBlock(static_cast<int>(i)), edges_.size(),
                      static_cast<std::size_t>(count), !item.isHull()});
    for (int k = 0; k < count; ++k) {
      edges_.push_back({});
      FrictionVector& d = edges_.back().d;
      if (item.isHull()) {
        const std::span<const double> given = (*item.shapes[0].given)[k];
        std::copy(given.begin(), given.end(), d.begin());
      } else {
        const std::array<double, 2> corner = polygonCorner(count, k);
        std::copy(corner.begin(), corner.end(), d.begin());
      }
    }
  }
}

template <class Weight>
void PolygonBarrier::combine(const Item& item, Weight weight, double* out) {
  std::array<double, kMostRows> sum{};
  for (const Edge& edge : edgesOf(item)) {
    const double x = weight(edge);
    sum[0] += x;
    for (std::size_t k = 1; k < item.rows; ++k) sum[k] += x * edge.d[k - 1];
  }
  std::copy_n(sum.begin(), item.rows, out);
}

// The tangential part is the share of two neighbouring corners; what remains of the normal one is
// given to all alike, whose tangential parts cancel.
void PolygonBarrier::spreadOnPolygon(const Item& item, const double* pi) {
  const std::span<Edge> edges = edgesOf(item);
  double most = 0;
  for (std::size_t k = 0; k < edges.size(); ++k) {
    Edge &a = edges[k], &b = edges[(k + 1) % edges.size()];
    const double area = a.d[0] * b.d[1] - a.d[1] * b.d[0];
    const double of_a = (pi[1] * b.d[1] - pi[2] * b.d[0]) / area;
    const double of_b = (a.d[0] * pi[2] - a.d[1] * pi[1]) / area;
    if (!(of_a >= 0 && of_b >= 0)) continue;
    a.x = of_a;
    b.x = of_b;
    most = of_a + of_b;
    break;
  }
  const double rest = std::max(0.0, pi[0] - most) / static_cast<double>(edges.size());
  for (Edge& edge : edges) edge.x += rest;
}

// Weights of the point of the cone next to it.
void PolygonBarrier::spread(const Item& item, const double* pi) {
  if (item.regular) return spreadOnPolygon(item, pi);
  std::array<FitColumn, FrictionDirections::kMost> columns;
  const std::span<Edge> edges = edgesOf(item);
  for (std::size_t k = 0; k < edges.size(); ++k) {
    columns[k][0] = 1;
    std::copy(edges[k].d.begin(), edges[k].d.end(), columns[k].begin() + 1);
  }
  FitColumn right{};
  std::copy_n(pi, item.rows, right.begin());
  const NonnegativeFit fit = fitNonnegative(std::span(columns).first(edges.size()), right);
  for (std::size_t i = 0; i < static_cast<std::size_t>(fit.count); ++i)
    edges[static_cast<std::size_t>(fit.column[i])].x = fit.x[i];
}

void PolygonBarrier::enter(double impulse, double velocity, std::span<double> pi,
                           std::span<const double> omega) {
  for (const Item& item : items_) {
    const std::span<Edge> edges = edgesOf(item);
    const double share = impulse / static_cast<double>(item.edges);
    for (Edge& edge : edges) edge.x = 0;
    spread(item, pi.data() + item.first);
    for (Edge& edge : edges) {
      edge.x = std::max(edge.x, share);
      edge.z = std::max(edge.along(omega.data() + item.first, item.rows), velocity);
    }
    combine(
        item, [](const Edge& edge) { return edge.x; }, pi.data() + item.first);
  }
}

double PolygonBarrier::gap(std::span<const double>) const {
  double sum = 0;
  for (const Edge& edge : edges_) sum += edge.x * edge.z;
  return sum;
}

void PolygonBarrier::scale(double delta, std::span<const double>, std::span<double> S) {
  delta_ = delta;
  for (const Item& item : items_) {
    double* block = S.data() + item.block;
    std::fill_n(block, item.rows * item.rows, 0.0);
    for (Edge& edge : edgesOf(item)) {
      edge.softness = edge.x / (edge.z + delta * edge.x);
      std::array<double, kMostRows> e{1};
      std::copy(edge.d.begin(), edge.d.end(), e.begin() + 1);
      for (std::size_t i = 0; i < item.rows; ++i)
        for (std::size_t j = 0; j < item.rows; ++j)
          block[item.rows * i + j] += edge.softness * e[i] * e[j];
    }
  }
}

void PolygonBarrier::aim(double mu, double correction, std::span<const double>,
                         std::span<const double> omega, std::span<double> r) {
  for (Edge& edge : edges_)
    edge.target = mu - (correction > 0 ? correction * edge.d_x * edge.d_z : 0);
  aimAtTargets(omega, r);
}

void PolygonBarrier::recentre(double step, double mu, std::span<const double> omega,
                              std::span<double> r) {
  for (Edge& edge : edges_) {
    const double now = edge.x * edge.z, second = edge.d_x * edge.d_z;
    edge.last_target = edge.target;
    edge.target += recentring(productAfter(step, now, edge.target, second), mu);
  }
  aimAtTargets(omega, r);
}

void PolygonBarrier::aimAsBefore(std::span<const double> omega, std::span<double> r) {
  for (Edge& edge : edges_) edge.target = edge.last_target;
  aimAtTargets(omega, r);
}

void PolygonBarrier::aimAtTargets(std::span<const double> omega, std::span<double> r) {
  for (const Item& item : items_) {
    for (Edge& edge : edgesOf(item))
      edge.push =
          edge.softness * (edge.target / edge.x - edge.along(omega.data() + item.first, item.rows));
    combine(
        item, [](const Edge& edge) { return edge.push; }, r.data() + item.first);
  }
}

double PolygonBarrier::direct(std::span<const double>, std::span<const double> omega,
                              std::span<const double>, std::span<const double> d_omega) {
  double most = 1;
  for (const Item& item : items_)
    for (Edge& edge : edgesOf(item)) {
      const double change = edge.along(d_omega.data() + item.first, item.rows);
      edge.d_x = edge.push - edge.softness * change;
      edge.d_z =
          edge.along(omega.data() + item.first, item.rows) - edge.z + change + delta_ * edge.d_x;
      most = std::max({most, -edge.d_x / edge.x, -edge.d_z / edge.z});
    }
  return 1 / most;
}

void PolygonBarrier::move(double step, std::span<double> pi, std::span<const double>) {
  for (const Item& item : items_) {
    for (Edge& edge : edgesOf(item)) {
      edge.x += step * edge.d_x;
      edge.z += step * edge.d_z;
    }
    combine(
        item, [](const Edge& edge) { return edge.x; }, pi.data() + item.first);
  }
}

}  // namespace stickslip
