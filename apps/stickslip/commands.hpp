// The commands of the program: options in, exit code out. How options are spelt is main.cpp's
// business.
#pragma once

#include <string>
#include <vector>

namespace stickslip::cli {

/// 0 fine; 1 an uncertified step or an unsolved problem; 2 bad input.
inline constexpr int kFine = 0;
inline constexpr int kNotCertified = 1;
inline constexpr int kBadInput = 2;

struct RunOptions {
  std::string scene;
  std::string out;  ///< folder for the recording; empty: none
  std::vector<std::string> overrides;
  bool strict = false;  ///< warnings are errors
  bool json = false;
};
int runScene(const RunOptions& options);

struct CheckOptions {
  std::string scene;
  std::vector<std::string> overrides;
  bool strict = false;  ///< warnings are errors
  bool schema = false;  ///< print the schema of scenes instead
};
int checkScene(const CheckOptions& options);

struct ExportOptions {
  std::string recording;
  std::string csv;
};
int exportRecording(const ExportOptions& options);

struct SolveOptions {
  std::vector<std::string> lcp;  ///< files of N and q
  std::string solver = "lemke";
  std::string out;
  double tolerance = 1e-8;
  long budget = 0;
  bool json = false;
};
int solveLcp(const SolveOptions& options);

}  // namespace stickslip::cli
