// Reading FCLIB's global problems. In the terms of contact_problem.hpp: J = H', b = w, the rows of
// G are FCLIB's columns of it, and v_free = M^-1 f.

#include "io/problem/fclib.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "io/hdf5/hdf5_file.hpp"
#include "io/problem/fclib_matrix.hpp"
#include "io/problem/problem_file.hpp"
#include "math/blocks/block_products.hpp"
#include "math/dense/cholesky.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/io/fclib.hpp"

namespace stickslip {
namespace {

const std::string kGlobalGroup = "/fclib_global";
const std::string kM = kGlobalGroup + "/M";
const std::string kVectors = kGlobalGroup + "/vectors/";

// Two triangles of a mass matrix that differ by more than this are not the same up to rounding.
constexpr double kFclibRounding = 1e-10;
// Dense blocks beyond this many numbers (1.6 GB) are refused.
constexpr double kMostValues = 2e8;

class GlobalReader {
 public:
  explicit GlobalReader(const std::filesystem::path& path) : file_(path) {}

  ContactProblem read() {
    if (!file_.hasGroup(kGlobalGroup))
      file_.fail(kGlobalGroup, "this group is missing: not a global problem");
    const std::vector<double> f = file_.numbers(kVectors + "f");
    velocities_ = {f.size(), kVectors + "f"};
    readMass();
    problem_.v_free = f;
    solveForFreeVelocity();
    readContacts();
    readJoints();
    fillReport();
    return std::move(problem_);
  }

 private:
  void readMass() {
    const SparseRows M = readFclibSymmetricMatrix(file_, kM, velocities_);
    const double difference = asymmetry(M);
    if (std::isinf(difference))
      file_.fail(kM, "has a diagonal entry that is not positive; expected a mass matrix");
    if (difference > kFclibRounding)
      file_.fail(kM, fmt::format("is not symmetric, its halves differ by {:.1e} of its diagonal; "
                                 "expected a mass matrix",
                                 difference));
    sizes_ = massBlockSizes(M, readSpaceDimension(file_, kGlobalGroup));
    double values = 0;
    for (const int size : sizes_) values += static_cast<double>(size) * size;
    if (values > kMostValues)
      file_.fail(kM, "couples so many velocities that its dense blocks do not fit into memory");
    fillBlocks(M, sizes_, problem_.M);
  }

  void solveForFreeVelocity() {
    BlockDiagonal factor = problem_.M;
    factorizeCholesky(factor);
    for (int b = 0; b < factor.blockCount(); ++b)
      for (int i = 0; i < factor.block(b).rows; ++i)
        if (!std::isfinite(factor.block(b)(i, i)) || !(factor.block(b)(i, i) > 0))
          file_.fail(kM, fmt::format("is not positive definite at row {}; expected a mass matrix",
                                     factor.firstRow(b) + i));
    solveLower(factor, problem_.v_free);
    solveLowerTransposed(factor, problem_.v_free);
  }

  void readContacts() {
    const std::string name = kVectors + "w";
    problem_.b = file_.numbers(name);
    problem_.sets = readCones(file_, kGlobalGroup, problem_.b.size(), name);
    const SparseRows rows = transposed(
        readFclibMatrix(file_, kGlobalGroup + "/H", velocities_, {problem_.b.size(), name}));
    int first = 0;
    for (const ImpulseSet& set : problem_.sets) {
      addGroup(rows, first, set.dimension(), problem_.J);
      first += set.dimension();
    }
  }

  void readJoints() {
    const std::string name = kVectors + "b";
    if (!file_.has(kGlobalGroup + "/G")) return;
    problem_.g = file_.numbers(name);
    const SparseRows rows = transposed(
        readFclibMatrix(file_, kGlobalGroup + "/G", velocities_, {problem_.g.size(), name}));
    for (int row = 0; row < rows.rows; ++row) addGroup(rows, row, 1, problem_.G);
  }

  // Rows first ... first + count - 1 become a group with a strip for each block that they touch.
  void addGroup(const SparseRows& rows, int first, int count, BlockRows& out) {
    out.addGroup(count);
    std::vector<int> touched;
    for (std::size_t k = rows.start[first]; k < rows.start[first + count]; ++k)
      if (rows.value[k] != 0) touched.push_back(problem_.M.blockOf(rows.column[k]));
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const int block : touched) {
      const int column = problem_.M.firstRow(block);
      MatrixView strip = out.addStrip(column, sizes_[block]);
      for (int i = 0; i < count; ++i) copyRow(rows, first + i, column, strip.row(i));
    }
  }

  static void copyRow(const SparseRows& rows, int row, int first_column, std::span<double> out) {
    for (std::size_t k = rows.start[row]; k < rows.start[row + 1]; ++k) {
      const int column = rows.column[k] - first_column;
      if (column >= 0 && column < static_cast<int>(out.size())) out[column] = rows.value[k];
    }
  }

  // What the certificate reports on and a file does not say.
  void fillReport() {
    problem_.v_old = problem_.v_free;
    problem_.gap.assign(problem_.sets.size(), 0.0);
    problem_.drive.assign(problem_.b.size(), 0.0);
    for (std::size_t i = 0; i < problem_.sets.size(); ++i) problem_.contact_id.push_back(i);
    for (auto* list : {&problem_.compliance, &problem_.joint_gap, &problem_.joint_drive})
      list->assign(problem_.g.size(), 0.0);
  }

  ProblemFile file_;
  FclibLength velocities_;
  std::vector<int> sizes_;
  ContactProblem problem_;
};

}  // namespace

ContactProblem readFclibGlobal(const std::filesystem::path& path) {
  return GlobalReader(path).read();
}

// Writing contact problems in FCLIB's global form; see fclib.cpp.

namespace {

const std::string kProblemGroup = "/fclib_global";

SparseRows sparse(const BlockDiagonal& M) {
  SparseRows out{M.size(), M.size(), {0}, {}, {}};
  for (int b = 0; b < M.blockCount(); ++b) {
    const ConstMatrixView block = M.block(b);
    for (int i = 0; i < block.rows; ++i) {
      for (int j = 0; j < block.columns; ++j) {
        if (block(i, j) == 0) continue;
        out.column.push_back(M.firstRow(b) + j);
        out.value.push_back(block(i, j));
      }
      out.start.push_back(out.column.size());
    }
  }
  return out;
}

// The rows of a group, strips ordered by column; `place` says which row of the result a row becomes
// (ascending).
SparseRows sparse(const BlockRows& rows, int row_count, int columns, const auto& place) {
  SparseRows out{row_count, columns, {0}, {}, {}};
  for (int g = 0; g < rows.groupCount(); ++g) {
    std::vector<BlockRows::Strip> strips(rows.stripsOf(g).begin(), rows.stripsOf(g).end());
    std::sort(strips.begin(), strips.end(),
              [](const auto& a, const auto& b) { return a.first_column < b.first_column; });
    for (int i = 0; i < rows.rowsOf(g); ++i) {
      out.start.resize(static_cast<std::size_t>(place(rows.firstRow(g) + i)) + 1,
                       out.column.size());
      for (const BlockRows::Strip& strip : strips)
        for (int j = 0; j < strip.columns; ++j) {
          if (rows.values(g, strip)(i, j) == 0) continue;
          out.column.push_back(strip.first_column + j);
          out.value.push_back(rows.values(g, strip)(i, j));
        }
      out.start.push_back(out.column.size());
    }
  }
  out.start.resize(static_cast<std::size_t>(row_count) + 1, out.column.size());
  return out;
}

void refuseCompliance(const ContactProblem& problem, const std::string& file) {
  for (std::size_t k = 0; k < problem.compliance.size(); ++k)
    if (problem.compliance[k] != 0)
      throw InputError(
          fmt::format("{}: FCLIB's format cannot hold row {} of the joints: it is compliant (a "
                      "spring)",
                      file, k));
}

}  // namespace

void writeFclibGlobal(const std::filesystem::path& path, const ContactProblem& problem) {
  const FclibRows rows = fclibRows(problem.sets, problem.law, path.string());
  refuseCompliance(problem, path.string());
  std::vector<double> f(problem.v_free.size());
  multiply(problem.M, problem.v_free, f);
  const int n = problem.velocityCount();
  const SparseRows H =
      transposed(sparse(problem.J, rows.rowCount(), n, [&](int row) { return rows.row[row]; }));
  const SparseRows G =
      transposed(sparse(problem.G, problem.G.rowCount(), n, [](int row) { return row; }));
  writeProblemFile(path, {}, [&](hid_t file) {
    hdf5::writeVector(file, kProblemGroup + "/spacedim", std::vector{rows.space_dimension});
    hdf5::writeVector(file, kProblemGroup + "/vectors/f", f);
    hdf5::writeVector(file, kProblemGroup + "/vectors/w", placed(rows, problem.b));
    hdf5::writeVector(file, kProblemGroup + "/vectors/mu", rows.mu);
    writeFclibMatrix(file, kProblemGroup + "/M", sparse(problem.M), FclibStorage::triplets);
    writeFclibMatrix(file, kProblemGroup + "/H", H, FclibStorage::triplets);
    if (problem.G.rowCount() == 0) return;
    writeFclibMatrix(file, kProblemGroup + "/G", G, FclibStorage::triplets);
    hdf5::writeVector(file, kProblemGroup + "/vectors/b", problem.g);
  });
}

namespace {

const std::string kLocalGroup = "/fclib_local";
const std::string kW = kLocalGroup + "/W";
const std::string kQ = kLocalGroup + "/vectors/q";

void refuseEqualities(const ProblemFile& file) {
  for (const char* matrix : {"/V", "/R"})
    if (file.has(kLocalGroup + matrix))
      file.fail(kLocalGroup + matrix,
                "local problems with equality constraints are not supported; use the global form");
}

void expectPositiveDiagonal(const ProblemFile& file, const SparseRows& W) {
  for (int i = 0; i < W.rows; ++i)
    for (std::size_t k = W.start[i]; k < W.start[i + 1]; ++k)
      if (W.column[k] == i && W.value[k] < 0)
        file.fail(kW, fmt::format("diagonal entry {} is {}; W must be positive semidefinite", i,
                                  W.value[k]));
}

SparseRows placedMatrix(const FclibRows& rows, const SparseRows& W) {
  SparseRows out{rows.rowCount(), rows.rowCount(), {0}, {}, {}};
  for (int i = 0; i < W.rows; ++i) {
    while (static_cast<int>(out.start.size()) <= rows.row[i])
      out.start.push_back(out.column.size());
    for (std::size_t k = W.start[i]; k < W.start[i + 1]; ++k) {
      out.column.push_back(rows.row[W.column[k]]);
      out.value.push_back(W.value[k]);
    }
    out.start.push_back(out.column.size());
  }
  out.start.resize(static_cast<std::size_t>(out.rows) + 1, out.column.size());
  return out;
}

}  // namespace

LocalProblem readFclibLocal(const std::filesystem::path& path) {
  const ProblemFile file(path);
  if (!file.hasGroup(kLocalGroup))
    file.fail(kLocalGroup, "this group is missing: not a local problem");
  refuseEqualities(file);
  LocalProblem problem;
  problem.q = file.numbers(kQ);
  problem.sets = readCones(file, kLocalGroup, problem.q.size(), kQ);
  const FclibLength size{problem.q.size(), kQ};
  problem.W = readFclibSymmetricMatrix(file, kW, size);
  expectPositiveDiagonal(file, problem.W);
  return problem;
}

void writeFclibLocal(const std::filesystem::path& path, const LocalProblem& problem) {
  const FclibRows rows = fclibRows(problem.sets, problem.law, path.string());
  writeProblemFile(path, {}, [&](hid_t file) {
    hdf5::writeVector(file, kLocalGroup + "/spacedim", std::vector{rows.space_dimension});
    hdf5::writeVector(file, kLocalGroup + "/vectors/mu", rows.mu);
    hdf5::writeVector(file, kQ, placed(rows, problem.q));
    writeFclibMatrix(file, kW, placedMatrix(rows, problem.W), FclibStorage::compressed_columns);
  });
}

namespace {

using SetKind = ImpulseSet::Kind;

// Why FCLIB's format cannot hold a contact; empty if it can.
std::string obstacle(const ImpulseSet& set) {
  if (set.spinRows() > 0) return "it has torsional friction";
  if (set.rollingRows() > 0) return "it has rolling friction";
  if (set.load_independent) return "its friction does not depend on the load";
  switch (set.kind) {
    case SetKind::frictionless:
    case SetKind::planar:
      return "";
    case SetKind::elliptic:
      return set.mu == set.mu_2 ? "" : "friction differs between its tangents";
    case SetKind::polyhedral:
      return "its cone is polyhedral";
    default:
      return "it is a bounded row (a motor, or friction in a joint)";
  }
}

int largestDimension(const ImpulseSets& sets) {
  int dimension = 0;
  for (const ImpulseSet& set : sets) dimension = std::max(dimension, set.dimension());
  return dimension;
}

}  // namespace

int readSpaceDimension(const ProblemFile& file, const std::string& group) {
  const std::string name = group + "/spacedim";
  const int dimension = file.integer(name);
  if (dimension != 2 && dimension != 3)
    file.fail(name, fmt::format("is {}; expected 2 or 3", dimension));
  return dimension;
}

ImpulseSets readCones(const ProblemFile& file, const std::string& group, std::size_t rows,
                      const std::string& rows_name) {
  const int dimension = readSpaceDimension(file, group);
  const std::string name = group + "/vectors/mu";
  if (rows % static_cast<std::size_t>(dimension) != 0)
    file.fail(rows_name,
              fmt::format("has length {}, which is no multiple of spacedim = {}", rows, dimension));
  const std::vector<double> mu =
      file.numbers(name, rows / static_cast<std::size_t>(dimension),
                   fmt::format("the length of {} divided by spacedim = {}", rows_name, dimension));
  ImpulseSets sets;
  for (std::size_t i = 0; i < mu.size(); ++i) {
    if (mu[i] < 0) file.fail(name, fmt::format("entry {} is {}; expected at least 0", i, mu[i]));
    ImpulseSet set;
    set.kind = dimension == 2 ? SetKind::planar : SetKind::elliptic;
    set.mu = mu[i];
    set.mu_2 = dimension == 2 ? 0 : mu[i];
    sets.push_back(set);
  }
  return sets;
}

FclibRows fclibRows(const ImpulseSets& sets, Law law, const std::string& file) {
  if (law != Law::coulomb)
    throw InputError(file + ": FCLIB's format is for Coulomb's law, not for the relaxed one");
  FclibRows out;
  out.space_dimension = largestDimension(sets) == 2 ? 2 : 3;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const std::string why = obstacle(sets[i]);
    if (!why.empty())
      throw InputError(fmt::format("{}: FCLIB's format cannot hold contact {}: {}", file, i, why));
    const bool mixed = sets[i].kind == SetKind::planar && out.space_dimension == 3;
    if (mixed)
      throw InputError(fmt::format(
          "{}: FCLIB's format cannot hold contacts of the plane and of space together", file));
    for (int k = 0; k < sets[i].dimension(); ++k) out.row.push_back(out.rowCount() + k);
    out.mu.push_back(sets[i].kind == SetKind::frictionless ? 0 : sets[i].mu);
  }
  return out;
}

std::vector<double> placed(const FclibRows& rows, std::span<const double> values) {
  std::vector<double> out(static_cast<std::size_t>(rows.rowCount()), 0.0);
  for (std::size_t k = 0; k < values.size(); ++k) out[rows.row[k]] = values[k];
  return out;
}

}  // namespace stickslip
