// Islands of problems whose W is given as a sparse matrix.
#include <algorithm>
#include <array>
#include <cmath>

#include "contact/contact_island.hpp"

namespace stickslip {
namespace {

std::size_t at(int k) {
  return static_cast<std::size_t>(k);
}

double entryOf(const SparseRows& W, int row, int column) {
  const auto begin = W.column.begin() + static_cast<std::ptrdiff_t>(W.start[at(row)]);
  const auto end = W.column.begin() + static_cast<std::ptrdiff_t>(W.start[at(row) + 1]);
  const auto found = std::lower_bound(begin, end, column);
  return found != end && *found == column ? W.value[at(static_cast<int>(found - W.column.begin()))]
                                          : 0;
}

}  // namespace

void ContactIsland::build(const LocalProblem& problem, std::span<const int> contacts,
                          double velocity_scale) {
  start(problem.law, velocity_scale);
  local_.start();
  findFirstRows(problem);
  row_of_.assign(at(problem.W.rows), -1);
  for (const int contact : contacts) addLocalContact(problem, contact);
  for (int item = 0; item < static_cast<int>(items_.size()); ++item) addLocalBlocks(problem, item);
  local_.finish();
  local_form_ = true;
  chooseUnit();
}

void ContactIsland::findFirstRows(const LocalProblem& problem) {
  first_rows_.clear();
  int row = 0;
  for (const ImpulseSet& set : problem.sets) {
    first_rows_.push_back(row);
    row += set.dimension();
  }
}

void ContactIsland::addLocalContact(const LocalProblem& problem, int contact) {
  const ImpulseSet& set = problem.sets[at(contact)];
  const std::array<double, 3> factors = rowFactors(set);
  const int first = first_rows_[at(contact)];
  double trace = 0;
  int count = 0;
  for (int k = 0; k < set.dimension(); ++k) {
    const double factor = factors[at(k)];
    if (!(factor > 0)) continue;
    trace += factor * factor * entryOf(problem.W, first + k, first + k);
    ++count;
  }
  const double scale = trace > 0 ? 1 / std::sqrt(trace / count) : 1;
  addItem(set, count);
  local_.startItem(count);
  for (int k = 0; k < set.dimension(); ++k) {
    if (!(factors[at(k)] > 0)) continue;
    row_of_[at(first + k)] = static_cast<int>(rows_.size());
    item_of_row_.resize(rows_.size() + 1);
    item_of_row_.back() = static_cast<int>(items_.size()) - 1;
    rows_.push_back({first + k, false, scale * factors[at(k)]});
    q_.push_back(rows_.back().scale * problem.q[at(first + k)]);
  }
}

void ContactIsland::addLocalBlocks(const LocalProblem& problem, int item) {
  const ContactItem& row_item = items_[at(item)];
  const SparseRows& W = problem.W;
  neighbours_.assign(1, item);
  const auto forEntries = [&](auto&& visit) {
    for (int i = row_item.first; i < row_item.first + row_item.rows; ++i) {
      const int source = rows_[at(i)].source;
      for (std::size_t k = W.start[at(source)]; k < W.start[at(source) + 1]; ++k) {
        const int j = row_of_[at(W.column[k])];
        if (j >= 0) visit(i, j, W.value[k]);
      }
    }
  };
  forEntries([&](int, int j, double) { neighbours_.push_back(item_of_row_[at(j)]); });
  std::sort(neighbours_.begin(), neighbours_.end());
  neighbours_.erase(std::unique(neighbours_.begin(), neighbours_.end()), neighbours_.end());
  for (const int column_item : neighbours_) {
    const MatrixView block = local_.addBlock(item, column_item);
    const int first_column = items_[at(column_item)].first;
    forEntries([&](int i, int j, double value) {
      if (item_of_row_[at(j)] == column_item)
        block(i - row_item.first, j - first_column) =
            rows_[at(i)].scale * rows_[at(j)].scale * value;
    });
  }
}

}  // namespace stickslip
