#include "solvers/interior_point/polygon_cone.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/dense/nonnegative_fit.hpp"

namespace stickslip {
namespace {

// The tangential part is the share of two neighbouring corners; what remains of the normal one is
// given to all alike, whose tangential parts cancel.
template <class Edge>
void spreadOnPolygon(std::span<Edge> edges, const double* p) {
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

}  // namespace

template <std::size_t N>
void PolygonCones<N>::select(const ConvexProblem& problem) {
  contacts_.clear();
  edges_.clear();
  if (problem.law == Law::coulomb) return;
  for (std::size_t i = 0; i < problem.cones.size(); ++i) {
    const Cone& cone = problem.cones[i];
    if (cone.rows != static_cast<int>(N)) continue;
    const bool planar = N == 2 && cone.kind == Cone::Kind::lorentz;
    if (!planar && cone.kind != Cone::Kind::polygon && !cone.isHull()) continue;
    const int count = planar ? 2 : cone.isHull() ? cone.shapes[0].directions : cone.directions;
    contacts_.push_back({static_cast<std::size_t>(cone.first),
                         problem.W.firstOfBlock(static_cast<int>(i)), edges_.size(),
                         static_cast<std::size_t>(count), cone.isHull()});
    for (int k = 0; k < count; ++k) {
      edges_.push_back({});
      std::array<double, N - 1>& d = edges_.back().d;
      if (planar) {
        d[0] = k == 0 ? 1 : -1;
      } else if (cone.isHull()) {
        const std::span<const double> given = (*cone.shapes[0].given)[k];
        std::copy_n(given.begin(), N - 1, d.begin());
      } else {
        const std::array<double, 2> corner = polygonCorner(count, k);
        std::copy_n(corner.begin(), std::min(N - 1, corner.size()), d.begin());
      }
    }
  }
}

template <std::size_t N>
template <class Weight>
void PolygonCones<N>::combine(const Contact& contact, Weight weight, double* out) {
  std::array<double, N> sum{};
  for (const Edge& edge : edgesOf(contact)) {
    const double x = weight(edge);
    sum[0] += x;
    for (std::size_t k = 1; k < N; ++k) sum[k] += x * edge.d[k - 1];
  }
  std::copy_n(sum.begin(), N, out);
}

template <std::size_t N>
void PolygonCones<N>::spread(const Contact& contact, const double* p) {
  const std::span<Edge> edges = edgesOf(contact);
  if constexpr (N == 2) {
    // p = x_1 (1, 1) + x_2 (1, -1).
    edges[0].x = (p[0] + p[1]) / 2;
    edges[1].x = (p[0] - p[1]) / 2;
    return;
  } else if (N == 3 && !contact.is_hull) {
    return spreadOnPolygon(edges, p);
  }
  // Weights of the point of the cone next to p.
  std::array<FitColumn, FrictionDirections::kMost> columns;
  for (std::size_t k = 0; k < edges.size(); ++k) {
    columns[k][0] = 1;
    std::copy(edges[k].d.begin(), edges[k].d.end(), columns[k].begin() + 1);
  }
  FitColumn right{};
  std::copy_n(p, N, right.begin());
  const NonnegativeFit fit = fitNonnegative(std::span(columns).first(edges.size()), right);
  for (std::size_t i = 0; i < static_cast<std::size_t>(fit.count); ++i)
    edges[fit.column[i]].x = fit.x[i];
}

template <std::size_t N>
void PolygonCones<N>::enter(double impulse, double velocity, std::span<double> p,
                            std::span<const double> u) {
  for (const Contact& contact : contacts_) {
    const std::span<Edge> edges = edgesOf(contact);
    // What corners of a plane have, many corners share.
    const double share = contact.edges > 2 ? impulse / static_cast<double>(contact.edges) : impulse;
    for (Edge& edge : edges) edge.x = 0;
    spread(contact, p.data() + contact.first);
    for (Edge& edge : edges) {
      edge.x = std::max(edge.x, share);
      edge.z = std::max(edge.along(u.data() + contact.first), velocity);
    }
    combine(
        contact, [](const Edge& edge) { return edge.x; }, p.data() + contact.first);
  }
}

template <std::size_t N>
double PolygonCones<N>::gap(std::span<const double>) const {
  double sum = 0;
  for (const Contact& contact : contacts_) {
    double of_contact = 0;
    for (const Edge& edge : edgesOf(contact)) of_contact += edge.x * edge.z;
    sum += of_contact;
  }
  return sum;
}

template <std::size_t N>
void PolygonCones<N>::scale(double delta, std::span<const double>, std::span<double> S) {
  delta_ = delta;
  for (const Contact& contact : contacts_) {
    double* block = S.data() + contact.block;
    std::fill_n(block, N * N, 0.0);
    for (Edge& edge : edgesOf(contact)) {
      edge.softness = edge.x / (edge.z + delta * edge.x);
      std::array<double, N> e{1};
      std::copy(edge.d.begin(), edge.d.end(), e.begin() + 1);
      for (std::size_t i = 0; i < N; ++i)
        for (std::size_t j = 0; j < N; ++j) block[N * i + j] += edge.softness * e[i] * e[j];
    }
  }
}

template <std::size_t N>
void PolygonCones<N>::aim(double mu, double correction, std::span<const double>,
                          std::span<const double> u, std::span<double> r) {
  for (Edge& edge : edges_)
    edge.target = mu - (correction > 0 ? correction * edge.d_x * edge.d_z : 0);
  aimAtTargets(u, r);
}

template <std::size_t N>
void PolygonCones<N>::recentre(double step, double mu, std::span<const double> u,
                               std::span<double> r) {
  for (Edge& edge : edges_) {
    const double now = edge.x * edge.z, second = edge.d_x * edge.d_z;
    edge.last_target = edge.target;
    edge.target += recentring(productAfter(step, now, edge.target, second), mu);
  }
  aimAtTargets(u, r);
}

template <std::size_t N>
void PolygonCones<N>::aimAsBefore(std::span<const double> u, std::span<double> r) {
  for (Edge& edge : edges_) edge.target = edge.last_target;
  aimAtTargets(u, r);
}

template <std::size_t N>
void PolygonCones<N>::aimAtTargets(std::span<const double> u, std::span<double> r) {
  for (const Contact& contact : contacts_) {
    for (Edge& edge : edgesOf(contact))
      edge.push = edge.softness * (edge.target / edge.x - edge.along(u.data() + contact.first));
    combine(
        contact, [](const Edge& edge) { return edge.push; }, r.data() + contact.first);
  }
}

template <std::size_t N>
double PolygonCones<N>::direct(std::span<const double>, std::span<const double> u,
                               std::span<const double>, std::span<const double> d_u) {
  double most = 1;
  for (const Contact& contact : contacts_)
    for (Edge& edge : edgesOf(contact)) {
      const double change = edge.along(d_u.data() + contact.first);
      edge.d_x = edge.push - edge.softness * change;
      edge.d_z = edge.along(u.data() + contact.first) - edge.z + change + delta_ * edge.d_x;
      most = std::max({most, -edge.d_x / edge.x, -edge.d_z / edge.z});
    }
  return 1 / most;
}

template <std::size_t N>
void PolygonCones<N>::move(double step, std::span<double> p, std::span<const double>) {
  for (const Contact& contact : contacts_) {
    for (Edge& edge : edgesOf(contact)) {
      edge.x += step * edge.d_x;
      edge.z += step * edge.d_z;
    }
    combine(
        contact, [](const Edge& edge) { return edge.x; }, p.data() + contact.first);
  }
}

template class PolygonCones<2>;
template class PolygonCones<3>;
template class PolygonCones<4>;
template class PolygonCones<5>;
template class PolygonCones<6>;

}  // namespace stickslip
