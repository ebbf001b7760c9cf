#include "contact/contact_island.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "math/cholesky.hpp"
#include "math/index.hpp"

namespace stickslip {
namespace {

// Velocities that disappear in the rounding of an impulse are counted as violations from here on:
// beside an impulse that runs off to infinity everything would seem to be in order.
constexpr double kBlind = 1e-11;
// Joints can move contacts that would not move by themselves: beside joints, residuals are relative
// to at least this part of the motion of bodies.
constexpr double kCarried = 1e-3;

double powerOfTwoNextTo(double x) {
  return x > 0 && std::isfinite(x) ? std::ldexp(1.0, std::ilogb(x)) : 1.0;
}

}  // namespace

void ContactIsland::reserve(int blocks, int items, int rows) {
  velocity_.reserve(blocks, items, rows);
  items_.reserve(at(items));
  rows_.reserve(at(rows));
  q_.reserve(at(rows));
  blocks_.reserve(at(2 * items));
  block_sizes_.reserve(at(2 * items));
}

void ContactIsland::start(Law law, double velocity_scale) {
  law_ = law;
  velocity_scale_ = velocity_scale;
  speed_ = 0;
  carried_ = 0;
  items_.clear();
  rows_.clear();
  q_.clear();
}

void ContactIsland::build(const ContactProblem& problem, const BlockDiagonal& L,
                          std::span<const int> contacts, std::span<const int> joints,
                          double velocity_scale) {
  start(problem.law, velocity_scale);
  useBlocks(problem, contacts, joints);
  velocity_.start(block_sizes_);
  for (const int contact : contacts) addContact(problem, L, contact);
  for (const int joint : joints) addJoint(problem, L, joint);
  carried_ = joints.empty() ? 0 : kCarried;
  velocity_.finish();
  local_form_ = false;
  measureSpeed(problem, L);
  chooseUnit();
}

void ContactIsland::useBlocks(const ContactProblem& problem, std::span<const int> contacts,
                              std::span<const int> joints) {
  blocks_.clear();
  const auto use = [&](const BlockRows& rows, int group) {
    for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
      const int last = problem.M.blockOf(strip.first_column + strip.columns - 1);
      for (int block = problem.M.blockOf(strip.first_column); block <= last; ++block)
        blocks_.push_back(block);
    }
  };
  for (const int contact : contacts) use(problem.J, contact);
  for (const int joint : joints) use(problem.G, joint);
  std::sort(blocks_.begin(), blocks_.end());
  blocks_.erase(std::unique(blocks_.begin(), blocks_.end()), blocks_.end());
  block_sizes_.clear();
  for (const int block : blocks_) block_sizes_.push_back(problem.M.block(block).rows);
}

// The rows of a group that are kept, times L^-T, as the last item of the operator.
void ContactIsland::addStrips(const BlockDiagonal& L, const BlockRows& rows, int group,
                              std::span<const int> kept) {
  velocity_.startItem(static_cast<int>(kept.size()));
  for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
    const int last = L.blockOf(strip.first_column + strip.columns - 1);
    for (int block = L.blockOf(strip.first_column); block <= last; ++block) {
      const auto place = std::lower_bound(blocks_.begin(), blocks_.end(), block);
      const MatrixView A = velocity_.addStrip(static_cast<int>(place - blocks_.begin()));
      const StripValues values = rows.values(group, strip);
      fillStrip(L, values.view(), strip.first_column, block, kept, A);
    }
  }
}

// The columns of a strip that belong to one block.
void ContactIsland::fillStrip(const BlockDiagonal& L, ConstMatrixView values, int first_column,
                              int block, std::span<const int> kept, MatrixView A) {
  const int offset = L.firstRow(block) - first_column;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const std::span<double> row = A.row(static_cast<int>(i));
    for (int k = 0; k < A.columns; ++k)
      if (0 <= k + offset && k + offset < values.columns) row[at(k)] = values(kept[i], k + offset);
    solveLower(L.block(block), row);
  }
}

void ContactIsland::addContact(const ContactProblem& problem, const BlockDiagonal& L, int contact) {
  const SetLayout layout = layoutOf(problem.sets[at(contact)]);
  for (const ItemLayout& part : layout.items()) addPart(problem, L, contact, part);
}

void ContactIsland::addPart(const ContactProblem& problem, const BlockDiagonal& L, int contact,
                            const ItemLayout& part) {
  const int count = part.item.rows;
  addStrips(L, problem.J, contact, part.rows());
  std::array<double, kMostRows * kMostRows> block{};
  velocity_.diagonalBlock(velocity_.itemCount() - 1, {block.data(), count, count});
  std::array<double, kMostRows> diagonal{};
  for (int i = 0; i < count; ++i) diagonal[at(part.kept[at(i)])] = block[at(i * (count + 1))];
  const double scale = addItem(problem.sets[at(contact)], part, diagonal);
  for (int i = 0; i < count; ++i) {
    const int k = part.kept[at(i)], row = problem.J.firstRow(contact) + k;
    rows_.push_back({row, false, scale * part.factor[at(i)], lengths_[at(k)]});
    velocity_.scaleLastRow(i, rows_.back().scale);
    q_.push_back(rows_.back().scale *
                 (freeVelocity(problem.J, contact, k, problem.v_free) + problem.b[at(row)]));
  }
}

// Bounds of intervals get their unit in chooseUnit(). Returns the scale of the item.
double ContactIsland::addItem(const ImpulseSet& set, const ItemLayout& part,
                              const std::array<double, kMostRows>& diagonal) {
  items_.push_back(part.item);
  items_.back().first = static_cast<int>(rows_.size());
  lengths_ = rowLengths(set, [&](int k) { return diagonal[at(k)]; });
  double trace = 0;
  for (int i = 0; i < part.item.rows; ++i) {
    const double factor = part.factor[at(i)];
    trace += factor * factor * diagonal[at(part.kept[at(i)])];
  }
  return trace > 0 ? 1 / std::sqrt(trace / part.item.rows) : 1;
}

void ContactIsland::addJoint(const ContactProblem& problem, const BlockDiagonal& L, int joint) {
  const int rows = problem.G.rowsOf(joint);
  for (int k = 0; k < rows; ++k) {
    addStrips(L, problem.G, joint, std::array{k});
    const int row = problem.G.firstRow(joint) + k;
    double mobility = problem.compliance[at(row)];
    double diagonal = 0;
    velocity_.diagonalBlock(velocity_.itemCount() - 1, {&diagonal, 1, 1});
    mobility += diagonal;
    ContactItem item;
    item.kind = ContactItem::Kind::joint;
    item.first = static_cast<int>(rows_.size());
    item.rows = 1;
    items_.push_back(item);
    const double scale = mobility > 0 ? 1 / std::sqrt(mobility) : 1;
    rows_.push_back({row, true, scale, 1});
    velocity_.scaleLastRow(0, scale);
    velocity_.setCompliance(item.first, scale * scale * problem.compliance[at(row)]);
    q_.push_back(scale * (freeVelocity(problem.G, joint, k, problem.v_free) + problem.g[at(row)]));
  }
}

double ContactIsland::freeVelocity(const BlockRows& rows, int group, int row,
                                   std::span<const double> v) const {
  double sum = 0;
  for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
    const StripValues entries = rows.values(group, strip);
    const std::span<const double> values = entries.row(row);
    for (std::size_t k = 0; k < values.size(); ++k)
      sum += values[k] * v[at(strip.first_column) + k];
  }
  return sum;
}

void ContactIsland::measureSpeed(const ContactProblem& problem, const BlockDiagonal& L) {
  for (const int b : blocks_) {
    const ConstMatrixView block = L.block(b);
    double square = 0;
    for (int j = 0; j < block.rows; ++j) {
      double sum = 0;
      for (int i = j; i < block.rows; ++i)
        sum += block(i, j) * problem.v_free[at(L.firstRow(b) + i)];
      square += sum * sum;
    }
    speed_ = std::max(speed_, std::sqrt(square));
  }
}

// Divides by the unit.
void ContactIsland::chooseUnit() {
  double largest = 0;
  for (const double q : q_) largest = std::max(largest, std::abs(q));
  speed_ = std::max(speed_, largest);
  unit_ = powerOfTwoNextTo(largest);
  for (double& q : q_) q /= unit_;
  for (ContactItem& item : items_)
    if (item.kind == ContactItem::Kind::interval || item.kind == ContactItem::Kind::fixed) {
      double scale = 0;
      for (int k = item.first; k < item.first + item.rows; ++k)
        scale = std::max(scale, rows_[at(k)].scale);
      const double impulse = unit_ * scale;
      item.lower /= impulse;
      item.upper /= impulse;
      item.radius /= impulse;
    }
}

void ContactIsland::velocity(std::span<const double> pi, std::span<double> omega) const {
  W().apply(pi, omega);
  for (std::size_t k = 0; k < q_.size(); ++k) omega[k] += q_[k];
}

double ContactIsland::residual(std::span<const double> pi, std::span<const double> omega,
                               Law law) const {
  double worst = 0;
  std::array<double, kMostRows> F;
  for (const ContactItem& item : items_) {
    const std::size_t first = at(item.first), rows = at(item.rows);
    const std::span<double> map = std::span(F).first(rows);
    naturalMap(item, law, pi.subspan(first, rows), omega.subspan(first, rows), map);
    const bool joint = item.kind == ContactItem::Kind::joint;
    const double reference =
        (joint ? speed_ : std::max(velocity_scale_, carried_ * speed_ / rows_[first].scale)) /
        unit_;
    double square = 0;
    for (std::size_t k = 0; k < rows; ++k) {
      const Row& row = rows_[first + k];
      const double violation = joint ? omega[first + k] : row.length * map[k] / row.scale;
      square += violation * violation;
    }
    const double error = std::sqrt(square);
    const double blind =
        joint ? 0
              : std::numeric_limits<double>::epsilon() * std::abs(pi[first]) / rows_[first].scale;
    const double counted = blind > kBlind * reference ? std::max(error, blind) : error;
    if (!std::isfinite(counted)) return std::numeric_limits<double>::infinity();
    if (counted > 0) worst = std::max(worst, counted / reference);
  }
  return worst;
}

void ContactIsland::toImpulses(std::span<const double> pi, std::span<double> p,
                               std::span<double> c) const {
  for (std::size_t k = 0; k < rows_.size(); ++k)
    (rows_[k].joint ? c : p)[at(rows_[k].source)] = unit_ * rows_[k].scale * pi[k];
}

void ContactIsland::fromImpulses(std::span<const double> p, std::span<const double> c,
                                 std::span<double> pi) const {
  for (std::size_t k = 0; k < rows_.size(); ++k)
    pi[k] = (rows_[k].joint ? c : p)[at(rows_[k].source)] / (unit_ * rows_[k].scale);
}

void ContactIsland::fromVelocities(std::span<const double> u, std::span<double> omega) const {
  for (std::size_t k = 0; k < rows_.size(); ++k)
    omega[k] = rows_[k].joint ? 0 : rows_[k].scale * u[at(rows_[k].source)] / unit_;
}

}  // namespace stickslip
