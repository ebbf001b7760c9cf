// Items of the solver `gradient` of every kind (gradient_law.hpp), with their impulses: those that
// gradient_kernels.hpp does not take, and all of problems without bodies.
#pragma once

#include <span>
#include <vector>

#include "solvers/gradient_law.hpp"

namespace stickslip {

class GradientItems {
 public:
  void clear();
  /// Adds an item. `q` are the velocities of its rows without impulses, in the problem's units;
  /// `source` are the problem's rows.
  void add(const ScaledLaw& law, std::span<const int> source, std::span<const double> q);
  /// Adds rows of a joint, which are scaled already, and are known to the one who adds them only.
  void addJoint(std::span<const double> q);

  int count() const { return static_cast<int>(items_.size()); }
  int rowCount() const { return static_cast<int>(q_.size()); }
  int rowsOf(int item) const { return items_[static_cast<std::size_t>(item)].law.rows; }
  int firstRow(int item) const { return items_[static_cast<std::size_t>(item)].first; }
  bool isJoint(int item) const {
    return items_[static_cast<std::size_t>(item)].law.kind == ContactItem::Kind::joint;
  }
  /// Of a row: u = scale u^, p = p^ / scale.
  double scale(int row) const { return scale_[static_cast<std::size_t>(row)]; }
  std::span<double> p(int item) { return part(p_, item); }
  std::span<const double> p(int item) const { return part(p_, item); }
  std::span<const double> before(int item) const { return part(before_, item); }
  std::span<const double> p() const { return p_; }
  std::span<const double> q(int item) const { return part(q_, item); }

  /// p := p + momentum (p - last p).
  void extrapolate(double momentum);
  /// One step of an item: p := P_K(p - u), `u` with q in it. Fills the change of p, and returns
  /// (y - p) . (p - last p), where y is p before.
  double step(int item, bool coulomb, std::span<const double> u, std::span<double> change);
  /// How far an item is from its law, in the certificate's terms; |u| of a joint.
  double violation(int item, bool coulomb, std::span<const double> u) const;
  /// |u| in the certificate's terms.
  double speed(int item, std::span<const double> u) const;
  double energy() const;  ///< q.p

  void keep() { kept_ = p_; }
  void takeBack() { p_ = kept_; }
  void forgetLast() { before_ = p_; }

  /// Impulses of contacts from the problem's rows and back.
  void fromImpulses(std::span<const double> impulses);
  void toImpulses(std::span<double> impulses) const;

 private:
  struct Item {
    GradientLaw law;
    GradientLaw measured;
    double caution;
    int first;
  };
  std::span<double> part(std::vector<double>& all, int item) const {
    return {all.data() + firstRow(item), static_cast<std::size_t>(rowsOf(item))};
  }
  std::span<const double> part(const std::vector<double>& all, int item) const {
    return {all.data() + firstRow(item), static_cast<std::size_t>(rowsOf(item))};
  }

  std::vector<Item> items_;
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
