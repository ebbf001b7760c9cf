// The reduced contact problem u = W p + q in coordinates in which every friction cone is the same.
//
// With pi = (p_n, p_1/mu, p_2/mu_2) and omega = (u_n, mu u_1, mu_2 u_2) an elliptic cone becomes
// K = {|pi_t| <= pi_n}, which is its own dual, and Coulomb's law reads
//
//   omega = W pi + q,   K contains pi and omega_hat = omega + |omega_t| e_n,   pi.omega_hat = 0
//
// for contacts with two tangents, one, or none (those without friction are left out). Besides, each
// contact is scaled by its effective mass so that the diagonal of its block of W has mean 1, and
// the whole is in units, powers of two, of the largest velocity q and the largest diagonal of W:
// units of the problem change no digit of this one. Impulses between bounds are rows of their own.
//
// The residual is that of the natural map pi - P_K(pi - omega_hat), taken back to velocities and
// relative to the largest of q.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "stickslip/contact_problem.hpp"

namespace stickslip {

using ConeVector = std::array<double, 3>;

/// The point of {|x_t| <= x_n} next to x; components that are not there are zero.
ConeVector projectOnUnitCone(const ConeVector& x);

class ConeProblem {
 public:
  struct Item {
    int first = 0;  ///< row
    int rows = 0;   ///< 1 to 3
    int contact = 0;
    bool interval = false;
    double lower = 0;  ///< interval: bounds of pi
    double upper = 0;
  };
  struct Residual {
    double merit = 0;     ///< sum of squares of the natural map
    double velocity = 0;  ///< largest violation, see above
  };

  void reserve(int contacts, int contact_rows);
  /// Chooses the units from the whole problem,
  void findUnits(ConstMatrixView W, std::span<const double> q);
  /// and takes some of its contacts, none of which may be polyhedral.
  void build(ConstMatrixView W, std::span<const double> q, const BlockRows& J,
             std::span<const ImpulseSet> sets, std::span<const int> contacts);

  int size() const { return size_; }
  std::span<const Item> items() const { return items_; }
  ConstMatrixView W() const { return {W_.data(), size_, size_}; }
  std::span<const double> q() const { return q_; }

  /// omega = W pi + q.
  void velocity(std::span<const double> pi, std::span<double> omega) const;
  /// omega += W change, where `change` begins at row `first`.
  void addChange(std::span<const double> change, int first, std::span<double> omega) const;
  Residual residual(std::span<const double> pi, std::span<const double> omega) const;
  /// Impulses of the problem's own rows, as far as they are of these contacts, and back.
  void toImpulses(std::span<const double> pi, std::span<double> p) const;
  void fromImpulses(std::span<const double> p, std::span<double> pi) const;

 private:
  void addItem(int contact, const ImpulseSet& set, int first_row, ConstMatrixView W);

  int size_ = 0;
  double velocity_unit_ = 1;
  double inverse_mass_unit_ = 1;
  double largest_velocity_ = 0;  ///< of q, in its unit
  std::vector<Item> items_;
  std::vector<int> source_;    ///< row of the problem behind each row
  std::vector<double> scale_;  ///< p = scale pi, omega = scale u, up to units
  std::vector<double> W_;
  std::vector<double> q_;
};

/// Components of one item as a vector of three.
inline ConeVector partOf(std::span<const double> x, const ConeProblem::Item& item) {
  ConeVector part{};
  for (int k = 0; k < item.rows; ++k)
    part[static_cast<std::size_t>(k)] = x[static_cast<std::size_t>(item.first + k)];
  return part;
}

}  // namespace stickslip
