#include "solvers/gradient_balls.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "math/index.hpp"
#include "parallel/parallel_for.hpp"

namespace stickslip {
namespace {

// Packets of a chunk: some microseconds of work.
constexpr int kPackets = 32;
constexpr int kContacts = 1024;

template <class Body>
void forPackets(int count, Body body) {
  parallelFor(count, kPackets, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) body(at(k));
  });
}

}  // namespace

void GradientBalls::build(const GradientInput& input, std::span<const int> contacts,
                          std::span<const int> slots) {
  setBodies(input, contacts);
  order_.find(bodies_, input.L.blockCount(), SweepOrder::Patches::of_one_point);
  makeRoom();
  forPackets(packetCount(), [&](std::size_t k) { fill(input, contacts, slots, k); });
}

void GradientBalls::setBodies(const GradientInput& input, std::span<const int> contacts) {
  bodies_.resize(contacts.size());
  parallelFor(static_cast<int>(contacts.size()), kContacts, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      std::array<int, 2>& pair = bodies_[at(k)] = {-1, -1};
      std::size_t side = 0;
      for (const BlockRows::Strip& strip : input.problem.J.stripsOf(contacts[at(k)]))
        pair[side++] = input.block_of_column[at(strip.first_column)];
    }
  });
}

// Islands of all sizes follow each other: what is left over stays for the next large one.
void GradientBalls::makeRoom() {
  const std::size_t count = at(packetCount());
  if (count <= packets_.size()) return;
  packets_.resize(count);
  measures_.resize(count);
  places_.resize(count);
  kept_.resize(count);
}

void GradientBalls::fill(const GradientInput& input, std::span<const int> contacts,
                         std::span<const int> slots, std::size_t packet) {
  const std::span<const int> members = order_.lanes().subspan(packet * kLanes, kLanes);
  Place& place = places_[packet];
  place.lanes = static_cast<int>(std::find(members.begin(), members.end(), -1) - members.begin());
  GradientPacket to{};
  PacketMeasure measure{};
  std::fill_n(measure.normal_scale, kLanes, 1.0);
  std::fill_n(measure.tangent_scale, kLanes, 1.0);
  for (int lane = 0; lane < place.lanes; ++lane) {
    const int contact = contacts[at(members[at(lane)])];
    const BallContact ball = input.ballsAt(contact);
    const double normal = ball.normalMobility(), tangent = ball.tangentMobility();
    const double scale[3] = {std::sqrt(normal), std::sqrt(tangent), std::sqrt(tangent)};
    const double mu = input.problem.sets[at(contact)].mu, slope = mu * scale[1] / scale[0];
    place.rows[at(lane)] = input.problem.J.firstRow(contact);
    for (int row = 0; row < 3; ++row) {
      for (int k = 0; k < 3; ++k) to.axes[row][k][lane] = ball.axes[row][k] / scale[row];
      to.q[row][lane] = input.q[at(place.rows[at(lane)] + row)] / scale[row];
    }
    for (int side = 0; side < ball.count; ++side) {
      to.share[side][lane] = ball.share[side];
      to.turn[side][lane] = ball.turn[side];
      to.slot[side][lane] = slots[at(ball.blocks[at(side)])];
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

double GradientBalls::mobility() const {
  double most = 0;
  for (const PacketMeasure& measure : std::span(measures_).first(at(packetCount())))
    most = std::max(most, *std::max_element(measure.mobility, measure.mobility + kLanes));
  return most;
}

void GradientBalls::fromImpulses(std::span<const double> impulses) {
  forPackets(packetCount(), [&](std::size_t i) {
    for (int lane = 0; lane < places_[i].lanes; ++lane) {
      const double* from = impulses.data() + places_[i].rows[at(lane)];
      packets_[i].p[0][lane] = measures_[i].normal_scale[lane] * from[0];
      packets_[i].p[1][lane] = measures_[i].tangent_scale[lane] * from[1];
      packets_[i].p[2][lane] = measures_[i].tangent_scale[lane] * from[2];
    }
  });
}

void GradientBalls::toImpulses(std::span<double> impulses) const {
  forPackets(packetCount(), [&](std::size_t i) {
    for (int lane = 0; lane < places_[i].lanes; ++lane) {
      double* to = impulses.data() + places_[i].rows[at(lane)];
      to[0] = packets_[i].p[0][lane] / measures_[i].normal_scale[lane];
      to[1] = packets_[i].p[1][lane] / measures_[i].tangent_scale[lane];
      to[2] = packets_[i].p[2][lane] / measures_[i].tangent_scale[lane];
    }
  });
}

void GradientBalls::setToZero() {
  forPackets(packetCount(),
             [&](std::size_t k) { std::memset(packets_[k].p, 0, sizeof packets_[k].p); });
}

double GradientBalls::sweep(double momentum, bool coulomb, double* w) {
  sums_.assign(order_.chunks().size(), 0.0);
  order_.forChunks(1, [&](int chunk) {
    const SweepOrder::Range range = order_.chunks()[at(chunk)];
    sums_[at(chunk)] = gradientBallKernels().sweep(packets_.data() + range.first, range.count,
                                                   momentum, coulomb, w);
  });
  return std::accumulate(sums_.begin(), sums_.end(), 0.0);
}

void GradientBalls::push(double* w, double* w_before) {
  order_.forChunks(1, [&](int chunk) {
    const SweepOrder::Range range = order_.chunks()[at(chunk)];
    gradientBallKernels().push(packets_.data() + range.first, range.count, w, w_before);
  });
}

double GradientBalls::violation(bool coulomb, const double* w) {
  sums_.assign(at(chunkCount(packetCount(), kPackets)), 0.0);
  parallelFor(packetCount(), kPackets, [&](int begin, int end) {
    sums_[at(begin / kPackets)] = gradientBallKernels().violation(
        packets_.data() + begin, measures_.data() + begin, end - begin, coulomb, w);
  });
  return sums_.empty() ? 0 : *std::max_element(sums_.begin(), sums_.end());
}

double GradientBalls::speed(const double* w) const {
  return gradientBallKernels().speed(packets_.data(), measures_.data(), packetCount(), w);
}

double GradientBalls::energy() {
  sums_.assign(at(chunkCount(packetCount(), kPackets)), 0.0);
  forPackets(packetCount(), [&](std::size_t k) {
    double& sum = sums_[k / kPackets];
    for (int row = 0; row < 3; ++row)
      for (int lane = 0; lane < kLanes; ++lane)
        sum += packets_[k].q[row][lane] * packets_[k].p[row][lane];
  });
  return std::accumulate(sums_.begin(), sums_.end(), 0.0);
}

void GradientBalls::keep() {
  forPackets(packetCount(),
             [&](std::size_t k) { std::memcpy(&kept_[k], packets_[k].p, sizeof(Impulses)); });
}

void GradientBalls::takeBack() {
  forPackets(packetCount(),
             [&](std::size_t k) { std::memcpy(packets_[k].p, &kept_[k], sizeof(Impulses)); });
}

void GradientBalls::forgetLast() {
  forPackets(packetCount(), [&](std::size_t k) {
    std::memcpy(packets_[k].before, packets_[k].p, sizeof(Impulses));
  });
}

}  // namespace stickslip
