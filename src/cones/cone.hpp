// The laws between impulse and velocity of one cone, in coordinates without units, for the sparse
// solvers: p in K, u_hat in K*, p.u_hat = 0.
//
//   cone      K = {|p_t| <= p_n}, 1 to 6 rows; one row: p_n >= 0
//   polygon   K = {p_t in p_n D}, D the regular polygon with corners (cos a_k, sin a_k), 3 rows
//   sections  K = {p_g in p_n D_g}, one or two sets D_g of friction_shape.hpp side by side:
//             friction and rolling; torsion where the polygon has become a bipyramid, and
//             directions that a user gives
//   fixed     K = radius D whatever the load, 2 rows, no normal: D = D_1
//   interval  lower <= p <= upper, one row
//   joint     any p, u = 0
//
// u_hat = u + slip e_n with Coulomb's law, slip = |u_t| for cones and the largest
// -d.u_t over d in D for polygons, the sum of these over sections; u_hat = u with the
// relaxed law, and where there is no normal.
#pragma once

#include <array>
#include <span>

#include "cones/friction_shape.hpp"
#include "stickslip/contact_problem.hpp"

namespace stickslip {

inline constexpr int kMostRows = ImpulseSet::kMostRows;
inline constexpr std::size_t kMostSections = 2;

struct Cone {
  enum class Kind { lorentz, polygon, sections, load_independent, interval, joint };
  Kind kind = Kind::lorentz;
  int first = 0;  ///< row
  int rows = 0;
  int directions = 0;  ///< corners of a polygon
  double lower = 0;    ///< interval: bounds of p
  double upper = 0;
  double radius = 0;                                  ///< fixed
  std::array<FrictionShape, kMostSections> shapes{};  ///< sections, fixed; those in use have rows

  /// Cones, polygons and sections.
  bool hasNormal() const { return kind <= Kind::sections; }
  /// Neither sections nor fixed: what methods with barriers and paths take.
  bool isPlain() const { return kind != Kind::sections && kind != Kind::load_independent; }
  /// The cone over directions that a user gives, and nothing else.
  bool isHull() const {
    return kind == Kind::sections && shapes[0].given != nullptr && shapes[1].rows == 0;
  }
  /// Some friction of it is in a disc or ball.
  bool isRound() const {
    if (kind == Kind::lorentz) return rows > 2;
    const auto round = [](const FrictionShape& shape) {
      return shape.rows > 1 && shape.directions == 0;
    };
    return !isPlain() && (round(shapes[0]) || round(shapes[1]));
  }
};

/// The nearest point of a cone of the kind `sections`: its p_n, and the friction of each section.
struct NearestSections {
  double n = 0;
  std::array<NearestFriction, kMostSections> friction;
};
NearestSections nearestSections(const Cone& cone, std::span<const double> x);

/// x := the point of K next to x.
void project(const Cone& cone, std::span<double> x);

/// What Coulomb's law adds to the normal velocity; 0 where there is no normal, and for the relaxed
/// law.
double slipOf(const Cone& cone, Law law, std::span<const double> u);

/// out = p - P_K(p - u_hat): zero exactly where the law holds. Spans are those of the cone.
void naturalMap(const Cone& cone, Law law, std::span<const double> p, std::span<const double> u,
                std::span<double> out);

/// y = P_K(x), and D = P_K'(x), symmetric with eigenvalues in [0, 1]; one element of it where P_K
/// has a kink. D is row-major, cone.rows x cone.rows.
void projectWithDerivative(const Cone& cone, const double* x, double* y, double* D);

}  // namespace stickslip
