#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/parallel_array.hpp"
#include "stickslip/state.hpp"
#include "stickslip/system.hpp"

namespace stickslip {

void ContactSet::clear() {
  contacts.clear();
  parameters.clear();
  directions.clear();
  drive.clear();
}

void ContactSet::add(Contact contact, const ContactParameters& its) {
  if (parameters.empty() || !(parameters.back() == its)) parameters.push_back(its);
  contact.parameters = static_cast<int>(parameters.size()) - 1;
  contacts.push_back(contact);
}

double ContactSet::deepestOverlap() const {
  double deepest = 0;
  for (const Contact& contact : contacts)
    if (parametersOf(contact).isUnilateral()) deepest = std::max(deepest, -contact.gap);
  return deepest;
}

void JointSet::clear() {
  directions.clear();
  gap.clear();
  drive.clear();
  stiffness.clear();
  damping.clear();
}

void JointSet::addRigid(double row_gap, double row_drive) {
  addSpring(row_gap, row_drive, kRigid, 0);
}

void JointSet::addSpring(double row_gap, double row_drive, double row_stiffness,
                         double row_damping) {
  gap.push_back(row_gap);
  drive.push_back(row_drive);
  stiffness.push_back(row_stiffness);
  damping.push_back(row_damping);
}

void System::contactsOf(std::span<const char>, double t, std::span<const double> q,
                        const Reach& reach, ContactSet& out) const {
  contacts(t, q, reach, out);
}

ContactAxes System::contactAxes(std::uint64_t, const BlockRows&, int, int) const {
  return {};
}

bool System::meetsAhead(std::uint64_t, double, std::span<const double>, std::span<const double>,
                        double) const {
  return true;
}

Closing System::firstClosing(const Way&, const ClosingScale&) const {
  return {};
}

void System::contactsNotFollowed(double t, std::span<const double> q, const Reach& reach,
                                 ContactSet& out) const {
  contacts(t, q, reach, out);
}

double System::farthestMove(int, std::span<const double>) const {
  return std::numeric_limits<double>::infinity();
}

double System::deepestOverlap(double t, std::span<const double> q, const Reach& at_rest,
                              ContactSet& workspace) const {
  workspace.clear();
  contacts(t, q, at_rest, workspace);
  return workspace.deepestOverlap();
}

double System::distance(std::span<const double> q_a, std::span<const double> q_b) const {
  double most = 0;
  for (std::size_t k = 0; k < q_a.size(); ++k) most = std::max(most, std::abs(q_a[k] - q_b[k]));
  return most;
}

double System::potentialEnergy(double, std::span<const double>) const {
  return 0;
}

void System::coast(double, std::span<double>) const {}

int System::velocityCount() const {
  const std::span<const int> blocks = velocityBlocks();
  return std::accumulate(blocks.begin(), blocks.end(), 0);
}

namespace {

// FNV-1a over the bytes of each double, least significant first, so that the byte order of the
// machine does not matter.
std::uint64_t mix(std::uint64_t hash, double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  for (int shift = 0; shift < 64; shift += 8) {
    hash ^= (bits >> shift) & 0xff;
    hash *= 0x100000001b3ULL;
  }
  return hash;
}

}  // namespace

bool isFinite(const State& state) {
  return std::isfinite(state.t) && allFinite(state.q) && allFinite(state.u);
}

std::uint64_t fingerprint(const State& state) {
  std::uint64_t hash = mix(0xcbf29ce484222325ULL, state.t);
  for (const double x : state.q) hash = mix(hash, x);
  for (const double x : state.u) hash = mix(hash, x);
  return hash;
}

}  // namespace stickslip
