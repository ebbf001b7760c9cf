#include "solvers/interior_point/sections_barrier.hpp"

#include <algorithm>

namespace stickslip {
namespace {

template <class Values>
auto partOf(const Cone& cone, Values values) {
  return values.subspan(static_cast<std::size_t>(cone.first), static_cast<std::size_t>(cone.rows));
}

}  // namespace

void SectionsBarrier::select(const ConvexProblem& problem) {
  cones_.clear();
  degree_ = 0;
  for (std::size_t i = 0; i < problem.cones.size(); ++i) {
    const Cone& cone = problem.cones[i];
    if (cone.isPlain() || cone.isHull()) continue;
    cones_.push_back({});
    cones_.back().source = cone;
    cones_.back().block = problem.W.firstOfBlock(static_cast<int>(i));
    for (const FrictionShape& shape : cone.shapes) degree_ += shape.rows > 0 ? 1 : 0;
  }
}

void SectionsBarrier::enter(double impulse, double velocity, std::span<double> p,
                            std::span<const double> u) {
  for (Item& cone : cones_) {
    const std::span<double> part = partOf(cone.source, p);
    cone.barrier.enter(cone.source, Law::relaxed, part, partOf(cone.source, u), impulse, velocity);
    cone.barrier.impulse(part);
  }
}

double SectionsBarrier::gap(std::span<const double>) const {
  double sum = 0;
  for (const Item& cone : cones_) sum += cone.barrier.gap();
  return sum;
}

void SectionsBarrier::scale(double delta, std::span<const double>, std::span<double> S) {
  for (Item& cone : cones_) {
    const int rows = cone.source.rows;
    cone.barrier.scale(delta, {cone.S.data(), rows, rows});
    std::copy_n(cone.S.begin(), rows * rows, S.begin() + static_cast<std::ptrdiff_t>(cone.block));
  }
}

void SectionsBarrier::aim(double mu, double correction, std::span<const double>,
                          std::span<const double> u, std::span<double> r) {
  for (Item& cone : cones_) {
    const std::span<double> part = partOf(cone.source, r);
    cone.barrier.aim(mu, correction, partOf(cone.source, u), part, cone.residual);
    for (std::size_t i = 0; i < part.size(); ++i)
      for (std::size_t j = 0; j < part.size(); ++j)
        part[i] -= cone.S[i * part.size() + j] * cone.residual[j];
  }
}

double SectionsBarrier::direct(std::span<const double>, std::span<const double>,
                               std::span<const double> d_p, std::span<const double> d_u) {
  double most = 1;
  std::array<double, kMostRows> e{};
  for (Item& cone : cones_) {
    const std::span<const double> change = partOf(cone.source, d_u);
    for (std::size_t k = 0; k < change.size(); ++k) e[k] = change[k] + cone.residual[k];
    most = std::max(most, cone.barrier.direct(partOf(cone.source, d_p),
                                              std::span<const double>(e).first(change.size())));
  }
  return 1 / most;
}

void SectionsBarrier::move(double step, std::span<double> p, std::span<const double>) {
  for (Item& cone : cones_) {
    cone.barrier.move(step);
    cone.barrier.impulse(partOf(cone.source, p));
  }
}

}  // namespace stickslip
