// One island of a contact problem for the solver `accelerated`: compact rows, impulses, and the
// velocities w = A' p of its bodies.
//
//   u^ = A w + q,   w = A' p^,   A the scaled rows of J L^-T and G L^-T, M = L L'
//
// Contacts of balls are in accelerated_balls.hpp, and are swept first. Others with round cones
// between two bodies are records of record_kernels.hpp, everything else is in
// accelerated_cones.hpp; these are kept in the order in which they are swept, colour after colour
// (sweep_order.hpp). Rows of a joint are made orthonormal (JointScaling), and its compliance
// is a body of its own, which nothing else touches.
#pragma once

#include <span>
#include <vector>

#include "base/large_pages.hpp"
#include "problem/scaled_rows.hpp"
#include "solvers/sweeps/accelerated/accelerated_balls.hpp"
#include "solvers/sweeps/accelerated/accelerated_cones.hpp"
#include "solvers/sweeps/accelerated/momentum.hpp"
#include "solvers/sweeps/accelerated/record_kernels.hpp"
#include "solvers/sweeps/sweep_order.hpp"
#include "stickslip/contact_problem.hpp"

namespace stickslip {

class AcceleratedIsland final : public SweepSystem, private SweepRows {
 public:
  void build(const AcceleratedInput& input, std::span<const int> contacts,
             std::span<const int> joints, std::span<const int> blocks);

  /// Takes impulses, in the problem's rows, or none.
  void start(std::span<const double> p, std::span<const double> c);
  void startAtZero();
  void toImpulses(std::span<double> p, std::span<double> c) const;
  /// y = L' (v - v_free) of the bodies of this island.
  void toVelocities(const BlockDiagonal& L, std::span<double> y) const;

  int ballCount() const { return balls_.count(); }
  int recordCount() const { return static_cast<int>(contacts_.size()); }
  int velocityCount() const { return static_cast<int>(w_.size()); }

  double sweep(double momentum) override;
  double residual() override;
  double energy() override;
  void refresh() override;
  void keep() override;
  void takeBack() override;

 private:
  /// Where the rows of a contact record come from: p = p^ / scale.
  struct Source {
    int row[3] = {-1, -1, -1};
    double scale[3] = {};
  };
  struct Joint {
    int cone;
    int first;  ///< row of G
    JointScaling scaling;
  };

  // Building.
  void markBalls(const AcceleratedInput& input, std::span<const int> contacts);
  void placeBlocks(const AcceleratedInput& input, std::span<const int> blocks);
  void listContact(const AcceleratedInput& input, int contact);
  void listJoint(const AcceleratedInput& input, int joint);
  void touch(const AcceleratedInput& input, const BlockRows& rows, int group);
  bool fitsRecord(const SetLayout& layout) const;
  void fillRecords(const AcceleratedInput& input);
  void fillRecord(const AcceleratedInput& input, std::size_t place);
  void fillItem(const AcceleratedInput& input, const SweepUnit& unit);
  void fillJoint(const AcceleratedInput& input, const SweepUnit& unit);
  void addStrips(std::span<const int> kept);
  void addCompliance(const JointScaling& scaling, std::span<const double> compliance);
  void measureSpeed(const AcceleratedInput& input, std::span<const int> blocks);

  void settle();
  void extrapolate(double momentum);
  double recordViolation();
  double coneViolation(AcceleratedCones::Which which);
  /// Of cones that are no records, with q in it.
  void sweepVelocity(int cone, std::span<double> u) const override;
  void sweepChange(int cone, std::span<const double> change) override {
    cone_rows_.push(cone, change, w_);
  }
  double jointPush();

  bool coulomb_ = false;
  double velocity_scale_ = 0;
  double speed_ = 0;        ///< the largest |L' v_free| of a body
  double joint_speed_ = 0;  ///< the same, or the largest velocity of a row of a joint if more
  double mobility_ = 0;     ///< the largest mean diagonal entry of W of a contact
  SweepColours colours_;
  std::vector<int> slot_of_block_;
  std::vector<int> blocks_;
  bool small_blocks_ = true;  ///< none is too large for records
  std::vector<int> touched_;  ///< slots of the group at hand, by their number

  std::vector<char> is_of_balls_;  ///< of each contact
  std::vector<int> of_balls_;      ///< contacts
  AcceleratedBalls balls_;
  std::vector<ContactRecord> contacts_;
  std::vector<ContactMeasure> measures_;
  std::vector<Source> sources_;
  AcceleratedCones cones_;
  ScaledRows cone_rows_;
  std::vector<Joint> joints_;
  ScaledRows rows_;  ///< of the group at hand

  LargePageVector<double> w_;  ///< a slot is a cache line
  LargePageVector<double> w_before_;
  std::vector<double> push_;
  std::vector<double> kept_;  ///< impulses of the records
  std::vector<double> sums_;  ///< of chunks
};

}  // namespace stickslip
