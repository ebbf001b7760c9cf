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
// needed. A phase has a few regions only, so that threads would wait for each other at its end:
// regions wait for those that they share bodies with instead (base/ordered_chunks.hpp). Within
// a region packets are filled in the order of the list: a few are open at a time, and a contact
// goes to the first that has none of its bodies. The velocities of a body are then used while they
// are in the cache. It goes from the last contact to the first: most bodies are numbered from the
// ground up, and loads go down.
//
// Points of one patch, as boxes have, are torn apart in such packets: columns of boxes needed
// several times as many sweeps. For them, and where regions share too many bodies, all contacts are
// coloured (BodyColours), and a colour is a phase: it does for any numbering, but each
// colour goes through the velocities of all bodies, which makes sweeps over 10^5 bodies take 1.5
// times as long. Of few contacts, whose bodies are in the cache anyway, it needs fewer sweeps for
// small residuals.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ordered_chunks.hpp"
#include "base/parallel_for.hpp"
#include "solvers/sweeps/contact_packet.hpp"

namespace stickslip {

// Colours for things that touch bodies, so that no two of one colour touch the same body: a colour
// can be worked on in any order, by several threads and several at once, with the same result.
//
// Greedy: the first colour that none of its bodies has. A body that touches more than there are
// colours leaves some without one.

class BodyColours {
 public:
  static constexpr int kColours = 64;

  void start(int bodies) { taken_.assign(bodies, 0); }
  /// The colour of the next thing, which touches these bodies (negative ones do not count);
  /// kColours if there is none left.
  int take(std::span<const int> bodies) {
    std::uint64_t taken = 0;
    for (const int body : bodies)
      if (body >= 0) taken |= taken_[body];
    const int colour = std::countr_one(taken);
    if (colour == kColours) return kColours;
    for (const int body : bodies)
      if (body >= 0) taken_[body] |= std::uint64_t{1} << colour;
    return colour;
  }
  /// Takes a colour from these bodies again.
  void release(std::span<const int> bodies, int colour) {
    for (const int body : bodies)
      if (body >= 0) taken_[body] &= ~(std::uint64_t{1} << colour);
  }

 private:
  std::vector<std::uint64_t> taken_;  ///< of each body, a bit for each colour
};

class SweepOrder {
 public:
  /// Packets that follow each other, or chunks that do.
  struct Range {
    int first = 0;
    int count = 0;
  };
  using Pairs = std::span<const std::array<int, 2>>;

  void reserve(int contacts) { lanes_.reserve(contacts); }
  /// How many contacts two bodies have with each other.
  enum class Patches { of_one_point, of_many_points };
  /// Two bodies of each contact, -1 for those that do not move.
  void find(Pairs bodies, int body_count, Patches patches);

  /// kLanes contacts for each packet, -1 where there is none.
  std::span<const int> lanes() const { return lanes_; }
  int packetCount() const { return static_cast<int>(lanes_.size()) / kLanes; }
  /// Packets of each chunk, those of neighbours in the list next to each other,
  std::span<const Range> chunks() const { return chunks_; }
  /// and chunks of each phase.
  std::span<const Range> phases() const { return phases_; }

  /// Calls action(chunk) for every chunk, so many times, by all threads and as if one after the
  /// other.
  template <class Action>
  void forChunks(std::int64_t times, Action action);

 private:
  static constexpr int kColours = BodyColours::kColours;

  /// Contacts of a packet that is being filled, for each colour: its bodies have that one.
  struct OpenPacket {
    std::array<int, kLanes> contacts{};
    int count = 0;
  };
  /// Contacts that follow each other, and their lanes.
  struct Region {
    Range contacts;
    Range packets;
    int phase = 0;
    std::vector<int> lanes;
  };

  bool findPhases(Pairs bodies, int body_count);
  void orderByRegions(Pairs bodies, int body_count);
  void listChunks();
  void joinLanes();
  void fillPackets(Pairs bodies, Region& region);
  void close(OpenPacket& packet, int colour, Pairs bodies, std::vector<int>& lanes);
  void orderByColours(Pairs bodies, int body_count);
  void sortByColours(Pairs bodies);
  std::span<const int> ofColour(int colour) const;
  void addChunksSince(int first_packet, int most_packets);

  BodyColours colours_;
  std::vector<Region> regions_;  ///< in the order of the list; may be more than there are
  int region_count_ = 0;         ///< 0 if contacts are ordered by colours
  std::vector<int> region_of_chunk_;
  OrderedChunks in_order_;
  // All contacts by their colours, those without one last:
  std::vector<unsigned char> colour_of_;
  std::array<int, kColours + 2> first_of_colour_{};
  std::vector<int> by_colour_;

  std::vector<int> lanes_;
  std::vector<Range> chunks_;
  std::vector<Range> phases_;
};

template <class Action>
void SweepOrder::forChunks(std::int64_t times, Action action) {
  if (region_count_ > 0) return in_order_.run(times, action);
  for (std::int64_t n = 0; n < times; ++n)
    for (const Range& phase : phases_)
      parallelFor(phase.count, 1, [&](int k, int) { action(phase.first + k); });
}

// The order in which things are swept: by colours (BodyColours). What has none is a
// colour of its own.

/// Who sweeps it.
enum class SweepClass : char {
  record,  ///< record_kernels.hpp
  cone,    ///< accelerated_cones.hpp
};
inline constexpr std::size_t kSweepClasses = 2;

/// What is swept: a contact as a whole, one of its cones, or rows of a joint.
struct SweepUnit {
  int group = 0;  ///< of J or G
  int part = 0;   ///< of a contact: which cone; of a joint: the first row
  bool joint = false;
  SweepClass by = SweepClass::cone;
  int colour = 0;
};

struct SweepRange {
  int first = 0;
  int end = 0;

  int count() const { return end - first; }
};

/// A colour: a range of the units of each class.
class SweepColour {
 public:
  SweepRange& of(SweepClass by) { return ranges_[static_cast<std::size_t>(by)]; }
  const SweepRange& of(SweepClass by) const { return ranges_[static_cast<std::size_t>(by)]; }
  std::span<SweepRange> ranges() { return ranges_; }
  bool isEmpty() const;

 private:
  std::array<SweepRange, kSweepClasses> ranges_;
};

class SweepColours {
 public:
  static constexpr int kColours = BodyColours::kColours;

  void start(int bodies);
  void add(SweepUnit unit, std::span<const int> bodies);
  /// Sorts by colours; the order within a colour stays.
  void finish();

  std::span<const SweepColour> colours() const { return colours_; }
  std::span<const SweepUnit> units(SweepClass by) const {
    return sorted_[static_cast<std::size_t>(by)];
  }

 private:
  int next_own_ = kColours;
  BodyColours bodies_;
  std::vector<SweepUnit> units_;
  std::array<std::vector<SweepUnit>, kSweepClasses> sorted_;
  std::vector<SweepColour> colours_;
};

}  // namespace stickslip
