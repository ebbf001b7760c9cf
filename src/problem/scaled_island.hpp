// One island of a contact problem in coordinates without units: what the sparse solvers work on.
//
//   scaled_u = W scaled_p + q,   and for every cone a law between scaled_p and scaled_u
//   (cones/cone.hpp)
//
// Every contact is scaled so that its friction cone is the unit cone, tangential rows by mu
// (cones/cone_layout.hpp), and the mean diagonal entry of its block of W is one; every row of a
// joint so that its own is. The unit of scaled_u is a power of two near the largest of q. Rows
// without friction fall away, joints become cones whose impulses are free.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "cones/cone.hpp"
#include "cones/cone_layout.hpp"
#include "problem/body_delassus.hpp"
#include "problem/matrix_delassus.hpp"
#include "stickslip/local_problem.hpp"

namespace stickslip {

class ScaledIsland {
 public:
  /// Room for so many bodies, cones and rows.
  void reserve(int blocks, int cones, int rows);
  /// Takes contacts and joints of a problem. `L` is the Cholesky factor of M, `velocity_scale` the
  /// largest |J_i v_free + b_i| of the whole problem, which residuals are relative to.
  void build(const ContactProblem& problem, const BlockDiagonal& L, std::span<const int> contacts,
             std::span<const int> joints, double velocity_scale);
  void build(const LocalProblem& problem, std::span<const int> contacts, double velocity_scale);

  Law law() const { return law_; }
  std::span<const Cone> cones() const { return cones_; }
  int rowCount() const { return static_cast<int>(q_.size()); }
  std::span<const double> q() const { return q_; }
  Delassus& W() { return local_form_ ? static_cast<Delassus&>(local_) : velocity_; }
  const Delassus& W() const {
    return local_form_ ? static_cast<const Delassus&>(local_) : velocity_;
  }

  /// scaled_u = W scaled_p + q.
  void velocity(std::span<const double> scaled_p, std::span<double> scaled_u) const;
  /// The largest violation |scaled_p - P_K(scaled_p - u_hat)| of a cone, taken back to a
  /// velocity and relative to that of the whole problem; of a joint, relative to the motion of its
  /// bodies.
  double residual(std::span<const double> scaled_p, std::span<const double> scaled_u) const {
    return residual(scaled_p, scaled_u, law_);
  }
  /// The same for a law that need not be the island's own.
  double residual(std::span<const double> scaled_p, std::span<const double> scaled_u,
                  Law law) const;

  /// Impulses of the problem's own rows, as far as they are of this island, and back.
  void toImpulses(std::span<const double> scaled_p, std::span<double> p, std::span<double> c) const;
  void fromImpulses(std::span<const double> p, std::span<const double> c,
                    std::span<double> scaled_p) const;
  /// Velocities of contacts, given by the problem's own rows; 0 for joints.
  void fromVelocities(std::span<const double> u, std::span<double> scaled_u) const;

 private:
  /// Where a row comes from: p = unit scale scaled_p, scaled_u = scale u / unit.
  struct Row {
    int source = 0;
    bool joint = false;
    double scale = 1;
    double length = 1;  ///< by which an angular velocity counts as a velocity
  };

  void start(Law law, double velocity_scale);
  void useBlocks(const ContactProblem& problem, std::span<const int> contacts,
                 std::span<const int> joints);
  void addContact(const ContactProblem& problem, const BlockDiagonal& L, int contact);
  void addJoint(const ContactProblem& problem, const BlockDiagonal& L, int joint);
  void addRows(const BlockDiagonal& L, const BlockRows& rows, int group, std::span<const int> kept);
  void addPart(const ContactProblem& problem, const BlockDiagonal& L, int contact,
               const ConeLayout& part);
  double addCone(const ImpulseSet& set, const ConeLayout& part,
                 const std::array<double, kMostRows>& diagonal);
  double freeVelocity(const BlockRows& rows, int group, int row, std::span<const double> v) const;
  void measureSpeed(const ContactProblem& problem, const BlockDiagonal& L);
  void chooseUnit();
  void findFirstRows(const LocalProblem& problem);
  void addLocalContact(const LocalProblem& problem, int contact);
  void addLocalPart(const LocalProblem& problem, int contact, const ConeLayout& part);
  void addLocalBlocks(const LocalProblem& problem, int cone);

  Law law_ = Law::coulomb;
  double unit_ = 1;            ///< of scaled_u
  double velocity_scale_ = 0;  ///< see build()
  double carried_ = 0;         ///< part of the speed that contacts are measured by at least
  double speed_ = 0;           ///< sqrt(v.M v) of the fastest body, or the largest of q if more
  std::vector<Cone> cones_;
  std::vector<Row> rows_;
  std::vector<double> q_;
  bool local_form_ = false;  ///< which of the two operators is W
  BodyDelassus velocity_;
  MatrixDelassus local_;

  std::array<double, kMostRows> lengths_{};  ///< of the rows of the contact that is being added

  std::vector<int> blocks_;       ///< velocity blocks of the problem that are used, ascending
  std::vector<int> block_sizes_;  ///< theirs
  // Of local problems: the first row of every contact, rows and cones here, cones beside one.
  std::vector<int> first_rows_;
  std::vector<int> row_of_;
  std::vector<int> cone_of_row_;
  std::vector<int> neighbours_;
};

}  // namespace stickslip
