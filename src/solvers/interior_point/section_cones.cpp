#include "solvers/interior_point/section_cones.hpp"

#include <algorithm>

namespace stickslip {

auto SectionCones::Contact::partOf(const Section& section, double n,
                                   std::span<const double> x) const -> Vector {
  Vector out{n};
  std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(first + section.first), section.rows,
              out.begin() + 1);
  return out;
}

void SectionCones::select(const ConvexProblem& problem) {
  contacts_.clear();
  law_ = problem.law;
  degree_ = 0;
  for (std::size_t i = 0; i < problem.cones.size(); ++i) {
    const Cone& cone = problem.cones[i];
    if (cone.isPlain() || (cone.isHull() && law_ == Law::relaxed)) continue;
    Contact& contact = contacts_.emplace_back();
    contact.first = static_cast<std::size_t>(cone.first);
    contact.rows = static_cast<std::size_t>(cone.rows);
    contact.block = problem.W.firstOfBlock(static_cast<int>(i));
    contact.is_fixed = cone.kind == Cone::Kind::load_independent;
    contact.radius = cone.radius;
    std::size_t row = contact.is_fixed ? 0 : 1;
    for (const FrictionShape& shape : cone.shapes) {
      if (shape.rows == 0) continue;
      Section& section = contact.sections[contact.count++];
      section.first = row;
      section.rows = static_cast<std::size_t>(shape.rows);
      row += section.rows;
    }
    degree_ += static_cast<int>(contact.count);
  }
}

void SectionCones::enter(double impulse, double velocity, std::span<double> p,
                         std::span<const double> u) {
  for (Contact& contact : contacts_) {
    std::array<Vector, kMostSections> inside{};
    double normal = 0;
    for (std::size_t g = 0; g < contact.count; ++g) {
      Section& section = contact.sections[g];
      // The cones share the normal velocity.
      const double share =
          contact.is_fixed ? 0 : u[contact.first] / static_cast<double>(contact.count);
      inside[g] = contact.partOf(section, contact.normalImpulse(p), p);
      section.cone.enter(contact.is_fixed ? Law::relaxed : law_, impulse, velocity, inside[g],
                         contact.partOf(section, share, u));
      normal = std::max(normal, inside[g][0]);
    }
    // The others are made shorter unless they are inside by so much, or half of it.
    if (contact.is_fixed) normal = contact.radius;
    const double most = normal - std::min(impulse, normal / 2);
    if (!contact.is_fixed) p[contact.first] = normal;
    for (std::size_t g = 0; g < contact.count; ++g) {
      const Section& section = contact.sections[g];
      const double side = tangentialNorm(inside[g]), share = side > most ? most / side : 1;
      for (std::size_t k = 0; k < section.rows; ++k)
        p[contact.first + section.first + k] = share * inside[g][1 + k];
    }
  }
}

double SectionCones::gap(std::span<const double> p) const {
  double sum = 0;
  for (const Contact& contact : contacts_)
    for (const Section& section : contact.used()) {
      const Vector x = contact.partOf(section, contact.normalImpulse(p), p);
      sum += x[0] * section.cone.z()[0] + tangentialDot(x, section.cone.z());
    }
  return sum;
}

void SectionCones::scale(double delta, std::span<const double> p, std::span<double> S) {
  for (Contact& contact : contacts_) {
    contact.weight = 0;
    for (Section& section : contact.used()) {
      section.cone.scale(delta, contact.partOf(section, contact.normalImpulse(p), p));
      section.cone.fill(1 + section.rows, section.S.data());
      contact.weight += 1 / section.entry(0, 0);
    }
    double* block = S.data() + contact.block;
    std::fill_n(block, contact.rows * contact.rows, 0.0);
    if (contact.is_fixed)
      scaleFixed(contact, block);
    else
      scaleSections(contact, block);
  }
}

void SectionCones::scaleFixed(const Contact& contact, double* S) const {
  const Section& section = contact.sections[0];
  for (std::size_t i = 0; i < section.rows; ++i)
    for (std::size_t j = 0; j < section.rows; ++j)
      S[i * contact.rows + j] = section.entry(1 + i, 1 + j) - section.entry(1 + i, 0) *
                                                                  section.entry(0, 1 + j) /
                                                                  section.entry(0, 0);
}

void SectionCones::scaleSections(const Contact& contact, double* S) const {
  S[0] = 1 / contact.weight;
  for (const Section& section : contact.used())
    for (std::size_t j = 0; j < section.rows; ++j)
      S[section.first + j] = section.entry(0, 1 + j) / (section.entry(0, 0) * contact.weight);
  for (const Section& section : contact.used())
    for (std::size_t i = 0; i < section.rows; ++i) {
      double* row = S + (section.first + i) * contact.rows;
      const double share = section.entry(1 + i, 0) / section.entry(0, 0);
      for (std::size_t j = 0; j < contact.rows; ++j) row[j] = share * S[j];
      for (std::size_t j = 0; j < section.rows; ++j)
        row[section.first + j] += section.entry(1 + i, 1 + j) - share * section.entry(0, 1 + j);
    }
}

void SectionCones::aim(double mu, double correction, std::span<const double>,
                       std::span<const double> u, std::span<double> r) {
  for (Contact& contact : contacts_)
    for (Section& section : contact.used()) section.cone.aim(mu, correction);
  aimAtTargets(u, r);
}

void SectionCones::recentre(double step, double mu, std::span<const double> u,
                            std::span<double> r) {
  for (Contact& contact : contacts_)
    for (Section& section : contact.used()) section.cone.recentre(step, mu);
  aimAtTargets(u, r);
}

void SectionCones::aimAsBefore(std::span<const double> u, std::span<double> r) {
  for (Contact& contact : contacts_)
    for (Section& section : contact.used()) section.cone.aimAsBefore();
  aimAtTargets(u, r);
}

void SectionCones::aimAtTargets(std::span<const double> u, std::span<double> r) {
  for (Contact& contact : contacts_) {
    // d_p_n where d_u is zero.
    double normal = contact.is_fixed ? 0 : -u[contact.first];
    for (Section& section : contact.used()) {
      section.r = section.cone.push(contact.velocityOf(section, u));
      if (!contact.is_fixed)
        normal += section.cone.normalVelocity() + section.r[0] / section.entry(0, 0);
    }
    normal /= contact.weight;
    if (!contact.is_fixed) r[contact.first] = normal;
    for (const Section& section : contact.used())
      for (std::size_t i = 0; i < section.rows; ++i)
        r[contact.first + section.first + i] = section.r[1 + i] - section.entry(1 + i, 0) /
                                                                      section.entry(0, 0) *
                                                                      (section.r[0] - normal);
  }
}

double SectionCones::direct(std::span<const double>, std::span<const double> u,
                            std::span<const double> d_p, std::span<const double> d_u) {
  double most = 1;
  for (Contact& contact : contacts_) {
    const double d_normal = contact.is_fixed ? 0 : d_p[contact.first];
    for (Section& section : contact.used()) {
      double rest = section.r[0] - d_normal;
      for (std::size_t j = 0; j < section.rows; ++j)
        rest -= section.entry(0, 1 + j) * d_u[contact.first + section.first + j];
      most =
          std::max(most, section.cone.direct(
                             contact.partOf(section, d_normal, d_p), contact.velocityOf(section, u),
                             contact.partOf(section, rest / section.entry(0, 0), d_u)));
    }
  }
  return 1 / most;
}

void SectionCones::move(double step, std::span<double> p, std::span<const double> d_p) {
  for (Contact& contact : contacts_) {
    for (std::size_t k = contact.first; k < contact.first + contact.rows; ++k)
      p[k] += step * d_p[k];
    for (Section& section : contact.used()) section.cone.move(step);
  }
}

}  // namespace stickslip
