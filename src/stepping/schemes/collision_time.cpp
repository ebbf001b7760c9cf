#include "stepping/schemes/collision_time.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/index.hpp"
#include "stepping/contact_approach.hpp"
#include "stickslip/problem_builder.hpp"

namespace stickslip {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
struct CollisionTimeSettings {
  /// Bracket that is small enough, as a part of the rest of the step: rounding.
  double same_time = 1e-14;
  /// Looks for the first collision at most: every third guess halves the bracket.
  int most_looks = 150;
  /// How much farther than the fastest contact can go in the rest gaps are watched.
  double watch = 2;

  // Contacts that the system does not follow (ContactLooks).

  /// Times at which they are looked at on the way.
  int looks = 4;
  /// How much farther than their velocities carry contacts are looked for.
  double farther = 2;
  /// A minimum is low if it is below this part of the gaps at both ends.
  double low = 0.1;
  /// Steps towards the time at most: a bound.
  int most_guesses = 100;
};
constexpr CollisionTimeSettings kCollisionTime{};

/// A gap and its rate.
struct Slope {
  double gap, rate;
};

/// The lowest point of a cubic between 0 and 1.
struct Lowest {
  double place, value;
};

// p(x) with these gaps, and rates times `length`, at 0 and 1, which falls at 0 and rises at 1.
Lowest lowestOfCubic(Slope start, Slope end, double length) {
  const double r0 = length * start.rate, r1 = length * end.rate, rise = end.gap - start.gap;
  const double c3 = r0 + r1 - 2 * rise, c2 = 3 * rise - 2 * r0 - r1;
  const double root = std::sqrt(std::max(0.0, c2 * c2 - 3 * c3 * r0));
  const double x = c2 + root > 0 ? std::clamp(-r0 / (c2 + root), 0.0, 1.0) : 0.5;
  return {x, start.gap + x * (r0 + x * (c2 + x * c3))};
}

}  // namespace

void ContactLooks::reserve(const System& system) {
  const std::size_t contacts = system.contactCapacity();
  closed_.reserve(contacts);
  reach_.reserve(system.velocityCount());
  q_.reserve(system.positionCount());
  for (Look* look : {&from_, &to_, &between_}) {
    look->set.contacts.reserve(contacts);
    look->set.parameters.reserve(contacts);
    reserveContactRows(system, look->set.directions);
    look->set.drive.reserve(contacts * at(1 + system.tangentCount() + system.momentCount()));
  }
}

Closing ContactLooks::firstClosing(const System& system, const Way& way,
                                   const ClosingScale& scale) {
  way_ = way;
  scale_ = scale;
  closed_.clear();
  reach_.resize(way.u.size());
  for (std::size_t k = 0; k < reach_.size(); ++k)
    reach_[k] = kCollisionTime.farther * way.time * std::abs(way.u[k]) + scale.touching[k];
  lookAt(system, 0, from_);
  if (from_.set.contacts.empty()) return {};
  for (int i = 0; i < from_.set.directions.groupCount(); ++i)
    if (from_.set.contacts[i].gap <= touchingAt(from_, i))
      closed_.push_back(from_.set.contacts[i].id);
  std::sort(closed_.begin(), closed_.end());
  for (int k = 1; k <= kCollisionTime.looks; ++k) {
    const double s = k == kCollisionTime.looks ? way.time : way.time * k / kCollisionTime.looks;
    const bool closes = lookAt(system, s, to_).has_closed;
    const double open = from_.s, lowest = lowestBetween(from_, to_);
    if (lowest < s && lookAt(system, lowest, between_).has_closed)
      return {locate(system, open, lowest)};
    if (closes) return {locate(system, open, s)};
    std::swap(from_, to_);
  }
  return {};
}

ContactLooks::Verdict ContactLooks::lookAt(const System& system, double s, Look& look) {
  q_.assign(way_.q.begin(), way_.q.end());
  if (s > 0) system.move(way_.t, way_.u, s, q_);
  look.s = s;
  look.set.clear();
  system.contactsNotFollowed(way_.t + s, q_, {.way = reach_, .time = way_.time}, look.set);
  Verdict out{.crossing = kNever};
  for (int i = 0; i < look.set.directions.groupCount(); ++i) {
    if (!isFollowed(look, i)) continue;
    const BlockRows& rows = look.set.directions;
    const double gap = look.set.contacts[i].gap, touching = touchingAt(look, i);
    const double rate = gapRate(rows, i, look.set.drive, way_.u);
    const double slow = wayAlongNormal(rows, i, scale_.slow);
    const bool is_slow = !(rate < -slow);
    out.has_closed =
        out.has_closed || (gap < -touching && (!is_slow || gap < -touching - way_.time * slow));
    out.is_at = out.is_at || (std::abs(gap) <= touching && !is_slow);
    if (!is_slow) out.crossing = std::min(out.crossing, s - gap / rate);
  }
  return out;
}

double ContactLooks::touchingAt(const Look& look, int i) const {
  return wayAlongNormal(look.set.directions, i, scale_.touching);
}

bool ContactLooks::isFollowed(const Look& look, int i) const {
  const Contact& contact = look.set.contacts[i];
  return look.set.parametersOf(contact).isUnilateral() &&
         !std::binary_search(closed_.begin(), closed_.end(), contact.id);
}

// The first time between two looks at which a contact that approaches at the first and has opened
// at the second seems to be low; never if there is none.
double ContactLooks::lowestBetween(const Look& from, const Look& to) const {
  double first = kNever;
  std::size_t k = 0;
  const std::vector<Contact>& others = to.set.contacts;
  for (int i = 0; i < from.set.directions.groupCount(); ++i) {
    const Contact& contact = from.set.contacts[i];
    if (!isFollowed(from, i)) continue;
    // Both are in the same order, but may not have the same contacts.
    std::size_t other = k;
    while (other < others.size() && others[other].id != contact.id) ++other;
    if (other == others.size()) continue;
    k = other + 1;
    const Slope start{contact.gap, gapRate(from.set.directions, i, from.set.drive, way_.u)};
    const Slope end{others[other].gap,
                    gapRate(to.set.directions, static_cast<int>(other), to.set.drive, way_.u)};
    if (!(start.gap > 0 && end.gap > 0 && start.rate < 0 && end.rate > 0)) continue;
    const Lowest lowest = lowestOfCubic(start, end, to.s - from.s);
    if (lowest.value < kCollisionTime.low * std::min(start.gap, end.gap))
      first = std::min(first, from.s + lowest.place * (to.s - from.s));
  }
  return first;
}

double ContactLooks::locate(const System& system, double open, double closed) {
  double guess = kNever;
  for (int k = 0;
       k < kCollisionTime.most_guesses && closed - open > kCollisionTime.same_time * way_.time;
       ++k) {
    const bool inside = guess > open && guess < closed && k % 3 != 2;
    const double s = inside ? guess : open + (closed - open) / 2;
    const Verdict verdict = lookAt(system, s, between_);
    if (verdict.is_at && !verdict.has_closed) return s;
    guess = verdict.crossing;
    (verdict.has_closed ? closed : open) = s;
  }
  return closed;
}

void CollisionTime::reserve(const System& system) {
  const std::size_t contacts = system.contactCapacity();
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
  const double margin = kCollisionTime.watch * rest * fastest;
  double open = 0, closed = rest, s = rest;
  for (int k = 0; k < kCollisionTime.most_looks && closed - open > kCollisionTime.same_time * rest;
       ++k) {
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
