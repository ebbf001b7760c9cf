#include "stickslip/io/matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "io/files/output_file.hpp"
#include "scene/json/input_file.hpp"
#include "stickslip/input_error.hpp"

namespace stickslip {
namespace {

constexpr std::int64_t kMostEntries = 200'000'000;

enum class Symmetry { general, symmetric, skew };

// The words of a line, one after the other; a matrix of 5,000 rows has 25 million lines.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}

  /// The next word; empty if there is none.
  std::string_view next() {
    const std::size_t first = std::min(rest_.find_first_not_of(kSpace), rest_.size());
    rest_.remove_prefix(first);
    const std::string_view word = rest_.substr(0, rest_.find_first_of(kSpace));
    rest_.remove_prefix(word.size());
    return word;
  }

  /// True if the next word is a number of this type, up to its end.
  template <class Number>
  bool read(Number& number) {
    std::string_view word = next();
    if (word.starts_with('+')) word.remove_prefix(1);
    const char* last = word.data() + word.size();
    const auto [end, error] = std::from_chars(word.data(), last, number);
    return error == std::errc() && end == last;
  }

 private:
  static constexpr const char* kSpace = " \t\r";
  std::string_view rest_;
};

// Reads the file line by line, so that complaints can name the line.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) : name_(file.string()) {
    expectInputFile(file);
    stream_.open(file);
    if (!stream_) throw InputError(name_ + ": cannot be read");
    std::error_code unknown;
    bytes_ = std::filesystem::file_size(file, unknown);
  }

  DenseMatrix read() {
    readHeader();
    return coordinate_ ? readCoordinates() : readArray();
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError(fmt::format("{}:{}: {}", name_, line_number_, problem));
  }

  bool nextLine() {
    while (std::getline(stream_, line_)) {
      ++line_number_;
      const std::size_t first = line_.find_first_not_of(" \t\r");
      if (first != std::string::npos && (line_[first] != '%' || line_number_ == 1)) return true;
    }
    ++line_number_;
    return false;
  }

  void readHeader() {
    if (!nextLine()) fail("empty file; expected a Matrix Market header");
    std::transform(line_.begin(), line_.end(), line_.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::istringstream words(line_);
    std::string magic, object, format, field, symmetry;
    words >> magic >> object >> format >> field >> symmetry;
    if (magic != "%%matrixmarket" || object != "matrix")
      fail("expected the header \"%%MatrixMarket matrix array real general\" or the like");
    if (format != "array" && format != "coordinate")
      fail(fmt::format("format \"{}\" is not known; expected array or coordinate", format));
    if (field != "real" && field != "integer" && field != "double")
      fail(fmt::format("field \"{}\" is not supported; expected real or integer", field));
    coordinate_ = format == "coordinate";
    if (symmetry == "general")
      symmetry_ = Symmetry::general;
    else if (symmetry == "symmetric")
      symmetry_ = Symmetry::symmetric;
    else if (symmetry == "skew-symmetric")
      symmetry_ = Symmetry::skew;
    else
      fail(
          fmt::format("symmetry \"{}\" is not supported; expected general, symmetric or "
                      "skew-symmetric",
                      symmetry));
  }

  DenseMatrix readSize(std::int64_t& entries) {
    if (!nextLine()) fail("the line with the size is missing");
    std::istringstream words(line_);
    std::int64_t rows = 0, columns = 0;
    words >> rows >> columns;
    if (coordinate_) words >> entries;
    std::string rest;
    if (!words || rows <= 0 || columns <= 0 || entries < 0 || (words >> rest))
      fail(fmt::format("\"{}\" is not a size; expected {}", line_,
                       coordinate_ ? "rows columns entries" : "rows columns"));
    if (rows > kMostEntries / columns)
      fail(fmt::format("{} x {} is too large to be held as a dense matrix", rows, columns));
    if (symmetry_ != Symmetry::general && rows != columns)
      fail(fmt::format("a symmetric matrix must be square, not {} x {}", rows, columns));
    if (!coordinate_) expectRoomFor(rows, columns);
    return {static_cast<int>(rows), static_cast<int>(columns),
            std::vector<double>(static_cast<std::size_t>(rows * columns), 0.0)};
  }

  // Every entry takes a digit and the end of its line: memory is for files that can fill it.
  void expectRoomFor(std::int64_t rows, std::int64_t columns) const {
    const std::int64_t entries =
        symmetry_ == Symmetry::general ? rows * columns : rows * (columns - 1) / 2;
    if (static_cast<std::uintmax_t>(2 * entries - 1) > bytes_ && entries > 0)
      fail("the file ends before all entries are there");
  }

  // Column by column; of a symmetric matrix the lower triangle only, of a skew one without
  // diagonal.
  DenseMatrix readArray() {
    std::int64_t unused = 0;
    DenseMatrix matrix = readSize(unused);
    for (int j = 0; j < matrix.columns; ++j) {
      const int first = symmetry_ == Symmetry::general ? 0
                        : symmetry_ == Symmetry::skew  ? j + 1
                                                       : j;
      for (int i = first; i < matrix.rows; ++i) {
        if (!nextLine()) fail("the file ends before all entries are there");
        Words words(line_);
        store(matrix, i, j, readNumber(words));
      }
    }
    if (nextLine()) fail("more entries than the size says");
    return matrix;
  }

  DenseMatrix readCoordinates() {
    std::int64_t entries = 0;
    DenseMatrix matrix = readSize(entries);
    for (std::int64_t k = 0; k < entries; ++k) {
      if (!nextLine()) fail("the file ends before all entries are there");
      Words words(line_);
      int i = 0, j = 0;
      if (!words.read(i) || !words.read(j) || i < 1 || i > matrix.rows || j < 1 ||
          j > matrix.columns)
        fail(fmt::format("\"{}\": expected row (1 to {}), column (1 to {}) and value", line_,
                         matrix.rows, matrix.columns));
      if (symmetry_ != Symmetry::general && j > i)
        fail(fmt::format("\"{}\": a symmetric matrix is given by its lower triangle only", line_));
      store(matrix, i - 1, j - 1, readNumber(words));
    }
    if (nextLine()) fail("more entries than the size says");
    return matrix;
  }

  double readNumber(Words& words) const {
    double value = 0;
    if (!words.read(value) || !std::isfinite(value) || !words.next().empty())
      fail(fmt::format("\"{}\": expected a finite number", line_));
    return value;
  }

  void store(DenseMatrix& matrix, int i, int j, double value) const {
    const auto at = [&](int row, int column) -> double& {
      return matrix
          .values[static_cast<std::size_t>(row) * static_cast<std::size_t>(matrix.columns) +
                  column];
    };
    at(i, j) += value;
    if (i == j || symmetry_ == Symmetry::general) return;
    at(j, i) += symmetry_ == Symmetry::skew ? -value : value;
  }

  std::string name_;
  std::ifstream stream_;
  std::uintmax_t bytes_ = 0;
  std::string line_;
  std::int64_t line_number_ = 0;
  bool coordinate_ = false;
  Symmetry symmetry_ = Symmetry::general;
};

}  // namespace

DenseMatrix readMatrixMarket(const std::filesystem::path& file) {
  return Reader(file).read();
}

void writeMatrixMarket(const std::filesystem::path& file, std::span<const double> vector) {
  std::string text =
      fmt::format("%%MatrixMarket matrix array real general\n{}{} 1\n", kVectorMark, vector.size());
  for (const double value : vector) text += fmt::format("{}\n", value);
  OutputFile output(file, OwnFile::vector, "--out " + file.string());
  std::fwrite(text.data(), 1, text.size(), output.stream());
  output.complete();
}

}  // namespace stickslip
