// Groups of rows (BlockRows) in a dumped problem. Of each group the number of rows and strips, of
// each strip its columns, and the entries of all strips, row by row, one strip after the other.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "io/problem/problem_file.hpp"
#include "stickslip/block_matrix.hpp"
#include "stickslip/contact_problem.hpp"

// Names of laws and of kinds of impulse sets in dumped problems.
namespace stickslip::dump_layout {

inline constexpr std::array<std::pair<std::string_view, ImpulseSet::Kind>, 5> kKinds{
    {{"frictionless", ImpulseSet::Kind::frictionless},
     {"planar", ImpulseSet::Kind::planar},
     {"elliptic", ImpulseSet::Kind::elliptic},
     {"polyhedral", ImpulseSet::Kind::polyhedral},
     {"interval", ImpulseSet::Kind::interval}}};

inline constexpr std::array<std::pair<std::string_view, Law>, 2> kLaws{
    {{"coulomb", Law::coulomb}, {"relaxed", Law::relaxed}}};

}  // namespace stickslip::dump_layout

// Names of the datasets in a dumped problem; docs/problem-format.md is the table for readers.
namespace stickslip::dump_layout {

inline constexpr int kFormat = 1;
inline const std::string kGroup = "/stickslip_problem";
inline const std::string kVersion = kGroup + "/format";
inline const std::string kLaw = kGroup + "/law";
inline const std::string kBlockSizes = kGroup + "/mass/sizes";
inline const std::string kMassValues = kGroup + "/mass/values";
inline const std::string kFreeVelocity = kGroup + "/v_free";
inline const std::string kOldVelocity = kGroup + "/v_old";
inline const std::string kContacts = kGroup + "/contacts/";
inline const std::string kDirectionLists = kGroup + "/direction_lists/";
inline const std::string kJoints = kGroup + "/joints/";
inline const std::string kMethod = kGroup + "/method/";
inline const std::string kScene = kGroup + "/origin/scene";
inline const std::string kStep = kGroup + "/origin/step";

}  // namespace stickslip::dump_layout

namespace stickslip {

/// Creates the datasets <prefix>rows, strips, first_column, columns and values. Throws hdf5::Error.
void writeBlockRows(hid_t file, const std::string& prefix, const BlockRows& rows);

/// Reads them; there are `rows` rows as in the dataset `rows_name`, all columns are below
/// `columns`, and no two strips of a group overlap. Throws InputError.
BlockRows readBlockRows(const ProblemFile& file, const std::string& prefix, std::size_t rows,
                        const std::string& rows_name, int columns);

}  // namespace stickslip
