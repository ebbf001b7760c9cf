#include "io/problem/fclib_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "io/hdf5/hdf5_file.hpp"

namespace stickslip {
namespace {

constexpr int kCompressedColumns = -1;
constexpr int kCompressedRows = -2;

struct Triplets {
  int rows = 0;
  int columns = 0;
  std::vector<int> row;
  std::vector<int> column;
  std::vector<double> value;
};

// Entry k of the result is where the entries of line k (a row or a column) start when all of them
// are sorted by line.
std::vector<std::size_t> startsOf(int lines, const std::vector<int>& line_of_entry) {
  std::vector<std::size_t> start(static_cast<std::size_t>(lines) + 1, 0);
  for (const int line : line_of_entry) ++start[line + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  return start;
}

// The order that sorts entries by line and leaves those of the same line as they were.
std::vector<std::size_t> orderBy(int lines, const std::vector<int>& line_of_entry,
                                 const std::vector<std::size_t>& before) {
  std::vector<std::size_t> next = startsOf(lines, line_of_entry), order(before.size());
  for (const std::size_t k : before) order[next[line_of_entry[k]]++] = k;
  return order;
}

SparseRows compressed(const Triplets& entries) {
  std::vector<std::size_t> order(entries.value.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  order = orderBy(entries.columns, entries.column, order);
  order = orderBy(entries.rows, entries.row, order);

  SparseRows out{entries.rows, entries.columns, {0}, {}, {}};
  out.start.reserve(static_cast<std::size_t>(entries.rows) + 1);
  std::size_t next = 0;
  for (int i = 0; i < entries.rows; ++i) {
    for (; next < order.size() && entries.row[order[next]] == i; ++next) {
      const std::size_t k = order[next];
      if (out.column.size() > out.start.back() && out.column.back() == entries.column[k]) {
        out.value.back() += entries.value[k];
        continue;
      }
      out.column.push_back(entries.column[k]);
      out.value.push_back(entries.value[k]);
    }
    out.start.push_back(out.column.size());
  }
  return out;
}

// Reads one matrix; the members are what the complaints refer to.
class MatrixReader {
 public:
  MatrixReader(const ProblemFile& file, std::string group)
      : file_(file), group_(std::move(group)) {}

  SparseRows read(const FclibLength& rows, const FclibLength& columns) {
    if (!file_.hasGroup(group_)) file_.fail(group_, "this group with a matrix is missing");
    entries_.rows = sizeAs("m", rows);
    entries_.columns = sizeAs("n", columns);
    room_ = size("nzmax");
    storage_ = file_.integer(name("nz"));
    if (storage_ >= 0)
      readTriplets();
    else if (storage_ == kCompressedColumns)
      readCompressed(entries_.columns, entries_.column, entries_.rows, entries_.row);
    else if (storage_ == kCompressedRows)
      readCompressed(entries_.rows, entries_.row, entries_.columns, entries_.column);
    else
      file_.fail(name("nz"),
                 fmt::format("is {}; expected the number of triplets, -1 for compressed "
                             "columns or -2 for compressed rows",
                             storage_));
    return compressed(entries_);
  }

 private:
  std::string name(const char* dataset) const { return group_ + "/" + dataset; }

  int size(const char* dataset) const {
    const int value = file_.integer(name(dataset));
    if (value < 0) file_.fail(name(dataset), fmt::format("is {}; expected at least 0", value));
    return value;
  }

  int sizeAs(const char* dataset, const FclibLength& expected) const {
    const int value = size(dataset);
    if (static_cast<std::size_t>(value) != expected.count)
      file_.fail(name(dataset), fmt::format("is {}; expected {}, the length of {}", value,
                                            expected.count, expected.vector));
    return value;
  }

  void readTriplets() {
    const std::size_t count = storage_;
    if (storage_ > room_)
      file_.fail(name("nz"), fmt::format("is {}, more than nzmax = {}", storage_, room_));
    entries_.column = indices("p", count, entries_.columns);
    entries_.row = indices("i", count, entries_.rows);
    readValues(count);
  }

  // `line` is the row or column by which the entries are ordered, `place` is where in it they are.
  void readCompressed(int lines, std::vector<int>& line, int places, std::vector<int>& place) {
    const std::vector<int> start = file_.integers(name("p"));
    if (start.size() != static_cast<std::size_t>(lines) + 1)
      file_.fail(name("p"), fmt::format("has length {}; expected {}, one more than the {} of {}",
                                        start.size(), static_cast<std::size_t>(lines) + 1,
                                        storage_ == kCompressedRows ? "rows" : "columns", group_));
    if (start.front() != 0 || !std::is_sorted(start.begin(), start.end()))
      file_.fail(name("p"), "expected numbers that start with 0 and never fall");
    const std::size_t count = start.back();
    if (start.back() > room_)
      file_.fail(name("p"), fmt::format("ends with {}, more than nzmax = {}", start.back(), room_));
    place = indices("i", count, places);
    readValues(count);
    for (int j = 0; j < lines; ++j)
      line.insert(line.end(), static_cast<std::size_t>(start[j + 1] - start[j]), j);
  }

  std::vector<int> indices(const char* dataset, std::size_t count, int limit) const {
    std::vector<int> values = file_.integers(name(dataset));
    cut(dataset, count, values);
    for (std::size_t k = 0; k < values.size(); ++k)
      if (values[k] < 0 || values[k] >= limit)
        file_.fail(name(dataset), fmt::format("entry {} is {}; expected 0 to {}", k, values[k],
                                              static_cast<std::int64_t>(limit) - 1));
    return values;
  }

  void readValues(std::size_t count) {
    entries_.value = file_.numbers(name("x"));
    cut("x", count, entries_.value);
  }

  // Lists may have unused room at their end.
  template <class Value>
  void cut(const char* dataset, std::size_t count, std::vector<Value>& values) const {
    if (values.size() != count && values.size() != static_cast<std::size_t>(room_))
      file_.fail(name(dataset),
                 fmt::format("has length {}; expected {}, as {} has that many entries",
                             values.size(), count, group_));
    values.resize(count);
  }

  const ProblemFile& file_;
  std::string group_;
  int room_ = 0;     // nzmax
  int storage_ = 0;  // nz
  Triplets entries_;
};

bool isOneTriangle(const Triplets& entries) {
  bool below = false, above = false;
  for (std::size_t k = 0; k < entries.value.size(); ++k) {
    if (entries.value[k] == 0) continue;
    below = below || entries.row[k] > entries.column[k];
    above = above || entries.row[k] < entries.column[k];
  }
  return below != above;
}

// Adds the other triangle; the diagonal stays.
void mirror(Triplets& entries) {
  const std::size_t count = entries.value.size();
  for (std::size_t k = 0; k < count; ++k) {
    if (entries.row[k] == entries.column[k] || entries.value[k] == 0) continue;
    entries.row.push_back(entries.column[k]);
    entries.column.push_back(entries.row[k]);
    entries.value.push_back(entries.value[k]);
  }
}

Triplets tripletsOf(const SparseRows& matrix) {
  Triplets out{matrix.rows, matrix.columns, {}, matrix.column, matrix.value};
  for (int i = 0; i < matrix.rows; ++i)
    out.row.insert(out.row.end(), matrix.start[i + 1] - matrix.start[i], i);
  return out;
}

}  // namespace

SparseRows transposed(const SparseRows& matrix) {
  Triplets entries = tripletsOf(matrix);
  std::swap(entries.rows, entries.columns);
  std::swap(entries.row, entries.column);
  return compressed(entries);
}

SparseRows readFclibMatrix(const ProblemFile& file, const std::string& group,
                           const FclibLength& rows, const FclibLength& columns) {
  return MatrixReader(file, group).read(rows, columns);
}

SparseRows readFclibSymmetricMatrix(const ProblemFile& file, const std::string& group,
                                    const FclibLength& size) {
  SparseRows matrix = readFclibMatrix(file, group, size, size);
  Triplets entries = tripletsOf(matrix);
  if (!isOneTriangle(entries)) return matrix;
  mirror(entries);
  return compressed(entries);
}

void writeFclibMatrix(hid_t file, const std::string& group, const SparseRows& matrix,
                      FclibStorage storage) {
  const auto write = [&](const char* name, const auto& values) {
    hdf5::writeVector(file, group + "/" + name, values);
  };
  const int count = static_cast<int>(matrix.value.size());
  write("m", std::vector{matrix.rows});
  write("n", std::vector{matrix.columns});
  write("nzmax", std::vector{count});
  if (storage == FclibStorage::triplets) {
    const Triplets entries = tripletsOf(matrix);
    write("nz", std::vector{count});
    write("p", entries.column);
    write("i", entries.row);
    write("x", entries.value);
    return;
  }
  const SparseRows columns = transposed(matrix);
  write("nz", std::vector{kCompressedColumns});
  write("p", std::vector<int>(columns.start.begin(), columns.start.end()));
  write("i", columns.column);
  write("x", columns.value);
}

}  // namespace stickslip
