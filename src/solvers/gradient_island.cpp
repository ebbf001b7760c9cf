#include "solvers/gradient_island.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/index.hpp"
#include "parallel/parallel_for.hpp"

namespace stickslip {
namespace {

// Records of a chunk: some microseconds of work.
constexpr int kRecords = 128;
constexpr int kItems = 32;
constexpr int kNumbers = 4096;
static_assert(kNumbers % GradientKernels::kSlot == 0);
// What is below this part of the velocities at hand is rounding to the certificate.
constexpr double kNoise = 1e-6;

// The speed of a contact that w gives it.
double contactSpeed(const GradientContact& c, const ContactMeasure& m, std::span<const double> w) {
  double square = 0;
  for (int k = 0; k < 3; ++k) {
    const double* row = c.rows + GradientContact::kColumns * k;
    double u = 0;
    for (int j = 0; j < 6; ++j)
      for (int side = 0; side < 2; ++side)
        u += row[j < 4 ? 4 * side + j : 4 + 2 * side + j] * w[at((side == 0 ? c.a : c.b) + j)];
    u *= k == 0 ? m.normal_velocity : m.friction_velocity;
    square += u * u;
  }
  return std::sqrt(square);
}

}  // namespace

void GradientIsland::start(std::span<const double> p, std::span<const double> c) {
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const int row = sources_[i].row[k];
      contacts_[i].p[k] = row >= 0 ? sources_[i].scale[k] * p[at(row)] : 0;
    }
  balls_.fromImpulses(p);
  items_.fromImpulses(p);
  for (const Joint& joint : joints_) {
    const std::span<double> scaled = items_.p(joint.item);
    joint.scaling.fromImpulses(c.subspan(at(joint.first), scaled.size()), scaled);
  }
  settle();
}

void GradientIsland::startAtZero() {
  balls_.setToZero();
  for (GradientContact& contact : contacts_) std::fill_n(contact.p, 3, 0.0);
  for (int k = 0; k < items_.count(); ++k) std::fill(items_.p(k).begin(), items_.p(k).end(), 0.0);
  settle();
}

void GradientIsland::toImpulses(std::span<double> p, std::span<double> c) const {
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k)
      if (const int row = sources_[i].row[k]; row >= 0)
        p[at(row)] = contacts_[i].p[k] / sources_[i].scale[k];
  balls_.toImpulses(p);
  items_.toImpulses(p);
  for (const Joint& joint : joints_) {
    const std::span<const double> scaled = items_.p(joint.item);
    joint.scaling.toImpulses(scaled, c.subspan(at(joint.first), scaled.size()));
  }
}

void GradientIsland::toVelocities(const BlockDiagonal& L, std::span<double> y) const {
  for (const int block : blocks_)
    std::copy_n(w_.begin() + slot_of_block_[at(block)], L.block(block).rows,
                y.begin() + L.firstRow(block));
}

void GradientIsland::extrapolate(double momentum) {
  parallelFor(velocityCount(), kNumbers, [&](int begin, int end) {
    gradientKernels().extrapolate(w_.data() + begin, w_before_.data() + begin, end - begin,
                                  momentum);
  });
  items_.extrapolate(momentum);
}

double GradientIsland::sweepItems(int first, int end) {
  std::array<double, kMostRows> u{}, change{};
  double turn = 0;
  for (int item = first; item < end; ++item) {
    const std::size_t rows = at(items_.rowsOf(item));
    const std::span<double> velocity = std::span(u).first(rows);
    const std::span<double> step = std::span(change).first(rows);
    itemVelocity(item, velocity);
    turn += items_.step(item, coulomb_, velocity, step);
    item_rows_.push(item, step, w_);
  }
  return turn;
}

double GradientIsland::sweep(double momentum) {
  extrapolate(momentum);
  const GradientKernels& kernels = gradientKernels();
  double turn = balls_.sweep(momentum, coulomb_, w_.data());
  for (std::size_t k = 0; k < colours_.colours().size(); ++k) {
    const SweepRange records = colours_.colours()[k].of(SweepClass::record);
    const SweepRange items = colours_.colours()[k].of(SweepClass::item);
    const int record_chunks = chunkCount(records.count(), kRecords);
    sums_.assign(at(record_chunks + chunkCount(items.count(), kItems)), 0.0);
    parallelFor(records.count(), kRecords, [&](int begin, int end) {
      sums_[at(begin / kRecords)] = kernels.sweep(contacts_.data() + records.first + begin,
                                                  end - begin, momentum, coulomb_, w_.data());
    });
    parallelFor(items.count(), kItems, [&](int begin, int end) {
      sums_[at(record_chunks + begin / kItems)] =
          sweepItems(items.first + begin, items.first + end);
    });
    for (const double sum : sums_) turn += sum;
  }
  return turn;
}

// Both velocities: an error in their difference would be carried on by momentum, and grow.
void GradientIsland::refresh() {
  const GradientKernels& kernels = gradientKernels();
  parallelFor(velocityCount(), kNumbers, [&](int begin, int end) {
    std::fill_n(w_.begin() + begin, end - begin, 0.0);
    std::fill_n(w_before_.begin() + begin, end - begin, 0.0);
  });
  balls_.push(w_.data(), w_before_.data());
  for (std::size_t k = 0; k < colours_.colours().size(); ++k) {
    const SweepRange records = colours_.colours()[k].of(SweepClass::record);
    const SweepRange items = colours_.colours()[k].of(SweepClass::item);
    parallelFor(records.count(), kRecords, [&](int begin, int end) {
      kernels.push(contacts_.data() + records.first + begin, end - begin, w_.data(),
                   w_before_.data());
    });
    for (int item = items.first; item < items.end; ++item) {
      item_rows_.push(item, items_.p(item), w_);
      item_rows_.push(item, items_.before(item), w_before_);
    }
  }
}

// As if the impulses at hand had been there for ever.
void GradientIsland::settle() {
  for (GradientContact& contact : contacts_) std::copy_n(contact.p, 3, contact.before);
  balls_.forgetLast();
  items_.forgetLast();
  refresh();
}

double GradientIsland::recordViolation() {
  const GradientKernels& kernels = gradientKernels();
  sums_.assign(at(chunkCount(recordCount(), kRecords)), 0.0);
  parallelFor(recordCount(), kRecords, [&](int begin, int end) {
    sums_[at(begin / kRecords)] = kernels.violation(
        contacts_.data() + begin, measures_.data() + begin, end - begin, coulomb_, w_.data());
  });
  return sums_.empty() ? 0 : *std::max_element(sums_.begin(), sums_.end());
}

// Of contacts or of joints.
double GradientIsland::itemViolation(bool joints) {
  sums_.assign(at(chunkCount(items_.count(), kItems)), 0.0);
  parallelFor(items_.count(), kItems, [&](int begin, int end) {
    std::array<double, kMostRows> u{};
    double worst = 0;
    for (int item = begin; item < end; ++item) {
      if (items_.isJoint(item) != joints) continue;
      const std::span<double> velocity = std::span(u).first(at(items_.rowsOf(item)));
      itemVelocity(item, velocity);
      const double violation = items_.violation(item, coulomb_, velocity);
      worst = std::isfinite(violation) ? std::max(worst, violation)
                                       : std::numeric_limits<double>::infinity();
    }
    sums_[at(begin / kItems)] = worst;
  });
  return sums_.empty() ? 0 : *std::max_element(sums_.begin(), sums_.end());
}

void GradientIsland::itemVelocity(int item, std::span<double> u) const {
  item_rows_.velocity(item, w_, u);
  const std::span<const double> q = items_.q(item);
  for (std::size_t k = 0; k < q.size(); ++k) u[k] += q[k];
}

// The part of contacts is relative to what they would do without impulses, or to what joints do to
// them; that of joints to the speed of bodies.
double GradientIsland::residual() {
  const double contacts =
      std::max({balls_.violation(coulomb_, w_.data()), recordViolation(), itemViolation(false)});
  const double joints = joints_.empty() ? 0 : itemViolation(true);
  const double scale = std::max(
      {velocity_scale_, kNoise * speed_ * std::sqrt(mobility_), joints_.empty() ? 0 : jointPush()});
  return std::max(contacts > 0 ? contacts / scale : 0, joints > 0 ? joints / joint_speed_ : 0);
}

// The largest velocity of a contact that comes from impulses of joints.
double GradientIsland::jointPush() {
  push_.assign(w_.size(), 0.0);
  for (const Joint& joint : joints_) item_rows_.push(joint.item, items_.p(joint.item), push_);
  double most = balls_.speed(push_.data());
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    most = std::max(most, contactSpeed(contacts_[i], measures_[i], push_));
  std::array<double, kMostRows> u{};
  for (int item = 0; item < items_.count(); ++item) {
    if (items_.isJoint(item)) continue;
    const std::span<double> velocity = std::span(u).first(at(items_.rowsOf(item)));
    item_rows_.velocity(item, push_, velocity);
    most = std::max(most, items_.speed(item, velocity));
  }
  return most;
}

double GradientIsland::energy() {
  double sum = balls_.energy() + items_.energy();
  for (const GradientContact& contact : contacts_)
    for (int k = 0; k < 3; ++k) sum += contact.q[k] * contact.p[k];
  sums_.resize(at(chunkCount(velocityCount(), kNumbers)));
  parallelFor(velocityCount(), kNumbers, [&](int begin, int end) {
    double square = 0;
    for (int k = begin; k < end; ++k) square += w_[at(k)] * w_[at(k)];
    sums_[at(begin / kNumbers)] = square;
  });
  for (const double square : sums_) sum += square / 2;
  return sum;
}

void GradientIsland::keep() {
  parallelFor(recordCount(), kRecords, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) std::copy_n(contacts_[at(i)].p, 3, kept_.data() + 3 * i);
  });
  balls_.keep();
  items_.keep();
}

void GradientIsland::takeBack() {
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    std::copy_n(kept_.begin() + static_cast<std::ptrdiff_t>(3 * i), 3, contacts_[i].p);
  balls_.takeBack();
  items_.takeBack();
  settle();
}

}  // namespace stickslip
