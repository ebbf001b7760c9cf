#include "solvers/sweeps/sweep_order.hpp"

#include <algorithm>

#include "base/index.hpp"
#include "solvers/sweeps/settings.hpp"

namespace stickslip {
namespace {

using Order = SweepOrderSettings;

int regionSize(int contacts) {
  return std::clamp(contacts / Order::regions, Order::fewest_of_region, Order::most_of_region);
}

// Two for each contact of the range.
std::span<const int> bodiesOf(SweepOrder::Pairs bodies, SweepOrder::Range contacts) {
  static_assert(sizeof(SweepOrder::Pairs::value_type) == 2 * sizeof(int));
  return {bodies[contacts.first].data(), at(2 * contacts.count)};
}

// Appends packets of so many of the contacts each.
void addPackets(std::span<const int> contacts, int lanes_in_use, std::vector<int>& lanes) {
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    lanes.push_back(contacts[k]);
    if ((k + 1) % at(lanes_in_use) == 0 || k + 1 == contacts.size())
      while (lanes.size() % kLanes != 0) lanes.push_back(-1);
  }
}

}  // namespace

void SweepOrder::find(Pairs bodies, int body_count, Patches patches) {
  lanes_.clear();
  chunks_.clear();
  phases_.clear();
  region_count_ = 0;
  if (bodies.empty()) return;
  const bool is_worth_it =
      patches == Patches::of_one_point && bodies.size() > Order::most_of_region;
  if (is_worth_it && findPhases(bodies, body_count))
    orderByRegions(bodies, body_count);
  else
    orderByColours(bodies, body_count);
}

// Phases of the regions. False if there are too many of them.
bool SweepOrder::findPhases(Pairs bodies, int body_count) {
  const int contacts = static_cast<int>(bodies.size()), size = regionSize(contacts);
  const int count = chunkCount(contacts, size);
  if (regions_.size() < at(count)) regions_.resize(count);
  colours_.start(body_count);
  int phases = 0;
  for (int r = count - 1, end = contacts; r >= 0; --r, end -= size) {
    Region& region = regions_[r];
    region.contacts = {std::max(0, end - size), std::min(size, end)};
    region.lanes.reserve(size + size / Order::spare_lanes + kColours * kLanes);
    region.phase = colours_.take(bodiesOf(bodies, region.contacts));
    if (region.phase == kColours) return false;
    phases = std::max(phases, region.phase + 1);
  }
  if (count < Order::regions_per_phase * phases) return false;
  region_count_ = count;
  phases_.resize(phases);
  return true;
}

void SweepOrder::orderByRegions(Pairs bodies, int body_count) {
  listChunks();
  colours_.start(body_count);
  in_order_.start(region_of_chunk_, body_count);
  for (const Range& phase : phases_)
    parallelFor(phase.count, 1, [&](int k, int) {
      const int chunk = phase.first + k;
      Region& region = regions_[region_of_chunk_[chunk]];
      in_order_.touch(chunk, bodiesOf(bodies, region.contacts));
      fillPackets(bodies, region);
    });
  in_order_.finish();
  joinLanes();
}

// Phase after phase.
void SweepOrder::listChunks() {
  region_of_chunk_.clear();
  for (std::size_t phase = 0; phase < phases_.size(); ++phase) {
    const int first = static_cast<int>(region_of_chunk_.size());
    for (int r = region_count_ - 1; r >= 0; --r)
      if (regions_[r].phase == static_cast<int>(phase)) region_of_chunk_.push_back(r);
    phases_[phase] = {first, static_cast<int>(region_of_chunk_.size()) - first};
  }
}

void SweepOrder::joinLanes() {
  int packets = 0;
  for (int r = 0; r < region_count_; ++r) {
    Region& region = regions_[r];
    region.packets = {packets, static_cast<int>(region.lanes.size()) / kLanes};
    packets += region.packets.count;
  }
  for (const int r : region_of_chunk_) chunks_.push_back(regions_[r].packets);
  lanes_.resize(packets * kLanes);
  parallelFor(region_count_, 1, [&](int chunk, int) {
    const std::vector<int>& from = regions_[region_of_chunk_[chunk]].lanes;
    std::copy(from.begin(), from.end(), lanes_.begin() + chunks_[chunk].first * kLanes);
  });
}

void SweepOrder::fillPackets(Pairs bodies, Region& region) {
  std::array<OpenPacket, kColours> open;
  region.lanes.clear();
  const int first = region.contacts.first;
  for (int i = first + region.contacts.count - 1; i >= first; --i) {
    const int colour = colours_.take(bodies[i]);
    if (colour == kColours) {
      addPackets(std::span(&i, 1), 1, region.lanes);
      continue;
    }
    OpenPacket& packet = open[colour];
    packet.contacts[packet.count++] = i;
    if (packet.count == kLanes) close(packet, colour, bodies, region.lanes);
  }
  for (int colour = 0; colour < kColours; ++colour)
    close(open[colour], colour, bodies, region.lanes);
}

void SweepOrder::close(OpenPacket& packet, int colour, Pairs bodies, std::vector<int>& lanes) {
  const std::span<const int> contacts = std::span(packet.contacts).first(packet.count);
  addPackets(contacts, kLanes, lanes);
  for (const int contact : contacts) colours_.release(bodies[contact], colour);
  packet.count = 0;
}

void SweepOrder::orderByColours(Pairs bodies, int body_count) {
  colours_.start(body_count);
  sortByColours(bodies);
  for (int colour = 0; colour <= kColours; ++colour) {
    const int first_packet = packetCount(), first_chunk = static_cast<int>(chunks_.size());
    const bool has_one = colour < kColours;
    addPackets(ofColour(colour), has_one ? kLanes : 1, lanes_);
    addChunksSince(first_packet, has_one ? SweepTasks::packets_of_colour : packetCount());
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
    ++first_of_colour_[colour + 1];
  }
  for (std::size_t k = 1; k < first_of_colour_.size(); ++k)
    first_of_colour_[k] += first_of_colour_[k - 1];
  std::array<int, kColours + 2> next = first_of_colour_;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    by_colour_[next[colour_of_[i]]++] = static_cast<int>(i);
}

// That after the last colour has those without one.
std::span<const int> SweepOrder::ofColour(int colour) const {
  const int first = first_of_colour_[colour];
  return std::span(by_colour_).subspan(first, first_of_colour_[colour + 1] - first);
}

void SweepOrder::addChunksSince(int first_packet, int most_packets) {
  for (int packet = first_packet; packet < packetCount(); packet += most_packets)
    chunks_.push_back({packet, std::min(most_packets, packetCount() - packet)});
}

void SweepColours::start(int bodies) {
  bodies_.start(bodies);
  units_.clear();
  next_own_ = kColours;
}

void SweepColours::add(SweepUnit unit, std::span<const int> bodies) {
  unit.colour = bodies_.take(bodies);
  if (unit.colour == kColours) unit.colour = next_own_++;
  units_.push_back(unit);
}

void SweepColours::finish() {
  colours_.assign(next_own_, {});
  for (const SweepUnit& unit : units_) ++colours_[unit.colour].of(unit.by).end;
  std::array<int, kSweepClasses> next{};
  for (SweepColour& colour : colours_)
    for (std::size_t k = 0; k < kSweepClasses; ++k) {
      SweepRange& range = colour.ranges()[k];
      next[k] += range.end;
      range.first = range.end = next[k] - range.end;
    }
  for (std::size_t k = 0; k < kSweepClasses; ++k) sorted_[k].resize(next[k]);
  for (const SweepUnit& unit : units_) {
    SweepRange& range = colours_[unit.colour].of(unit.by);
    sorted_[static_cast<std::size_t>(unit.by)][range.end++] = unit;
  }
  std::erase_if(colours_, [](const SweepColour& colour) { return colour.isEmpty(); });
}

bool SweepColour::isEmpty() const {
  return std::all_of(ranges_.begin(), ranges_.end(),
                     [](const SweepRange& range) { return range.count() == 0; });
}

}  // namespace stickslip
