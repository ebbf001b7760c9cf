// `run --dump-problem`: which steps' contact problems are to be written, and where.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "commands.hpp"
#include "stickslip/io/scene.hpp"

namespace stickslip::cli {

class DumpRequest {
 public:
  /// Throws InputError if a step is none of the run's, all would go to one file, or a file cannot
  /// be written.
  DumpRequest(const RunOptions& options, const Scene& scene);

  /// Writes the problem of this step, and its solution if it is finite, if that is wanted. Throws
  /// InputError if the format cannot hold it.
  void step(std::int64_t step, const Stepper& stepper);
  /// The same for the step at which the run ended early; warns of steps that were not reached.
  void stepThatStopped(std::int64_t step, const Stepper& stepper);

  /// Warns of steps beyond the last one, of which nobody knew before.
  void endOfRun(std::int64_t last) const;

  const std::vector<std::string>& files() const { return files_; }

 private:
  std::filesystem::path fileFor(std::int64_t step) const;
  void expectFile(const std::filesystem::path& file) const;

  const RunOptions& options_;
  std::string scene_;
  std::vector<std::string> files_;
};

}  // namespace stickslip::cli
