#include "solvers/interior_point/item_barrier.hpp"

#include <algorithm>

namespace stickslip {

void ItemBarrier::enter(const Cone& cone, Law law, std::span<const double> p,
                        std::span<const double> u, double impulse, double velocity) {
  cone_ = cone;
  count_ = 0;
  if (isPlain()) {
    count_ = 1;
    return sections_[0].barrier.enter(cone, law, p, u, impulse, velocity);
  }
  std::size_t row = isFixed() ? 0 : 1;
  double normal = 0;
  for (const FrictionShape& shape : cone.shapes) {
    if (shape.rows == 0) continue;
    Section& section = sections_[count_++];
    section.first = row;
    section.rows = static_cast<std::size_t>(shape.rows);
    row += section.rows;
    Cone part;
    part.rows = 1 + shape.rows;
    ConeVector x{isFixed() ? cone.radius : p[0]};
    // The cones share the normal velocity.
    ConeVector velocities{isFixed() ? 0 : u[0] / (cone.shapes[1].rows > 0 ? 2 : 1)};
    std::copy_n(p.begin() + static_cast<std::ptrdiff_t>(section.first), section.rows,
                x.begin() + 1);
    std::copy_n(u.begin() + static_cast<std::ptrdiff_t>(section.first), section.rows,
                velocities.begin() + 1);
    section.barrier.enter(part, isFixed() ? Law::relaxed : law,
                          std::span(x).first(1 + section.rows),
                          std::span(velocities).first(1 + section.rows), impulse, velocity);
    normal = std::max(normal, section.barrier.normal());
  }
  for (std::size_t g = 0; g < count_; ++g)
    sections_[g].barrier.setNormal(isFixed() ? cone.radius : normal, impulse);
}

int ItemBarrier::degree() const {
  int sum = 0;
  for (std::size_t g = 0; g < count_; ++g) sum += sections_[g].barrier.degree();
  return sum;
}

double ItemBarrier::gap() const {
  double sum = 0;
  for (std::size_t g = 0; g < count_; ++g) sum += sections_[g].barrier.gap();
  return sum;
}

void ItemBarrier::impulse(std::span<double> p) const {
  if (isPlain()) return sections_[0].barrier.impulse(p);
  if (!isFixed()) p[0] = sections_[0].barrier.normal();
  for (std::size_t g = 0; g < count_; ++g) {
    ConeVector x{};
    sections_[g].barrier.impulse(x);
    std::copy_n(x.begin() + 1, sections_[g].rows,
                p.begin() + static_cast<std::ptrdiff_t>(sections_[g].first));
  }
}

void ItemBarrier::scale(double delta, MatrixView S) {
  if (isPlain()) return sections_[0].barrier.scale(delta, S);
  weight_ = 0;
  for (std::size_t g = 0; g < count_; ++g) {
    Section& section = sections_[g];
    const int rows = static_cast<int>(section.rows) + 1;
    std::array<double, kConeRows * kConeRows> block{};
    section.barrier.scale(delta, {block.data(), rows, rows});
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < rows; ++j) section.S[i][j] = block[i * rows + j];
    weight_ += 1 / section.S[0][0];
  }
  std::fill_n(S.data, S.rows * S.columns, 0.0);
  if (isFixed())
    scaleFixed(S);
  else
    scaleSections(S);
}

void ItemBarrier::scaleFixed(MatrixView S) {
  const Section& section = sections_[0];
  for (std::size_t i = 1; i <= section.rows; ++i)
    for (std::size_t j = 1; j <= section.rows; ++j)
      S(static_cast<int>(i) - 1, static_cast<int>(j) - 1) =
          section.S[i][j] - section.S[i][0] * section.S[0][j] / section.S[0][0];
}

void ItemBarrier::scaleSections(MatrixView S) {
  S(0, 0) = 1 / weight_;
  for (std::size_t g = 0; g < count_; ++g)
    for (std::size_t j = 0; j < sections_[g].rows; ++j)
      S(0, static_cast<int>(sections_[g].first + j)) =
          sections_[g].S[0][1 + j] / (sections_[g].S[0][0] * weight_);
  for (std::size_t g = 0; g < count_; ++g) {
    const Section& section = sections_[g];
    for (std::size_t i = 0; i < section.rows; ++i) {
      const int row = static_cast<int>(section.first + i);
      const double share = section.S[1 + i][0] / section.S[0][0];
      for (int j = 0; j < S.columns; ++j) S(row, j) = share * S(0, j);
      for (std::size_t j = 0; j < section.rows; ++j)
        S(row, static_cast<int>(section.first + j)) +=
            section.S[1 + i][1 + j] - share * section.S[0][1 + j];
    }
  }
}

void ItemBarrier::aim(double mu, double correction, std::span<const double> u, std::span<double> r,
                      std::span<double> residual) {
  if (isPlain()) return sections_[0].barrier.aim(mu, correction, u, r, residual);
  double normal = 0;
  if (!isFixed()) residual[0] = u[0];
  for (std::size_t g = 0; g < count_; ++g) {
    Section& section = sections_[g];
    ConeVector part{section.barrier.normalVelocity()}, rest{};
    std::copy_n(u.begin() + static_cast<std::ptrdiff_t>(section.first), section.rows,
                part.begin() + 1);
    section.barrier.aim(mu, correction, part, section.r, rest);
    std::copy_n(rest.begin() + 1, section.rows,
                residual.begin() + static_cast<std::ptrdiff_t>(section.first));
    if (!isFixed()) residual[0] -= part[0];
    normal += section.r[0] / (section.S[0][0] * weight_);
  }
  if (isFixed()) normal = 0;
  for (std::size_t g = 0; g < count_; ++g)
    for (std::size_t i = 0; i < sections_[g].rows; ++i) {
      const Section& section = sections_[g];
      r[section.first + i] =
          section.r[1 + i] - section.S[1 + i][0] / section.S[0][0] * (section.r[0] - normal);
    }
  if (!isFixed()) r[0] = normal;
}

double ItemBarrier::across(const Section& section, std::span<const double> d_u) {
  double sum = 0;
  for (std::size_t j = 0; j < section.rows; ++j)
    sum += section.S[0][1 + j] * d_u[section.first + j];
  return sum;
}

double ItemBarrier::direct(std::span<const double> d_p, std::span<const double> d_u) {
  if (isPlain()) return sections_[0].barrier.direct(d_p, d_u);
  double most = 0;
  for (std::size_t g = 0; g < count_; ++g) {
    Section& section = sections_[g];
    const double d_normal = isFixed() ? 0 : d_p[0];
    ConeVector d_x{d_normal};
    ConeVector e{(section.r[0] - across(section, d_u) - d_normal) / section.S[0][0]};
    for (std::size_t i = 0; i < section.rows; ++i) {
      d_x[1 + i] = d_p[section.first + i];
      e[1 + i] = d_u[section.first + i];
    }
    most = std::max(most, section.barrier.direct(std::span(d_x).first(1 + section.rows),
                                                 std::span(e).first(1 + section.rows)));
  }
  return most;
}

void ItemBarrier::move(double step) {
  for (std::size_t g = 0; g < count_; ++g) sections_[g].barrier.move(step);
}

}  // namespace stickslip
