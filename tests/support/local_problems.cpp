#include "support/local_problems.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "certificate/scaled_directions.hpp"

namespace stickslip::testing {
namespace {

struct Entry {
  int row;
  double value;
};

// The columns of A = J L^-T, where M = L L'.
std::vector<std::vector<Entry>> columnsOf(const ScaledDirections& A, int rows, int columns) {
  std::vector<std::vector<Entry>> lists(static_cast<std::size_t>(columns));
  for (int row = 0; row < rows; ++row)
    for (std::size_t k = 0; k < A.columns(row).size(); ++k)
      lists[A.columns(row)[k]].push_back({row, A.values(row)[k]});
  return lists;
}

// A A', row by row.
SparseRows squareOf(const ScaledDirections& A, int rows, int columns) {
  const std::vector<std::vector<Entry>> lists = columnsOf(A, rows, columns);
  SparseRows W;
  W.rows = W.columns = rows;
  std::vector<double> sum(static_cast<std::size_t>(rows), 0.0);
  for (int row = 0; row < rows; ++row) {
    std::vector<int> touched;
    for (std::size_t k = 0; k < A.columns(row).size(); ++k)
      for (const Entry& other : lists[A.columns(row)[k]]) {
        touched.push_back(other.row);
        sum[other.row] += A.values(row)[k] * other.value;
      }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const int column : touched) {
      W.column.push_back(column);
      W.value.push_back(std::exchange(sum[column], 0.0));
    }
    W.start.push_back(W.column.size());
  }
  return W;
}

}  // namespace

LocalProblem localForm(const ContactProblem& problem) {
  assert(problem.G.rowCount() == 0);
  ScaledDirections A;
  A.start(problem.M);
  for (int i = 0; i < problem.contactCount(); ++i) A.addGroup(problem.J, i);
  LocalProblem local;
  local.law = problem.law;
  local.sets = problem.sets;
  local.W = squareOf(A, problem.J.rowCount(), problem.velocityCount());
  local.q = problem.b;
  for (int i = 0; i < problem.contactCount(); ++i)
    for (const BlockRows::Strip& strip : problem.J.stripsOf(i))
      for (int k = 0; k < problem.J.rowsOf(i); ++k)
        for (int j = 0; j < strip.columns; ++j)
          local.q[problem.J.firstRow(i) + k] +=
              problem.J.values(i, strip)(k, j) * problem.v_free[strip.first_column + j];
  return local;
}

}  // namespace stickslip::testing
