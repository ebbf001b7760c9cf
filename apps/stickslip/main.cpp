// stickslip: the command line. Results go to standard output, everything else to standard error.
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>

#include "commands.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/version.hpp"

namespace {

using namespace stickslip;

void logToStandardError() {
  auto logger = spdlog::stderr_logger_st("stickslip");
  logger->set_pattern("%n: %l: %v");
  spdlog::set_default_logger(std::move(logger));
}

std::string onOneLine(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string isPositiveNumber(const std::string& text) {
  double value = 0;
  const bool fine = CLI::detail::lexical_cast(text, value) && std::isfinite(value) && value > 0;
  return fine ? "" : "\"" + text + "\" is not a number > 0";
}

std::string isCount(const std::string& text) {
  long value = 0;
  const bool fine = CLI::detail::lexical_cast(text, value) && value >= 0;
  return fine ? "" : "\"" + text + "\" is not a whole number >= 0";
}

std::string isNotEmpty(const std::string& text) {
  return text.empty() ? "it is empty" : "";
}

// How the commands and their options are spelt. Parsing fills the options and notes what to do.
class CommandLine {
 public:
  CommandLine() {
    app_.set_version_flag("--version", std::string("stickslip ") + version());
    app_.require_subcommand(1);
    addRun();
    addCheck();
    addExport();
    addSolve();
  }

  int parseAndRun(int argc, char** argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() == 0) return app_.exit(error);  // --help, --version
      spdlog::error("{}; see stickslip --help", onOneLine(error.what()));
      return cli::kBadInput;
    }
    return command_();
  }

 private:
  void addRun() {
    CLI::App* command = app_.add_subcommand("run", "Simulate a scene");
    command->add_option("scene", run_.scene, "Scene file, or a recording to repeat")->required();
    command->add_option("--out", run_.out, "Folder for the recording; none without it")
        ->check(isNotEmpty);
    addOverrides(command, run_.overrides);
    addStrict(command, run_.strict);
    command->add_flag("--json", run_.json, "Print the result as JSON");
    command->callback([this] { command_ = [this] { return cli::runScene(run_); }; });
  }

  void addCheck() {
    CLI::App* command = app_.add_subcommand("check", "Check a scene without running it");
    CLI::Option* scene = command->add_option("scene", check_.scene, "Scene file, or a recording");
    addOverrides(command, check_.overrides);
    addStrict(command, check_.strict);
    CLI::Option* schema =
        command->add_flag("--schema", check_.schema, "Print the JSON Schema of scenes instead");
    schema->excludes(scene);
    command->callback([this] { command_ = [this] { return cli::checkScene(check_); }; });
  }

  void addExport() {
    CLI::App* command = app_.add_subcommand("export", "Write a recording in another format");
    command->add_option("recording", export_.recording, "Folder of the recording, or its file")
        ->required();
    command->add_option("--csv", export_.csv, "CSV file to write; - is standard output")
        ->required();
    command->callback([this] { command_ = [this] { return cli::exportRecording(export_); }; });
  }

  void addSolve() {
    CLI::App* command = app_.add_subcommand("solve", "Solve a problem from files");
    command
        ->add_option("--lcp", solve_.lcp,
                     "Matrix N and vector q of w = N z + q, 0 <= z, w, z.w = 0 (Matrix Market)")
        ->expected(2)
        ->required();
    command->add_option("--solver", solve_.solver, "Solver")
        ->check(CLI::IsMember({"lemke"}))
        ->capture_default_str();
    command->add_option("--tolerance", solve_.tolerance, "Largest residual relative to max|q|")
        ->check(isPositiveNumber)
        ->capture_default_str();
    command->add_option("--budget", solve_.budget, "Most pivots; 0 means 100 + 50 times the size")
        ->check(isCount);
    command->add_option("--out", solve_.out, "Matrix Market file for the solution z");
    command->add_flag("--json", solve_.json, "Print the result as JSON");
    command->callback([this] { command_ = [this] { return cli::solveLcp(solve_); }; });
  }

  static void addOverrides(CLI::App* command, std::vector<std::string>& overrides) {
    command->add_option("--set", overrides, "Change a field: path.to.field=value")
        ->allow_extra_args(false);
  }

  static void addStrict(CLI::App* command, bool& strict) {
    command->add_flag("--strict", strict, "Refuse scenes that give rise to warnings");
  }

  CLI::App app_{"Nonsmooth mechanics with a certificate for every step", "stickslip"};
  cli::RunOptions run_;
  cli::CheckOptions check_;
  cli::ExportOptions export_;
  cli::SolveOptions solve_;
  std::function<int()> command_;
};

}  // namespace

int main(int argc, char** argv) {
  logToStandardError();
  try {
    const int exit_code = CommandLine().parseAndRun(argc, argv);
    if (std::fflush(stdout) == 0) return exit_code;
    spdlog::error("the result could not be written to standard output");
    return cli::kNotCertified;
  } catch (const InputError& error) {
    spdlog::error("{}", onOneLine(error.what()));
    return cli::kBadInput;
  } catch (const std::exception& error) {
    spdlog::error("{}", onOneLine(error.what()));
    return cli::kNotCertified;
  }
}
