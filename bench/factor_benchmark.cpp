// Factorization and solution with BlockFactor, beside CHOLMOD on the same matrices.
//
// K = M + J' S J of four contact graphs: a tower of boxes (a chain), cannonball piles in the plane
// (every disk touches up to six others), and spheres in a random packing. A program of its own, as
// CHOLMOD (parts of it are GPL) is never linked into the engine; built where it is installed. For
// one thread set OMP_NUM_THREADS=1 and OPENBLAS_NUM_THREADS=1.
#include <benchmark/benchmark.h>
#include <cholmod.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>

#include "math/factor/block_factor.hpp"

namespace stickslip {
namespace {

struct ContactGraph {
  int blocks = 0;
  int size = 0;
  std::vector<std::pair<int, int>> couplings;
};

ContactGraph tower(int boxes) {
  ContactGraph graph{boxes, 6, {}};
  for (int i = 1; i < boxes; ++i) graph.couplings.emplace_back(i - 1, i);
  return graph;
}

// Rows of n, n - 1, ... 1 disks.
ContactGraph pile(int n) {
  ContactGraph graph{0, 3, {}};
  for (int row = n; row > 0; --row)
    for (int k = 0; k < row; ++k) {
      const int disk = graph.blocks++;
      if (k > 0) graph.couplings.emplace_back(disk - 1, disk);
      if (row < n) {
        graph.couplings.emplace_back(disk - row - 1, disk);
        graph.couplings.emplace_back(disk - row, disk);
      }
    }
  return graph;
}

using Point = std::array<double, 3>;

// Points in the unit cube, pushed apart until they fill it evenly.
std::vector<Point> spreadPoints(int count) {
  std::mt19937_64 random(7);
  std::vector<Point> points(static_cast<std::size_t>(count));
  for (Point& p : points)
    for (double& x : p) x = static_cast<double>(random() >> 11) * 0x1p-53;
  const double distance = 1.1 / std::cbrt(count);
  for (int round = 0; round < 100; ++round)
    for (std::size_t i = 0; i < points.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        Point& p = points[i];
        Point& q = points[j];
        const Point d{p[0] - q[0], p[1] - q[1], p[2] - q[2]};
        const double length = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        if (length >= distance) continue;
        for (std::size_t k = 0; k < 3; ++k) {
          const double push = 0.25 * (distance / length - 1) * d[k];
          p[k] = std::clamp(p[k] + push, 0.0, 1.0);
          q[k] = std::clamp(q[k] - push, 0.0, 1.0);
        }
      }
  return points;
}

// The 2.7 nearest pairs per sphere, as many contacts as a settled packing has.
ContactGraph spheres(int count) {
  const std::vector<Point> points = spreadPoints(count);
  std::vector<std::pair<double, std::pair<int, int>>> pairs;
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < i; ++j) {
      double square = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        const double d = points[i][k] - points[j][k];
        square += d * d;
      }
      pairs.push_back({square, {j, i}});
    }
  const auto contacts = static_cast<std::ptrdiff_t>(2.7 * count);
  std::partial_sort(pairs.begin(), pairs.begin() + contacts, pairs.end());
  ContactGraph graph{count, 6, {}};
  for (auto pair = pairs.begin(); pair != pairs.begin() + contacts; ++pair)
    graph.couplings.push_back(pair->second);
  return graph;
}

const ContactGraph& graphOf(int which) {
  static std::map<int, ContactGraph> graphs;
  const auto [found, is_new] = graphs.try_emplace(which);
  if (is_new)
    found->second = which == 0   ? tower(20)
                    : which == 1 ? pile(20)
                    : which == 2 ? pile(60)
                                 : spheres(1000);
  return found->second;
}

constexpr const char* kNames[] = {"tower 20", "pile 210", "pile 1830", "spheres 1000"};

// Masses of one and three random rows a contact, weighted over two decades. The unsymmetric part is
// used by LU only.
void fill(const ContactGraph& graph, BlockFactor& K) {
  const std::vector<int> sizes(static_cast<std::size_t>(graph.blocks), graph.size);
  K.analyze(sizes, graph.couplings);
  K.clear();
  std::mt19937_64 random(3);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-52 - 1; };
  const auto add = [&](int a, int b, const double* u, const double* v, double weight) {
    const MatrixView block = K.block(K.entry(a, b));
    for (int i = 0; i < graph.size; ++i)
      for (int j = 0; j < graph.size; ++j) block(i, j) += weight * u[i] * v[j];
  };
  for (int b = 0; b < graph.blocks; ++b)
    for (int i = 0; i < graph.size; ++i) K.block(K.entry(b, b))(i, i) = 1;
  for (const auto& [a, b] : graph.couplings)
    for (int row = 0; row < 3; ++row) {
      double u[6], v[6];
      for (double& x : u) x = uniform();
      for (double& x : v) x = uniform();
      const double weight = std::pow(10, 1 + uniform());
      add(a, a, u, u, weight);
      add(a, b, u, v, weight);
      add(b, a, v, u, weight);
      add(b, b, v, v, weight);
    }
}

void analyze(benchmark::State& bench) {
  const int which = static_cast<int>(bench.range(0));
  const ContactGraph& graph = graphOf(which);
  const std::vector<int> sizes(static_cast<std::size_t>(graph.blocks), graph.size);
  BlockFactor K;
  for (auto _ : bench) {
    K.analyze({}, {});
    K.analyze(sizes, graph.couplings);
  }
  bench.SetLabel(kNames[which]);
}

void factorAndSolve(benchmark::State& bench, bool lu) {
  const int which = static_cast<int>(bench.range(0));
  BlockFactor K;
  fill(graphOf(which), K);
  std::vector<double> x(static_cast<std::size_t>(K.size()));
  for (auto _ : bench) {
    const bool done = lu ? K.factorLu() : K.factorCholesky();
    if (!done) bench.SkipWithError("not factorized");
    std::fill(x.begin(), x.end(), 1.0);
    K.solve(x);
    benchmark::DoNotOptimize(x.data());
  }
  std::vector<double> product(x.size());
  K.multiply(x, product);
  double residual = 0;
  for (const double y : product) residual = std::max(residual, std::abs(y - 1));
  bench.counters["Mflop"] = 2e-6 * K.cost();
  bench.counters["residual"] = residual;
  bench.SetLabel(kNames[which]);
}

void solve(benchmark::State& bench) {
  const int which = static_cast<int>(bench.range(0));
  BlockFactor K;
  fill(graphOf(which), K);
  if (!K.factorCholesky()) bench.SkipWithError("not factorized");
  std::vector<double> x(static_cast<std::size_t>(K.size()));
  for (auto _ : bench) {
    std::fill(x.begin(), x.end(), 1.0);
    K.solve(x);
    benchmark::DoNotOptimize(x.data());
  }
  bench.SetLabel(kNames[which]);
}

cholmod_sparse* lowerTriangle(const ContactGraph& graph, cholmod_common& common) {
  BlockFactor K;
  fill(graph, K);
  const auto n = static_cast<std::size_t>(K.size()),
             area = static_cast<std::size_t>(graph.size * graph.size);
  cholmod_triplet* triplet = cholmod_allocate_triplet(
      n, n, (static_cast<std::size_t>(graph.blocks) + graph.couplings.size()) * area, -1,
      CHOLMOD_REAL, &common);
  const auto put = [&](int a, int b) {
    const MatrixView block = K.block(K.entry(a, b));
    for (int i = 0; i < graph.size; ++i)
      for (int j = 0; j < graph.size; ++j) {
        const int row = a * graph.size + i, column = b * graph.size + j;
        if (row < column) continue;
        static_cast<int*>(triplet->i)[triplet->nnz] = row;
        static_cast<int*>(triplet->j)[triplet->nnz] = column;
        static_cast<double*>(triplet->x)[triplet->nnz++] = block(i, j);
      }
  };
  for (int b = 0; b < graph.blocks; ++b) put(b, b);
  for (const auto& [a, b] : graph.couplings) put(std::max(a, b), std::min(a, b));
  cholmod_sparse* A = cholmod_triplet_to_sparse(triplet, triplet->nnz, &common);
  cholmod_free_triplet(&triplet, &common);
  return A;
}

// `ordering` is CHOLMOD_AMD or CHOLMOD_METIS; whether to use supernodes is left to CHOLMOD.
void cholmodFactorAndSolve(benchmark::State& bench, int ordering) {
  const int which = static_cast<int>(bench.range(0));
  cholmod_common common;
  cholmod_start(&common);
  common.nmethods = 1;
  common.method[0].ordering = ordering;
  common.postorder = 1;
  cholmod_sparse* A = lowerTriangle(graphOf(which), common);
  cholmod_factor* L = cholmod_analyze(A, &common);
  cholmod_dense* ones = cholmod_ones(A->nrow, 1, CHOLMOD_REAL, &common);
  cholmod_dense *x = nullptr, *work = nullptr, *more_work = nullptr;
  for (auto _ : bench) {
    cholmod_factorize(A, L, &common);
    cholmod_solve2(CHOLMOD_A, L, ones, nullptr, &x, nullptr, &work, &more_work, &common);
  }
  bench.counters["Mflop"] = 1e-6 * common.fl;
  bench.SetLabel(kNames[which]);
  for (cholmod_dense** dense : {&ones, &x, &work, &more_work}) cholmod_free_dense(dense, &common);
  cholmod_free_factor(&L, &common);
  cholmod_free_sparse(&A, &common);
  cholmod_finish(&common);
}

// Time of the process, as CHOLMOD may start threads.
void onAllGraphs(benchmark::internal::Benchmark* bench) {
  bench->DenseRange(0, 3)->Unit(benchmark::kMicrosecond)->MeasureProcessCPUTime();
}

BENCHMARK(analyze)->Apply(onAllGraphs);
BENCHMARK_CAPTURE(factorAndSolve, cholesky, false)->Apply(onAllGraphs);
BENCHMARK_CAPTURE(cholmodFactorAndSolve, amd, CHOLMOD_AMD)->Apply(onAllGraphs);
BENCHMARK_CAPTURE(cholmodFactorAndSolve, metis, CHOLMOD_METIS)->Apply(onAllGraphs);
BENCHMARK_CAPTURE(factorAndSolve, lu, true)->Apply(onAllGraphs);
BENCHMARK(solve)->Apply(onAllGraphs);

}  // namespace
}  // namespace stickslip
