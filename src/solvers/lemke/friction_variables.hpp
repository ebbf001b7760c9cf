// The complementary variables of Coulomb friction and bounded impulses.
//
// Two forms of friction:
//
// * Relay form, [GS05] (33), one tangent only, 3 variables a contact: z = (Lambda_N, Lambda_R,
// xi_L),
//   w = (xi_N, xi_R, Lambda_L) with Lambda_R = mu Lambda_N + Lambda_T, Lambda_L = mu Lambda_N -
//   Lambda_T and xi_T = xi_R - xi_L. The smaller one; its matrix need not be copositive, so that
//   pivoting may end in a ray although there is a solution.
//
// * Cone form, [AP97] (2.13): z = (c_n, beta_1 ... beta_m, lambda) with p_t = D beta, D with two
//   columns in the plane and m in space. Copositive, so that Lemke's method always finds a
//   solution ([AP97] Theorem 2.2). The columns of D are the corners of the polygon
//   (contact_problem.hpp) divided by the larger of mu and mu_2, which takes the place of mu in the
//   row of lambda. A tangent without friction leaves two directions, none leaves the normal row.
//   Torsion is two directions more ([ST00] 3.1: directions of friction may incorporate torques).
//   Directions that a user gives are the columns as they are: Theorem 2.2 asks that D'v >= 0 only
//   if D'v = 0, which is what balanced means, and not for pairs.
//
// Rolling friction, and torsion beside friction that does not depend on the load, have directions
// and a lambda of their own: mu_g c_n - e'beta_g >= 0 for each section g of a contact. Friction
// that does not depend on the load has a constant in the place of mu c_n. Only the cone form takes
// these.
//
// Contacts without friction contribute their normal row only. An impulse between finite bounds is
// the relay of [GS05]: z = (p - lower, u_-), w = (u_+, upper - p) with u = u_+ - u_-; these two
// rows are skew beside W, so that the matrix stays copositive. With one infinite bound the second
// pair falls away (measured from the other bound), with two p is the difference of two variables,
// and with lower = upper there is no variable at all.
//
// Every contact has its own scale s, the power of two next to 1/sqrt(W_nn): variables are s u and
// p / s, in which W_nn is near 1 for every contact. Neither units nor mass ratios can then push an
// entry of W below the constants 1 and mu beside it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "cones/cone_layout.hpp"
#include "stickslip/contact_problem.hpp"

namespace stickslip {

/// How far a point is from satisfying the contacts: the largest violation, each in the scale of its
/// contact, and the largest contact velocity without impulses. Both are velocities, whatever the
/// masses; the certificate compares the same.
struct VelocityError {
  double violation = 0;
  double reference = 0;

  /// Notes a pair of a contact; infinitely bad if a number is not finite.
  void add(double z, double w, double scale) {
    const double least = std::abs(std::min(z, w)) / scale;
    const bool finite = std::isfinite(z) && std::isfinite(w);
    violation = std::max(violation, finite ? least : std::numeric_limits<double>::infinity());
  }
};

class FrictionVariables {
 public:
  enum class Form { relay, cone };
  using Corner = FrictionVector;

  /// A contact, or a further section of the one before: its rows in J, and its variables. Those
  /// that are impulses come in the order main, directions; `last` is lambda, xi_L or u_-. -1: there
  /// is none.
  struct ConeVariables {
    int contact = 0;
    int section = 0;  ///< further ones have no main variable
    int first_row = 0;
    int rows = 0;
    double scale = 1;
    double base = 0;   ///< impulse of the first row when all variables are zero
    double mu = 0;     ///< of the row of lambda
    double bound = 0;  ///< constant of the row of `last`
    int main = -1;
    int first_direction = -1;
    int directions = 0;
    int last = -1;
    // Rows of friction, from first_row on, and half axes of their set divided by mu; corners that
    // are given, or at `angles`.
    int friction_row = 1;
    Corner half_axes{};
    const FrictionDirections* given = nullptr;
    bool at_angles = false;
  };
  using Row = std::array<double, ImpulseSet::kMostRows>;
  /// An impulse variable z: p += scale z column on the rows of its cone, and w = scale row.u.
  struct Variable {
    Row column;
    Row row;
  };
  /// An entry of N that does not come from W: in the row or column of a `last` variable.
  struct Coupling {
    int row;
    int column;
    double value;
  };

  /// Room for `contacts` contacts with up to `directions` directions of friction.
  void reserve(int contacts, int directions);
  /// The sets must be isLinear(), and for the relay form isPlanar(). W_kk(row) is a
  /// diagonal entry of W. Polygons with 0 directions have their corners at `angles`, 0 and pi
  /// first; with torsion they are in both planes about the first tangent.
  template <typename DiagonalEntry>
  void build(Form form, DiagonalEntry W_kk, const BlockRows& J, const ImpulseSets& sets,
             std::span<const double> angles) {
    start(form, angles);
    for (int i = 0; i < J.groupCount(); ++i) {
      const ImpulseSet& set = sets[i];
      const int first = J.firstRow(i);
      addContact(set, i, first, W_kk(first),
                 rowLengths(set, [&](int k) { return W_kk(first + k); }));
    }
    finish(sets);
  }
  /// Whether the set has corners, so that the cone form takes it; an ellipse without friction along
  /// one axis has.
  static bool isLinear(const ImpulseSet& set);
  /// Whether the relay form takes it, too.
  static bool isPlanar(const ImpulseSet& set);
  /// Variables of a set in the relay form if it takes it, else in the cone form.
  static int variableCount(const ImpulseSet& set);

  int size() const { return size_; }
  /// The first variables are impulses, the others are not.
  int impulseCount() const { return impulse_count_; }
  std::span<const ConeVariables> cones() const { return cones_; }
  const ConeVariables& ownerOf(int k) const { return cones_[owner_[k]]; }
  const Variable& variable(int k) const { return variables_[k]; }
  /// What belongs to lambda, xi_L or u_- in N; ordered by contact.
  std::span<const Coupling> couplings() const { return couplings_; }
  /// Contact impulses, row by row of J, from z / `unit`.
  void impulses(std::span<const double> z, double unit, std::span<double> p) const;

 private:
  void start(Form form, std::span<const double> angles);
  void addContact(const ImpulseSet& set, int contact, int first_row, double w_nn,
                  const Row& lengths);
  void addInterval(const ImpulseSet& set, ConeVariables cone);
  void addFriction(const ImpulseSet& set, const Row& lengths, ConeVariables cone);
  void finish(const ImpulseSets& sets);
  void numberVariables();
  void describeVariables(const ImpulseSets& sets);
  void describeInterval(const ConeVariables& cone, const ImpulseSet& set);
  void describeFriction(const ConeVariables& cone);
  void describeDirection(const ConeVariables& cone, int k, const Corner& corner);
  void couple(const ConeVariables& cone, const ImpulseSet& set, int load);
  Variable& describe(int k) { return variables_[k]; }

  Form form_ = Form::relay;
  int size_ = 0;
  int impulse_count_ = 0;
  std::span<const double> angles_;
  std::vector<ConeVariables> cones_;
  std::vector<Variable> variables_;
  std::vector<std::size_t> owner_;  ///< cone of each impulse variable
  std::vector<Coupling> couplings_;
};

}  // namespace stickslip
