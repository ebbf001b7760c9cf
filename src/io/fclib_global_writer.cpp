// Writing contact problems in FCLIB's global form; see fclib_global.cpp.
#include <fmt/format.h>

#include <algorithm>

#include "io/fclib_matrix.hpp"
#include "io/fclib_sets.hpp"
#include "io/hdf5_vectors.hpp"
#include "io/problem_draft.hpp"
#include "math/block_products.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/io/fclib.hpp"

namespace stickslip {
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
  const SparseRows H = transposed(sparse(problem.J, rows.rowCount(), n, [&](int row) {
    return rows.row[static_cast<std::size_t>(row)];
  }));
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

}  // namespace stickslip
