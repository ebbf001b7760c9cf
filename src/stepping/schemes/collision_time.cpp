#include "stepping/schemes/collision_time.hpp"

#include <algorithm>
#include <limits>

#include "stepping/contact_approach.hpp"
#include "stickslip/problem_builder.hpp"

namespace stickslip {
namespace {

constexpr double kSameTime = 1e-14;
constexpr int kMostLooks = 150;
// How much farther than the fastest contact can go in the rest gaps are watched.
constexpr double kWatch = 2;

}  // namespace

void CollisionTime::reserve(const System& system) {
  const auto contacts = static_cast<std::size_t>(system.contactCapacity());
  closed_.reserve(contacts);
  contacts_.contacts.reserve(contacts);
  contacts_.parameters.reserve(contacts);
  reserveContactRows(system, contacts_.directions);
  const int rows = 1 + system.tangentCount() + system.momentCount();
  contacts_.drive.reserve(contacts * static_cast<std::size_t>(rows));
  q_.reserve(system.positionCount());
  looks_.reserve(system);
}

void CollisionTime::setOut(double t, std::span<const double> q, std::span<const double> v,
                           const ClosingScale& scale) {
  t_ = t;
  q_start_ = q;
  v_ = v;
  scale_ = scale;
}

void CollisionTime::start(const System& system) {
  contacts_.clear();
  system.contacts(t_, q_start_, {scale_.touching}, contacts_);
  closed_.clear();
  collides_at_start_ = false;
  for (int i = 0; i < contacts_.directions.groupCount(); ++i) {
    const Contact& contact = contacts_.contacts[i];
    // Not yet among the closed ones, so that only its rate counts.
    if (contacts_.parametersOf(contact).isUnilateral() &&
        collides(contact.id, contacts_.directions, i,
                 gapRate(contacts_.directions, i, contacts_.drive, v_)))
      collides_at_start_ = true;
  }
  for (const Contact& contact : contacts_.contacts) closed_.push_back(contact.id);
  std::sort(closed_.begin(), closed_.end());
}

bool CollisionTime::collides(std::uint64_t id, const BlockRows& rows, int i, double rate) const {
  return rate < -wayAlongNormal(rows, i, scale_.slow) &&
         !std::binary_search(closed_.begin(), closed_.end(), id);
}

CollisionTime::Look CollisionTime::lookAt(const System& system, double s, double margin) {
  q_.assign(q_start_.begin(), q_start_.end());
  system.move(t_, v_, s, q_);
  contacts_.clear();
  system.contacts(t_ + s, q_, {scale_.touching, margin}, contacts_);
  const BlockRows& rows = contacts_.directions;
  Look look{.crossing = std::numeric_limits<double>::infinity()};
  for (int i = 0; i < rows.groupCount(); ++i) {
    const Contact& contact = contacts_.contacts[i];
    const double rate = gapRate(rows, i, contacts_.drive, v_);
    if (!contacts_.parametersOf(contact).isUnilateral() || !collides(contact.id, rows, i, rate))
      continue;
    const double allowed = wayAlongNormal(rows, i, scale_.touching);
    look.overlaps = look.overlaps || contact.gap < -allowed;
    look.touches = look.touches || contact.gap <= allowed;
    look.fastest = std::max(look.fastest, -rate);
    look.crossing = std::min(look.crossing, s - contact.gap / rate);
  }
  return look;
}

double CollisionTime::locate(const System& system, double rest, double fastest) {
  const double margin = kWatch * rest * fastest;
  double open = 0, closed = rest, s = rest;
  for (int k = 0; k < kMostLooks && closed - open > kSameTime * rest; ++k) {
    Look look = lookAt(system, s, 0);
    if (look.touches && !look.overlaps) return s;
    (look.overlaps ? closed : open) = s;
    if (!look.overlaps) look.crossing = lookAt(system, s, margin).crossing;
    const bool inside = look.crossing > open && look.crossing < closed;
    s = inside && k % 3 != 2 ? look.crossing : open + (closed - open) / 2;
  }
  return closed;
}

Closing CollisionTime::firstClosing(const System& system, double time) {
  const Way way{t_, q_start_, v_, time};
  const Closing followed = system.firstClosing(way, scale_);
  const Closing looked_at = looks_.firstClosing(system, way, scale_);
  return {std::min(followed.time, looked_at.time), followed.sure && looked_at.sure};
}

}  // namespace stickslip
