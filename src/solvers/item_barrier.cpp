#include "solvers/item_barrier.hpp"

#include <algorithm>

namespace stickslip {

void ItemBarrier::enter(const ContactItem& item, Law law, std::span<const double> pi,
                        std::span<const double> omega, double impulse, double velocity) {
  item_ = item;
  count_ = 0;
  if (isPlain()) {
    count_ = 1;
    return cones_[0].barrier.enter(item, law, pi, omega, impulse, velocity);
  }
  std::size_t row = isFixed() ? 0 : 1;
  double normal = 0;
  for (const FrictionShape& shape : item.shapes) {
    if (shape.rows == 0) continue;
    Cone& cone = cones_[count_++];
    cone.first = row;
    cone.rows = static_cast<std::size_t>(shape.rows);
    row += cone.rows;
    ContactItem part;
    part.rows = 1 + shape.rows;
    ConeVector x{isFixed() ? item.radius : pi[0]};
    // The cones share the normal velocity.
    ConeVector u{isFixed() ? 0 : omega[0] / (item.shapes[1].rows > 0 ? 2 : 1)};
    std::copy_n(pi.begin() + static_cast<std::ptrdiff_t>(cone.first), cone.rows, x.begin() + 1);
    std::copy_n(omega.begin() + static_cast<std::ptrdiff_t>(cone.first), cone.rows, u.begin() + 1);
    cone.barrier.enter(part, isFixed() ? Law::relaxed : law, std::span(x).first(1 + cone.rows),
                       std::span(u).first(1 + cone.rows), impulse, velocity);
    normal = std::max(normal, cone.barrier.normal());
  }
  for (std::size_t g = 0; g < count_; ++g)
    cones_[g].barrier.setNormal(isFixed() ? item.radius : normal, impulse);
}

int ItemBarrier::degree() const {
  int sum = 0;
  for (std::size_t g = 0; g < count_; ++g) sum += cones_[g].barrier.degree();
  return sum;
}

double ItemBarrier::gap() const {
  double sum = 0;
  for (std::size_t g = 0; g < count_; ++g) sum += cones_[g].barrier.gap();
  return sum;
}

void ItemBarrier::impulse(std::span<double> pi) const {
  if (isPlain()) return cones_[0].barrier.impulse(pi);
  if (!isFixed()) pi[0] = cones_[0].barrier.normal();
  for (std::size_t g = 0; g < count_; ++g) {
    ConeVector x{};
    cones_[g].barrier.impulse(x);
    std::copy_n(x.begin() + 1, cones_[g].rows,
                pi.begin() + static_cast<std::ptrdiff_t>(cones_[g].first));
  }
}

void ItemBarrier::scale(double delta, MatrixView S) {
  if (isPlain()) return cones_[0].barrier.scale(delta, S);
  weight_ = 0;
  for (std::size_t g = 0; g < count_; ++g) {
    Cone& cone = cones_[g];
    const int rows = static_cast<int>(cone.rows) + 1;
    std::array<double, kConeRows * kConeRows> block{};
    cone.barrier.scale(delta, {block.data(), rows, rows});
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < rows; ++j)
        cone.S[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
            block[static_cast<std::size_t>(i * rows + j)];
    weight_ += 1 / cone.S[0][0];
  }
  std::fill_n(S.data, S.rows * S.columns, 0.0);
  if (isFixed())
    scaleFixed(S);
  else
    scaleSections(S);
}

void ItemBarrier::scaleFixed(MatrixView S) {
  const Cone& cone = cones_[0];
  for (std::size_t i = 1; i <= cone.rows; ++i)
    for (std::size_t j = 1; j <= cone.rows; ++j)
      S(static_cast<int>(i) - 1, static_cast<int>(j) - 1) =
          cone.S[i][j] - cone.S[i][0] * cone.S[0][j] / cone.S[0][0];
}

void ItemBarrier::scaleSections(MatrixView S) {
  S(0, 0) = 1 / weight_;
  for (std::size_t g = 0; g < count_; ++g)
    for (std::size_t j = 0; j < cones_[g].rows; ++j)
      S(0, static_cast<int>(cones_[g].first + j)) =
          cones_[g].S[0][1 + j] / (cones_[g].S[0][0] * weight_);
  for (std::size_t g = 0; g < count_; ++g) {
    const Cone& cone = cones_[g];
    for (std::size_t i = 0; i < cone.rows; ++i) {
      const int row = static_cast<int>(cone.first + i);
      const double share = cone.S[1 + i][0] / cone.S[0][0];
      for (int j = 0; j < S.columns; ++j) S(row, j) = share * S(0, j);
      for (std::size_t j = 0; j < cone.rows; ++j)
        S(row, static_cast<int>(cone.first + j)) += cone.S[1 + i][1 + j] - share * cone.S[0][1 + j];
    }
  }
}

void ItemBarrier::aim(double mu, double correction, std::span<const double> omega,
                      std::span<double> r, std::span<double> residual) {
  if (isPlain()) return cones_[0].barrier.aim(mu, correction, omega, r, residual);
  double normal = 0;
  if (!isFixed()) residual[0] = omega[0];
  for (std::size_t g = 0; g < count_; ++g) {
    Cone& cone = cones_[g];
    ConeVector u{cone.barrier.normalVelocity()}, rest{};
    std::copy_n(omega.begin() + static_cast<std::ptrdiff_t>(cone.first), cone.rows, u.begin() + 1);
    cone.barrier.aim(mu, correction, u, cone.r, rest);
    std::copy_n(rest.begin() + 1, cone.rows,
                residual.begin() + static_cast<std::ptrdiff_t>(cone.first));
    if (!isFixed()) residual[0] -= u[0];
    normal += cone.r[0] / (cone.S[0][0] * weight_);
  }
  if (isFixed()) normal = 0;
  for (std::size_t g = 0; g < count_; ++g)
    for (std::size_t i = 0; i < cones_[g].rows; ++i) {
      const Cone& cone = cones_[g];
      r[cone.first + i] = cone.r[1 + i] - cone.S[1 + i][0] / cone.S[0][0] * (cone.r[0] - normal);
    }
  if (!isFixed()) r[0] = normal;
}

double ItemBarrier::across(const Cone& cone, std::span<const double> d_omega) {
  double sum = 0;
  for (std::size_t j = 0; j < cone.rows; ++j) sum += cone.S[0][1 + j] * d_omega[cone.first + j];
  return sum;
}

double ItemBarrier::direct(std::span<const double> d_pi, std::span<const double> d_omega) {
  if (isPlain()) return cones_[0].barrier.direct(d_pi, d_omega);
  double most = 0;
  for (std::size_t g = 0; g < count_; ++g) {
    Cone& cone = cones_[g];
    const double d_normal = isFixed() ? 0 : d_pi[0];
    ConeVector d_x{d_normal};
    ConeVector e{(cone.r[0] - across(cone, d_omega) - d_normal) / cone.S[0][0]};
    for (std::size_t i = 0; i < cone.rows; ++i) {
      d_x[1 + i] = d_pi[cone.first + i];
      e[1 + i] = d_omega[cone.first + i];
    }
    most = std::max(most, cone.barrier.direct(std::span(d_x).first(1 + cone.rows),
                                              std::span(e).first(1 + cone.rows)));
  }
  return most;
}

void ItemBarrier::move(double step) {
  for (std::size_t g = 0; g < count_; ++g) cones_[g].barrier.move(step);
}

}  // namespace stickslip
