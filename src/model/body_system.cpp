// Rigid bodies as the engine sees them: what a step asks of a System.
#include "stickslip/body_system.hpp"

#include <algorithm>
#include <cmath>

#include "model/body_system_impl.hpp"
#include "parallel/parallel_for.hpp"

namespace stickslip {
namespace {

// Contacts that are made room for in advance, per shape and in all.
constexpr int kContactsPerShape = 4;
constexpr int kMostContactsInAdvance = 64;
// Bodies of a chunk.
constexpr int kBodyGrain = 512;

}  // namespace

BodySystem::BodySystem(BodySystemData data) : impl_(std::make_unique<Impl>(std::move(data))) {}
BodySystem::~BodySystem() = default;

std::span<const int> BodySystem::velocityBlocks() const {
  return impl_->layout.velocityBlocks();
}

int BodySystem::positionCount() const {
  return impl_->layout.positionCount() + impl_->joints.angleCount();
}

int BodySystem::tangentCount() const {
  return impl_->data.dimension - 1;
}

int BodySystem::momentCount() const {
  return impl_->contacts.momentCount();
}

int BodySystem::contactCapacity() const {
  return impl_->joints.driveCount() +
         std::min(kMostContactsInAdvance, kContactsPerShape * impl_->contacts.shapeCount());
}

int BodySystem::jointCapacity() const {
  return impl_->joints.equationCount() + impl_->forces.springRowCount();
}

void BodySystem::massMatrix(double, std::span<const double>, BlockDiagonal& M) const {
  const bool is_planar = impl_->data.dimension == 2;
  parallelFor(impl_->layout.dynamicCount(), kBodyGrain, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      if (!M.isOriginal(k)) continue;
      const int body = impl_->layout.dynamicBody(k);
      const MassProperties& mass = impl_->data.bodies[static_cast<std::size_t>(body)].mass;
      const MatrixView block = M.block(k);
      for (int i = 0; i < (is_planar ? 2 : 3); ++i) block(i, i) = mass.mass;
      if (is_planar) {
        block(2, 2) = mass.inertia(2, 2);
        continue;
      }
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) block(3 + i, 3 + j) = mass.inertia(i, j);
    }
  });
}

std::span<const int> BodySystem::massLike() const {
  return impl_->mass_like;
}

void BodySystem::forces(double t, std::span<const double> q, std::span<const double> u, double h,
                        std::span<double> out) const {
  if (impl_->forces.onlyGravity()) return impl_->forces.gravity(out);
  impl_->forces.evaluate(t, impl_->framesAt(t, q), u, h, out);
}

bool BodySystem::coasts() const {
  return impl_->forces.anyGyroscope();
}

void BodySystem::coast(double dt, std::span<double> u) const {
  impl_->forces.coast(dt, u);
}

void BodySystem::contacts(double t, std::span<const double> q, const Reach& reach,
                          ContactSet& out) const {
  const BodyFrames& frames = reach.only.empty() ? impl_->framesAt(t, q) : impl_->frames;
  impl_->contacts.add(frames, reach, out);
  impl_->joints.addDrives(t, frames, q, reach, out);
}

double BodySystem::farthestMove(int block, std::span<const double> way) const {
  const std::size_t turning = impl_->data.dimension == 2 ? 2 : 3;
  const double lever = impl_->levers[static_cast<std::size_t>(block)];
  double places = 0, turns = 0;
  for (std::size_t k = 0; k < turning; ++k) places += way[k] * way[k];
  for (std::size_t k = turning; k < way.size(); ++k) turns += way[k] * way[k];
  // Without 0 times infinity.
  return std::sqrt(places) + (turns > 0 ? lever * std::sqrt(turns) : 0);
}

double BodySystem::deepestOverlap(double t, std::span<const double> q, const Reach& at_rest,
                                  ContactSet& workspace) const {
  const BodyFrames& frames = impl_->framesAt(t, q);
  workspace.clear();
  impl_->joints.addDrives(t, frames, q, at_rest, workspace);
  return std::max(impl_->contacts.deepestOverlap(frames, at_rest), workspace.deepestOverlap());
}

bool BodySystem::meetsAhead(std::uint64_t contact, double t, std::span<const double> q,
                            std::span<const double> u, double dt) const {
  if (JointRows::driveOf(contact).joint >= 0) return true;
  const auto moving = [&](int body) {
    return impl_->layout.movingFrame(impl_->data, body, t, q, u);
  };
  const auto [a, b] = impl_->contacts.bodiesOf(contact);
  return impl_->contacts.meetAhead(contact, moving(a), moving(b), dt);
}

Closing BodySystem::firstClosing(const Way& way, const ClosingScale& scale) const {
  return impl_->contacts.firstClosing(impl_->data, impl_->layout, impl_->framesAt(way.t, way.q),
                                      way, scale);
}

// Limits of joints.
void BodySystem::contactsNotFollowed(double t, std::span<const double> q, const Reach& reach,
                                     ContactSet& out) const {
  if (impl_->joints.driveCount() > 0)
    impl_->joints.addDrives(t, impl_->framesAt(t, q), q, reach, out);
}

void BodySystem::joints(double t, std::span<const double> q, JointSet& out) const {
  if (jointCapacity() == 0) return;
  const BodyFrames& frames = impl_->framesAt(t, q);
  impl_->joints.addEquations(frames, q, out);
  impl_->forces.addSpringRows(frames, out);
}

void BodySystem::move(double t, std::span<const double> u, double dt, std::span<double> q) const {
  if (dt == 0) return;
  parallelFor(impl_->layout.dynamicCount(), kBodyGrain, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) impl_->layout.move(k, u, dt, q);
  });
  impl_->countTurns(t, u, dt, q);
}

}  // namespace stickslip
