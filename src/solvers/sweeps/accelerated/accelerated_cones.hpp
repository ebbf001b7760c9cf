// Cones of the solver `accelerated` of every kind, with their impulses, and the sweep over them:
// those that the kernels do not take (record_kernels.hpp, ball_record_kernels.hpp), and all of
// problems without bodies.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "cones/cone.hpp"
#include "cones/cone_layout.hpp"
#include "problem/delassus.hpp"
#include "stickslip/matrix_view.hpp"

namespace stickslip {

// The law of one cone for the solver `accelerated`, in coordinates in which a step has length one.
//
// A cone (cones/cone_layout.hpp) is a set of impulses without units, with the rows of a contact
// that it needs. Its rows are scaled once more,
//
//   u = scale u^,   p = p^ / scale,
//
// such that its block of W^ is at most the identity: rows of friction that share a set by one
// number, the normal by another, so that friction is not slow where mu is small. The set is then
//
//   p_n >= 0,  p_g in slope_g p_n D_g for one or two sets D_g of friction     cone, polygon,
//   sections p in radius D     fixed;   lower <= p <= upper     interval;   any p     joint

struct AcceleratedLaw {
  Cone::Kind kind = Cone::Kind::lorentz;
  int rows = 0;
  double lower = 0;
  double upper = 0;
  double radius = 0;
  std::array<FrictionShape, kMostSections> shapes{};
  std::array<double, kMostSections> slopes{};

  bool hasNormal() const { return kind <= Cone::Kind::sections; }
  bool isRound() const { return kind == Cone::Kind::lorentz; }
};

/// x := the point of the set next to x.
void projectOnLaw(const AcceleratedLaw& law, std::span<double> x);

/// What Coulomb's law adds to the normal velocity: the largest power of friction per unit of p_n.
double slipOfLaw(const AcceleratedLaw& law, std::span<const double> u);

/// A law with the numbers that belong to its rows.
struct ScaledLaw {
  AcceleratedLaw law;
  std::array<double, kMostRows> scale{};  ///< u = scale u^
  // For the residual: coordinates in which the certificate's step of length rho is 1 as well and
  // sets are round, velocity * u^ and impulse * p^, and the set there.
  AcceleratedLaw measured;
  std::array<double, kMostRows> velocity{};
  std::array<double, kMostRows> impulse{};
  double caution = 1;  ///< by which the residual there is smaller at most
};

/// The rows that `part` keeps of a contact. `W` is the block of the whole contact, `lengths` those
/// of cone_layout.hpp.
ScaledLaw scaleLaw(const ImpulseSet& set, const ConeLayout& part, ConstMatrixView W,
                   const std::array<double, kMostRows>& lengths);

class AcceleratedCones {
 public:
  void clear();
  /// Adds a cone. `q` are the velocities of its rows without impulses, in the problem's units;
  /// `source` are the problem's rows.
  void add(const ScaledLaw& law, std::span<const int> source, std::span<const double> q);
  /// Adds rows of a joint, which are scaled already, and are known to the one who adds them only.
  void addJoint(std::span<const double> q);

  int count() const { return static_cast<int>(cones_.size()); }
  int rowCount() const { return static_cast<int>(q_.size()); }
  int rowsOf(int cone) const { return cones_[cone].law.rows; }
  int firstRow(int cone) const { return cones_[cone].first; }
  bool isJoint(int cone) const { return cones_[cone].law.kind == Cone::Kind::joint; }
  /// Of a row: u = scale u^, p = p^ / scale.
  double scale(int row) const { return scale_[row]; }
  std::span<double> p(int cone) { return part(p_, cone); }
  std::span<const double> p(int cone) const { return part(p_, cone); }
  std::span<const double> before(int cone) const { return part(before_, cone); }
  std::span<const double> p() const { return p_; }
  std::span<const double> q(int cone) const { return part(q_, cone); }

  /// p := p + momentum (p - last p).
  void extrapolate(double momentum);
  /// One step of each of some cones: p := P_K(p - u), where `rows` have q in them. Returns the sum
  /// of (y - p) . (p - last p), where y is p before.
  double sweep(SweepRows& rows, int first, int end, bool coulomb);
  enum class Which { contacts, joints };
  /// How far the worst of some cones is from its law, in the certificate's terms; |u| of a joint.
  double violation(const SweepRows& rows, int first, int end, Which which, bool coulomb) const;
  /// |u| in the certificate's terms.
  double speed(int cone, std::span<const double> u) const;
  double energy() const;  ///< q.p

  void keep() { kept_ = p_; }
  void takeBack() { p_ = kept_; }
  void forgetLast() { before_ = p_; }

  /// Impulses of contacts from the problem's rows and back.
  void fromImpulses(std::span<const double> impulses);
  void toImpulses(std::span<double> impulses) const;

 private:
  /// Of one cone; fills the change of p.
  double step(int cone, bool coulomb, std::span<const double> u, std::span<double> change);
  double violation(int cone, bool coulomb, std::span<const double> u) const;

  struct Item {
    AcceleratedLaw law;
    AcceleratedLaw measured;
    double caution;
    int first;
  };
  std::span<double> part(std::vector<double>& all, int cone) const {
    return {all.data() + firstRow(cone), static_cast<std::size_t>(rowsOf(cone))};
  }
  std::span<const double> part(const std::vector<double>& all, int cone) const {
    return {all.data() + firstRow(cone), static_cast<std::size_t>(rowsOf(cone))};
  }

  std::vector<Item> cones_;
  std::vector<int> source_;  ///< -1: of a joint
  std::vector<double> scale_;
  std::vector<double> velocity_;  ///< see ScaledLaw
  std::vector<double> impulse_;
  std::vector<double> q_;
  std::vector<double> p_;
  std::vector<double> before_;
  std::vector<double> kept_;
};

}  // namespace stickslip
