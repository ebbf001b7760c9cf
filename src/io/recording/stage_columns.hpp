// What the stages of the solver did in each recorded step: the datasets below /stages. Names are
// written once, as they come up, and rows refer to them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_file.hpp"
#include "stickslip/frame_rows.hpp"
#include "stickslip/io/recording.hpp"

namespace stickslip {

class StageColumns {
 public:
  explicit StageColumns(hid_t file);

  /// What rows refer to before the rows, and these before their counts.
  void append(const FrameRows& rows);

 private:
  void appendName(const std::string& name);

  hdf5::Handle name_type_;
  hdf5::Column name_, stage_, solved_, tried_, iterations_, count_;
  std::size_t names_ = 0;  ///< written
};

/// Those of frames [first, first + count); nothing of recordings that have none.
std::vector<std::vector<RecordedStage>> readStages(hid_t file, hsize_t first, hsize_t count);

}  // namespace stickslip
