// In which order a sweep solves its contacts: four at a time that share no body, and by several
// threads with the same result for any number of them.
//
//   phase   one after the other
//   chunk   those of a phase share no body: in any order, on any thread
//   packet  one after the other in a chunk
//   lane    four contacts that share no body
//
// A chunk is a region, contacts that follow each other in the list. Lists have neighbours in space
// together, as long as bodies are numbered so: then few regions share bodies, and few phases are
// needed. Within a region packets are filled in the order of the list: a few are open at a time,
// and a contact goes to the first that has none of its bodies. The velocities of a body are then
// used while they are in the cache. It goes from the last contact to the first: most bodies are
// numbered from the ground up, and loads go down.
//
// Points of one patch, as boxes have, are torn apart in such packets: columns of boxes needed
// several times as many sweeps. For them, and where regions share too many bodies, all contacts are
// coloured (contact/body_colours.hpp), and a colour is a phase: it does for any numbering, but each
// colour goes through the velocities of all bodies, which makes sweeps over 10^5 bodies take 1.5
// times as long. Of few contacts, whose bodies are in the cache anyway, it needs fewer sweeps for
// small residuals.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "contact/body_colours.hpp"
#include "sweeps/contact_packet.hpp"

namespace stickslip {

class SweepOrder {
 public:
  /// Packets that follow each other, or chunks that do.
  struct Range {
    int first = 0;
    int count = 0;
  };
  using Pairs = std::span<const std::array<int, 2>>;

  void reserve(int contacts) { lanes_.reserve(static_cast<std::size_t>(contacts)); }
  /// How many contacts two bodies have with each other.
  enum class Patches { of_one_point, of_many_points };
  /// Two bodies of each contact, -1 for those that do not move.
  void find(Pairs bodies, int body_count, Patches patches);

  /// kLanes contacts for each packet, -1 where there is none.
  std::span<const int> lanes() const { return lanes_; }
  int packetCount() const { return static_cast<int>(lanes_.size()) / kLanes; }
  /// Packets of each chunk,
  std::span<const Range> chunks() const { return chunks_; }
  /// and chunks of each phase.
  std::span<const Range> phases() const { return phases_; }

 private:
  static constexpr int kColours = BodyColours::kColours;

  bool findPhases(Pairs bodies, int body_count);
  void orderByRegions(Pairs bodies, int body_count);
  void fillPackets(Pairs bodies, Range region);
  void close(int packet, Pairs bodies);
  void orderByColours(Pairs bodies, int body_count);
  void sortByColours(Pairs bodies);
  std::span<const int> ofColour(int colour) const;
  void addPackets(std::span<const int> contacts, int lanes_in_use);
  void addChunksSince(int first_packet, int most_packets);

  BodyColours colours_;
  std::vector<Range> regions_;        ///< contacts
  std::vector<int> phase_of_region_;  ///< and which regions are in a phase, by counting
  std::vector<int> region_bodies_;
  /// Contacts of a packet that is being filled, for each colour: its bodies have that one.
  struct OpenPacket {
    std::array<int, kLanes> contacts{};
    int count = 0;
  };
  std::array<OpenPacket, kColours> open_;
  // All contacts by their colours, those without one last:
  std::vector<unsigned char> colour_of_;
  std::array<int, kColours + 2> first_of_colour_{};
  std::vector<int> by_colour_;

  std::vector<int> lanes_;
  std::vector<Range> chunks_;
  std::vector<Range> phases_;
};

}  // namespace stickslip
