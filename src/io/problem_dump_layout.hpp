// Names of the datasets in a dumped problem; docs/problem-format.md is the table for readers.
#pragma once

#include <string>

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
