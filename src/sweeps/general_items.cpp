#include "sweeps/general_items.hpp"

#include <algorithm>
#include <cmath>

#include "math/index.hpp"

namespace stickslip {
namespace {

// A contact or joint touches two bodies, as a rule.
constexpr int kStripsPerItem = 2;
constexpr int kColumnsPerStrip = 6;

}  // namespace

void GeneralItems::reserve(int contacts, int joint_rows) {
  const std::size_t items = at(contacts + joint_rows);
  items_.reserve(items);
  strips_.reserve(kStripsPerItem * items);
  values_.reserve(kStripsPerItem * kColumnsPerStrip * items);
  rows_.reserve(items);
  pi_.reserve(items);
  solves_.reserve(contacts + joint_rows, contacts + joint_rows);
}

void GeneralItems::build(const ContactProblem& problem, const VelocitySlots& slots,
                         std::span<const int> contacts, std::span<const double> p,
                         std::span<const double> c) {
  items_.clear();
  strips_.clear();
  values_.clear();
  rows_.clear();
  pi_.clear();
  solves_.clear();
  for (const int contact : contacts) {
    const SetLayout layout = layoutOf(problem.sets[at(contact)]);
    for (const ItemLayout& part : layout.items()) addPart(problem, slots, contact, part, p);
  }
  for (int joint = 0; joint < problem.G.groupCount(); ++joint)
    for (int k = 0; k < problem.G.rowsOf(joint); ++k) addJointRow(problem, slots, joint, k, c);
}

void GeneralItems::addPart(const ContactProblem& problem, const VelocitySlots& slots, int contact,
                           const ItemLayout& part, std::span<const double> p) {
  Item& item = items_.emplace_back();
  item.law = part.item;
  item.law.first = static_cast<int>(rows_.size());
  addStrips(slots, problem.J, contact, part.rows(), part.factor);
  for (int i = 0; i < part.item.rows; ++i) {
    const int row = problem.J.firstRow(contact) + part.kept[at(i)];
    const double factor = part.factor[at(i)];
    rows_.push_back({row, false, factor, factor * problem.b[at(row)], 0});
    pi_.push_back(p[at(row)] / factor);
  }
  finishItem();
}

void GeneralItems::addJointRow(const ContactProblem& problem, const VelocitySlots& slots, int joint,
                               int k, std::span<const double> c) {
  const int row = problem.G.firstRow(joint) + k;
  Item& item = items_.emplace_back();
  item.law.kind = ContactItem::Kind::joint;
  item.law.first = static_cast<int>(rows_.size());
  item.law.rows = 1;
  addStrips(slots, problem.G, joint, std::array{k}, std::array{1.0});
  rows_.push_back({row, true, 1, problem.g[at(row)], problem.compliance[at(row)]});
  pi_.push_back(c[at(row)]);
  finishItem();
}

void GeneralItems::addStrips(const VelocitySlots& slots, const BlockRows& rows, int group,
                             std::span<const int> kept, std::span<const double> factors) {
  Item& item = items_.back();
  item.first_strip = strips_.size();
  for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
    const StripValues entries = rows.values(group, strip);
    const ConstMatrixView values = entries.view();
    const int last = slots.blockOf(strip.first_column + strip.columns - 1);
    for (int block = slots.blockOf(strip.first_column); block <= last; ++block) {
      const int columns = slots.size(block);
      const int offset = slots.firstColumn(block) - strip.first_column;
      strips_.push_back({slots.slot(block), columns, values_.size()});
      values_.resize(values_.size() + kept.size() * at(columns), 0.0);
      double* to = values_.data() + strips_.back().first_value;
      for (std::size_t i = 0; i < kept.size(); ++i, to += columns) {
        for (int k = 0; k < columns; ++k)
          if (0 <= k + offset && k + offset < values.columns)
            to[k] = factors[i] * values(kept[i], k + offset);
        slots.toScaled(block, std::span(to, at(columns)));
      }
    }
  }
  item.strips = strips_.size() - item.first_strip;
}

// Its block of W.
void GeneralItems::finishItem() {
  const Item& item = items_.back();
  const int rows = item.law.rows;
  std::array<double, kMostRows * kMostRows> block{};
  const MatrixView A{block.data(), rows, rows};
  for (int i = 0; i < rows; ++i) {
    for (std::size_t s = item.first_strip; s < item.first_strip + item.strips; ++s) {
      const double* values = values_.data() + strips_[s].first_value;
      const int columns = strips_[s].columns;
      for (int j = 0; j < rows; ++j)
        for (int k = 0; k < columns; ++k)
          A(i, j) += values[i * columns + k] * values[j * columns + k];
    }
    A(i, i) += rows_[at(item.law.first + i)].compliance;
  }
  solves_.add(item.law, A);
}

void GeneralItems::velocities(const Item& item, const double* w, std::span<double> u) const {
  for (int i = 0; i < item.law.rows; ++i) {
    const std::size_t row = at(item.law.first + i);
    double sum = rows_[row].b + rows_[row].compliance * pi_[row];
    for (std::size_t s = item.first_strip; s < item.first_strip + item.strips; ++s) {
      const Strip& strip = strips_[s];
      const double* values = values_.data() + strip.first_value + i * strip.columns;
      for (int k = 0; k < strip.columns; ++k) sum += values[k] * w[strip.slot + k];
    }
    u[at(i)] = sum;
  }
}

void GeneralItems::add(const Item& item, std::span<const double> pi, double* w) const {
  for (std::size_t s = item.first_strip; s < item.first_strip + item.strips; ++s) {
    const Strip& strip = strips_[s];
    const double* values = values_.data() + strip.first_value;
    for (int i = 0; i < item.law.rows; ++i)
      for (int k = 0; k < strip.columns; ++k)
        w[strip.slot + k] += pi[at(i)] * values[i * strip.columns + k];
  }
}

double GeneralItems::largestVelocity(const double* w) const {
  double most = 0;
  std::array<double, kMostRows> u{};
  for (const Item& item : items_) {
    velocities(item, w, u);
    for (int i = 0; i < item.law.rows; ++i) most = std::max(most, std::abs(u[at(i)]));
  }
  return most;
}

void GeneralItems::push(double* w) const {
  for (const Item& item : items_)
    add(item, std::span(pi_).subspan(at(item.law.first), at(item.law.rows)), w);
}

double GeneralItems::sweep(Law law, double* w) {
  double most = 0;
  for (std::size_t k = 0; k < items_.size(); ++k) most = std::max(most, solveItem(k, law, w));
  return most;
}

double GeneralItems::solveItem(std::size_t index, Law law, double* w) {
  const Item& item = items_[index];
  const std::size_t rows = at(item.law.rows);
  const std::span<double> pi = std::span(pi_).subspan(at(item.law.first), rows);
  const ConstMatrixView A = solves_.block(static_cast<int>(index));
  std::array<double, kMostRows> b{}, change{};
  velocities(item, w, b);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < rows; ++j) b[i] -= A.data[i * rows + j] * pi[j];
    change[i] = -pi[i];
  }
  solves_.solve(static_cast<int>(index), item.law, law, std::span(b).first(rows), pi);
  double normal = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    change[i] += pi[i];
    normal += A.data[i] * change[i];
  }
  add(item, std::span(change).first(rows), w);
  return std::abs(normal);
}

void GeneralItems::impulses(std::span<double> p, std::span<double> c) const {
  for (std::size_t k = 0; k < rows_.size(); ++k)
    (rows_[k].joint ? c : p)[at(rows_[k].source)] = rows_[k].factor * pi_[k];
}

}  // namespace stickslip
