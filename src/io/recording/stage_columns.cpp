#include "io/recording/stage_columns.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "io/recording/recording_layout.hpp"

namespace stickslip {
namespace {

// Longer names are cut.
constexpr std::size_t kLongestName = 32;

}  // namespace

StageColumns::StageColumns(hid_t file)
    : name_type_(hdf5::stringType(kLongestName)),
      name_(file, layout::kStageNames, name_type_, 1),
      stage_(file, layout::kStage, H5T_NATIVE_INT32, 1),
      solved_(file, layout::kStageSolved, H5T_NATIVE_INT64, 1),
      tried_(file, layout::kStageTried, H5T_NATIVE_INT64, 1),
      iterations_(file, layout::kStageIterations, H5T_NATIVE_INT64, 1),
      count_(file, layout::kStageCount, H5T_NATIVE_INT32, 1) {}

void StageColumns::appendName(const std::string& name) {
  std::array<char, kLongestName> text{};
  std::copy_n(name.begin(), std::min(name.size(), text.size()), text.begin());
  name_.append(1, text.data());
}

void StageColumns::append(const FrameRows& rows) {
  const auto names = rows.stageNames();
  for (; names_ < names.size(); ++names_) appendName(names[names_]);
  stage_.append(rows.stage.size(), rows.stage.data());
  solved_.append(rows.stage.size(), rows.stage_solved.data());
  tried_.append(rows.stage.size(), rows.stage_tried.data());
  iterations_.append(rows.stage.size(), rows.stage_iterations.data());
  count_.append(rows.frames(), rows.stage_count.data());
}

std::vector<std::vector<RecordedStage>> readStages(hid_t file, hsize_t first, hsize_t count) {
  std::vector<std::vector<RecordedStage>> frames(count);
  if (count == 0 || H5Lexists(file, layout::kStages, H5P_DEFAULT) <= 0) return frames;
  std::vector<std::int32_t> counts(first + count);
  hdf5::readRows(file, layout::kStageCount, H5T_NATIVE_INT32, 0, counts.size(), counts.data());
  if (std::any_of(counts.begin(), counts.end(), [](std::int32_t n) { return n < 0; }))
    throw hdf5::Error("damaged: a negative number of stages");
  const auto begin = counts.begin() + static_cast<std::ptrdiff_t>(first);
  const hsize_t row = std::accumulate(counts.begin(), begin, hsize_t{0});
  const hsize_t rows = std::accumulate(begin, counts.end(), hsize_t{0});
  std::vector<std::int32_t> stage(rows);
  std::vector<std::int64_t> solved(rows), tried(rows), iterations(rows);
  if (rows == 0) return frames;
  hdf5::readRows(file, layout::kStage, H5T_NATIVE_INT32, row, rows, stage.data());
  hdf5::readRows(file, layout::kStageSolved, H5T_NATIVE_INT64, row, rows, solved.data());
  hdf5::readRows(file, layout::kStageTried, H5T_NATIVE_INT64, row, rows, tried.data());
  hdf5::readRows(file, layout::kStageIterations, H5T_NATIVE_INT64, row, rows, iterations.data());
  const std::vector<std::string> names = hdf5::readNames(file, layout::kStageNames);
  std::size_t k = 0;
  for (hsize_t frame = 0; frame < count; ++frame)
    for (std::int32_t i = 0; i < counts[first + frame]; ++i, ++k) {
      if (stage[k] < 0 || static_cast<std::size_t>(stage[k]) >= names.size())
        throw hdf5::Error("damaged: a stage without a name");
      frames[frame].push_back({names[stage[k]], solved[k], tried[k], iterations[k]});
    }
  return frames;
}

}  // namespace stickslip
