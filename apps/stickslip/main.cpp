// stickslip: the command line. Results go to standard output, everything else to standard error.
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <exception>
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

int parseAndRun(int argc, char** argv) {
  CLI::App app("Nonsmooth mechanics with a certificate for every step", "stickslip");
  app.set_version_flag("--version", std::string("stickslip ") + version());
  app.require_subcommand(1);
  int exit_code = cli::kFine;
  cli::addRunCommand(app, exit_code);
  cli::addCheckCommand(app, exit_code);
  cli::addExportCommand(app, exit_code);
  cli::addSolveCommand(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    spdlog::error("{}; see stickslip --help", onOneLine(error.what()));
    return cli::kBadInput;
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  logToStandardError();
  try {
    return parseAndRun(argc, argv);
  } catch (const InputError& error) {
    spdlog::error("{}", onOneLine(error.what()));
    return cli::kBadInput;
  } catch (const std::exception& error) {
    spdlog::error("{}", onOneLine(error.what()));
    return cli::kNotCertified;
  }
}
