#include "solvers/sections_barrier.hpp"

#include <algorithm>

namespace stickslip {
namespace {

template <class Values>
auto partOf(const ContactItem& item, Values values) {
  return values.subspan(static_cast<std::size_t>(item.first), static_cast<std::size_t>(item.rows));
}

}  // namespace

void SectionsBarrier::select(const ConvexProblem& problem) {
  items_.clear();
  degree_ = 0;
  for (std::size_t i = 0; i < problem.items.size(); ++i) {
    const ContactItem& item = problem.items[i];
    if (item.isPlain() || item.isHull()) continue;
    items_.push_back({});
    items_.back().source = item;
    items_.back().block = problem.W.firstOfBlock(static_cast<int>(i));
    for (const FrictionShape& shape : item.shapes) degree_ += shape.rows > 0 ? 1 : 0;
  }
}

void SectionsBarrier::enter(double impulse, double velocity, std::span<double> pi,
                            std::span<const double> omega) {
  for (Item& item : items_) {
    const std::span<double> part = partOf(item.source, pi);
    item.barrier.enter(item.source, Law::relaxed, part, partOf(item.source, omega), impulse,
                       velocity);
    item.barrier.impulse(part);
  }
}

double SectionsBarrier::gap(std::span<const double>) const {
  double sum = 0;
  for (const Item& item : items_) sum += item.barrier.gap();
  return sum;
}

void SectionsBarrier::scale(double delta, std::span<const double>, std::span<double> S) {
  for (Item& item : items_) {
    const int rows = item.source.rows;
    item.barrier.scale(delta, {item.S.data(), rows, rows});
    std::copy_n(item.S.begin(), rows * rows, S.begin() + static_cast<std::ptrdiff_t>(item.block));
  }
}

void SectionsBarrier::aim(double mu, double correction, std::span<const double>,
                          std::span<const double> omega, std::span<double> r) {
  for (Item& item : items_) {
    const std::span<double> part = partOf(item.source, r);
    item.barrier.aim(mu, correction, partOf(item.source, omega), part, item.residual);
    for (std::size_t i = 0; i < part.size(); ++i)
      for (std::size_t j = 0; j < part.size(); ++j)
        part[i] -= item.S[i * part.size() + j] * item.residual[j];
  }
}

double SectionsBarrier::direct(std::span<const double>, std::span<const double>,
                               std::span<const double> d_pi, std::span<const double> d_omega) {
  double most = 1;
  std::array<double, kMostRows> e{};
  for (Item& item : items_) {
    const std::span<const double> change = partOf(item.source, d_omega);
    for (std::size_t k = 0; k < change.size(); ++k) e[k] = change[k] + item.residual[k];
    most = std::max(most, item.barrier.direct(partOf(item.source, d_pi),
                                              std::span<const double>(e).first(change.size())));
  }
  return 1 / most;
}

void SectionsBarrier::move(double step, std::span<double> pi, std::span<const double>) {
  for (Item& item : items_) {
    item.barrier.move(step);
    item.barrier.impulse(partOf(item.source, pi));
  }
}

}  // namespace stickslip
