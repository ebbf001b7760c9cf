// How BlockRows (block_rows.hpp) keeps its rows: strips in one array of numbers, contacts of balls
// in eight of them, and writers that fill parts of it on several threads. What users see is
// BlockRows; this is installed since it is its base, and may change in any version.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "stickslip/detail/growing_array.hpp"
#include "stickslip/matrix_view.hpp"

namespace stickslip::detail {

/// The three rows of a contact of two balls, or of one with something that is fixed, whose angular
/// velocities are in world axes: eight numbers instead of 36. With o = n x t they are
///
///   (s n, 0),  (s t, lever o),  (s o, -lever t)    s = -1 for the first ball, 1 for the second
///
/// over the six velocities of a ball.
struct BallRows {
  static constexpr int kRows = 3;
  static constexpr int kColumns = 6;
  static constexpr int kFirstLever = 6;  ///< among the eight numbers

  std::array<double, 3> normal;
  std::array<double, 3> tangent;
  std::array<double, 2> lever;  ///< of the first and of the second ball

  /// o, the second tangent.
  std::array<double, 3> other() const {
    const auto &n = normal, &t = tangent;
    return {n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]};
  }
  /// The rows of one of the two, row-major.
  void expand(int ball, double* out) const {
    const double s = ball == 0 ? -1 : 1, l = lever[ball];
    const std::array<double, 3> o = other();
    for (std::size_t k = 0; k < 3; ++k) {
      out[k] = s * normal[k];
      out[3 + k] = 0;
      out[6 + k] = s * tangent[k];
      out[9 + k] = l * o[k];
      out[12 + k] = s * o[k];
      out[15 + k] = -l * tangent[k];
    }
  }
};

/// The entries of one strip, a matrix that has to be kept while its rows are in use: it may be the
/// only place where they are.
class StripValues {
 public:
  explicit StripValues(ConstMatrixView stored) : view_(stored) {}
  StripValues(const BallRows& balls, int ball)
      : view_{nullptr, BallRows::kRows, BallRows::kColumns} {
    balls.expand(ball, expanded_.data());
    view_.data = expanded_.data();
  }
  StripValues(const StripValues&) = delete;
  StripValues& operator=(const StripValues&) = delete;

  double operator()(int i, int j) const { return view_(i, j); }
  std::span<const double> row(int i) const& { return view_.row(i); }
  std::span<const double> row(int i) const&& = delete;
  const ConstMatrixView& view() const& { return view_; }
  const ConstMatrixView& view() const&& = delete;

 private:
  ConstMatrixView view_;
  std::array<double, static_cast<std::size_t>(BallRows::kRows* BallRows::kColumns)> expanded_;
};

/// Groups of rows; each group (one contact, one joint) has strips over a few column blocks, which
/// are dense, or those of balls.
class PackedRows {
 public:
  /// How the entries of a strip are stored.
  enum class Form {
    dense,
    first_ball,   ///< of the BallRows of its group
    second_ball,  ///< likewise
  };
  class Strip {
   public:
    Strip() = default;
    Strip(int column, int column_count, Form form, std::size_t first_value)
        : first_column(column),
          columns(column_count),
          stored_(
              static_cast<std::uint32_t>(first_value * kForms + static_cast<std::size_t>(form))) {}
    Form form() const { return static_cast<Form>(stored_ % kForms); }
    std::size_t firstValue() const { return stored_ / kForms; }
    /// Values that strips can have between them.
    static constexpr std::size_t mostValues() { return std::size_t{1} << 30; }

    int first_column = 0;
    int columns = 0;

   private:
    static constexpr std::size_t kForms = 4;
    std::uint32_t stored_ = 0;  ///< place of the first value, and the form: strips are many
  };

  /// How much of everything: what there is, or where a part of it begins.
  struct Extent {
    int groups = 0;
    int rows = 0;
    std::size_t strips = 0;
    std::size_t values = 0;

    friend Extent operator+(const Extent& a, const Extent& b) {
      return {a.groups + b.groups, a.rows + b.rows, a.strips + b.strips, a.values + b.values};
    }
  };
  class Writer;
  /// Numbers that a group of balls takes.
  static constexpr std::size_t kBallValues = sizeof(BallRows) / sizeof(double);
  /// What is no ball.
  static constexpr int kNoBall = -1;

  /// Drops all groups and keeps the memory.
  void clear();
  /// Makes room, so that later growth up to these numbers allocates nothing.
  void reserve(int groups, int strips, std::size_t values);

  /// Starts a new group of `rows` rows.
  void addGroup(int rows);
  /// Adds a strip of zeros to the last group, for the columns that start at `first_column`.
  /// The view is valid until the next strip is added.
  MatrixView addStrip(int first_column, int columns);
  /// Adds a group of balls whose velocities start at these columns; one of them may be kNoBall.
  void addBalls(const BallRows& balls, std::array<int, 2> first_column);

  /// Takes the last group away again.
  void dropGroup();
  /// Takes away the groups that are marked.
  void dropGroups(std::span<const char> marked);

  Extent extent() const { return {groupCount(), rows_, strips_.size(), values_.size()}; }
  /// Appends groups of this extent together, all of which have yet to be written by writers: one or
  /// several that start where others end, in any order and on any thread.
  void extend(const Extent& more);
  Writer writerAt(const Extent& start);

  /// Sets a row of dense strips to zero.
  void clearRow(int row);

  int groupCount() const { return groups_; }
  int rowCount() const { return rows_; }
  int firstRow(int group) const { return starts_.data()[group].row; }
  int rowsOf(int group) const { return firstRow(group + 1) - firstRow(group); }
  std::span<const Strip> stripsOf(int group) const {
    const Start* const start = starts_.data() + group;
    return {strips_.data() + start[0].strip, strips_.data() + start[1].strip};
  }
  /// The entries of one strip, rowsOf(group) x strip.columns.
  StripValues values(int group, const Strip& strip) const {
    if (strip.form() == Form::dense)
      return StripValues({values_.data() + strip.firstValue(), rowsOf(group), strip.columns});
    return {ballsAt(strip), ballOf(strip)};
  }
  bool isOfBalls(int group) const {
    const std::span<const Strip> strips = stripsOf(group);
    return !strips.empty() && strips.front().form() != Form::dense;
  }
  /// The rows of such a group.
  BallRows balls(int group) const { return ballsAt(stripsOf(group).front()); }
  /// Where their eight numbers are.
  const double* ballNumbers(int group) const {
    return values_.data() + stripsOf(group).front().firstValue();
  }
  /// Which of the two balls one of its strips belongs to.
  static int ballOf(const Strip& strip) { return strip.form() == Form::first_ball ? 0 : 1; }

 private:
  /// The first row and the first strip of a group: its others are those before the next one's.
  struct Start {
    int row;
    int strip;
  };

  BallRows ballsAt(const Strip& strip) const {
    BallRows out;
    std::memcpy(&out, values_.data() + strip.firstValue(), sizeof out);
    return out;
  }
  std::size_t valuesOf(int group) const;
  void growValues(std::size_t more);
  /// Writes where all groups end, once there is a place for it.
  void setEnd();

  GrowingArray<Start> starts_;  ///< of all groups, and where they end
  GrowingArray<Strip> strips_;
  GrowingArray<double> values_;
  int groups_ = 0;
  int rows_ = 0;
};

/// Writes groups one after the other into a part of a PackedRows that was extended for them.
class PackedRows::Writer {
 public:
  Writer(PackedRows& rows, const Extent& start) : rows_(rows), at_(start) {}

  const Extent& position() const { return at_; }
  void addGroup(int rows) {
    rows_.starts_.data()[at_.groups++] = {at_.rows, static_cast<int>(at_.strips)};
    at_.rows += group_rows_ = rows;
  }
  /// The numbers in the strip are whatever they are: all of them are to be written.
  double* addStrip(int first_column, int columns) {
    rows_.strips_.data()[at_.strips++] = {first_column, columns, Form::dense, at_.values};
    double* first = rows_.values_.data() + at_.values;
    at_.values += static_cast<std::size_t>(group_rows_) * static_cast<std::size_t>(columns);
    return first;
  }
  /// As PackedRows::addBalls().
  void addBalls(const BallRows& balls, std::array<int, 2> first_column) {
    addGroup(BallRows::kRows);
    for (const Form form : {Form::first_ball, Form::second_ball}) {
      const int column = first_column[form == Form::first_ball ? 0 : 1];
      if (column == kNoBall) continue;
      rows_.strips_.data()[at_.strips++] = {column, BallRows::kColumns, form, at_.values};
    }
    std::memcpy(rows_.values_.data() + at_.values, &balls, sizeof balls);
    at_.values += kBallValues;
  }

 private:
  PackedRows& rows_;
  Extent at_;
  int group_rows_ = 0;  ///< of the group at hand
};

inline PackedRows::Writer PackedRows::writerAt(const Extent& start) {
  return {*this, start};
}

}  // namespace stickslip::detail
