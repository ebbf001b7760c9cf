// Linear systems with affine contacts: what a scene file can describe without code.
//
//   M u' = f + loads(t) - K q - C u,    g_N = g0 + w_N.q + drive_n t,
//   gamma_T = w_T.u + drive_t, and in space gamma_T2 = w_T2.u + drive_t2
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "stickslip/generalized_system.hpp"
#include "stickslip/motion.hpp"

namespace stickslip {

/// One contact of a linear system, or a force element along w_N (ContactLaw::kind), of which
/// g0 + w_N.q + drive_n t is the elongation.
struct LinearContact {
  std::string name;
  double g0 = 0;            ///< gap at q = 0, t = 0 [length]
  std::vector<double> w_N;  ///< gradient of the gap
  std::vector<double> w_T;  ///< direction of sliding; may be empty without friction
  double drive_n = 0;       ///< rheonomic term: rate of the gap at fixed q [length/s]
  double drive_t = 0;       ///< rheonomic term: sliding velocity at u = 0, as of a belt [length/s]
  ContactLaw law;
  // With two tangents:
  std::vector<double> w_T2{};  ///< second direction of sliding
  double drive_t2 = 0;
};

/// One joint of a linear system: g0 + w.q + drive t = 0.
struct LinearJoint {
  std::string name;
  double g0 = 0;
  std::vector<double> w;
  double drive = 0;
};

/// A spring and damper of a linear system, taken implicitly: the force -stiffness x - damping dx/dt
/// along w, with the elongation x = g0 + w.q + drive t.
struct LinearSpring {
  std::string name;
  double g0 = 0;
  std::vector<double> w;
  double drive = 0;
  double stiffness = 0;  ///< >= 0
  double damping = 0;    ///< >= 0
};

/// amplitude sin(2 pi frequency t + phase)
struct SinusoidalLoad {
  double amplitude = 0;
  double frequency = 0;  ///< [Hz], > 0
  double phase = 0;      ///< [rad]
};

/// A load on one coordinate that changes with time. Several on the same one add up.
struct LinearLoad {
  int coordinate = 0;
  std::variant<SinusoidalLoad, VectorTable> course{};  ///< of a table the x components

  double at(double t) const;
};

/// All data of a linear system with f = coordinates.size() coordinates. Matrices are row-major.
struct LinearSystemData {
  std::vector<std::string> coordinates;
  std::vector<double> M;  ///< f x f, symmetric positive definite
  std::vector<double> K;  ///< f x f stiffness, or empty for none
  std::vector<double> C;  ///< f x f damping, or empty for none
  std::vector<double> f;  ///< constant load, or empty for none
  std::vector<LinearLoad> loads;
  std::vector<LinearContact> contacts;
  std::vector<LinearJoint> joints;
  std::vector<LinearSpring> springs;
  /// K and C, which must be symmetric and not negative (math/dense/semidefinite_rows.hpp), are
  /// taken implicitly, as springs are.
  bool implicit = false;
};

/// A system of linear equations of motion with contacts and force elements.
class LinearSystem final : public GeneralizedSystem {
 public:
  /// The sizes must fit (asserted); the scene reader checks what users write.
  explicit LinearSystem(LinearSystemData data);

  const LinearSystemData& data() const { return data_; }

  int contactCount() const override { return static_cast<int>(data_.contacts.size()); }
  int jointCount() const override { return static_cast<int>(rows_.size()); }
  void generalizedMass(double t, std::span<const double> q, MatrixView M) const override;
  void generalizedForces(double t, std::span<const double> q, std::span<const double> u,
                         std::span<double> h) const override;
  ContactLaw contactLaw(int i) const override;
  double gap(int i, double t, std::span<const double> q) const override;
  double normalDirection(int i, double t, std::span<const double> q,
                         std::span<double> w) const override;
  double tangentDirection(int i, double t, std::span<const double> q,
                          std::span<double> w) const override;
  double secondTangentDirection(int i, double t, std::span<const double> q,
                                std::span<double> w) const override;
  JointLaw jointLaw(int j) const override;
  double jointGap(int j, double t, std::span<const double> q) const override;
  double jointDirection(int j, double t, std::span<const double> q,
                        std::span<double> w) const override;
  /// Gaps change at a constant rate along a way: what closes is closed at its end.
  void contactsNotFollowed(double, std::span<const double>, const Reach&,
                           ContactSet&) const override {}
  /// q.K q/2 - f.q, and of springs and prestressed elements; an unsymmetric K has no potential, and
  /// then only f counts, nor have the loads over time.
  double potentialEnergy(double t, std::span<const double> q) const override;
  std::string coordinateName(int i) const override;
  std::string contactName(std::uint64_t i) const override;

 private:
  LinearSystemData data_;
  /// Joints, as rigid springs, then springs, then what K and C are made of if they are implicit.
  std::vector<LinearSpring> rows_;
  bool stiffness_has_potential_;
};

}  // namespace stickslip
