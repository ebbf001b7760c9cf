#include "analysis/opening_margin.hpp"

#include <algorithm>
#include <cmath>

#include "base/index.hpp"
#include "certificate/impulse_law.hpp"
#include "math/blocks/block_products.hpp"
#include "math/dense/cholesky.hpp"

namespace stickslip {
namespace {

// A margin above this is open, below it jammed: an angle of a wedge that no length is known to.
constexpr double kOpen = 1e-7;
// Velocities below this part of the whole motion count as zero.
constexpr double kStill = 1e-9;
// A contact takes part in a jam from this part of the largest share on.
constexpr double kLoaded = 1e-6;

using Answer = OpeningAnalysis::Answer;

double lengthOf(const ScaledDirections& rows, int row) {
  return norm(rows.values(row));
}

ScaledDirections scaledRows(const BlockDiagonal& M, const BlockRows& rows) {
  ScaledDirections scaled;
  scaled.start(M);
  for (int group = 0; group < rows.groupCount(); ++group) scaled.addGroup(rows, group);
  return scaled;
}

ImpulseVector partOf(const BlockRows& rows, int group, std::span<const double> values) {
  ImpulseVector part{};
  std::copy_n(values.begin() + rows.firstRow(group), rows.rowsOf(group), part.begin());
  return part;
}

// sum += factor * row.
void addRow(const ScaledDirections& rows, int row, double factor, std::span<double> sum) {
  const std::span<const int> columns = rows.columns(row);
  const std::span<const double> values = rows.values(row);
  for (std::size_t k = 0; k < columns.size(); ++k) sum[columns[k]] += factor * values[k];
}

std::unique_ptr<Solver> relaxedSolver() {
  Method method;
  method.law = Law::relaxed;
  method.solver = "convex";
  method.tolerance = 1e-11;
  return makeSolver(method);
}

}  // namespace

double depthInDual(const ImpulseSet& set, std::span<const double> u) {
  ImpulseVector padded{};
  std::copy(u.begin(), u.end(), padded.begin());
  const double lift = correctedVelocity(set, Law::coulomb, padded)[0] - u[0];
  return u[0] - lift;
}

OpeningMargin::OpeningMargin(const BareGeometry& geometry)
    : bare_(geometry.problem), solver_(relaxedSolver()), factor_(bare_.M) {
  factorizeCholesky(factor_);
  contact_rows_ = scaledRows(bare_.M, bare_.J);
  joint_rows_ = scaledRows(bare_.M, bare_.G);
  for (int i = 0; i < bare_.contactCount(); ++i)
    size_.push_back(lengthOf(contact_rows_, bare_.J.firstRow(i)));
}

OpeningAnalysis OpeningMargin::analyse() {
  OpeningAnalysis analysis;
  witness_ = {bare_.v_free, std::vector<double>(at(bare_.J.rowCount())),
              std::vector<double>(at(bare_.G.rowCount()))};
  speed_ = size_;
  if (size_.empty()) analysis.margin_proven = 1;
  // What nothing can move along its normal cannot be opened.
  for (std::size_t i = 0; i < size_.size(); ++i)
    if (size_[i] == 0) analysis.jammed.push_back(static_cast<int>(i));
  for (bool first = analysis.jammed.empty(); analysis.jammed.size() < size_.size(); first = false) {
    driveWedge();
    const double proven = openingOf(answer_.v), ceiling = imbalanceOf(answer_);
    const Answer answer = proven > kOpen    ? Answer::opens
                          : ceiling < kOpen ? Answer::jams
                                            : Answer::undecided;
    if (first) {
      analysis.answer = answer;
      analysis.margin_proven = std::max(0.0, proven);
      analysis.margin_ceiling = ceiling;
    }
    if (answer == Answer::opens) witness_.v = answer_.v;
    if (answer != Answer::jams) return analysis;
    addBalanced(answer_, analysis.jammed);
  }
  if (!analysis.jammed.empty()) analysis.answer = Answer::jams;
  return analysis;
}

// Solves, scales the motion to v.M v = 1 and the impulses to sum s_i p_n,i = 1, in their cones.
void OpeningMargin::driveWedge() {
  solver_->restart();
  solver_->solve(wedgeProblem(), answer_);
  answer_.v.pop_back();
  double total = 0;
  for (int i = 0; i < bare_.contactCount(); ++i) {
    const auto row = answer_.p.begin() + bare_.J.firstRow(i);
    const ImpulseVector p = projectOnSet(bare_.sets[i], partOf(bare_.J, i, answer_.p));
    std::copy_n(p.begin(), bare_.J.rowsOf(i), row);
    total += speed_[i] * p[0];
  }
  for (std::vector<double>* impulses : {&answer_.p, &answer_.c})
    for (double& x : *impulses) x /= total;
  std::vector<double> momentum(answer_.v.size());
  multiply(bare_.M, answer_.v, momentum);
  const double energy_norm = std::sqrt(dot(answer_.v, momentum));
  if (energy_norm > 0)
    for (double& x : answer_.v) x /= energy_norm;
}

ContactProblem OpeningMargin::wedgeProblem() const {
  ContactProblem wedge = bare_;
  std::vector<int> sizes;
  sizes.reserve(at(bare_.M.blockCount() + 1));
  for (int b = 0; b < bare_.M.blockCount(); ++b) sizes.push_back(bare_.M.block(b).rows);
  sizes.push_back(1);
  wedge.M.resize(sizes);
  for (int b = 0; b < bare_.M.blockCount(); ++b)
    std::copy_n(bare_.M.block(b).data, at(sizes[b] * sizes[b]), wedge.M.block(b).data);
  wedge.M.block(bare_.M.blockCount())(0, 0) = 1;
  wedge.v_free.push_back(1);
  wedge.v_old.push_back(0);
  wedge.J.clear();
  for (int i = 0; i < bare_.contactCount(); ++i) {
    wedge.J.addGroup(bare_.J.rowsOf(i));
    for (const BlockRows::Strip& strip : bare_.J.stripsOf(i)) {
      const StripValues entries = bare_.J.values(i, strip);
      const ConstMatrixView values = entries.view();
      const MatrixView copy = wedge.J.addStrip(strip.first_column, strip.columns);
      std::copy_n(values.data, at(values.rows * values.columns), copy.data);
    }
    wedge.J.addStrip(bare_.velocityCount(), 1)(0, 0) = -speed_[i];
  }
  return wedge;
}

// What a motion with v.M v = 1 proves: the least relative depth of the contacts in question, if the
// others are not pushed together and joints hold.
double OpeningMargin::openingOf(std::span<const double> v) const {
  std::vector<double> w(v.size()), u(at(bare_.J.rowCount()));
  multiplyLowerTransposed(factor_, v, w);
  for (std::size_t row = 0; row < u.size(); ++row)
    u[row] = contact_rows_.times(static_cast<int>(row), w);
  for (int row = 0; row < bare_.G.rowCount(); ++row)
    if (std::abs(joint_rows_.times(row, w)) > kStill * lengthOf(joint_rows_, row)) return 0;
  double least = 1;
  for (int i = 0; i < bare_.contactCount(); ++i) {
    const double depth =
        depthInDual(bare_.sets[i], std::span(u).subspan(bare_.J.firstRow(i), bare_.J.rowsOf(i)));
    if (speed_[i] > 0)
      least = std::min(least, depth / size_[i]);
    else if (depth < -kStill * size_[i])
      return 0;
  }
  return least;
}

double OpeningMargin::imbalanceOf(const ContactSolution& impulses) const {
  std::vector<double> sum(at(bare_.velocityCount()));
  for (int row = 0; row < bare_.J.rowCount(); ++row)
    addRow(contact_rows_, row, impulses.p[row], sum);
  for (int row = 0; row < bare_.G.rowCount(); ++row) addRow(joint_rows_, row, impulses.c[row], sum);
  return norm(sum);
}

// Contacts that carry part of these impulses are jammed; the proofs of several rounds add up.
void OpeningMargin::addBalanced(const ContactSolution& impulses, std::vector<int>& jammed) {
  addScaled(1, impulses.p, witness_.p);
  addScaled(1, impulses.c, witness_.c);
  const auto shareOf = [&](int i) { return speed_[i] * impulses.p[bare_.J.firstRow(i)]; };
  double largest = 0;
  for (int i = 0; i < bare_.contactCount(); ++i) largest = std::max(largest, shareOf(i));
  for (int i = 0; i < bare_.contactCount(); ++i)
    if (shareOf(i) > kLoaded * largest) {
      speed_[i] = 0;
      jammed.push_back(i);
    }
  std::sort(jammed.begin(), jammed.end());
}

}  // namespace stickslip
