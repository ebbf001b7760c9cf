// Islands of problems whose W is given as a sparse matrix.
#include <algorithm>
#include <array>
#include <cmath>

#include "contact/contact_island.hpp"
#include "math/index.hpp"

namespace stickslip {

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
  const SetLayout layout = layoutOf(problem.sets[at(contact)]);
  for (const ItemLayout& part : layout.items()) addLocalPart(problem, contact, part);
}

void ContactIsland::addLocalPart(const LocalProblem& problem, int contact, const ItemLayout& part) {
  const int first = first_rows_[at(contact)];
  std::array<double, kMostRows> diagonal{};
  for (const int k : part.rows()) diagonal[at(k)] = problem.W.entry(first + k, first + k);
  const double scale = addItem(problem.sets[at(contact)], part, diagonal);
  local_.startItem(part.item.rows);
  for (int i = 0; i < part.item.rows; ++i) {
    const int k = part.kept[at(i)];
    row_of_[at(first + k)] = static_cast<int>(rows_.size());
    item_of_row_.resize(rows_.size() + 1);
    item_of_row_.back() = static_cast<int>(items_.size()) - 1;
    rows_.push_back({first + k, false, scale * part.factor[at(i)], lengths_[at(k)]});
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
