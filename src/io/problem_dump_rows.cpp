#include "io/problem_dump_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/hdf5_vectors.hpp"

namespace stickslip {
namespace {

class RowReader {
 public:
  RowReader(const ProblemFile& file, const std::string& prefix, int columns)
      : file_(file),
        prefix_(prefix),
        total_columns_(columns),
        rows_(file.integers(prefix + "rows")),
        strips_(file.integers(prefix + "strips")),
        first_column_(file.integers(prefix + "first_column")),
        columns_(file.integers(prefix + "columns")),
        values_(file.numbers(prefix + "values")) {}

  BlockRows read(std::size_t rows, const std::string& rows_name) {
    expectRows(rows, rows_name);
    if (strips_.size() != rows_.size())
      file_.fail(prefix_ + "strips", fmt::format("has length {}; expected {}, that of {}rows",
                                                 strips_.size(), rows_.size(), prefix_));
    if (columns_.size() != first_column_.size())
      file_.fail(prefix_ + "columns",
                 fmt::format("has length {}; expected {}, that of {}first_column", columns_.size(),
                             first_column_.size(), prefix_));
    for (std::size_t g = 0; g < rows_.size(); ++g) readGroup(g);
    if (strip_ != columns_.size())
      file_.fail(prefix_ + "strips",
                 fmt::format("adds up to {}; expected {}, the length of {}columns", strip_,
                             columns_.size(), prefix_));
    if (value_ != values_.size()) failOnValues();
    return std::move(out_);
  }

 private:
  void expectRows(std::size_t expected, const std::string& rows_name) const {
    std::size_t sum = 0;
    for (std::size_t g = 0; g < rows_.size(); ++g) {
      if (rows_[g] < 1)
        file_.fail(prefix_ + "rows", fmt::format("entry {} is {}; expected > 0", g, rows_[g]));
      sum += static_cast<std::size_t>(rows_[g]);
    }
    if (sum != expected)
      file_.fail(prefix_ + "rows", fmt::format("adds up to {}; expected {}, the length of {}", sum,
                                               expected, rows_name));
  }

  [[noreturn]] void failOnValues() const {
    file_.fail(prefix_ + "values",
               fmt::format("has length {}, which is not what rows and columns of "
                           "the strips make",
                           values_.size()));
  }

  void readGroup(std::size_t g) {
    const auto left = static_cast<std::ptrdiff_t>(columns_.size() - strip_);
    if (strips_[g] < 0 || strips_[g] > left)
      file_.fail(prefix_ + "strips",
                 fmt::format("entry {} is {}; expected 0 to {}", g, strips_[g], left));
    out_.addGroup(rows_[g]);
    const std::size_t first = strip_, last = first + static_cast<std::size_t>(strips_[g]);
    for (; strip_ < last; ++strip_) readStrip(rows_[g]);
    expectNoOverlap(first, last);
  }

  void readStrip(int rows) {
    const int first = first_column_[strip_], count = columns_[strip_];
    if (first < 0 || count < 1 || first > total_columns_ - count)
      file_.fail(prefix_ + "columns",
                 fmt::format("strip {} has {} columns from {} on; there are {} velocities", strip_,
                             count, first, total_columns_));
    const std::size_t size = static_cast<std::size_t>(rows) * static_cast<std::size_t>(count);
    if (size > values_.size() - value_) failOnValues();
    const MatrixView strip = out_.addStrip(first, count);
    std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(value_), size, strip.data);
    value_ += size;
  }

  void expectNoOverlap(std::size_t first, std::size_t last) const {
    for (std::size_t a = first; a < last; ++a)
      for (std::size_t b = first; b < a; ++b)
        if (first_column_[a] < first_column_[b] + columns_[b] &&
            first_column_[b] < first_column_[a] + columns_[a])
          file_.fail(prefix_ + "first_column",
                     fmt::format("strips {} and {} of one group overlap", b, a));
  }

  const ProblemFile& file_;
  std::string prefix_;
  int total_columns_;
  std::vector<int> rows_, strips_, first_column_, columns_;
  std::vector<double> values_;
  std::size_t strip_ = 0, value_ = 0;  // how many are used
  BlockRows out_;
};

}  // namespace

void writeBlockRows(hid_t file, const std::string& prefix, const BlockRows& rows) {
  std::vector<int> row_count, strips, first_column, columns;
  std::vector<double> values;
  for (int g = 0; g < rows.groupCount(); ++g) {
    row_count.push_back(rows.rowsOf(g));
    strips.push_back(static_cast<int>(rows.stripsOf(g).size()));
    for (const BlockRows::Strip& strip : rows.stripsOf(g)) {
      first_column.push_back(strip.first_column);
      columns.push_back(strip.columns);
      for (int i = 0; i < rows.rowsOf(g); ++i) {
        const StripValues entries = rows.values(g, strip);
        const std::span<const double> row = entries.row(i);
        values.insert(values.end(), row.begin(), row.end());
      }
    }
  }
  hdf5::writeVector(file, prefix + "rows", row_count);
  hdf5::writeVector(file, prefix + "strips", strips);
  hdf5::writeVector(file, prefix + "first_column", first_column);
  hdf5::writeVector(file, prefix + "columns", columns);
  hdf5::writeVector(file, prefix + "values", values);
}

BlockRows readBlockRows(const ProblemFile& file, const std::string& prefix, std::size_t rows,
                        const std::string& rows_name, int columns) {
  return RowReader(file, prefix, columns).read(rows, rows_name);
}

}  // namespace stickslip
