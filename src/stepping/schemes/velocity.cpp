#include "stepping/schemes/velocity.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "stepping/contact_approach.hpp"
#include "stickslip/memory_stream.hpp"

namespace stickslip {
namespace {

constexpr double kTouchingGap = 1e-9;
constexpr double kNegligible = 1e-6;
constexpr std::int64_t kCareful = 4;
constexpr std::int64_t kMostCollisions = 32;
constexpr double kShort = 1e-4;

}  // namespace

VelocityScheme::VelocityScheme(const Method& method)
    : Scheme(method),
      stabilization_(method.joint_stabilization),
      geometry_at_(method.geometry == GeometryAt::start    ? 0
                   : method.geometry == GeometryAt::middle ? 0.5
                                                           : 1),
      impact_(method) {}

void VelocityScheme::reserve(const System& system, ContactProblem& problem) {
  builder_.reserve(system, problem);
  impact_.reserve(system, problem.b.capacity());
  collision_.reserve(system);
  projection_.reserve(system);
  const std::size_t columns = system.velocityCount();
  for (std::vector<double>* v : {&v_, &u_, &touching_, &slow_, &by_forces_, &change_})
    v->reserve(columns);
  q_.reserve(system.positionCount());
  q_new_.reserve(system.positionCount());
  q_data_.reserve(system.positionCount());
  colliding_.reserve(system.contactCapacity());
}

void VelocityScheme::formulate(const System& system, const State& state, double h,
                               ContactProblem& problem) {
  h_ = h;
  t_ = state.t;
  rest_ = h;
  owed_ = 0;
  is_new_ = state.q != q_ || state.u != v_;
  q_ = state.q;
  v_ = state.u;
  struck_ = false;
  impacts_ = 0;
  report_ = {};
  touching_.assign(v_.size(), 0.0);
  slow_.assign(v_.size(), 0.0);
  by_forces_.assign(v_.size(), 0.0);
  change_.assign(v_.size(), 0.0);
  if (h > 0)
    formulateRest(system, problem);
  else
    formulateImpact(system, problem);
}

// The next stage, from q_ and v_: a motion over the rest of the step, or to the next collision.
void VelocityScheme::formulateRest(const System& system, ContactProblem& problem) {
  collides_ = false;
  formulateMotion(system, rest_, problem);
  if (impacts_ >= 2 * kMostCollisions) {
    report_.collisions_cut = true;
    return;
  }
  collision_.setOut(t_, q_, v_, {touching_, slow_});
  double time = rest_;
  const bool looks_at_start = is_new_ || geometry_at_ != 1 || anythingApproaches(problem);
  if (looks_at_start) {
    startCollisions(system);
    if (collision_.collidesAtStart() && !struck_) {
      ++impacts_;
      return formulateImpact(system, problem);
    }
    const double fastest = findCollisions(system, rest_, problem);
    if (collides_) time = collision_.locate(system, rest_, fastest);
  }
  const Closing earlier = collision_.firstClosing(system, time);
  report_.contacts_missed = report_.contacts_missed || !earlier.sure;
  if (earlier.time < time) {
    if (!looks_at_start) startCollisions(system);
    time = earlier.time;
  } else if (!collides_) {
    return;
  }
  ++impacts_;
  if (time < kShort * h_ && rest_ - time >= kShort * h_) {
    glide(system, time);
    return formulateImpact(system, problem);
  }
  if (time < rest_) {
    formulateMotion(system, time, problem);
    findCollisions(system, time, problem);
  }
  if (geometry_at_ == 1) builder_.dropContacts(colliding_, problem);
}

// How fast contacts approach that collide at the end of a motion of this length.
double VelocityScheme::findCollisions(const System& system, double time,
                                      const ContactProblem& problem) {
  if (geometry_at_ == 1) return markCollisions(problem);
  const double fastest = collision_.fastestAt(system, time);
  collides_ = fastest > 0;
  return fastest;
}

void VelocityScheme::startCollisions(const System& system) {
  is_new_ = false;
  collision_.start(system);
  change_ = by_forces_;
}

// Moves on without forces: they act in the next motion.
void VelocityScheme::glide(const System& system, double length) {
  system.move(t_, v_, length, q_);
  t_ += length;
  rest_ -= length;
  owed_ += length;
}

// M, n, D at q_ (+) length v_, or on the way there; forces at q_ and v_: [AP97] (2.13).
void VelocityScheme::formulateMotion(const System& system, double length, ContactProblem& problem) {
  stage_ = Stage::motion;
  length_ = length;
  const double after = rest_ - length;
  duration_ = length + owed_ + (after < kShort * h_ ? after : 0);
  q_new_ = q_;
  system.move(t_, v_, length, q_new_);
  u_ = v_;
  if (system.coasts()) system.coast(duration_, u_);
  Configuration geometry{t_ + length, q_new_};
  if (geometry_at_ != 1) {
    q_data_ = q_;
    system.move(t_, v_, geometry_at_ * length, q_data_);
    geometry = {t_ + geometry_at_ * length, q_data_};
  }
  builder_.freeMotion(system, geometry, {t_, q_}, u_, duration_, problem);
  measureScales(problem);
  builder_.contacts(system, geometry, {touching_}, duration_, problem);
  if (builder_.anyPrestressed())
    for (int i = 0; i < problem.contactCount(); ++i)
      if (builder_.parametersOf(i).kind == ContactParameters::Kind::prestressed)
        builder_.prestress(i, builder_.contactData()[i].gap, duration_, duration_, problem);
  joints(system, geometry, duration_, problem);
}

void VelocityScheme::measureScales(const ContactProblem& problem) {
  if (duration_ == h_)
    for (std::size_t k = 0; k < v_.size(); ++k) by_forces_[k] = problem.v_free[k] - u_[k];
  for (std::size_t k = 0; k < v_.size(); ++k) {
    const double forced = std::abs(by_forces_[k]);
    touching_[k] = kTouchingGap * h_ * (std::abs(v_[k]) + forced);
    slow_[k] = kNegligible * (std::abs(v_[k]) + forced) + (impacts_ < kCareful ? 0 : forced);
  }
}

bool VelocityScheme::anythingApproaches(const ContactProblem& problem) const {
  for (int i = 0; i < problem.contactCount(); ++i)
    if (builder_.parametersOf(i).isUnilateral() &&
        gapRate(problem.J, i, problem.drive, v_) < -wayAlongNormal(problem.J, i, slow_))
      return true;
  return false;
}

// Marks the contacts of a motion that were open before, and returns how fast they approach.
double VelocityScheme::markCollisions(const ContactProblem& problem) {
  colliding_.assign(problem.contactCount(), 0);
  double fastest = 0;
  for (int i = 0; i < problem.contactCount(); ++i) {
    const std::size_t contact = i;
    const double rate = gapRate(problem.J, i, problem.drive, v_);
    if (!builder_.parametersOf(i).isUnilateral() ||
        !collision_.collides(builder_.contactData()[contact].id, problem.J, i, rate))
      continue;
    colliding_[contact] = 1;
    fastest = std::max(fastest, -rate);
  }
  collides_ = fastest > 0;
  return fastest;
}

void VelocityScheme::joints(const System& system, Configuration place, double duration,
                            ContactProblem& problem) {
  builder_.joints(system, place, problem);
  const JointSet& data = builder_.jointData();
  for (int group = 0; group < problem.G.groupCount(); ++group)
    for (int k = 0; k < problem.G.rowsOf(group); ++k) {
      const std::size_t row = problem.G.firstRow(group) + k;
      if (data.stiffness[row] != JointSet::kRigid)
        builder_.makeSpring(group, k, problem.joint_gap[row],
                            data.damping[row] + duration * data.stiffness[row], duration, problem);
      else if (stabilization_ == JointStabilization::baumgarte && duration > 0)
        problem.g[row] += problem.joint_gap[row] / h_;
    }
}

// L(v_, 0) at q_: [AP97] (3.2).
void VelocityScheme::formulateImpact(const System& system, ContactProblem& problem) {
  stage_ = Stage::compression;
  const Configuration here{t_, q_};
  builder_.freeMotion(system, here, here, v_, 0, problem);
  builder_.contacts(system, here, {touching_}, 0, problem);
  joints(system, here, 0, problem);
  if (impact_.compress(v_, change_, problem) > 0) ++report_.collisions;
}

StageEnd VelocityScheme::conclude(const System& system, const ContactSolution& solution,
                                  ContactProblem& problem) {
  if (stage_ == Stage::motion) return concludeMotion(system, solution.v, problem);
  if (stage_ == Stage::decompression) return concludeDecompression(system, solution, problem);
  v_ = solution.v;
  report_.collisions_cut = impacts_ > kMostCollisions;
  if (report_.collisions_cut || !impact_.decompress(solution, builder_, problem))
    return concludeImpact(system, problem);
  stage_ = Stage::decompression;
  return StageEnd::proceed;
}

StageEnd VelocityScheme::concludeDecompression(const System& system,
                                               const ContactSolution& solution,
                                               ContactProblem& problem) {
  if (impact_.weaken(solution, problem)) return StageEnd::repeat;
  v_ = solution.v;
  report_.restitution_limited = report_.restitution_limited || impact_.share() < 1 - kNegligible;
  report_.restitution_work += impact_.work(problem, v_);
  return concludeImpact(system, problem);
}

// The step is complete.
StageEnd VelocityScheme::finish(const System& system) {
  if (stabilization_ == JointStabilization::projection && h_ > 0)
    projection_.project(system, t_, builder_, touching_, q_);
  return StageEnd::done;
}

StageEnd VelocityScheme::concludeMotion(const System& system, std::span<const double> v,
                                        ContactProblem& problem) {
  for (std::size_t k = 0; k < v.size(); ++k) change_[k] = (v[k] - v_[k]) * (h_ / duration_);
  v_.assign(v.begin(), v.end());
  std::swap(q_, q_new_);
  t_ += length_;
  rest_ -= length_;
  owed_ += length_ - duration_;
  struck_ = false;
  if (!collides_ && rest_ == 0) return finish(system);
  if (collides_)
    formulateImpact(system, problem);
  else
    formulateRest(system, problem);
  return StageEnd::proceed;
}

StageEnd VelocityScheme::concludeImpact(const System& system, ContactProblem& problem) {
  struck_ = true;
  if (rest_ < kShort * h_ || h_ == 0) {
    glide(system, rest_);
    return finish(system);
  }
  formulateRest(system, problem);
  return StageEnd::proceed;
}

void VelocityScheme::advance(const System& /*system*/, double h, std::span<const double> v,
                             State& state) {
  state.q = q_;
  state.u.assign(v.begin(), v.end());
  state.t += h;
}

void VelocityScheme::saveMemory(MemoryWriter& to) const {
  to(q_, v_);
}

void VelocityScheme::restoreMemory(MemoryReader& from) {
  from(q_, v_);
}

}  // namespace stickslip
