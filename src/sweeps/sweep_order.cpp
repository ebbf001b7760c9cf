#include "sweeps/sweep_order.hpp"

#include <algorithm>

#include "math/index.hpp"

namespace stickslip {
namespace {

// Contacts of a region. The more, the fewer bodies are in several; the fewest take 15 to 20 us.
constexpr int kMostOfRegion = 4096;
constexpr int kFewestOfRegion = 1024;
// Regions for the threads to share, if there are contacts enough.
constexpr int kRegions = 32;
// Packets of a chunk of one colour: some 5 to 10 us.
constexpr int kPacketsOfChunk = 64;
// Regions are worth it from so many in a phase on.
constexpr int kRegionsPerPhase = 3;

int regionSize(int contacts) {
  return std::clamp(contacts / kRegions, kFewestOfRegion, kMostOfRegion);
}

}  // namespace

void SweepOrder::find(Pairs bodies, int body_count, Patches patches) {
  lanes_.clear();
  chunks_.clear();
  phases_.clear();
  if (bodies.empty()) return;
  const bool is_worth_it = patches == Patches::of_one_point && bodies.size() > kMostOfRegion;
  if (is_worth_it && findPhases(bodies, body_count))
    orderByRegions(bodies, body_count);
  else
    orderByColours(bodies, body_count);
}

// Phases of the regions. False if there are too many of them.
bool SweepOrder::findPhases(Pairs bodies, int body_count) {
  regions_.clear();
  phase_of_region_.clear();
  const int contacts = static_cast<int>(bodies.size());
  const int size = regionSize(contacts);
  for (int end = contacts; end > 0; end -= size)
    regions_.push_back({std::max(0, end - size), std::min(size, end)});
  colours_.start(body_count);
  int phases = 0;
  for (const Range& region : regions_) {
    region_bodies_.clear();
    for (const auto& pair : bodies.subspan(at(region.first), at(region.count)))
      region_bodies_.insert(region_bodies_.end(), pair.begin(), pair.end());
    const int phase = colours_.take(region_bodies_);
    if (phase == kColours) return false;
    phase_of_region_.push_back(phase);
    phases = std::max(phases, phase + 1);
  }
  const int count = static_cast<int>(regions_.size());
  return count >= kRegionsPerPhase * phases;
}

void SweepOrder::orderByRegions(Pairs bodies, int body_count) {
  colours_.start(body_count);
  const int phases = regions_.empty()
                         ? 0
                         : 1 + *std::max_element(phase_of_region_.begin(), phase_of_region_.end());
  for (int phase = 0; phase < phases; ++phase) {
    const int first_chunk = static_cast<int>(chunks_.size());
    for (std::size_t r = 0; r < regions_.size(); ++r) {
      if (phase_of_region_[r] != phase) continue;
      const int first_packet = packetCount();
      fillPackets(bodies, regions_[r]);
      chunks_.push_back({first_packet, packetCount() - first_packet});
    }
    phases_.push_back({first_chunk, static_cast<int>(chunks_.size()) - first_chunk});
  }
}

void SweepOrder::fillPackets(Pairs bodies, Range region) {
  for (int i = region.first + region.count - 1; i >= region.first; --i) {
    const int colour = colours_.take(bodies[at(i)]);
    if (colour == kColours) {
      addPackets(std::span(&i, 1), 1);
      continue;
    }
    OpenPacket& packet = open_[at(colour)];
    packet.contacts[at(packet.count++)] = i;
    if (packet.count == kLanes) close(colour, bodies);
  }
  for (int colour = 0; colour < kColours; ++colour) close(colour, bodies);
}

void SweepOrder::close(int packet, Pairs bodies) {
  OpenPacket& closed = open_[at(packet)];
  const std::span<const int> contacts = std::span(closed.contacts).first(at(closed.count));
  addPackets(contacts, kLanes);
  for (const int contact : contacts) colours_.release(bodies[at(contact)], packet);
  closed.count = 0;
}

void SweepOrder::orderByColours(Pairs bodies, int body_count) {
  colours_.start(body_count);
  sortByColours(bodies);
  for (int colour = 0; colour <= kColours; ++colour) {
    const int first_packet = packetCount(), first_chunk = static_cast<int>(chunks_.size());
    const bool has_one = colour < kColours;
    addPackets(ofColour(colour), has_one ? kLanes : 1);
    addChunksSince(first_packet, has_one ? kPacketsOfChunk : packetCount());
    const int count = static_cast<int>(chunks_.size()) - first_chunk;
    if (count > 0) phases_.push_back({first_chunk, count});
  }
}

void SweepOrder::sortByColours(Pairs bodies) {
  first_of_colour_.fill(0);
  colour_of_.resize(bodies.size());
  by_colour_.resize(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const int colour = colours_.take(bodies[i]);
    colour_of_[i] = static_cast<unsigned char>(colour);
    ++first_of_colour_[at(colour) + 1];
  }
  for (std::size_t k = 1; k < first_of_colour_.size(); ++k)
    first_of_colour_[k] += first_of_colour_[k - 1];
  std::array<int, kColours + 2> next = first_of_colour_;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    by_colour_[at(next[colour_of_[i]]++)] = static_cast<int>(i);
}

// That after the last colour has those without one.
std::span<const int> SweepOrder::ofColour(int colour) const {
  const int first = first_of_colour_[at(colour)];
  return std::span(by_colour_).subspan(at(first), at(first_of_colour_[at(colour) + 1] - first));
}

void SweepOrder::addPackets(std::span<const int> contacts, int lanes_in_use) {
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    lanes_.push_back(contacts[k]);
    if ((k + 1) % at(lanes_in_use) == 0 || k + 1 == contacts.size())
      while (lanes_.size() % kLanes != 0) lanes_.push_back(-1);
  }
}

void SweepOrder::addChunksSince(int first_packet, int most_packets) {
  for (int packet = first_packet; packet < packetCount(); packet += most_packets)
    chunks_.push_back({packet, std::min(most_packets, packetCount() - packet)});
}

}  // namespace stickslip
