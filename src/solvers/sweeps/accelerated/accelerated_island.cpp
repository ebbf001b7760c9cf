#include "solvers/sweeps/accelerated/accelerated_island.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/index.hpp"
#include "base/parallel_for.hpp"
#include "solvers/sweeps/settings.hpp"

namespace stickslip {
namespace {

using Tasks = SweepTasks;
static_assert(Tasks::numbers % RecordKernels::kSlot == 0);

// The speed of a contact that w gives it.
double contactSpeed(const ContactRecord& c, const ContactMeasure& m, std::span<const double> w) {
  double square = 0;
  for (int k = 0; k < 3; ++k) {
    const double* row = c.rows + ContactRecord::kColumns * k;
    double u = 0;
    for (int j = 0; j < 6; ++j)
      for (int side = 0; side < 2; ++side)
        u += row[j < 4 ? 4 * side + j : 4 + 2 * side + j] * w[(side == 0 ? c.a : c.b) + j];
    u *= k == 0 ? m.normal_velocity : m.friction_velocity;
    square += u * u;
  }
  return std::sqrt(square);
}

}  // namespace

void AcceleratedIsland::start(std::span<const double> p, std::span<const double> c) {
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const int row = sources_[i].row[k];
      contacts_[i].p[k] = row >= 0 ? sources_[i].scale[k] * p[row] : 0;
    }
  balls_.fromImpulses(p);
  cones_.fromImpulses(p);
  for (const Joint& joint : joints_) {
    const std::span<double> scaled = cones_.p(joint.cone);
    joint.scaling.fromImpulses(c.subspan(joint.first, scaled.size()), scaled);
  }
  settle();
}

void AcceleratedIsland::startAtZero() {
  balls_.setToZero();
  for (ContactRecord& contact : contacts_) std::fill_n(contact.p, 3, 0.0);
  for (int k = 0; k < cones_.count(); ++k) std::fill(cones_.p(k).begin(), cones_.p(k).end(), 0.0);
  settle();
}

void AcceleratedIsland::toImpulses(std::span<double> p, std::span<double> c) const {
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k)
      if (const int row = sources_[i].row[k]; row >= 0)
        p[row] = contacts_[i].p[k] / sources_[i].scale[k];
  balls_.toImpulses(p);
  cones_.toImpulses(p);
  for (const Joint& joint : joints_) {
    const std::span<const double> scaled = cones_.p(joint.cone);
    joint.scaling.toImpulses(scaled, c.subspan(joint.first, scaled.size()));
  }
}

void AcceleratedIsland::toVelocities(const BlockDiagonal& L, std::span<double> y) const {
  for (const int block : blocks_)
    std::copy_n(w_.begin() + slot_of_block_[block], L.block(block).rows,
                y.begin() + L.firstRow(block));
}

void AcceleratedIsland::extrapolate(double momentum) {
  parallelFor(velocityCount(), Tasks::numbers, [&](int begin, int end) {
    machineKernels<RecordKernels>().extrapolate(w_.data() + begin, w_before_.data() + begin,
                                                end - begin, momentum);
  });
  cones_.extrapolate(momentum);
}

double AcceleratedIsland::sweep(double momentum) {
  extrapolate(momentum);
  const RecordKernels& kernels = machineKernels<RecordKernels>();
  double turn = balls_.sweep(momentum, coulomb_, w_.data());
  for (std::size_t k = 0; k < colours_.colours().size(); ++k) {
    const SweepRange records = colours_.colours()[k].of(SweepClass::record);
    const SweepRange cones = colours_.colours()[k].of(SweepClass::cone);
    const int record_chunks = chunkCount(records.count(), Tasks::records);
    sums_.assign(record_chunks + chunkCount(cones.count(), Tasks::cones), 0.0);
    parallelFor(records.count(), Tasks::records, [&](int begin, int end) {
      sums_[begin / Tasks::records] = kernels.sweep(contacts_.data() + records.first + begin,
                                                    end - begin, momentum, coulomb_, w_.data());
    });
    parallelFor(cones.count(), Tasks::cones, [&](int begin, int end) {
      sums_[record_chunks + begin / Tasks::cones] =
          cones_.sweep(*this, cones.first + begin, cones.first + end, coulomb_);
    });
    for (const double sum : sums_) turn += sum;
  }
  return turn;
}

// Both velocities: an error in their difference would be carried on by momentum, and grow.
void AcceleratedIsland::refresh() {
  const RecordKernels& kernels = machineKernels<RecordKernels>();
  parallelFor(velocityCount(), Tasks::numbers, [&](int begin, int end) {
    std::fill_n(w_.begin() + begin, end - begin, 0.0);
    std::fill_n(w_before_.begin() + begin, end - begin, 0.0);
  });
  balls_.push(w_.data(), w_before_.data());
  for (std::size_t k = 0; k < colours_.colours().size(); ++k) {
    const SweepRange records = colours_.colours()[k].of(SweepClass::record);
    const SweepRange cones = colours_.colours()[k].of(SweepClass::cone);
    parallelFor(records.count(), Tasks::records, [&](int begin, int end) {
      kernels.push(contacts_.data() + records.first + begin, end - begin, w_.data(),
                   w_before_.data());
    });
    for (int cone = cones.first; cone < cones.end; ++cone) {
      cone_rows_.push(cone, cones_.p(cone), w_);
      cone_rows_.push(cone, cones_.before(cone), w_before_);
    }
  }
}

// As if the impulses at hand had been there for ever.
void AcceleratedIsland::settle() {
  for (ContactRecord& contact : contacts_) std::copy_n(contact.p, 3, contact.before);
  balls_.forgetLast();
  cones_.forgetLast();
  refresh();
}

double AcceleratedIsland::recordViolation() {
  const RecordKernels& kernels = machineKernels<RecordKernels>();
  sums_.assign(chunkCount(recordCount(), Tasks::records), 0.0);
  parallelFor(recordCount(), Tasks::records, [&](int begin, int end) {
    sums_[begin / Tasks::records] = kernels.violation(
        contacts_.data() + begin, measures_.data() + begin, end - begin, coulomb_, w_.data());
  });
  return sums_.empty() ? 0 : *std::max_element(sums_.begin(), sums_.end());
}

double AcceleratedIsland::coneViolation(AcceleratedCones::Which which) {
  sums_.assign(chunkCount(cones_.count(), Tasks::cones), 0.0);
  parallelFor(cones_.count(), Tasks::cones, [&](int begin, int end) {
    sums_[begin / Tasks::cones] = cones_.violation(*this, begin, end, which, coulomb_);
  });
  return sums_.empty() ? 0 : *std::max_element(sums_.begin(), sums_.end());
}

void AcceleratedIsland::sweepVelocity(int cone, std::span<double> u) const {
  cone_rows_.velocity(cone, w_, u);
  const std::span<const double> q = cones_.q(cone);
  for (std::size_t k = 0; k < q.size(); ++k) u[k] += q[k];
}

// The part of contacts is relative to what they would do without impulses, or to what joints do to
// them; that of joints to the speed of bodies.
double AcceleratedIsland::residual() {
  using Which = AcceleratedCones::Which;
  const double contacts = std::max(
      {balls_.violation(coulomb_, w_.data()), recordViolation(), coneViolation(Which::contacts)});
  const double joints = joints_.empty() ? 0 : coneViolation(Which::joints);
  const double scale =
      std::max({velocity_scale_, AcceleratedSettings::noise * speed_ * std::sqrt(mobility_),
                joints_.empty() ? 0 : jointPush()});
  return std::max(contacts > 0 ? contacts / scale : 0, joints > 0 ? joints / joint_speed_ : 0);
}

// The largest velocity of a contact that comes from impulses of joints.
double AcceleratedIsland::jointPush() {
  push_.assign(w_.size(), 0.0);
  for (const Joint& joint : joints_) cone_rows_.push(joint.cone, cones_.p(joint.cone), push_);
  double most = balls_.speed(push_.data());
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    most = std::max(most, contactSpeed(contacts_[i], measures_[i], push_));
  std::array<double, kMostRows> u{};
  for (int cone = 0; cone < cones_.count(); ++cone) {
    if (cones_.isJoint(cone)) continue;
    const std::span<double> velocity = std::span(u).first(cones_.rowsOf(cone));
    cone_rows_.velocity(cone, push_, velocity);
    most = std::max(most, cones_.speed(cone, velocity));
  }
  return most;
}

double AcceleratedIsland::energy() {
  double sum = balls_.energy() + cones_.energy();
  for (const ContactRecord& contact : contacts_)
    for (int k = 0; k < 3; ++k) sum += contact.q[k] * contact.p[k];
  sums_.resize(chunkCount(velocityCount(), Tasks::numbers));
  parallelFor(velocityCount(), Tasks::numbers, [&](int begin, int end) {
    double square = 0;
    for (int k = begin; k < end; ++k) square += w_[k] * w_[k];
    sums_[begin / Tasks::numbers] = square;
  });
  for (const double square : sums_) sum += square / 2;
  return sum;
}

void AcceleratedIsland::keep() {
  parallelFor(recordCount(), Tasks::records, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) std::copy_n(contacts_[i].p, 3, kept_.data() + 3 * i);
  });
  balls_.keep();
  cones_.keep();
}

void AcceleratedIsland::takeBack() {
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    std::copy_n(kept_.begin() + static_cast<std::ptrdiff_t>(3 * i), 3, contacts_[i].p);
  balls_.takeBack();
  cones_.takeBack();
  settle();
}

// Building of islands: which colours, records and cones contacts and joints become.

namespace {

constexpr int kSlot = RecordKernels::kSlot;
constexpr int kQuickColumns = PairRows::kColumns;
constexpr int kNoBlock = -1;  ///< of M

int slotSize(int numbers) {
  return (numbers + kSlot - 1) / kSlot * kSlot;
}

// The law of a cone of a contact; `product` gives entries of the contact's block of W.
template <class Product>
ScaledLaw lawOf(const ImpulseSet& set, const ConeLayout& part, Product product) {
  const int rows = set.dimension();
  std::array<double, kMostRows * kMostRows> W{};
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j <= i; ++j) W[i * rows + j] = W[j * rows + i] = product(i, j);
  const ConstMatrixView view{W.data(), rows, rows};
  return scaleLaw(set, part, view, rowLengths(set, [&](int k) { return view(k, k); }));
}

ContactMeasure measureOf(const ScaledLaw& scaled) {
  return {scaled.velocity[0], scaled.impulse[0],         scaled.velocity[1],
          scaled.impulse[1],  scaled.measured.slopes[0], scaled.caution};
}

}  // namespace

void AcceleratedIsland::build(const AcceleratedInput& input, std::span<const int> contacts,
                              std::span<const int> joints, std::span<const int> blocks) {
  coulomb_ = input.problem.law == Law::coulomb;
  velocity_scale_ = input.velocity_scale;
  placeBlocks(input, blocks);
  markBalls(input, contacts);
  of_balls_.clear();
  for (std::size_t k = 0; k < contacts.size(); ++k)
    is_of_balls_[k] != 0 ? of_balls_.push_back(contacts[k]) : listContact(input, contacts[k]);
  for (const int joint : joints) listJoint(input, joint);
  colours_.finish();
  balls_.build(input, of_balls_, slot_of_block_);
  mobility_ = balls_.mobility();
  fillRecords(input);
  cones_.clear();
  cone_rows_.clear();
  joints_.clear();
  for (const SweepUnit& unit : colours_.units(SweepClass::cone))
    unit.joint ? fillJoint(input, unit) : fillItem(input, unit);
  w_before_.resize(w_.size());
  kept_.resize(3 * contacts_.size());
  measureSpeed(input, blocks);
}

void AcceleratedIsland::markBalls(const AcceleratedInput& input, std::span<const int> contacts) {
  is_of_balls_.resize(contacts.size());
  parallelFor(static_cast<int>(contacts.size()), Tasks::records_set_up, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) is_of_balls_[k] = input.isOfBalls(contacts[k]);
  });
}

void AcceleratedIsland::placeBlocks(const AcceleratedInput& input, std::span<const int> blocks) {
  slot_of_block_.resize(input.L.blockCount());
  blocks_.assign(blocks.begin(), blocks.end());
  small_blocks_ = true;
  // The first slot is kNoSlot.
  int next = kSlot;
  for (const int block : blocks) {
    small_blocks_ = small_blocks_ && input.L.block(block).rows <= kQuickColumns;
    slot_of_block_[block] = next;
    next += slotSize(input.L.block(block).rows);
  }
  w_.resize(next);
  colours_.start(next / kSlot);
}

// Blocks of a group; each is known to the colours by the number of its slot.
void AcceleratedIsland::touch(const AcceleratedInput& input, const BlockRows& rows, int group) {
  touched_.clear();
  for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
    const int end = strip.first_column + strip.columns;
    for (int column = strip.first_column; column < end;) {
      const int block = input.block_of_column[column];
      const int number = slot_of_block_[block] / kSlot;
      if (touched_.empty() || touched_.back() != number) touched_.push_back(number);
      column = input.L.firstRow(block) + input.L.block(block).rows;
    }
  }
}

bool AcceleratedIsland::fitsRecord(const SetLayout& layout) const {
  const Cone& cone = layout.parts[0].cone;
  return layout.count == 1 && cone.kind == Cone::Kind::lorentz && cone.rows <= 3 &&
         touched_.size() <= 2 && small_blocks_;
}

void AcceleratedIsland::listContact(const AcceleratedInput& input, int contact) {
  touch(input, input.problem.J, contact);
  const SetLayout layout = layoutOf(input.problem.sets[contact]);
  const SweepClass by = fitsRecord(layout) ? SweepClass::record : SweepClass::cone;
  for (int part = 0; part < layout.count; ++part)
    colours_.add({contact, part, false, by}, touched_);
}

void AcceleratedIsland::listJoint(const AcceleratedInput& input, int joint) {
  touch(input, input.problem.G, joint);
  for (int first = 0; first < input.problem.G.rowsOf(joint); first += kMostRows)
    colours_.add({joint, first, true, SweepClass::cone}, touched_);
}

void AcceleratedIsland::fillRecords(const AcceleratedInput& input) {
  const std::size_t count = colours_.units(SweepClass::record).size();
  contacts_.resize(count);
  measures_.resize(count);
  sources_.resize(count);
  parallelFor(static_cast<int>(count), Tasks::records_set_up, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) fillRecord(input, at(k));
  });
  for (const ContactMeasure& m : measures_)
    mobility_ = std::max(mobility_, m.normal_velocity * m.normal_impulse);
}

void AcceleratedIsland::fillRecord(const AcceleratedInput& input, std::size_t place) {
  const int contact = colours_.units(SweepClass::record)[place].group;
  const ImpulseSet& set = input.problem.sets[contact];
  const ConeLayout part = layoutOf(set).parts[0];
  const PairRows pair(input.L, input.inverse_L, input.problem.J, contact, input.block_of_column);
  const ScaledLaw scaled = lawOf(set, part, [&](int i, int j) { return pair.product(i, j); });
  ContactRecord record{};
  Source source;
  for (int k = 0; k < part.cone.rows; ++k) {
    const std::array<double, 2 * kQuickColumns>& row = pair.rows[part.kept[k]];
    const double factor = 1 / scaled.scale[k];
    double* to = record.rows + ContactRecord::kColumns * k;
    for (int side = 0; side < 2; ++side)
      for (int j = 0; j < kQuickColumns; ++j)
        to[j < 4 ? 4 * side + j : 4 + 2 * side + j] = factor * row[kQuickColumns * side + j];
    source.row[k] = input.problem.J.firstRow(contact) + part.kept[k];
    source.scale[k] = scaled.scale[k];
    record.q[k] = factor * input.q[source.row[k]];
  }
  record.slope = scaled.law.slopes[0];
  record.a = slot_of_block_[pair.blocks[0]];
  record.b = pair.count > 1 ? slot_of_block_[pair.blocks[1]] : record.a;
  contacts_[place] = record;
  measures_[place] = measureOf(scaled);
  sources_[place] = source;
}

void AcceleratedIsland::fillItem(const AcceleratedInput& input, const SweepUnit& unit) {
  const ImpulseSet& set = input.problem.sets[unit.group];
  const ConeLayout part = layoutOf(set).parts[unit.part];
  rows_.clear();
  rows_.add(input.L, input.problem.J, unit.group);
  const ScaledLaw scaled = lawOf(set, part, [&](int i, int j) { return rows_.product(0, i, j); });
  std::array<int, kMostRows> source{};
  std::array<double, kMostRows> q{};
  for (int k = 0; k < part.cone.rows; ++k) {
    source[k] = input.problem.J.firstRow(unit.group) + part.kept[k];
    q[k] = input.q[source[k]];
    rows_.divideRow(part.kept[k], scaled.scale[k]);
  }
  cones_.add(scaled, std::span(source).first(part.rows().size()), q);
  mobility_ = std::max(mobility_, scaled.velocity[0] * scaled.impulse[0]);
  addStrips(part.rows());
}

// The rows named, of those that are loaded, become those of the next cone.
void AcceleratedIsland::addStrips(std::span<const int> kept) {
  cone_rows_.add(rows_, kept);
  cone_rows_.place([&](int block) { return std::pair(block, slot_of_block_[block]); });
}

// R^-1 times the rows of the joint, and beside them R^-1 sqrt(C).
void AcceleratedIsland::fillJoint(const AcceleratedInput& input, const SweepUnit& unit) {
  const BlockRows& G = input.problem.G;
  const int first = G.firstRow(unit.group) + unit.part;
  const std::size_t count = std::min(kMostRows, G.rowsOf(unit.group) - unit.part);
  const std::span<const double> compliance =
      std::span(input.problem.compliance).subspan(first, count);
  std::array<int, kMostRows> rows{};
  std::iota(rows.begin(), rows.end(), unit.part);
  rows_.clear();
  rows_.add(input.L, G, unit.group, std::span(rows).first(count));
  JointScaling::Block W{};
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j)
      W[kMostRows * i + j] = rows_.product(0, static_cast<int>(i), static_cast<int>(j));
    W[kMostRows * i + i] += compliance[i];
  }
  const JointScaling scaling(static_cast<int>(count), W);
  std::array<double, kMostRows> q{};
  std::copy_n(input.joint_q.begin() + first, count, q.begin());
  scaling.toScaled(std::span(q).first(count));
  rows_.scale(scaling);
  constexpr std::array<int, kMostRows> kAll{0, 1, 2, 3, 4, 5};
  joints_.push_back({cones_.count(), first, scaling});
  cones_.addJoint(std::span(q).first(count));
  addStrips(std::span(kAll).first(count));
  addCompliance(scaling, compliance);
}

// A body that the last cone alone touches, whose mass matrix is the identity.
void AcceleratedIsland::addCompliance(const JointScaling& scaling,
                                      std::span<const double> compliance) {
  if (std::all_of(compliance.begin(), compliance.end(), [](double c) { return c == 0; })) return;
  const std::size_t count = compliance.size();
  double* to = cone_rows_.addStrip(kNoBlock, velocityCount(), static_cast<int>(count)).data;
  w_.resize(w_.size() + kSlot);
  std::array<double, kMostRows> column{};
  for (std::size_t j = 0; j < count; ++j) {
    column.fill(0);
    column[j] = std::sqrt(compliance[j]);
    scaling.toScaled(std::span(column).first(count));
    for (std::size_t i = 0; i < count; ++i) to[count * i + j] = column[i];
  }
}

void AcceleratedIsland::measureSpeed(const AcceleratedInput& input, std::span<const int> blocks) {
  speed_ = 0;
  for (const int block : blocks) {
    double square = 0;
    for (int k = 0; k < input.L.block(block).rows; ++k) {
      const double y = input.y_free[input.L.firstRow(block) + k];
      square += y * y;
    }
    speed_ = std::max(speed_, std::sqrt(square));
  }
  joint_speed_ = speed_;
  for (const Joint& joint : joints_)
    for (const double q : cones_.q(joint.cone)) joint_speed_ = std::max(joint_speed_, std::abs(q));
}

}  // namespace stickslip
