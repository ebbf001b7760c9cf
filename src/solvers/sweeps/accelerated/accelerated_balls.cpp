#include "solvers/sweeps/accelerated/accelerated_balls.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "base/index.hpp"
#include "base/parallel_for.hpp"
#include "solvers/sweeps/settings.hpp"

namespace stickslip {
namespace {

double productOf(const double* a, const double* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

bool hasRoundFriction(const ImpulseSet& set) {
  return set.kind == ImpulseSet::Kind::elliptic && !set.load_independent && set.mu > 0 &&
         set.mu == set.mu_2 && set.dimension() == set.linearRows() && set.tangents() == 2;
}

}  // namespace

double BallContact::normalMobility() const {
  return (share[0] * share[0] + share[1] * share[1]) * productOf(axes[0], axes[0]);
}

double BallContact::tangentMobility() const {
  return (share[0] * share[0] + share[1] * share[1]) * productOf(axes[1], axes[1]) +
         (turn[0] * turn[0] + turn[1] * turn[1]) * productOf(axes[2], axes[2]);
}

bool isBallContact(const ContactProblem& problem, const BlockDiagonal& L, const MassFactor& masses,
                   std::span<const int> block_of_column, int contact) {
  if (!problem.J.isOfBalls(contact) || !hasRoundFriction(problem.sets[contact])) return false;
  const std::span<const BlockRows::Strip> strips = problem.J.stripsOf(contact);
  for (const BlockRows::Strip& strip : strips) {
    const int block = block_of_column[strip.first_column];
    if (!masses.isBall(block) || strip.first_column != L.firstRow(block)) return false;
  }
  return strips.front().first_column != strips.back().first_column || strips.size() == 1;
}

BallContact ballContact(const ContactProblem& problem, const MassFactor& masses,
                        std::span<const int> block_of_column, int contact) {
  BallContact out;
  const BallRows balls = problem.J.balls(contact);
  const std::array<double, 3> other = balls.other();
  for (std::size_t k = 0; k < 3; ++k) {
    out.axes[0][k] = balls.normal[k];
    out.axes[1][k] = balls.tangent[k];
    out.axes[2][k] = other[k];
  }
  for (const BlockRows::Strip& strip : problem.J.stripsOf(contact)) {
    const int ball = BlockRows::ballOf(strip), block = block_of_column[strip.first_column];
    const int side = out.count++;
    out.blocks[side] = block;
    out.share[side] = (ball == 0 ? -1 : 1) * masses.share(block);
    out.turn[side] = balls.lever[ball] * masses.turn(block);
  }
  return out;
}

namespace {

template <class Body>
void forPackets(int count, Body body) {
  parallelFor(count, SweepTasks::ball_packets, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) body(at(k));
  });
}

}  // namespace

void AcceleratedBalls::build(const AcceleratedInput& input, std::span<const int> contacts,
                             std::span<const int> slots) {
  setBodies(input, contacts);
  order_.find(bodies_, input.L.blockCount(), SweepOrder::Patches::of_one_point);
  makeRoom();
  forPackets(packetCount(), [&](std::size_t k) { fill(input, contacts, slots, k); });
}

void AcceleratedBalls::setBodies(const AcceleratedInput& input, std::span<const int> contacts) {
  bodies_.resize(contacts.size());
  parallelFor(static_cast<int>(contacts.size()), SweepTasks::contacts, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      std::array<int, 2>& pair = bodies_[k] = {-1, -1};
      std::size_t side = 0;
      for (const BlockRows::Strip& strip : input.problem.J.stripsOf(contacts[k]))
        pair[side++] = input.block_of_column[strip.first_column];
    }
  });
}

// Islands of all sizes follow each other: what is left over stays for the next large one.
void AcceleratedBalls::makeRoom() {
  const std::size_t count = packetCount();
  if (count <= packets_.size()) return;
  packets_.resize(count);
  measures_.resize(count);
  places_.resize(count);
  kept_.resize(count);
}

void AcceleratedBalls::fill(const AcceleratedInput& input, std::span<const int> contacts,
                            std::span<const int> slots, std::size_t packet) {
  const std::span<const int> members = order_.lanes().subspan(packet * kLanes, kLanes);
  Place& place = places_[packet];
  place.lanes = static_cast<int>(std::find(members.begin(), members.end(), -1) - members.begin());
  BallRecordPacket to{};
  PacketMeasure measure{};
  std::fill_n(measure.normal_scale, kLanes, 1.0);
  std::fill_n(measure.tangent_scale, kLanes, 1.0);
  for (int lane = 0; lane < place.lanes; ++lane) {
    const int contact = contacts[members[lane]];
    const BallContact ball = input.ballsAt(contact);
    const double normal = ball.normalMobility(), tangent = ball.tangentMobility();
    const double scale[3] = {std::sqrt(normal), std::sqrt(tangent), std::sqrt(tangent)};
    const double mu = input.problem.sets[contact].mu, slope = mu * scale[1] / scale[0];
    place.rows[lane] = input.problem.J.firstRow(contact);
    for (int row = 0; row < 3; ++row) {
      for (int k = 0; k < 3; ++k) to.axes[row][k][lane] = ball.axes[row][k] / scale[row];
      to.q[row][lane] = input.q[place.rows[lane] + row] / scale[row];
    }
    for (int side = 0; side < ball.count; ++side) {
      to.share[side][lane] = ball.share[side];
      to.turn[side][lane] = ball.turn[side];
      to.slot[side][lane] = slots[ball.blocks[side]];
    }
    to.slope[lane] = slope;
    to.inverse[lane] = 1 / (1 + slope * slope);
    measure.normal_scale[lane] = scale[0];
    measure.tangent_scale[lane] = scale[1];
    measure.mobility[lane] = (normal + 2 * tangent) / 3;
    measure.mu[lane] = mu;
  }
  packets_[packet] = to;
  measures_[packet] = measure;
}

double AcceleratedBalls::mobility() const {
  double most = 0;
  for (const PacketMeasure& measure : std::span(measures_).first(packetCount()))
    most = std::max(most, *std::max_element(measure.mobility, measure.mobility + kLanes));
  return most;
}

void AcceleratedBalls::fromImpulses(std::span<const double> impulses) {
  forPackets(packetCount(), [&](std::size_t i) {
    for (int lane = 0; lane < places_[i].lanes; ++lane) {
      const double* from = impulses.data() + places_[i].rows[lane];
      packets_[i].p[0][lane] = measures_[i].normal_scale[lane] * from[0];
      packets_[i].p[1][lane] = measures_[i].tangent_scale[lane] * from[1];
      packets_[i].p[2][lane] = measures_[i].tangent_scale[lane] * from[2];
    }
  });
}

void AcceleratedBalls::toImpulses(std::span<double> impulses) const {
  forPackets(packetCount(), [&](std::size_t i) {
    for (int lane = 0; lane < places_[i].lanes; ++lane) {
      double* to = impulses.data() + places_[i].rows[lane];
      to[0] = packets_[i].p[0][lane] / measures_[i].normal_scale[lane];
      to[1] = packets_[i].p[1][lane] / measures_[i].tangent_scale[lane];
      to[2] = packets_[i].p[2][lane] / measures_[i].tangent_scale[lane];
    }
  });
}

void AcceleratedBalls::setToZero() {
  forPackets(packetCount(),
             [&](std::size_t k) { std::memset(packets_[k].p, 0, sizeof packets_[k].p); });
}

double AcceleratedBalls::sweep(double momentum, bool coulomb, double* w) {
  sums_.assign(order_.chunks().size(), 0.0);
  order_.forChunks(1, [&](int chunk) {
    const SweepOrder::Range range = order_.chunks()[chunk];
    sums_[chunk] = machineKernels<BallRecordKernels>().sweep(packets_.data() + range.first,
                                                             range.count, momentum, coulomb, w);
  });
  return std::accumulate(sums_.begin(), sums_.end(), 0.0);
}

void AcceleratedBalls::push(double* w, double* w_before) {
  order_.forChunks(1, [&](int chunk) {
    const SweepOrder::Range range = order_.chunks()[chunk];
    machineKernels<BallRecordKernels>().push(packets_.data() + range.first, range.count, w,
                                             w_before);
  });
}

double AcceleratedBalls::violation(bool coulomb, const double* w) {
  sums_.assign(chunkCount(packetCount(), SweepTasks::ball_packets), 0.0);
  parallelFor(packetCount(), SweepTasks::ball_packets, [&](int begin, int end) {
    sums_[begin / SweepTasks::ball_packets] = machineKernels<BallRecordKernels>().violation(
        packets_.data() + begin, measures_.data() + begin, end - begin, coulomb, w);
  });
  return sums_.empty() ? 0 : *std::max_element(sums_.begin(), sums_.end());
}

double AcceleratedBalls::speed(const double* w) const {
  return machineKernels<BallRecordKernels>().speed(packets_.data(), measures_.data(), packetCount(),
                                                   w);
}

double AcceleratedBalls::energy() {
  sums_.assign(chunkCount(packetCount(), SweepTasks::ball_packets), 0.0);
  forPackets(packetCount(), [&](std::size_t k) {
    double& sum = sums_[k / SweepTasks::ball_packets];
    for (int row = 0; row < 3; ++row)
      for (int lane = 0; lane < kLanes; ++lane)
        sum += packets_[k].q[row][lane] * packets_[k].p[row][lane];
  });
  return std::accumulate(sums_.begin(), sums_.end(), 0.0);
}

void AcceleratedBalls::keep() {
  forPackets(packetCount(),
             [&](std::size_t k) { std::memcpy(&kept_[k], packets_[k].p, sizeof(Impulses)); });
}

void AcceleratedBalls::takeBack() {
  forPackets(packetCount(),
             [&](std::size_t k) { std::memcpy(packets_[k].p, &kept_[k], sizeof(Impulses)); });
}

void AcceleratedBalls::forgetLast() {
  forPackets(packetCount(), [&](std::size_t k) {
    std::memcpy(packets_[k].before, packets_[k].p, sizeof(Impulses));
  });
}

}  // namespace stickslip
