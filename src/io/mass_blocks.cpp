#include "io/mass_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stickslip {
namespace {

struct Entry {
  int row;
  int column;
  double value;
};

void forEachEntry(const SparseRows& M, const auto& action) {
  for (int i = 0; i < M.rows; ++i)
    for (std::size_t k = M.start[static_cast<std::size_t>(i)];
         k < M.start[static_cast<std::size_t>(i) + 1]; ++k)
      action(Entry{i, M.column[k], M.value[k]});
}

double entryAt(const SparseRows& M, int row, int column) {
  const auto begin =
      M.column.begin() + static_cast<std::ptrdiff_t>(M.start[static_cast<std::size_t>(row)]);
  const auto end =
      M.column.begin() + static_cast<std::ptrdiff_t>(M.start[static_cast<std::size_t>(row) + 1]);
  const auto found = std::lower_bound(begin, end, column);
  if (found == end || *found != column) return 0;
  return M.value[static_cast<std::size_t>(found - M.column.begin())];
}

// Blocks are intervals: velocities between two that are coupled belong to their block.
std::vector<int> smallestBlocks(const SparseRows& M) {
  std::vector<int> reach(static_cast<std::size_t>(M.rows));
  for (int i = 0; i < M.rows; ++i) reach[static_cast<std::size_t>(i)] = i;
  forEachEntry(M, [&](const Entry& entry) {
    int& far = reach[static_cast<std::size_t>(std::min(entry.row, entry.column))];
    if (entry.value != 0) far = std::max({far, entry.row, entry.column});
  });
  std::vector<int> sizes;
  for (int first = 0; first < M.rows; first += sizes.back()) {
    int last = first;
    for (int i = first; i <= last; ++i) last = std::max(last, reach[static_cast<std::size_t>(i)]);
    sizes.push_back(last - first + 1);
  }
  return sizes;
}

bool fitsInto(int body_size, std::span<const int> sizes) {
  int row = 0;
  for (const int size : sizes) {
    if (row % body_size + size > body_size) return false;
    row += size;
  }
  return row % body_size == 0;
}

}  // namespace

std::vector<int> massBlockSizes(const SparseRows& M, int space_dimension) {
  const std::vector<int> smallest = smallestBlocks(M);
  for (const int body_size : {6, 3})
    if ((body_size == 3 || space_dimension == 3) && fitsInto(body_size, smallest))
      return std::vector<int>(static_cast<std::size_t>(M.rows / body_size), body_size);
  return smallest;
}

double asymmetry(const SparseRows& M) {
  double worst = 0;
  for (int i = 0; i < M.rows; ++i)
    if (!(entryAt(M, i, i) > 0)) return std::numeric_limits<double>::infinity();
  forEachEntry(M, [&](const Entry& entry) {
    if (entry.row == entry.column) return;
    const double size = std::sqrt(entryAt(M, entry.row, entry.row)) *
                        std::sqrt(entryAt(M, entry.column, entry.column));
    const double other = entryAt(M, entry.column, entry.row);
    worst = std::max(worst, std::abs(entry.value - other) / size);
  });
  return worst;
}

void fillBlocks(const SparseRows& M, std::span<const int> sizes, BlockDiagonal& blocks) {
  blocks.resize(sizes);
  forEachEntry(M, [&](const Entry& entry) {
    if (entry.value == 0) return;
    const int b = blocks.blockOf(entry.column);
    const int i = entry.row - blocks.firstRow(b), j = entry.column - blocks.firstRow(b);
    blocks.block(b)(i, j) += entry.value / 2;
    blocks.block(b)(j, i) += entry.value / 2;
  });
}

}  // namespace stickslip
