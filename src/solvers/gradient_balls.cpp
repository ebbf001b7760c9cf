#include "solvers/gradient_balls.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "math/index.hpp"
#include "parallel/parallel_for.hpp"

namespace stickslip {
namespace {

// Packets of a chunk: some microseconds of work.
constexpr int kPackets = 32;

template <class Body>
void forPackets(std::size_t count, Body body) {
  parallelFor(static_cast<int>(count), kPackets, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) body(at(k));
  });
}

}  // namespace

void GradientBalls::build(const GradientInput& input, const SweepColours& colours,
                          std::span<const int> slots) {
  const std::span<const SweepUnit> units = colours.units(SweepClass::balls);
  count_ = static_cast<int>(units.size());
  places_.clear();
  first_packet_.clear();
  for (const SweepColour& colour : colours.colours()) {
    first_packet_.push_back(static_cast<int>(places_.size()));
    const SweepRange range = colour.of(SweepClass::balls);
    for (int unit = range.first; unit < range.end; unit += kLanes)
      places_.push_back({unit, std::min(kLanes, range.end - unit), {}});
  }
  first_packet_.push_back(static_cast<int>(places_.size()));
  packets_.resize(places_.size());
  measures_.resize(places_.size());
  kept_.resize(places_.size());
  forPackets(packets_.size(), [&](std::size_t k) { fill(input, units, slots, k); });
}

void GradientBalls::fill(const GradientInput& input, std::span<const SweepUnit> units,
                         std::span<const int> slots, std::size_t packet) {
  Place& place = places_[packet];
  GradientPacket to{};
  PacketMeasure measure{};
  std::fill_n(measure.normal_scale, kLanes, 1.0);
  std::fill_n(measure.tangent_scale, kLanes, 1.0);
  for (int lane = 0; lane < place.lanes; ++lane) {
    const int contact = units[at(place.first_unit + lane)].group;
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
  for (const PacketMeasure& measure : measures_)
    most = std::max(most, *std::max_element(measure.mobility, measure.mobility + kLanes));
  return most;
}

void GradientBalls::fromImpulses(std::span<const double> impulses) {
  forPackets(packets_.size(), [&](std::size_t i) {
    for (int lane = 0; lane < places_[i].lanes; ++lane) {
      const double* from = impulses.data() + places_[i].rows[at(lane)];
      packets_[i].p[0][lane] = measures_[i].normal_scale[lane] * from[0];
      packets_[i].p[1][lane] = measures_[i].tangent_scale[lane] * from[1];
      packets_[i].p[2][lane] = measures_[i].tangent_scale[lane] * from[2];
    }
  });
}

void GradientBalls::toImpulses(std::span<double> impulses) const {
  forPackets(packets_.size(), [&](std::size_t i) {
    for (int lane = 0; lane < places_[i].lanes; ++lane) {
      double* to = impulses.data() + places_[i].rows[at(lane)];
      to[0] = packets_[i].p[0][lane] / measures_[i].normal_scale[lane];
      to[1] = packets_[i].p[1][lane] / measures_[i].tangent_scale[lane];
      to[2] = packets_[i].p[2][lane] / measures_[i].tangent_scale[lane];
    }
  });
}

void GradientBalls::setToZero() {
  for (GradientPacket& packet : packets_) std::memset(packet.p, 0, sizeof packet.p);
}

double GradientBalls::sweep(std::size_t colour, double momentum, bool coulomb, double* w) {
  const int first = first_packet_[colour], count = first_packet_[colour + 1] - first;
  sums_.assign(at(chunkCount(count, kPackets)), 0.0);
  parallelFor(count, kPackets, [&](int begin, int end) {
    sums_[at(begin / kPackets)] = gradientBallKernels().sweep(packets_.data() + first + begin,
                                                              end - begin, momentum, coulomb, w);
  });
  double turn = 0;
  for (const double sum : sums_) turn += sum;
  return turn;
}

void GradientBalls::push(std::size_t colour, double* w, double* w_before) const {
  const int first = first_packet_[colour];
  parallelFor(first_packet_[colour + 1] - first, kPackets, [&](int begin, int end) {
    gradientBallKernels().push(packets_.data() + first + begin, end - begin, w, w_before);
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

double GradientBalls::energy() const {
  double sum = 0;
  for (const GradientPacket& packet : packets_)
    for (int row = 0; row < 3; ++row)
      for (int lane = 0; lane < kLanes; ++lane) sum += packet.q[row][lane] * packet.p[row][lane];
  return sum;
}

void GradientBalls::keep() {
  forPackets(packets_.size(),
             [&](std::size_t k) { std::memcpy(&kept_[k], packets_[k].p, sizeof(Impulses)); });
}

void GradientBalls::takeBack() {
  forPackets(packets_.size(),
             [&](std::size_t k) { std::memcpy(packets_[k].p, &kept_[k], sizeof(Impulses)); });
}

void GradientBalls::forgetLast() {
  forPackets(packets_.size(), [&](std::size_t k) {
    std::memcpy(packets_[k].before, packets_[k].p, sizeof(Impulses));
  });
}

}  // namespace stickslip
