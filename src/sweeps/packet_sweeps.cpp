#include "sweeps/packet_sweeps.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "math/index.hpp"
#include "parallel/parallel_for.hpp"
#include "sweeps/packet_kind.hpp"

namespace stickslip {
namespace {

// Packets of a chunk: some 10 us of work in a sweep.
constexpr int kPacketsAtOnce = 64;
constexpr int kContactsAtOnce = 1024;
// Packets are made room for with one in so many to spare.
constexpr std::size_t kSpare = 32;

// Factors of rows that are what they are.
constexpr std::array<double, 6> kOnes{1, 1, 1, 1, 1, 1};

// Packets whose tangents are turned,
template <class Packet>
constexpr bool kTurns = std::is_same_v<Packet, SpatialPacket>;
// and those of balls.
template <class Packet>
constexpr bool kIsBall = std::is_same_v<Packet, BallPacket>;

}  // namespace

template <class Packet>
void PacketSweeps<Packet>::reserve(int contacts) {
  bodies_.reserve(at(contacts));
  order_.reserve(contacts);
}

template <class Packet>
double PacketSweeps<Packet>::build(const ContactProblem& problem, VelocitySlots& slots,
                                   std::span<const int> contacts, std::span<const double> p) {
  contacts_ = contacts;
  bodies_.resize(contacts.size());
  parallelFor(static_cast<int>(contacts.size()), kContactsAtOnce, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      std::array<int, 2>& pair = bodies_[at(k)] = {-1, -1};
      std::size_t side = 0;
      for (const BlockRows::Strip& strip : problem.J.stripsOf(contacts[at(k)]))
        pair[side++] = slots.blockOf(strip.first_column);
    }
  });
  order_.find(
      bodies_, problem.M.blockCount(),
      kIsBall<Packet> ? SweepOrder::Patches::of_one_point : SweepOrder::Patches::of_many_points);
  return fill(problem, slots, p);
}

template <class Packet>
int PacketSweeps<Packet>::contactAt(int place) const {
  const int member = order_.lanes()[at(place)];
  return member < 0 ? -1 : contacts_[at(member)];
}

template <class Packet>
double PacketSweeps<Packet>::fill(const ContactProblem& problem, VelocitySlots& slots,
                                  std::span<const double> p) {
  const int count = order_.packetCount();
  makeRoom(at(count));
  largest_.assign(at(chunkCount(count, kPacketsAtOnce)), 0.0);
  parallelFor(count, kPacketsAtOnce, [&](int begin, int end) {
    std::array<LaneSource, kLanes> sources;
    std::array<double, 2 * kLanes * Packet::kRows * Packet::kColumns> scratch;
    for (int packet = begin; packet < end; ++packet) {
      for (int lane = 0; lane < kLanes; ++lane) {
        double* room = scratch.data() + 2 * lane * Packet::kRows * Packet::kColumns;
        sources[at(lane)] = source(problem, slots, contactAt(packet * kLanes + lane), p, room);
      }
      packetKernels<Packet>().fill(sources.data(), packets_[at(packet)], turnOf(packet));
    }
    largest_[at(begin / kPacketsAtOnce)] =
        packetKernels<Packet>().largestVelocity(packets_.data() + begin, end - begin, slots.w());
  });
  return largestOfChunks();
}

// What packets held before is not needed, so that there need not be room for both.
template <class Packet>
void PacketSweeps<Packet>::makeRoom(std::size_t count) {
  if (count <= packets_.size()) return;
  LargePageVector<Packet>().swap(packets_);
  std::vector<PacketTurn>().swap(turns_);
  packets_.resize(count + count / kSpare);
  if (kTurns<Packet>) turns_.resize(packets_.size());
}

template <class Packet>
double PacketSweeps<Packet>::largestOfChunks() const {
  return largest_.empty() ? 0 : *std::max_element(largest_.begin(), largest_.end());
}

template <class Packet>
LaneSource PacketSweeps<Packet>::source(const ContactProblem& problem, const VelocitySlots& slots,
                                        int contact, std::span<const double> p,
                                        [[maybe_unused]] double* scratch) const {
  LaneSource out;
  if (contact < 0) return out;
  const int row = problem.J.firstRow(contact);
  const ImpulseSet& set = problem.sets[at(contact)];
  out.rows = problem.J.rowsOf(contact);
  out.factor[0] = set.tangents() > 0 ? set.mu : 0;
  out.factor[1] = set.tangents() > 1 ? set.mu_2 : 0;
  out.b = problem.b.data() + row;
  out.p = p.data() + row;
  if constexpr (kIsBall<Packet>)
    addBalls(problem.J, slots, contact, out);
  else
    addStrips(problem.J, slots, contact, scratch, out);
  return out;
}

template <class Packet>
void PacketSweeps<Packet>::addBalls(const BlockRows& J, const VelocitySlots& slots, int contact,
                                    LaneSource& out) const {
  out.along = J.ballNumbers(contact);
  const double* const lever = out.along + BallRows::kFirstLever;
  for (const BlockRows::Strip& strip : J.stripsOf(contact)) {
    const auto ball = at(BlockRows::ballOf(strip));
    const int block = slots.blockOf(strip.first_column);
    out.slot[ball] = slots.slot(block);
    // Which of the two comes cannot be predicted: no branch.
    const double sign = 2 * static_cast<double>(ball) - 1;
    out.share[ball] = sign * slots.scale(block)[0];
    out.turn[ball] = lever[ball] * slots.scale(block)[3];
  }
}

// Rows of balls, and scaled ones of blocks that are not diagonal, are written to `scratch`; the
// linear ones are not coupled with the others, and have one mass. Those of the last body are kept.
template <class Packet>
void PacketSweeps<Packet>::addStrips(const BlockRows& J, const VelocitySlots& slots, int contact,
                                     double* scratch, LaneSource& out) const {
  std::size_t side = 0;
  for (const BlockRows::Strip& strip : J.stripsOf(contact)) {
    const int block = slots.blockOf(strip.first_column);
    const StripValues entries = J.values(contact, strip);
    const double* values = entries.view().data;
    double* copy = scratch + side * Packet::kRows * Packet::kColumns;
    const bool is_dense = strip.form() == BlockRows::Form::dense,
               is_diagonal = slots.isDiagonal(block);
    if (!is_dense || !is_diagonal) std::copy_n(values, out.rows * Packet::kColumns, copy);
    out.slot[side] = slots.slot(block);
    out.along = is_dense ? values : copy;
    out.share[0] = -out.share[0];
    out.share[side] = slots.scale(block)[0];
    out.strip[side] = is_dense && is_diagonal ? values : copy;
    out.scale[side] = is_diagonal ? slots.scale(block) : kOnes.data();
    for (int k = 0; k < out.rows && !is_diagonal; ++k)
      slots.toScaled(block, std::span(copy + k * Packet::kColumns, at(Packet::kColumns)));
    ++side;
  }
}

template <class Packet>
template <class Action>
double PacketSweeps<Packet>::forChunks(std::int64_t times, Action action) {
  largest_.assign(order_.chunks().size(), 0.0);
  order_.forChunks(times, [&](int chunk) {
    const SweepOrder::Range& range = order_.chunks()[at(chunk)];
    largest_[at(chunk)] = action(packets_.data() + range.first, range.count);
  });
  return largestOfChunks();
}

template <class Packet>
void PacketSweeps<Packet>::push(double* w) {
  forChunks(1, [&](const Packet* packets, int count) {
    packetKernels<Packet>().push(packets, count, w);
    return 0.0;
  });
}

template <class Packet>
double PacketSweeps<Packet>::sweep(Law law, std::int64_t times, double* w) {
  const PacketKernels<Packet>& kernels = packetKernels<Packet>();
  const auto one = law == Law::coulomb ? kernels.sweepCoulomb : kernels.sweepRelaxed;
  return forChunks(times, [&](Packet* packets, int count) { return one(packets, count, w); });
}

template <class Packet>
void PacketSweeps<Packet>::impulses(const ContactProblem& problem, std::span<double> p) const {
  const int count = order_.packetCount();
  parallelFor(count, kPacketsAtOnce, [&](int begin, int end) {
    for (int k = begin * kLanes; k < end * kLanes; ++k)
      if (const int contact = contactAt(k); contact >= 0)
        lanesImpulse(k, problem.sets[at(contact)], p.data() + problem.J.firstRow(contact));
  });
}

template <class Packet>
void PacketSweeps<Packet>::lanesImpulse(int place, const ImpulseSet& set, double* p) const {
  const Packet& packet = packets_[at(place / kLanes)];
  const int lane = place % kLanes;
  p[0] = packet.p[0][lane];
  if (set.tangents() == 1) p[1] = set.mu * packet.p[1][lane];
  if constexpr (Packet::kTangents == 2) {
    if (set.tangents() != 2) return;
    const double x = packet.p[1][lane], y = packet.p[2][lane];
    double cosine = 1, sine = 0;
    if constexpr (kTurns<Packet>) {
      cosine = turns_[at(place / kLanes)].cosine[lane];
      sine = turns_[at(place / kLanes)].sine[lane];
    }
    p[1] = set.mu * (cosine * x + sine * y);
    p[2] = set.mu_2 * (cosine * y - sine * x);
  }
}

template class PacketSweeps<PlanarPacket>;
template class PacketSweeps<SpatialPacket>;
template class PacketSweeps<BallPacket>;

}  // namespace stickslip
