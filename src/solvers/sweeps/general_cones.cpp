#include "solvers/sweeps/general_cones.hpp"

#include <algorithm>
#include <cmath>

#include "base/index.hpp"

namespace stickslip {
namespace {

// A contact or joint touches two bodies, as a rule.
constexpr int kStripsPerItem = 2;
constexpr int kColumnsPerStrip = 6;

}  // namespace

void GeneralCones::reserve(int contacts, int joint_rows) {
  const std::size_t cones = at(contacts + joint_rows);
  cones_.reserve(cones);
  strips_.reserve(kStripsPerItem * cones);
  values_.reserve(kStripsPerItem * kColumnsPerStrip * cones);
  rows_.reserve(cones);
  pi_.reserve(cones);
  solves_.reserve(contacts + joint_rows, contacts + joint_rows);
}

void GeneralCones::build(const ContactProblem& problem, const VelocitySlots& slots,
                         std::span<const int> contacts, std::span<const double> p,
                         std::span<const double> c) {
  cones_.clear();
  strips_.clear();
  values_.clear();
  rows_.clear();
  pi_.clear();
  solves_.clear();
  for (const int contact : contacts) {
    const SetLayout layout = layoutOf(problem.sets[contact]);
    for (const ConeLayout& part : layout.cones()) addPart(problem, slots, contact, part, p);
  }
  for (int joint = 0; joint < problem.G.groupCount(); ++joint)
    for (int k = 0; k < problem.G.rowsOf(joint); ++k) addJointRow(problem, slots, joint, k, c);
}

void GeneralCones::addPart(const ContactProblem& problem, const VelocitySlots& slots, int contact,
                           const ConeLayout& part, std::span<const double> p) {
  Item& cone = cones_.emplace_back();
  cone.law = part.cone;
  cone.law.first = static_cast<int>(rows_.size());
  addStrips(slots, problem.J, contact, part.rows(), part.factor);
  for (int i = 0; i < part.cone.rows; ++i) {
    const int row = problem.J.firstRow(contact) + part.kept[i];
    const double factor = part.factor[i];
    rows_.push_back({row, false, factor, factor * problem.b[row], 0});
    pi_.push_back(p[row] / factor);
  }
  finishItem();
}

void GeneralCones::addJointRow(const ContactProblem& problem, const VelocitySlots& slots, int joint,
                               int k, std::span<const double> c) {
  const int row = problem.G.firstRow(joint) + k;
  Item& cone = cones_.emplace_back();
  cone.law.kind = Cone::Kind::joint;
  cone.law.first = static_cast<int>(rows_.size());
  cone.law.rows = 1;
  addStrips(slots, problem.G, joint, std::array{k}, std::array{1.0});
  rows_.push_back({row, true, 1, problem.g[row], problem.compliance[row]});
  pi_.push_back(c[row]);
  finishItem();
}

void GeneralCones::addStrips(const VelocitySlots& slots, const BlockRows& rows, int group,
                             std::span<const int> kept, std::span<const double> factors) {
  Item& cone = cones_.back();
  cone.first_strip = strips_.size();
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
  cone.strips = strips_.size() - cone.first_strip;
}

// Its block of W.
void GeneralCones::finishItem() {
  const Item& cone = cones_.back();
  const int rows = cone.law.rows;
  std::array<double, kMostRows * kMostRows> block{};
  const MatrixView A{block.data(), rows, rows};
  for (int i = 0; i < rows; ++i) {
    for (std::size_t s = cone.first_strip; s < cone.first_strip + cone.strips; ++s) {
      const double* values = values_.data() + strips_[s].first_value;
      const int columns = strips_[s].columns;
      for (int j = 0; j < rows; ++j)
        for (int k = 0; k < columns; ++k)
          A(i, j) += values[i * columns + k] * values[j * columns + k];
    }
    A(i, i) += rows_[cone.law.first + i].compliance;
  }
  solves_.add(cone.law, A);
}

void GeneralCones::velocities(const Item& cone, const double* w, std::span<double> u) const {
  for (int i = 0; i < cone.law.rows; ++i) {
    const std::size_t row = at(cone.law.first + i);
    double sum = rows_[row].b + rows_[row].compliance * pi_[row];
    for (std::size_t s = cone.first_strip; s < cone.first_strip + cone.strips; ++s) {
      const Strip& strip = strips_[s];
      const double* values = values_.data() + strip.first_value + i * strip.columns;
      for (int k = 0; k < strip.columns; ++k) sum += values[k] * w[strip.slot + k];
    }
    u[i] = sum;
  }
}

void GeneralCones::add(const Item& cone, std::span<const double> pi, double* w) const {
  for (std::size_t s = cone.first_strip; s < cone.first_strip + cone.strips; ++s) {
    const Strip& strip = strips_[s];
    const double* values = values_.data() + strip.first_value;
    for (int i = 0; i < cone.law.rows; ++i)
      for (int k = 0; k < strip.columns; ++k)
        w[strip.slot + k] += pi[i] * values[i * strip.columns + k];
  }
}

double GeneralCones::largestVelocity(const double* w) const {
  double most = 0;
  std::array<double, kMostRows> u{};
  for (const Item& cone : cones_) {
    velocities(cone, w, u);
    for (int i = 0; i < cone.law.rows; ++i) most = std::max(most, std::abs(u[i]));
  }
  return most;
}

void GeneralCones::push(double* w) const {
  for (const Item& cone : cones_)
    add(cone, std::span(pi_).subspan(at(cone.law.first), at(cone.law.rows)), w);
}

double GeneralCones::sweep(Law law, double* w) {
  double most = 0;
  for (std::size_t k = 0; k < cones_.size(); ++k) most = std::max(most, solveItem(k, law, w));
  return most;
}

double GeneralCones::solveItem(std::size_t index, Law law, double* w) {
  const Item& cone = cones_[index];
  const std::size_t rows = at(cone.law.rows);
  const std::span<double> pi = std::span(pi_).subspan(at(cone.law.first), rows);
  const ConstMatrixView A = solves_.block(static_cast<int>(index));
  std::array<double, kMostRows> b{}, change{};
  velocities(cone, w, b);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < rows; ++j) b[i] -= A.data[i * rows + j] * pi[j];
    change[i] = -pi[i];
  }
  solves_.solve(static_cast<int>(index), cone.law, law, std::span(b).first(rows), pi);
  double normal = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    change[i] += pi[i];
    normal += A.data[i] * change[i];
  }
  add(cone, std::span(change).first(rows), w);
  return std::abs(normal);
}

void GeneralCones::impulses(std::span<double> p, std::span<double> c) const {
  for (std::size_t k = 0; k < rows_.size(); ++k)
    (rows_[k].joint ? c : p)[rows_[k].source] = rows_[k].factor * pi_[k];
}

}  // namespace stickslip
