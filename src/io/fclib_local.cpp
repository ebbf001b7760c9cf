#include <fmt/format.h>

#include "contact/reduced_problem.hpp"
#include "io/fclib_matrix.hpp"
#include "io/fclib_sets.hpp"
#include "io/hdf5_vectors.hpp"
#include "io/problem_draft.hpp"
#include "stickslip/io/fclib.hpp"

namespace stickslip {
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
    for (std::size_t k = W.start[static_cast<std::size_t>(i)];
         k < W.start[static_cast<std::size_t>(i) + 1]; ++k)
      if (W.column[k] == i && W.value[k] < 0)
        file.fail(kW, fmt::format("diagonal entry {} is {}; W must be positive semidefinite", i,
                                  W.value[k]));
}

SparseRows placedMatrix(const FclibRows& rows, const SparseRows& W) {
  SparseRows out{rows.rowCount(), rows.rowCount(), {0}, {}, {}};
  for (int i = 0; i < W.rows; ++i) {
    while (static_cast<int>(out.start.size()) <= rows.row[static_cast<std::size_t>(i)])
      out.start.push_back(out.column.size());
    for (std::size_t k = W.start[static_cast<std::size_t>(i)];
         k < W.start[static_cast<std::size_t>(i) + 1]; ++k) {
      out.column.push_back(rows.row[static_cast<std::size_t>(W.column[k])]);
      out.value.push_back(W.value[k]);
    }
    out.start.push_back(out.column.size());
  }
  out.start.resize(static_cast<std::size_t>(out.rows) + 1, out.column.size());
  return out;
}

}  // namespace

LocalProblem localForm(const ContactProblem& problem) {
  ReducedProblem reduced;
  reduced.reduce(problem);
  const ConstMatrixView W = reduced.W();
  LocalProblem out{{W.rows, W.columns, {0}, {}, {}},
                   {reduced.q().begin(), reduced.q().end()},
                   problem.sets,
                   problem.law};
  for (int i = 0; i < W.rows; ++i) {
    for (int j = 0; j < W.columns; ++j) {
      if (W(i, j) == 0) continue;
      out.W.column.push_back(j);
      out.W.value.push_back(W(i, j));
    }
    out.W.start.push_back(out.W.column.size());
  }
  return out;
}

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

}  // namespace stickslip
