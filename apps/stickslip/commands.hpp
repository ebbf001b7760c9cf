// The commands of the program: options in, exit code out. How options are spelt is main.cpp's
// business.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stickslip::cli {

/// 0 fine; 1 an uncertified step or an unsolved problem; 2 bad input.
inline constexpr int kFine = 0;
inline constexpr int kNotCertified = 1;
inline constexpr int kBadInput = 2;

struct RunOptions {
  std::string scene;
  std::string out;     ///< folder for the recording; empty: none
  bool force = false;  ///< replace a recording that is there
  std::vector<std::string> overrides;
  std::vector<std::int64_t> dump_steps;  ///< steps whose contact problem is to be written
  std::string dump_to;                   ///< file for it; empty: named after scene and step
  std::string dump_format = "own";
  bool strict = false;  ///< warnings are errors
  bool json = false;
};
int runScene(const RunOptions& options);

struct CheckOptions {
  std::string scene;
  std::vector<std::string> overrides;
  bool strict = false;   ///< warnings are errors
  bool schema = false;   ///< print the schema of scenes instead
  bool analyse = false;  ///< say whether contacts can be opened or jam, and more
  bool json = false;     ///< print the analysis as JSON
};
int checkScene(const CheckOptions& options);

struct ExportOptions {
  std::string recording;
  std::string csv;
};
int exportRecording(const ExportOptions& options);

struct SolveOptions {
  std::string problem;           ///< file of a contact problem, or
  std::vector<std::string> lcp;  ///< files of N and q
  std::string solver;            ///< empty: chosen
  std::string law;               ///< of contact problems; empty: the problem's own
  std::optional<double> tolerance;
  std::int64_t budget = 0;
  std::string out;             ///< Matrix Market file
  std::string write_solution;  ///< of contact problems: HDF5 file
  bool best = false;           ///< of contact problems: write the best iterate if not solved
  bool trace = false;          ///< of contact problems: say what each stage did
  bool json = false;
};
int solveLcp(const SolveOptions& options);
int solveContactProblem(const SolveOptions& options);

struct ReproduceOptions {
  std::vector<std::string> names;  ///< of experiments; all: every one
  std::string out;                 ///< folder for the report; empty: none
  bool list = false;               ///< print what there is instead
  bool quick = false;              ///< small versions
  bool json = false;
  int jobs = 1;  ///< experiments at a time, >= 1
};
int reproducePapers(const ReproduceOptions& options);

struct ConvergeOptions {
  std::string scene;
  std::vector<double> steps;  ///< at least two
  std::optional<double>
      reference;  ///< step of the run that errors are against; not given: a quarter
  std::vector<std::string> schemes;  ///< to compare; neither these nor presets: the scene's own
  std::vector<std::string> presets;
  std::vector<std::string> overrides;
  std::string out;      ///< folder for the report; empty: none
  std::string command;  ///< as it was typed, for the report
  bool strict = false;  ///< warnings are errors
  bool json = false;
  int jobs = 1;  ///< runs at a time, >= 1
};
int convergeScene(const ConvergeOptions& options);

}  // namespace stickslip::cli
