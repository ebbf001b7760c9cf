// Scheme `midpoint`: Moreau's midpoint rule with Newton restitution, [GS05] (17).
//
//   t_M = t_A + h/2,  q_M = q_A + h/2 u_A
//   M, h, w_N, w_T, w_hat at (q_M, t_M);  active: g_N(q_M, t_M) <= 0
//   M (u_E - u_A) - h dt = sum w_N Lambda_N + w_T Lambda_T
//   xi = gamma_E + e gamma_A,  -Lambda_N in Upr(xi_N),  -Lambda_T in mu Lambda_N Sgn(xi_T)
//   q_E = q_M + h/2 u_E
//
// This is theta = 1/2 of the theta-method (Jean 1999, [9] of [GS05]), which has
//   t_M = t_A + (1 - theta) h,  q_M = q_A + (1 - theta) h u_A,  q_E = q_M + theta h u_E,
//   forces (1 - theta) F_A + theta F_E,
// contacts, masses and joints at q_M as above. Springs and dampers in joint rows have these forces,
// which are implicit; h(q, u, t) is taken at the time t_A + theta h and the place q_A + theta h
// u_A, which agrees with them to second order. Second order in h if theta = 1/2, else first; the
// energy of a linear swing changes by (1 + (1 - theta)^2 w^2) / (1 + theta^2 w^2) a step, w = h
// times its circular frequency.
//
// In the terms of the contact problem: v_free = u_A + M^-1 h dt and, with gamma = J u + w_hat,
// b = w_hat + e gamma_A, so that u = J v + b is the paper's xi. A gap counts as closed when it is
// below kTouching of the way that the contact would go in the step: velocities are certified to a
// tolerance, so that smaller gaps are rounding, and a body at rest must not lose its contact to it.
// Joints are held on velocity level, with g = w_hat + g(q_M)/h, which takes back any drift
// within two steps. A spring of stiffness k and damping c along a joint row is taken implicitly,
//   p = -h (k x + c gamma_E),  x = (1 - a) (x_A + x_E)/2 + a (x_M + h gamma_E)
//                                = x_M + h/4 (1 + 3a) gamma_E - h/4 (1 - a) gamma_A,
// (theta = 1/2) which is the row gamma_E + k (x_M - h/4 (1 - a) gamma_A)/d + p/(h d) = 0, d = c + h
// k/4 (1 + 3a): stable for any k and c. a = s/(1 + s) with s = h^2 k w/4, w = G M^-1 G' of the row:
// a swing that the step resolves keeps its energy (a = 0), one that it cannot resolve dies out as
// the drift of a joint does (a = 1, where x_M + h gamma_E is the middle of the next step). With
// theta > 1/2 the method damps such swings itself: x = (1 - theta) x_A + theta x_E, and c acts on
// (1 - theta) gamma_A + theta gamma_E.
//
// Prestressed elements, force in F Sgn(x) on displacement level ([GS05] section 2), have the x of
// the end of the step, or, as far as their force would turn the motion within a step, that of the
// next place where geometry is taken: x_M + l h gamma_E with l = theta + (1 - theta) a, a = s/(s +
// 1), s = (h F w / 2 gamma_A)^2. With a = 0 a mass held by the element would swing about x = 0 for
// ever, through and back in one step each.
//
// Bodies that spin change their angular velocity (in their own axes) without any force. They coast
// for (1 - theta) h, then forces and impulses act, then they coast for theta h; u_A above stands
// for the velocity after the first half, and positions move with the mean velocity of each half.
// This is symmetric in time if theta = 1/2, hence second order, where impulses at the end of a step
// would turn a fast top by an error of order h.
//
// With a `rest_speed`, contacts that approach more slowly have e = 0; the paper has none.
//
// What may be given up where a step has no solution: restitution, b = w_hat, and the drift of
// joints.
//
// With h = 0 this is a pure impact: no force acts, nothing moves, and drift is left alone.
#pragma once

#include <vector>

#include "stickslip/problem_builder.hpp"
#include "stickslip/scheme.hpp"

namespace stickslip {

class MidpointScheme final : public Scheme {
 public:
  explicit MidpointScheme(const Method& method)
      : Scheme(method), theta_(method.theta), rest_speed_(method.rest_speed) {}

  std::string_view name() const override { return "midpoint"; }
  void reserve(const System& system, ContactProblem& problem) override;
  void formulate(const System& system, const State& state, double h,
                 ContactProblem& problem) override;
  bool concede(std::span<const Concession> contacts, std::span<const Concession> joints,
               ContactProblem& problem) override;
  void advance(const System& system, double h, std::span<const double> v, State& state) override;

 private:
  void move(const System& system, double t, std::span<const double> from,
            std::span<const double> to, double dt, std::span<double> q);
  void contacts(const System& system, double h, ContactProblem& problem);
  void prestress(int i, double h, ContactProblem& problem);
  bool bounces(int i, const ContactProblem& problem) const;
  void joints(const System& system, double h, ContactProblem& problem);
  Configuration forcePlace(const System& system, const State& state, double h);
  void spring(int group, int k, double h, ContactProblem& problem);

  double theta_;
  double rest_speed_;
  double t_mid_ = 0;
  std::vector<double> q_mid_;
  std::vector<double> q_force_;  ///< where forces are taken, if not at q_mid_
  std::vector<double> u_mid_;    ///< velocity before the impulses of the step act
  std::vector<double> u_mean_;
  std::vector<double> reach_;
  std::vector<double> gamma_;
};

}  // namespace stickslip
