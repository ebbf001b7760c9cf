// Reading FCLIB's global problems. In the terms of contact_problem.hpp: J = H', b = w, the rows of
// G are FCLIB's columns of it, and v_free = M^-1 f.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/fclib_matrix.hpp"
#include "io/fclib_sets.hpp"
#include "io/mass_blocks.hpp"
#include "math/cholesky.hpp"
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
    for (std::size_t k = rows.start[static_cast<std::size_t>(first)];
         k < rows.start[static_cast<std::size_t>(first + count)]; ++k)
      if (rows.value[k] != 0) touched.push_back(problem_.M.blockOf(rows.column[k]));
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const int block : touched) {
      const int column = problem_.M.firstRow(block);
      MatrixView strip = out.addStrip(column, sizes_[static_cast<std::size_t>(block)]);
      for (int i = 0; i < count; ++i) copyRow(rows, first + i, column, strip.row(i));
    }
  }

  static void copyRow(const SparseRows& rows, int row, int first_column, std::span<double> out) {
    for (std::size_t k = rows.start[static_cast<std::size_t>(row)];
         k < rows.start[static_cast<std::size_t>(row) + 1]; ++k) {
      const int column = rows.column[k] - first_column;
      if (column >= 0 && column < static_cast<int>(out.size()))
        out[static_cast<std::size_t>(column)] = rows.value[k];
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

}  // namespace stickslip
