// Scheme `velocity`: constraints on velocities, and collisions located in time. [AP97] section 4.
//
// A step goes through its time in stages. From q and v, over the rest r of the step:
//
//   motion     q_new = q (+) r v; v_new in L(v, r k(q, v)), (2.13), with M, n, D, joints at q_new
//   collision  if a contact closes on the way, at the time tau < r: motion over tau only, without
//              the contacts that collide, which makes v-; then the impact law (impact_law.hpp) at
//              q (+) tau v turns v- into v+, and the next stage covers r - tau
//
// [AP97] leaves open how v- is estimated. A motion over tau makes it fit joints and the contacts
// that stay closed, which is what the special cases of section 3 assume, (c) there; interpolation
// between v and v_new would not.
//
// M, n, D and joints of a motion may also be taken at q or at q (+) r v/2 (Method::geometry), the
// variants that section 4 names; contacts that act are then those that touch there. Collisions are
// located and solved where they take place in any case.
//
// In the terms of the contact problem: v_free = v + r M^-1 k, b = w_hat. Contacts are those that
// touch at q_new: with gaps up to kTouching of the way that the velocities could go in a step,
// since velocities are certified to a tolerance and smaller gaps are rounding. Overlaps stay as
// they are. How a position drifts off a curved surface, by h v^2/2R a second, is in docs/theory.md.
//
// A motion shorter than kShort steps, to a collision at once or after one at the end of the step,
// is made without a contact problem, which would be one of rounding errors: bodies move, and the
// forces of that time act in the next motion or have acted in the last.
//
// Joints are held at velocity level, g = w_hat, as (2.9) has them, so that Theorem 2.3 holds for
// mechanisms. What positions drift off them, (h v)^2/2R a step, is taken back at the end of the
// step without touching velocities (joint_projection.hpp); or by g = w_hat + gap/h in motions, h
// the whole step, which puts energy in; or stays (Method::joint_stabilization). In impacts g =
// w_hat in any case. Springs act as at the end of the motion that follows, -r (k (x_new + r gamma)
// + c gamma), prestressed elements likewise. Bodies that spin coast for r before impulses act.
//
// A contact collides if it approaches with more than kNegligible of the velocities and of what
// forces make of them within a step; slower ones are rounding, or the tolerance of a solver. A body
// that comes to rest may rock from corner to corner ever faster, so that after kCareful collisions
// in one step only those count that are faster than what forces make within it. A slower contact
// closes without being located: it overlaps by at most speed times step, and is stopped where the
// motion ends. A step may have kMostCollisions; after these contacts collide without giving
// anything back, and after twice as many nothing is located any more. The report says so.
//
// With h = 0 this is the impact law at q, for contacts with gaps <= 0; nothing moves.
#pragma once

#include <cstdint>
#include <vector>

#include "stepping/schemes/collision_time.hpp"
#include "stepping/schemes/impact_law.hpp"
#include "stepping/schemes/joint_projection.hpp"
#include "stickslip/problem_builder.hpp"
#include "stickslip/scheme.hpp"

namespace stickslip {

class VelocityScheme final : public Scheme {
 public:
  explicit VelocityScheme(const Method& method);

  std::string_view name() const override { return "velocity"; }
  void reserve(const System& system, ContactProblem& problem) override;
  void formulate(const System& system, const State& state, double h,
                 ContactProblem& problem) override;
  bool concede(std::span<const Concession> /*contacts*/, std::span<const Concession> joints,
               ContactProblem& problem) override {
    return builder_.keepDrift(joints, problem);
  }
  StageEnd conclude(const System& system, const ContactSolution& solution,
                    ContactProblem& problem) override;
  void advance(const System& system, double h, std::span<const double> v, State& state) override;
  SchemeReport report() const override { return report_; }
  /// Where the last step ended, by which the next one knows whether the state is new.
  void saveMemory(MemoryWriter& to) const override;
  void restoreMemory(MemoryReader& from) override;

 private:
  enum class Stage { motion, compression, decompression };

  void formulateRest(const System& system, ContactProblem& problem);
  void startCollisions(const System& system);
  void glide(const System& system, double length);
  void formulateMotion(const System& system, double length, ContactProblem& problem);
  void formulateImpact(const System& system, ContactProblem& problem);
  StageEnd concludeMotion(const System& system, std::span<const double> v, ContactProblem& problem);
  StageEnd concludeImpact(const System& system, ContactProblem& problem);
  void joints(const System& system, Configuration place, double duration, ContactProblem& problem);
  bool anythingApproaches(const ContactProblem& problem) const;
  double markCollisions(const ContactProblem& problem);
  double findCollisions(const System& system, double time, const ContactProblem& problem);
  StageEnd concludeDecompression(const System& system, const ContactSolution& solution,
                                 ContactProblem& problem);
  StageEnd finish(const System& system);
  void measureScales(const ContactProblem& problem);

  JointStabilization stabilization_;
  double geometry_at_;  ///< part of a motion after which its geometry is taken
  ImpactLaw impact_;
  JointProjection projection_;
  CollisionTime collision_;
  SchemeReport report_;

  double h_ = 0;
  // Where the step has come to.
  Stage stage_ = Stage::motion;
  double t_ = 0;
  double rest_ = 0;
  double owed_ =
      0;  ///< time for which bodies have moved, but forces not yet acted; < 0: in advance
  std::vector<double> q_;
  std::vector<double> v_;
  std::int64_t impacts_ = 0;  ///< found in this step
  bool is_new_ = true;        ///< the state is not what the step before left: v_ may not fit
  bool struck_ = false;       ///< an impact has just made v_ fit the contacts at q_

  // The motion that is being solved.
  double length_ = 0;    ///< time for which bodies move
  double duration_ = 0;  ///< time for which forces act
  bool collides_ = false;
  std::vector<double> q_new_;
  std::vector<double> q_data_;     ///< where its geometry is taken, if not at q_new_
  std::vector<double> u_;          ///< v_ after coasting
  std::vector<char> colliding_;    ///< by contact of the problem
  std::vector<double> touching_;   ///< way of each velocity within which gaps count as closed
  std::vector<double> slow_;       ///< velocities that make no collision
  std::vector<double> by_forces_;  ///< change of each velocity by forces alone within the step
  std::vector<double> change_;     ///< and in all, if the motion goes on as before a collision
};

}  // namespace stickslip
