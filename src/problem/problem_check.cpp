#include "stickslip/problem_check.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "math/dense/cholesky.hpp"
#include "stickslip/input_error.hpp"

namespace stickslip {
namespace {

using SetKind = ImpulseSet::Kind;

// Two triangles of a mass matrix that differ by more than this are not the same up to rounding.
constexpr double kSameHalves = 1e-10;
constexpr int kFewestCorners = 3, kMostCorners = 64;

[[noreturn]] void failProblem(const std::string& name, const std::string& what) {
  throw InputError(name + ": " + what);
}

std::string entryName(const char* name, std::size_t k) {
  return std::string(name) + "[" + std::to_string(k) + "]";
}

void checkFinite(const char* name, std::span<const double> values) {
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!std::isfinite(values[k])) failProblem(entryName(name, k), "expected a finite number");
}

void checkList(const char* name, std::span<const double> values, std::size_t count,
               const char* reason) {
  if (values.size() != count)
    failProblem(name, "has length " + std::to_string(values.size()) + "; expected " +
                          std::to_string(count) + ", " + reason);
  checkFinite(name, values);
}

void checkCount(const char* name, std::size_t found, std::size_t expected, const char* reason) {
  if (found != expected)
    failProblem(name, "has length " + std::to_string(found) + "; expected " +
                          std::to_string(expected) + ", " + reason);
}

void checkMass(const BlockDiagonal& M) {
  for (int b = 0; b < M.blockCount(); ++b) {
    const ConstMatrixView block = M.block(b);
    const auto rowName = [&](int i) { return std::to_string(M.firstRow(b) + i); };
    for (int i = 0; i < block.rows; ++i)
      for (const double value : block.row(i))
        if (!std::isfinite(value)) failProblem("M", "row " + rowName(i) + " is not finite");
    for (int i = 0; i < block.rows; ++i)
      for (int j = 0; j < i; ++j)
        if (std::abs(block(i, j) - block(j, i)) >
            kSameHalves * std::sqrt(std::abs(block(i, i))) * std::sqrt(std::abs(block(j, j))))
          failProblem("M", "is not symmetric at row " + rowName(i) + ", column " + rowName(j));
  }
  BlockDiagonal factor = M;
  factorizeCholesky(factor);
  for (int b = 0; b < factor.blockCount(); ++b)
    for (int i = 0; i < factor.block(b).rows; ++i)
      if (!(factor.block(b)(i, i) > 0) || !std::isfinite(factor.block(b)(i, i)))
        failProblem("M",
                    "is not positive definite at row " + std::to_string(factor.firstRow(b) + i));
}

void checkRows(const char* name, const BlockRows& rows, const BlockDiagonal& M) {
  for (int g = 0; g < rows.groupCount(); ++g) {
    const auto strips = rows.stripsOf(g);
    for (const BlockRows::Strip& strip : strips) {
      const int first = strip.first_column, count = strip.columns;
      const bool is_there = first >= 0 && count >= 1 && first <= M.size() - count;
      if (!is_there || M.blockOf(first) != M.blockOf(first + count - 1))
        failProblem(name, "group " + std::to_string(g) + " has " + std::to_string(count) +
                              " columns from " + std::to_string(first) +
                              " on; expected velocities of one block of M");
      const StripValues entries = rows.values(g, strip);
      for (int i = 0; i < rows.rowsOf(g); ++i)
        for (const double value : entries.row(i))
          if (!std::isfinite(value))
            failProblem(name, "row " + std::to_string(rows.firstRow(g) + i) + " is not finite");
    }
  }
}

bool isSize(double value) {
  return value >= 0 && std::isfinite(value);
}

void checkGiven(const std::string& name, const ImpulseSet& set) {
  const FrictionDirections& given = *set.given;
  const bool sizes = set.mu > 0 && set.mu_2 > 0 && (!given.spins() || set.torsion > 0) &&
                     (!given.rolls() || set.rolling > 0);
  const bool alone = set.load_independent ? given.rows() == 2 : given.spins() || !(set.torsion > 0);
  if (set.kind != SetKind::polyhedral || !sizes || !alone)
    failProblem(name,
                "the directions that are given do not fit its kind, mu, mu_2, torsion and rolling");
}

void checkSet(std::size_t i, const ImpulseSet& set) {
  const std::string name = entryName("sets", i);
  for (const auto& [what, value] :
       {std::pair{"mu", set.mu}, std::pair{"mu_2", set.mu_2}, std::pair{"torsion", set.torsion},
        std::pair{"rolling", set.rolling}})
    if (!isSize(value)) failProblem(name, std::string(what) + " must be finite and at least 0");
  if (set.kind == SetKind::polyhedral &&
      (set.directions < kFewestCorners || set.directions > kMostCorners))
    failProblem(name, "directions is " + std::to_string(set.directions) + "; expected 3 to 64");
  if (set.kind == SetKind::interval && !(set.lower <= 0 && set.upper >= 0))
    failProblem(name, "expected lower <= 0 <= upper");
  if (set.given) checkGiven(name, set);
}

std::size_t checkSets(const ImpulseSets& sets) {
  std::size_t rows = 0;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    checkSet(i, sets[i]);
    rows += static_cast<std::size_t>(sets[i].dimension());
  }
  return rows;
}

void checkContacts(const ContactProblem& problem) {
  checkSets(problem.sets);
  checkCount("sets", problem.sets.size(), static_cast<std::size_t>(problem.J.groupCount()),
             "one for each group of J");
  for (int i = 0; i < problem.J.groupCount(); ++i)
    if (problem.J.rowsOf(i) != problem.sets[static_cast<std::size_t>(i)].dimension())
      failProblem("J", "contact " + std::to_string(i) + " has " +
                           std::to_string(problem.J.rowsOf(i)) + " rows; expected " +
                           std::to_string(problem.sets[static_cast<std::size_t>(i)].dimension()) +
                           " for its set");
  checkRows("J", problem.J, problem.M);
  const auto rows = static_cast<std::size_t>(problem.J.rowCount());
  checkList("b", problem.b, rows, "the rows of J");
  if (!problem.drive.empty()) checkList("drive", problem.drive, rows, "the rows of J");
  checkList("gap", problem.gap, problem.sets.size(), "one a contact");
  if (!problem.contact_id.empty())
    checkCount("contact_id", problem.contact_id.size(), problem.sets.size(), "one a contact");
  if (!problem.speed_friction.empty())
    checkCount("speed_friction", problem.speed_friction.size(), problem.sets.size(),
               "one a contact");
}

void checkJoints(const ContactProblem& problem) {
  checkRows("G", problem.G, problem.M);
  const auto rows = static_cast<std::size_t>(problem.G.rowCount());
  checkList("g", problem.g, rows, "the rows of G");
  checkList("compliance", problem.compliance, rows, "the rows of G");
  checkList("joint_gap", problem.joint_gap, rows, "the rows of G");
  checkList("joint_drive", problem.joint_drive, rows, "the rows of G");
  for (std::size_t k = 0; k < rows; ++k)
    if (problem.compliance[k] < 0) failProblem(entryName("compliance", k), "must not be negative");
}

void checkMatrix(const char* name, const SparseRows& W) {
  const auto rows = static_cast<std::size_t>(std::max(W.rows, 0));
  if (W.rows < 0 || W.rows != W.columns) failProblem(name, "is not square");
  if (W.start.size() != rows + 1 || W.start.front() != 0 ||
      !std::is_sorted(W.start.begin(), W.start.end()) || W.start.back() != W.column.size() ||
      W.column.size() != W.value.size())
    failProblem(name, "the starts of its rows do not fit its entries");
  for (int i = 0; i < W.rows; ++i)
    for (std::size_t k = W.start[i]; k < W.start[i + 1]; ++k) {
      const int least = k == W.start[i] ? 0 : W.column[k - 1] + 1;
      if (W.column[k] < least || W.column[k] >= W.columns)
        failProblem(name, "columns of row " + std::to_string(i) + " do not rise, or are not there");
      if (!std::isfinite(W.value[k]))
        failProblem(name, "row " + std::to_string(i) + " is not finite");
      if (W.column[k] == i && W.value[k] < 0)
        failProblem(name, "is negative at row " + std::to_string(i) +
                              " of its diagonal; expected a positive semidefinite matrix");
    }
}

}  // namespace

void checkProblem(const ContactProblem& problem) {
  const auto velocities = static_cast<std::size_t>(problem.M.size());
  checkMass(problem.M);
  checkList("v_free", problem.v_free, velocities, "the rows of M");
  checkList("v_old", problem.v_old, velocities, "the rows of M");
  checkContacts(problem);
  checkJoints(problem);
  if (!isSize(problem.duration)) failProblem("duration", "must be finite and at least 0");
}

void checkProblem(const LocalProblem& problem) {
  checkMatrix("W", problem.W);
  const auto rows = static_cast<std::size_t>(problem.W.rows);
  checkList("q", problem.q, rows, "the rows of W");
  checkCount("W", rows, checkSets(problem.sets), "the rows of all sets together");
}

}  // namespace stickslip
