// Groups of rows over the velocity blocks: the directions of contacts and joints.
//
//   rows.addGroup(2);                             // a contact in the plane: normal and tangent
//   MatrixView a = rows.addStrip(first_column_of_body_a, 3);   // 2 x 3, zeros to be filled
//   MatrixView b = rows.addStrip(first_column_of_body_b, 3);
//
//   for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
//     const StripValues entries = rows.values(group, strip);   // entries(row, column)
//     ... strip.first_column, strip.columns ...
//   }
#pragma once

#include "stickslip/detail/packed_rows.hpp"
#include "stickslip/matrix_view.hpp"

namespace stickslip {

using detail::BallRows;
using detail::StripValues;

/// Groups of rows; each group (one contact, one joint) has strips over a few column blocks. How
/// they are kept is the business of its base; strips of balls have entries like any other.
class BlockRows : public detail::PackedRows {
 public:
  /// The columns of one velocity block in a group: `first_column`, `columns`.
  using PackedRows::Strip;

  // Building.
  using PackedRows::addGroup;
  using PackedRows::addStrip;
  using PackedRows::clear;
  using PackedRows::clearRow;
  using PackedRows::dropGroup;
  using PackedRows::dropGroups;
  using PackedRows::reserve;

  // Reading.
  using PackedRows::firstRow;
  using PackedRows::groupCount;
  using PackedRows::rowCount;
  using PackedRows::rowsOf;
  using PackedRows::stripsOf;
  using PackedRows::values;
};

}  // namespace stickslip
