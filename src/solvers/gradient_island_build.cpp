// Building of islands: which colours, records and items contacts and joints become.
#include <algorithm>
#include <cmath>

#include "math/index.hpp"
#include "parallel/parallel_for.hpp"
#include "solvers/gradient_island.hpp"
#include "solvers/pair_rows.hpp"

namespace stickslip {
namespace {

constexpr int kSlot = GradientKernels::kSlot;
constexpr int kQuickColumns = PairRows::kColumns;
constexpr int kSetUpRecords = 64;

int slotSize(int numbers) {
  return (numbers + kSlot - 1) / kSlot * kSlot;
}

// The law of an item of a contact; `product` gives entries of the contact's block of W.
template <class Product>
ScaledLaw lawOf(const ImpulseSet& set, const ItemLayout& part, Product product) {
  const int rows = set.dimension();
  std::array<double, kMostRows * kMostRows> W{};
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j <= i; ++j) W[at(i * rows + j)] = W[at(j * rows + i)] = product(i, j);
  const ConstMatrixView view{W.data(), rows, rows};
  return scaleLaw(set, part, view, rowLengths(set, [&](int k) { return view(k, k); }));
}

ContactMeasure measureOf(const ScaledLaw& scaled) {
  return {scaled.velocity[0], scaled.impulse[0],         scaled.velocity[1],
          scaled.impulse[1],  scaled.measured.slopes[0], scaled.caution};
}

}  // namespace

void GradientIsland::build(const GradientInput& input, std::span<const int> contacts,
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
  items_.clear();
  item_rows_.clear();
  joints_.clear();
  for (const SweepUnit& unit : colours_.units(SweepClass::item))
    unit.joint ? fillJoint(input, unit) : fillItem(input, unit);
  w_before_.resize(w_.size());
  kept_.resize(3 * contacts_.size());
  measureSpeed(input, blocks);
}

void GradientIsland::markBalls(const GradientInput& input, std::span<const int> contacts) {
  is_of_balls_.resize(contacts.size());
  parallelFor(static_cast<int>(contacts.size()), kSetUpRecords, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) is_of_balls_[at(k)] = input.isOfBalls(contacts[at(k)]);
  });
}

void GradientIsland::placeBlocks(const GradientInput& input, std::span<const int> blocks) {
  slot_of_block_.resize(at(input.L.blockCount()));
  blocks_.assign(blocks.begin(), blocks.end());
  small_blocks_ = true;
  // The first slot is kNoSlot.
  int next = kSlot;
  for (const int block : blocks) {
    small_blocks_ = small_blocks_ && input.L.block(block).rows <= kQuickColumns;
    slot_of_block_[at(block)] = next;
    next += slotSize(input.L.block(block).rows);
  }
  w_.resize(at(next));
  colours_.start(next / kSlot);
}

// Blocks of a group; each is known to the colours by the number of its slot.
void GradientIsland::touch(const GradientInput& input, const BlockRows& rows, int group) {
  touched_.clear();
  for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
    const int end = strip.first_column + strip.columns;
    for (int column = strip.first_column; column < end;) {
      const int block = input.block_of_column[at(column)];
      const int number = slot_of_block_[at(block)] / kSlot;
      if (touched_.empty() || touched_.back() != number) touched_.push_back(number);
      column = input.L.firstRow(block) + input.L.block(block).rows;
    }
  }
}

bool GradientIsland::fitsRecord(const SetLayout& layout) const {
  const ContactItem& item = layout.parts[0].item;
  return layout.count == 1 && item.kind == ContactItem::Kind::cone && item.rows <= 3 &&
         touched_.size() <= 2 && small_blocks_;
}

void GradientIsland::listContact(const GradientInput& input, int contact) {
  touch(input, input.problem.J, contact);
  const SetLayout layout = layoutOf(input.problem.sets[at(contact)]);
  const SweepClass by = fitsRecord(layout) ? SweepClass::record : SweepClass::item;
  for (int part = 0; part < layout.count; ++part)
    colours_.add({contact, part, false, by}, touched_);
}

void GradientIsland::listJoint(const GradientInput& input, int joint) {
  touch(input, input.problem.G, joint);
  for (int first = 0; first < input.problem.G.rowsOf(joint); first += kMostRows)
    colours_.add({joint, first, true, SweepClass::item}, touched_);
}

void GradientIsland::fillRecords(const GradientInput& input) {
  const std::size_t count = colours_.units(SweepClass::record).size();
  contacts_.resize(count);
  measures_.resize(count);
  sources_.resize(count);
  parallelFor(static_cast<int>(count), kSetUpRecords, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) fillRecord(input, at(k));
  });
  for (const ContactMeasure& m : measures_)
    mobility_ = std::max(mobility_, m.normal_velocity * m.normal_impulse);
}

void GradientIsland::fillRecord(const GradientInput& input, std::size_t place) {
  const int contact = colours_.units(SweepClass::record)[place].group;
  const ImpulseSet& set = input.problem.sets[at(contact)];
  const ItemLayout part = layoutOf(set).parts[0];
  const PairRows pair(input.L, input.inverse_L, input.problem.J, contact, input.block_of_column);
  const ScaledLaw scaled = lawOf(set, part, [&](int i, int j) { return pair.product(i, j); });
  GradientContact record{};
  Source source;
  for (int k = 0; k < part.item.rows; ++k) {
    const std::array<double, 2 * kQuickColumns>& row = pair.rows[at(part.kept[at(k)])];
    const double factor = 1 / scaled.scale[at(k)];
    double* to = record.rows + GradientContact::kColumns * k;
    for (int side = 0; side < 2; ++side)
      for (int j = 0; j < kQuickColumns; ++j)
        to[j < 4 ? 4 * side + j : 4 + 2 * side + j] = factor * row[at(kQuickColumns * side + j)];
    source.row[k] = input.problem.J.firstRow(contact) + part.kept[at(k)];
    source.scale[k] = scaled.scale[at(k)];
    record.q[k] = factor * input.q[at(source.row[k])];
  }
  record.slope = scaled.law.slopes[0];
  record.a = slot_of_block_[at(pair.blocks[0])];
  record.b = pair.count > 1 ? slot_of_block_[at(pair.blocks[1])] : record.a;
  contacts_[place] = record;
  measures_[place] = measureOf(scaled);
  sources_[place] = source;
}

void GradientIsland::fillItem(const GradientInput& input, const SweepUnit& unit) {
  const ImpulseSet& set = input.problem.sets[at(unit.group)];
  const ItemLayout part = layoutOf(set).parts[at(unit.part)];
  rows_.load(input.L, input.problem.J, unit.group, 0, set.dimension(), input.block_of_column);
  const ScaledLaw scaled = lawOf(set, part, [&](int i, int j) { return rows_.product(i, j); });
  std::array<int, kMostRows> source{};
  std::array<double, kMostRows> q{};
  for (int k = 0; k < part.item.rows; ++k) {
    source[at(k)] = input.problem.J.firstRow(unit.group) + part.kept[at(k)];
    q[at(k)] = input.q[at(source[at(k)])];
    for (double& x : rows_.row(part.kept[at(k)])) x /= scaled.scale[at(k)];
  }
  items_.add(scaled, std::span(source).first(part.rows().size()), q);
  mobility_ = std::max(mobility_, scaled.velocity[0] * scaled.impulse[0]);
  addStrips(part.rows());
}

// The rows named, of those that are loaded, become those of the next item.
void GradientIsland::addStrips(std::span<const int> kept) {
  item_rows_.startItem(static_cast<int>(kept.size()));
  for (const GroupRows::Part& part : rows_.parts()) {
    const std::span<double> to = item_rows_.addStrip(slot_of_block_[at(part.block)], part.columns);
    for (std::size_t k = 0; k < kept.size(); ++k)
      std::copy_n(rows_.row(kept[k]).begin() + part.column, part.columns,
                  to.begin() + static_cast<std::ptrdiff_t>(k) * part.columns);
  }
}

// R^-1 times the rows of the joint, and beside them R^-1 sqrt(C).
void GradientIsland::fillJoint(const GradientInput& input, const SweepUnit& unit) {
  const BlockRows& G = input.problem.G;
  const int first = G.firstRow(unit.group) + unit.part;
  const std::size_t count = at(std::min(kMostRows, G.rowsOf(unit.group) - unit.part));
  const std::span<const double> compliance =
      std::span(input.problem.compliance).subspan(at(first), count);
  rows_.load(input.L, G, unit.group, unit.part, static_cast<int>(count), input.block_of_column);
  JointScaling::Block W{};
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j)
      W[kMostRows * i + j] = rows_.product(static_cast<int>(i), static_cast<int>(j));
    W[kMostRows * i + i] += compliance[i];
  }
  const JointScaling scaling(static_cast<int>(count), W);
  std::array<double, kMostRows> q{};
  std::copy_n(input.joint_q.begin() + first, count, q.begin());
  scaling.toScaled(std::span(q).first(count));
  rows_.scale(scaling);
  constexpr std::array<int, kMostRows> kAll{0, 1, 2, 3, 4, 5};
  joints_.push_back({items_.count(), first, scaling});
  items_.addJoint(std::span(q).first(count));
  addStrips(std::span(kAll).first(count));
  addCompliance(scaling, compliance);
}

// A body that the last item alone touches, whose mass matrix is the identity.
void GradientIsland::addCompliance(const JointScaling& scaling,
                                   std::span<const double> compliance) {
  if (std::all_of(compliance.begin(), compliance.end(), [](double c) { return c == 0; })) return;
  const std::size_t count = compliance.size();
  const std::span<double> to = item_rows_.addStrip(velocityCount(), static_cast<int>(count));
  w_.resize(w_.size() + kSlot);
  std::array<double, kMostRows> column{};
  for (std::size_t j = 0; j < count; ++j) {
    column.fill(0);
    column[j] = std::sqrt(compliance[j]);
    scaling.toScaled(std::span(column).first(count));
    for (std::size_t i = 0; i < count; ++i) to[count * i + j] = column[i];
  }
}

void GradientIsland::measureSpeed(const GradientInput& input, std::span<const int> blocks) {
  speed_ = 0;
  for (const int block : blocks) {
    double square = 0;
    for (int k = 0; k < input.L.block(block).rows; ++k) {
      const double y = input.y_free[at(input.L.firstRow(block) + k)];
      square += y * y;
    }
    speed_ = std::max(speed_, std::sqrt(square));
  }
  joint_speed_ = speed_;
  for (const Joint& joint : joints_)
    for (const double q : items_.q(joint.item)) joint_speed_ = std::max(joint_speed_, std::abs(q));
}

}  // namespace stickslip
