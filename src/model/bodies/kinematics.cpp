#include "model/bodies/kinematics.hpp"

#include <algorithm>
#include <cassert>
#include <numbers>
#include <variant>

#include "base/parallel_for.hpp"
#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

constexpr int kGrain = 512;

Quaternion quaternionAt(const double* q) {
  return {q[0], q[1], q[2], q[3]};
}

Mat3 rotationAboutZ(double angle) {
  const auto [s, c] = math::sinCos(angle);
  return {{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
}

// What of the size of a body is rounding of its centre or inertia.
constexpr double kOffBall = 1e-12;

bool hasOneInertia(const Mat3& inertia) {
  double off = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      off = std::max(off, std::abs(inertia(i, j) - (i == j ? inertia(0, 0) : 0)));
  return off <= kOffBall * inertia(0, 0);
}

// Spheres about the centre of mass, and the same inertia about all axes.
bool isBall(const Body& body) {
  return !body.shapes.empty() && hasOneInertia(body.mass.inertia) &&
         std::all_of(body.shapes.begin(), body.shapes.end(), [&](const PlacedShape& placed) {
           const auto* sphere = std::get_if<Sphere>(&placed.shape);
           return sphere != nullptr &&
                  norm(placed.placement.position - body.mass.center) <= kOffBall * sphere->radius;
         });
}

}  // namespace

double startAngle(const Body& body) {
  return 2 * math::atan2(body.orientation.z, body.orientation.w) +
         2 * std::numbers::pi * body.turns;
}

BodyLayout::BodyLayout(const BodySystemData& data) : dimension_(data.dimension) {
  index_.reserve(data.bodies.size());
  dynamic_.reserve(data.bodies.size());
  for (std::size_t body = 0; body < data.bodies.size(); ++body) {
    const bool is_dynamic = data.bodies[body].type == Body::Type::dynamic;
    const bool is_kinematic = data.bodies[body].type == Body::Type::kinematic;
    index_.push_back(is_dynamic ? dynamicCount() : is_kinematic ? -2 - kinematic_count_++ : -1);
    if (!is_dynamic) continue;
    dynamic_.push_back(static_cast<int>(body));
    spins_in_world_.push_back(isBall(data.bodies[body]) ? 1 : 0);
  }
  blocks_.assign(dynamic_.size(), velocitiesPerBody());
}

MovingFrame BodyLayout::movingFrame(const BodySystemData& data, int body, double t,
                                    std::span<const double> q, std::span<const double> u) const {
  const int k = dynamicIndex(body);
  if (k < 0) return prescribedFrame(data.bodies[body], t);
  const BodyFrame frame = dynamicFrame(k, q);
  return {frame, velocityOf(frame, u)};
}

void BodyLayout::evaluate(const BodySystemData& data, double t, std::span<const double> q,
                          Kinematics& frames) const {
  frames.resize(data.bodies.size(), kinematic_count_);
  parallelFor(static_cast<int>(data.bodies.size()), kGrain, [&](int begin, int end) {
    for (int body = begin; body < end; ++body) {
      const int k = index_[body];
      if (k >= 0) {
        frames[body] = dynamicFrame(k, q);
        continue;
      }
      const MovingFrame at = prescribedFrame(data.bodies[body], t);
      frames[body] = at.frame;
      if (k == -1) continue;
      frames[body].motion = -2 - k;
      frames.setVelocity(body, at.velocity);
    }
  });
}

BodyFrame BodyLayout::dynamicFrame(int k, std::span<const double> q) const {
  const double* at = q.data() + k * positionsPerBody();
  BodyFrame frame;
  frame.first_velocity = k * velocitiesPerBody();
  frame.spins_in_world = spinsInWorld(k);
  if (dimension_ == 2) {
    frame.pose = {{at[0], at[1], 0}, rotationAboutZ(at[2])};
    frame.angle = at[2];
  } else {
    frame.pose = {{at[0], at[1], at[2]}, matrixOf(quaternionAt(at + 3))};
  }
  return frame;
}

MovingFrame BodyLayout::prescribedFrame(const Body& body, double t) {
  const Pose start{body.position, matrixOf(body.orientation)};
  const FrameMotion motion = body.type == Body::Type::kinematic
                                 ? stickslip::evaluate(body.motion, start, t)
                                 : FrameMotion{start, {}, {}, {}};
  return {{motion.pose, startAngle(body) + motion.rotation.z},
          {motion.velocity, motion.angular_velocity}};
}

FrameVelocity BodyLayout::velocityOf(const BodyFrame& frame, std::span<const double> u) const {
  const double* at = u.data() + frame.first_velocity;
  if (dimension_ == 2) return {{at[0], at[1], 0}, {0, 0, at[2]}};
  return {{at[0], at[1], at[2]}, frame.fromSpin({at[3], at[4], at[5]})};
}

void BodyLayout::move(int k, std::span<const double> u, double dt, std::span<double> q) const {
  const double* velocity = u.data() + k * velocitiesPerBody();
  double* at = q.data() + k * positionsPerBody();
  for (int i = 0; i < 3; ++i) at[i] += dt * velocity[i];
  if (dimension_ == 2) return;
  const Quaternion was = quaternionAt(at + 3);
  const Quaternion turn = rotationBy({dt * velocity[3], dt * velocity[4], dt * velocity[5]});
  const Quaternion turned = normalized(spinsInWorld(k) ? turn * was : was * turn);
  at[3] = turned.w;
  at[4] = turned.x;
  at[5] = turned.y;
  at[6] = turned.z;
}

void BodyForm::add(int body, Vec3 linear, Vec3 angular) {
  for (Term& term : std::span(terms_.data(), count_)) {
    if (term.body != body) continue;
    term.linear += linear;
    term.angular += angular;
    return;
  }
  assert(count_ < terms_.size());
  terms_[count_++] = {body, linear, angular};
}

void BodyForm::add(double factor, const BodyForm& other) {
  for (const Term& term : other.terms())
    add(term.body, factor * term.linear, factor * term.angular);
}

double BodyForm::at(const Kinematics& frames) const {
  double sum = 0;
  for (const Term& term : terms()) {
    const FrameVelocity& velocity = frames.velocityOf(frames[term.body]);
    sum += dot(term.linear, velocity.linear) + dot(term.angular, velocity.angular);
  }
  return sum;
}

void writeGroup(const Kinematics& frames, int dimension, std::span<const BodyForm> forms,
                BlockRows& rows, std::span<double> drive) {
  rows.addGroup(static_cast<int>(forms.size()));
  // All forms of a group are about the same bodies, in the same order.
  for (std::size_t k = 0; k < forms[0].terms().size(); ++k) {
    const BodyFrame& frame = frames[forms[0].terms()[k].body];
    if (!frame.isDynamic()) continue;
    const MatrixView strip = rows.addStrip(frame.first_velocity, dimension == 2 ? 3 : 6);
    for (std::size_t row = 0; row < forms.size(); ++row) {
      const BodyForm::Term& term = forms[row].terms()[k];
      assert(term.body == forms[0].terms()[k].body);
      const std::span<double> out = strip.row(static_cast<int>(row));
      out[0] = term.linear.x;
      out[1] = term.linear.y;
      if (dimension == 2) {
        out[2] = term.angular.z;
        continue;
      }
      out[2] = term.linear.z;
      const Vec3 angular = frame.toSpin(term.angular);
      for (int i = 0; i < 3; ++i) out[3 + i] = angular[i];
    }
  }
  // Dynamic bodies have no velocity in their frames here, so that only prescribed ones count.
  for (std::size_t row = 0; row < forms.size(); ++row) drive[row] = forms[row].at(frames);
}

}  // namespace stickslip
