#include "problem/body_delassus.hpp"

#include <algorithm>
#include <cmath>

namespace stickslip {
namespace {

// Products with dense strips of rows x columns numbers, row-major, with sizes known to the compiler
// for the strips of bodies in the plane and in space: the innermost loops.

/// R rows and C columns; 0 means that the size is given at run time.
template <int R, int C>
class StripKernels {
 public:
  StripKernels(int rows, int columns) : rows_(R > 0 ? R : rows), columns_(C > 0 ? C : columns) {}
  int rows() const { return R > 0 ? R : rows_; }
  int columns() const { return C > 0 ? C : columns_; }
  int size() const { return rows() * columns(); }
  /// Kernels for another strip of the same cone.
  StripKernels with(int columns) const { return {rows_, columns}; }

  /// y += A' x.
  void addTransposed(const double* A, const double* x, double* y) const {
    for (int i = 0; i < rows(); ++i)
      for (int k = 0; k < columns(); ++k) y[k] += x[i] * A[i * columns() + k];
  }
  /// out += A y.
  void addProduct(const double* A, const double* y, double* out) const {
    for (int i = 0; i < rows(); ++i) {
      double sum = 0;
      for (int k = 0; k < columns(); ++k) sum += A[i * columns() + k] * y[k];
      out[i] += sum;
    }
  }
  /// out = S A.
  void scale(const double* S, const double* A, double* out) const {
    for (int i = 0; i < rows(); ++i)
      for (int k = 0; k < columns(); ++k) {
        double sum = 0;
        for (int j = 0; j < rows(); ++j) sum += S[i * rows() + j] * A[j * columns() + k];
        out[i * columns() + k] = sum;
      }
  }
  /// K += A' B, where B has as many columns as `other` says.
  void addGram(const double* A, const double* B, const StripKernels& other, double* K) const {
    for (int m = 0; m < columns(); ++m)
      for (int k = 0; k < other.columns(); ++k) {
        double sum = 0;
        for (int i = 0; i < rows(); ++i) sum += A[i * columns() + m] * B[i * other.columns() + k];
        K[m * other.columns() + k] += sum;
      }
  }
  /// d_p = r - S d_u.
  void impulses(const double* S, const double* r, const double* d_u, double* d_p) const {
    for (int i = 0; i < rows(); ++i) {
      double sum = r[i];
      for (int j = 0; j < rows(); ++j) sum -= S[i * rows() + j] * d_u[j];
      d_p[i] = sum;
    }
  }

 private:
  int rows_;
  int columns_;
};

/// Calls `use` with the kernels for strips of these sizes; 0 columns for sizes that differ.
template <class Use>
void withStripKernels(int rows, int columns, Use use) {
  if (columns == 3 && rows == 2) return use(StripKernels<2, 3>(2, 3));
  if (columns == 6 && rows == 3) return use(StripKernels<3, 6>(3, 6));
  if (columns == 3 && rows == 1) return use(StripKernels<1, 3>(1, 3));
  if (columns == 6 && rows == 1) return use(StripKernels<1, 6>(1, 6));
  return use(StripKernels<0, 0>(rows, columns));
}

}  // namespace

void BodyDelassus::start(std::span<const int> block_sizes) {
  clearCones();
  block_sizes_.assign(block_sizes.begin(), block_sizes.end());
  block_first_.resize(1);
  for (const int size : block_sizes_) block_first_.push_back(block_first_.back() + size);
  rows_.clear();
  compliance_.clear();
}

void BodyDelassus::reserve(int blocks, int cones, int rows) {
  constexpr std::size_t kStrips = 2, kColumns = 6;  // as a rule
  const auto b = static_cast<std::size_t>(blocks), n = static_cast<std::size_t>(cones),
             m = static_cast<std::size_t>(rows);
  reserveCones(cones);
  block_sizes_.reserve(b);
  block_first_.reserve(b + 1);
  rows_.reserve(cones, rows);
  compliance_.reserve(m);
  couplings_.reserve(n);
  runs_.reserve(n);
  compliant_rows_.reserve(m);
  places_.reserve(kStrips * kStrips * n);
  first_place_.reserve(n + 1);
  S_.reserve(3 * m);
  for (auto* y : {&y_, &correction_, &sweep_y_}) y->reserve(kColumns * b);
  for (auto* x : {&zero_, &sweep_p_}) x->reserve(m);
}

void BodyDelassus::addLastCone() {
  addCone(rows_.rowsOf(coneCount()));
  compliance_.resize(rowCount(), 0.0);
}

void BodyDelassus::setCompliance(int row, double compliance) {
  compliance_[row] = compliance;
}

void BodyDelassus::finish() {
  is_analysed_ = false;
  findRuns();
  findCompliantRows();
  S_.resize(blockEntries());
  y_.resize(velocityCount());
  correction_.resize(y_.size());
}

// Put off until a system has to be solved: sweeps alone often suffice.
void BodyDelassus::analyse() {
  couplings_.clear();
  for (int cone = 0; cone < coneCount(); ++cone) {
    const std::span<const Strip> strips = rows_.strips(cone);
    for (std::size_t a = 0; a < strips.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) couplings_.emplace_back(strips[a].block, strips[b].block);
  }
  factor_.analyze(block_sizes_, couplings_);
  findPlaces();
  is_analysed_ = true;
}

void BodyDelassus::findRuns() {
  runs_.clear();
  for (int cone = 0; cone < coneCount(); ++cone) {
    int columns = -1;
    for (const Strip& strip : rows_.strips(cone))
      columns = columns == -1 || columns == strip.columns ? strip.columns : 0;
    if (columns == -1 && !runs_.empty()) columns = runs_.back().columns;
    if (!runs_.empty() && runs_.back().rows == rowsOf(cone) && runs_.back().columns == columns)
      runs_.back().end_cone = cone + 1;
    else
      runs_.push_back({cone, cone + 1, rowsOf(cone), std::max(columns, 0)});
  }
}

// The factor's entries stay where they are until another pattern is analysed.
void BodyDelassus::findPlaces() {
  places_.clear();
  first_place_.clear();
  for (int cone = 0; cone < coneCount(); ++cone) {
    first_place_.push_back(places_.size());
    for (const Strip& a : rows_.strips(cone))
      for (const Strip& b : rows_.strips(cone)) {
        const int entry = factor_.entry(a.block, b.block);
        places_.push_back({factor_.block(entry).data, factor_.isLower(entry)});
      }
  }
}

void BodyDelassus::findCompliantRows() {
  compliant_rows_.clear();
  for (int cone = 0; cone < coneCount(); ++cone)
    for (int k = 0; k < rowsOf(cone); ++k) {
      const std::size_t row = firstRow(cone) + k;
      const std::size_t diagonal = k * (rowsOf(cone) + 1);
      if (compliance_[row] > 0) compliant_rows_.push_back({row, firstOfBlock(cone) + diagonal});
    }
}

void BodyDelassus::velocities(std::span<const double> p, std::span<double> y) const {
  std::fill(y.begin(), y.end(), 0.0);
  for (const Run& run : runs_)
    withStripKernels(run.rows, run.columns, [&](auto kernels) {
      const double* x = p.data() + firstRow(run.first_cone);
      for (int cone = run.first_cone; cone < run.end_cone; ++cone, x += kernels.rows())
        for (const Strip& strip : rows_.strips(cone))
          kernels.with(strip.columns).addTransposed(rows_.values(strip), x, y.data() + strip.first);
    });
}

void BodyDelassus::rowsTimes(std::span<const double> y, std::span<const double> s,
                             std::span<double> out) const {
  std::copy(s.begin(), s.end(), out.begin());
  for (const Run& run : runs_)
    withStripKernels(run.rows, run.columns, [&](auto kernels) {
      double* target = out.data() + firstRow(run.first_cone);
      for (int cone = run.first_cone; cone < run.end_cone; ++cone, target += kernels.rows())
        for (const Strip& strip : rows_.strips(cone))
          kernels.with(strip.columns)
              .addProduct(rows_.values(strip), y.data() + strip.first, target);
    });
}

void BodyDelassus::apply(std::span<const double> p, std::span<double> out) const {
  velocities(p, y_);
  zero_.assign(out.size(), 0.0);
  rowsTimes(y_, zero_, out);
  for (const CompliantRow& row : compliant_rows_) out[row.row] += compliance_[row.row] * p[row.row];
}

void BodyDelassus::diagonalBlock(int cone, MatrixView out) const {
  std::fill_n(out.data, out.rows * out.columns, 0.0);
  for (const Strip& strip : rows_.strips(cone)) {
    const ConstMatrixView A{rows_.values(strip), rowsOf(cone), strip.columns};
    for (int i = 0; i < A.rows; ++i)
      for (int j = 0; j < A.rows; ++j)
        for (int k = 0; k < A.columns; ++k) out(i, j) += A(i, k) * A(j, k);
  }
  for (int i = 0; i < out.rows; ++i) out(i, i) += compliance_[firstRow(cone) + i];
}

void BodyDelassus::startSweeps(std::span<const double> p) {
  sweep_y_.resize(velocityCount());
  velocities(p, sweep_y_);
  sweep_p_.assign(p.begin(), p.end());
}

void BodyDelassus::sweepVelocity(int cone, std::span<double> out) const {
  const std::size_t first = firstRow(cone);
  for (std::size_t k = 0; k < out.size(); ++k)
    out[k] = compliance_[first + k] * sweep_p_[first + k];
  for (const Strip& strip : rows_.strips(cone))
    withStripKernels(rowsOf(cone), strip.columns, [&](auto kernels) {
      kernels.addProduct(rows_.values(strip), sweep_y_.data() + strip.first, out.data());
    });
}

void BodyDelassus::sweepChange(int cone, std::span<const double> change) {
  for (const Strip& strip : rows_.strips(cone))
    withStripKernels(rowsOf(cone), strip.columns, [&](auto kernels) {
      kernels.addTransposed(rows_.values(strip), change.data(), sweep_y_.data() + strip.first);
    });
  const std::size_t first = firstRow(cone);
  for (std::size_t k = 0; k < change.size(); ++k) sweep_p_[first + k] += change[k];
}

// The linear systems of Newton methods in the space of velocities.

namespace {

constexpr int kRefinements = 2;

double largest(std::span<const double> x) {
  double most = 0;
  for (const double value : x) most = std::max(most, std::abs(value));
  return most;
}

}  // namespace

bool BodyDelassus::factor(std::span<const double> S, Symmetry symmetry) {
  if (!is_analysed_) analyse();
  std::copy(S.begin(), S.end(), S_.begin());
  for (const CompliantRow& row : compliant_rows_) {
    double& diagonal = S_[row.entry];
    diagonal /= 1 + diagonal * compliance_[row.row];
  }
  factor_.clear();
  for (int block = 0; block < static_cast<int>(block_sizes_.size()); ++block) {
    const MatrixView K = factor_.block(factor_.entry(block, block));
    for (int k = 0; k < K.rows; ++k) K(k, k) = 1;
  }
  for (const Run& run : runs_)
    withStripKernels(run.rows, run.columns, [&](auto kernels) {
      for (int cone = run.first_cone; cone < run.end_cone; ++cone)
        addProducts(kernels, cone, symmetry);
    });
  return symmetry == Symmetry::symmetric ? factor_.factorCholesky() : factor_.factorLu();
}

// K_ab += A_a' S~ A_b for all pairs of strips of a cone.
template <class Kernels>
void BodyDelassus::addProducts(const Kernels& kernels, int cone, Symmetry symmetry) {
  const double* S = S_.data() + firstOfBlock(cone);
  const Place* place = places_.data() + first_place_[cone];
  const std::span<const Strip> strips = rows_.strips(cone);
  for (std::size_t b = 0; b < strips.size(); ++b) {
    const Kernels of_b = kernels.with(strips[b].columns);
    product_.resize(of_b.size());
    of_b.scale(S, rows_.values(strips[b]), product_.data());
    for (std::size_t a = 0; a < strips.size(); ++a) {
      const Place& target = place[a * strips.size() + b];
      if (symmetry == Symmetry::symmetric && !target.is_lower) continue;
      const Kernels of_a = kernels.with(strips[a].columns);
      of_a.addGram(rows_.values(strips[a]), product_.data(), of_b, target.values);
    }
  }
}

// From y: d_u = A y + D d_p + s and d_p = r - S d_u. With S~ = S / (1 + S D) where
// D > 0: 1 / (1 + S D) = 1 - S~ D.
void BodyDelassus::eliminatedImpulses(std::span<const double> r, std::span<const double> s,
                                      std::span<double> d_p, std::span<double> d_u) const {
  rowsTimes(y_, s, d_u);
  impulsesFrom(r, d_u, d_p);
  for (const CompliantRow& row : compliant_rows_)
    d_u[row.row] += compliance_[row.row] * d_p[row.row];
}

// d_p = r - S (d_u + D d_p).
void BodyDelassus::impulsesFrom(std::span<const double> r, std::span<const double> d_u,
                                std::span<double> d_p) const {
  for (const Run& run : runs_)
    withStripKernels(run.rows, run.columns, [&](auto kernels) {
      int row = firstRow(run.first_cone);
      for (int cone = run.first_cone; cone < run.end_cone; ++cone, row += kernels.rows())
        kernels.impulses(S_.data() + firstOfBlock(cone), r.data() + row, d_u.data() + row,
                         d_p.data() + row);
    });
  for (const CompliantRow& row : compliant_rows_)
    d_p[row.row] -= r[row.row] * S_[row.entry] * compliance_[row.row];
}

void BodyDelassus::solveOnce(std::span<const double> r, std::span<const double> s,
                             std::span<double> d_p, std::span<double> d_u) {
  impulsesFrom(r, s, d_p);
  velocities(d_p, y_);
  factor_.solve(y_);
  eliminatedImpulses(r, s, d_p, d_u);
}

double BodyDelassus::solve(std::span<const double> r, std::span<const double> s,
                           std::span<double> d_p, std::span<double> d_u) {
  solveOnce(r, s, d_p, d_u);
  double error = 1;
  for (int pass = 0; pass <= kRefinements; ++pass) {
    // What is missing from y = A' d_p.
    velocities(d_p, correction_);
    for (std::size_t k = 0; k < y_.size(); ++k) correction_[k] -= y_[k];
    const double size = largest(y_), missing = largest(correction_);
    if (missing == 0) return 0;
    error = size > 0 ? missing / size : 1;
    if (pass == kRefinements || error <= refined()) break;
    factor_.solve(correction_);
    for (std::size_t k = 0; k < y_.size(); ++k) y_[k] += correction_[k];
    eliminatedImpulses(r, s, d_p, d_u);
  }
  return error;
}

}  // namespace stickslip
