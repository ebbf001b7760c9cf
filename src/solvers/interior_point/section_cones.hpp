// ConeBarrier of cones over several sets, or of one that does not depend on the load: they are made
// of Lorentz cones that share their normal impulse.
//
// A cone over the sets g has p_g = (p_n, x_g) for each, and in the dual cones z_g whose normal
// parts add up: u_n = sum s_g, z_g = (s_g + slip_g, u_g). With d_p_g = r_g - S_g (d_s_g, d_u_g) of
// each (lorentz_cone.hpp), where d_p_n is the same for all and the d_s_g add up to d_u_n + u_n -
// sum s_g, the d_s_g are eliminated: with w_g = 1 / S_g,nn
//
//   d_p_n = (sum w_g (r_gn - S_g,nt d_u_g) - (u_n - sum s_g) - d_u_n) / sum w_g,
//   d_s_g = w_g (r_gn - S_g,nt d_u_g - d_p_n).
//
// Friction that does not depend on the load is a cone whose normal impulse is the radius: d_p_n =
// 0. Polygons and hulls are the circles about their corners here: near enough for a start.
#pragma once

#include <array>
#include <vector>

#include "solvers/interior_point/lorentz_cone.hpp"

namespace stickslip {

class SectionCones final : public ConeBarrier {
 public:
  void select(const ConvexProblem& problem) override;
  bool isEmpty() const override { return contacts_.empty(); }
  int degree() const override { return degree_; }
  void enter(double impulse, double velocity, std::span<double> p,
             std::span<const double> u) override;
  double gap(std::span<const double> p) const override;
  void scale(double delta, std::span<const double> p, std::span<double> S) override;
  void aim(double mu, double correction, std::span<const double> p, std::span<const double> u,
           std::span<double> r) override;
  void recentre(double step, double mu, std::span<const double> u, std::span<double> r) override;
  void aimAsBefore(std::span<const double> u, std::span<double> r) override;
  double direct(std::span<const double> p, std::span<const double> u, std::span<const double> d_p,
                std::span<const double> d_u) override;
  void move(double step, std::span<double> p, std::span<const double> d_p) override;

 private:
  static constexpr std::size_t kRows = kMostRows;
  using Vector = LorentzVector<kRows>;
  /// Numbers past the rows of a set are zero.
  struct Section {
    std::size_t first = 0;  ///< of its friction, in the cone
    std::size_t rows = 0;   ///< of its friction
    LorentzCone<kRows> cone;
    std::array<double, kRows * kRows> S{};  ///< (1 + rows)^2 of them
    Vector r{};
    double& entry(std::size_t i, std::size_t j) { return S[i * (1 + rows) + j]; }
    double entry(std::size_t i, std::size_t j) const { return S[i * (1 + rows) + j]; }
  };
  struct Contact {
    std::size_t first = 0;
    std::size_t rows = 0;
    std::size_t block = 0;
    bool is_fixed = false;  ///< friction does not depend on the load
    double radius = 0;      ///< the normal impulse then
    std::size_t count = 0;
    std::array<Section, kMostSections> sections;
    double weight = 1;  ///< sum of w_g

    std::span<Section> used() { return std::span(sections).first(count); }
    std::span<const Section> used() const { return std::span(sections).first(count); }
    /// (n, the part of x that belongs to a section), x of all cones.
    Vector partOf(const Section& section, double n, std::span<const double> x) const;
    /// (s_g, u_g).
    Vector velocityOf(const Section& section, std::span<const double> u) const {
      return partOf(section, section.cone.normalVelocity(), u);
    }
    double normalImpulse(std::span<const double> p) const { return is_fixed ? radius : p[first]; }
  };
  void scaleFixed(const Contact& contact, double* S) const;
  void scaleSections(const Contact& contact, double* S) const;
  /// Fills r for the targets.
  void aimAtTargets(std::span<const double> u, std::span<double> r);

  std::vector<Contact> contacts_;
  Law law_ = Law::relaxed;
  int degree_ = 0;
};

}  // namespace stickslip
