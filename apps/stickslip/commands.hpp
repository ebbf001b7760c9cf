// The commands of the program. Each one adds itself to the command line and returns its exit code
// through `exit_code` when it was chosen.
#pragma once

#include <CLI/CLI.hpp>

namespace stickslip::cli {

/// 0 fine; 1 an uncertified step or an unsolved problem; 2 bad input.
inline constexpr int kFine = 0;
inline constexpr int kNotCertified = 1;
inline constexpr int kBadInput = 2;

void addRunCommand(CLI::App& app, int& exit_code);
void addCheckCommand(CLI::App& app, int& exit_code);
void addExportCommand(CLI::App& app, int& exit_code);
void addSolveCommand(CLI::App& app, int& exit_code);

}  // namespace stickslip::cli
