#include "solvers/sweeps/packet_sweeps.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "base/index.hpp"
#include "base/parallel_for.hpp"
#include "solvers/sweeps/settings.hpp"

namespace stickslip {
namespace {

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
  bodies_.reserve(contacts);
  order_.reserve(contacts);
}

template <class Packet>
double PacketSweeps<Packet>::build(const ContactProblem& problem, VelocitySlots& slots,
                                   std::span<const int> contacts, std::span<const double> p) {
  contacts_ = contacts;
  bodies_.resize(contacts.size());
  parallelFor(static_cast<int>(contacts.size()), SweepTasks::contacts, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      std::array<int, 2>& pair = bodies_[k] = {-1, -1};
      std::size_t side = 0;
      for (const BlockRows::Strip& strip : problem.J.stripsOf(contacts[k]))
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
  const int member = order_.lanes()[place];
  return member < 0 ? -1 : contacts_[member];
}

template <class Packet>
double PacketSweeps<Packet>::fill(const ContactProblem& problem, VelocitySlots& slots,
                                  std::span<const double> p) {
  const int count = order_.packetCount();
  makeRoom(at(count));
  largest_.assign(chunkCount(count, SweepTasks::packets), 0.0);
  parallelFor(count, SweepTasks::packets, [&](int begin, int end) {
    std::array<LaneSource, kLanes> sources;
    std::array<double, 2 * kLanes * Packet::kRows * Packet::kColumns> scratch;
    for (int packet = begin; packet < end; ++packet) {
      for (int lane = 0; lane < kLanes; ++lane) {
        double* room = scratch.data() + 2 * lane * Packet::kRows * Packet::kColumns;
        sources[lane] = source(problem, slots, contactAt(packet * kLanes + lane), p, room);
      }
      machineKernels<PacketKernels<Packet>>().fill(sources.data(), packets_[packet],
                                                   turnOf(packet));
    }
    largest_[begin / SweepTasks::packets] = machineKernels<PacketKernels<Packet>>().largestVelocity(
        packets_.data() + begin, end - begin, slots.w());
  });
  return largestOfChunks();
}

// What packets held before is not needed, so that there need not be room for both.
template <class Packet>
void PacketSweeps<Packet>::makeRoom(std::size_t count) {
  if (count <= packets_.size()) return;
  LargePageVector<Packet>().swap(packets_);
  std::vector<PacketTurn>().swap(turns_);
  packets_.resize(count + count / SweepOrderSettings::spare_packets);
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
  const ImpulseSet& set = problem.sets[contact];
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
    const std::size_t ball = BlockRows::ballOf(strip);
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
    const SweepOrder::Range& range = order_.chunks()[chunk];
    largest_[chunk] = action(packets_.data() + range.first, range.count);
  });
  return largestOfChunks();
}

template <class Packet>
void PacketSweeps<Packet>::push(double* w) {
  forChunks(1, [&](const Packet* packets, int count) {
    machineKernels<PacketKernels<Packet>>().push(packets, count, w);
    return 0.0;
  });
}

template <class Packet>
double PacketSweeps<Packet>::sweep(Law law, std::int64_t times, double* w) {
  const PacketKernels<Packet>& kernels = machineKernels<PacketKernels<Packet>>();
  const auto one = law == Law::coulomb ? kernels.sweepCoulomb : kernels.sweepRelaxed;
  return forChunks(times, [&](Packet* packets, int count) { return one(packets, count, w); });
}

template <class Packet>
void PacketSweeps<Packet>::impulses(const ContactProblem& problem, std::span<double> p) const {
  const int count = order_.packetCount();
  parallelFor(count, SweepTasks::packets, [&](int begin, int end) {
    for (int k = begin * kLanes; k < end * kLanes; ++k)
      if (const int contact = contactAt(k); contact >= 0)
        lanesImpulse(k, problem.sets[contact], p.data() + problem.J.firstRow(contact));
  });
}

template <class Packet>
void PacketSweeps<Packet>::lanesImpulse(int place, const ImpulseSet& set, double* p) const {
  const Packet& packet = packets_[place / kLanes];
  const int lane = place % kLanes;
  p[0] = packet.p[0][lane];
  if (set.tangents() == 1) p[1] = set.mu * packet.p[1][lane];
  if constexpr (Packet::kTangents == 2) {
    if (set.tangents() != 2) return;
    const double x = packet.p[1][lane], y = packet.p[2][lane];
    double cosine = 1, sine = 0;
    if constexpr (kTurns<Packet>) {
      cosine = turns_[place / kLanes].cosine[lane];
      sine = turns_[place / kLanes].sine[lane];
    }
    p[1] = set.mu * (cosine * x + sine * y);
    p[2] = set.mu_2 * (cosine * y - sine * x);
  }
}

template class PacketSweeps<PlanarPacket>;
template class PacketSweeps<SpatialPacket>;
template class PacketSweeps<BallPacket>;

namespace {

bool isPlain(const ImpulseSet& set) {
  using SetKind = ImpulseSet::Kind;
  return (set.kind == SetKind::frictionless || set.kind == SetKind::planar ||
          set.kind == SetKind::elliptic) &&
         !set.load_independent && set.dimension() == set.linearRows();
}

// True if a contact pushes its two bodies in opposite directions; `linear` velocities of a body
// come first.
bool areOpposite(const BlockRows& J, int contact, int linear) {
  const std::span<const BlockRows::Strip> strips = J.stripsOf(contact);
  const StripValues a = J.values(contact, strips[0]), b = J.values(contact, strips[1]);
  bool opposite = true;
  for (int row = 0; row < J.rowsOf(contact); ++row)
    for (int k = 0; k < linear; ++k) opposite &= a(row, k) == -b(row, k);
  return opposite;
}

// Packets of balls are for round cones, and for masses that do not tell balls from others.
PacketKind packetOfBalls(const ContactProblem& problem, const VelocitySlots& slots, int contact) {
  const ImpulseSet& set = problem.sets[contact];
  bool round = set.tangents() == 2 && set.mu == set.mu_2;
  for (const BlockRows::Strip& strip : problem.J.stripsOf(contact)) {
    const int block = slots.blockOf(strip.first_column);
    if (!slots.isDiagonal(block)) return PacketKind::none;
    round = round && slots.hasOneInertia(block);
  }
  return round ? PacketKind::balls : PacketKind::spatial;
}

}  // namespace

PacketKind packetKindOf(const ContactProblem& problem, const VelocitySlots& slots, int contact) {
  const std::span<const BlockRows::Strip> strips = problem.J.stripsOf(contact);
  if (strips.empty() || strips.size() > 2) return PacketKind::none;
  const int columns = strips[0].columns;
  const ImpulseSet& set = problem.sets[contact];
  if ((columns != 3 && columns != 6) || !isPlain(set) || set.tangents() > columns / 3)
    return PacketKind::none;
  for (const BlockRows::Strip& strip : strips) {
    const int block = slots.blockOf(strip.first_column);
    if (strip.columns != columns || slots.size(block) != columns ||
        slots.firstColumn(block) != strip.first_column || !slots.isBody(block))
      return PacketKind::none;
  }
  if (strips.size() == 2 && strips[0].first_column == strips[1].first_column)
    return PacketKind::none;
  if (problem.J.isOfBalls(contact)) return packetOfBalls(problem, slots, contact);
  if (strips.size() == 2 && !areOpposite(problem.J, contact, columns == 3 ? 2 : 3))
    return PacketKind::none;
  return columns == 3 ? PacketKind::planar : PacketKind::spatial;
}

}  // namespace stickslip
