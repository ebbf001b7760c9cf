// stickslip: the command line. Results go to standard output, everything else to standard error.
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <CLI/CLI.hpp>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "commands.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/method.hpp"
#include "stickslip/registry.hpp"
#include "stickslip/threads.hpp"
#include "stickslip/version.hpp"

namespace {

using namespace stickslip;

void logToStandardError() {
  auto logger = spdlog::stderr_logger_st("stickslip");
  logger->set_pattern("%n: %l: %v");
  spdlog::set_default_logger(std::move(logger));
}

// Arrays of some size have pages of their own, which go back when they are given up. In the heap
// the gaps that growing arrays leave are a seventh of the memory of 10^5 bodies.
void keepLargeArraysApart() {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 1 << 18);
#endif
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
  std::int64_t value = 0;
  const bool fine = CLI::detail::lexical_cast(text, value) && value >= 0;
  return fine ? "" : "\"" + text + "\" is not a whole number >= 0";
}

constexpr int kMostThreads = 1024;

std::string isNotEmpty(const std::string& text) {
  return text.empty() ? "it is empty" : "";
}

std::vector<std::string> wordsOf(std::span<const std::string_view> words) {
  return {words.begin(), words.end()};
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
    addConverge();
    addReproduce();
  }

  int parseAndRun(int argc, char** argv) {
    for (int k = 1; k < argc; ++k) typed_ += std::string(" ") + argv[k];
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
    CLI::Option* out =
        command->add_option("--out", run_.out, "Folder for the recording; none without it")
            ->check(isNotEmpty);
    command->add_flag("--force", run_.force, "Replace a recording that is in the folder")
        ->needs(out);
    addOverrides(command, run_.overrides);
    addStrict(command, run_.strict);
    addDump(command);
    addThreads(command);
    command->add_flag("--json", run_.json, "Print the result as JSON");
    command->callback([this] {
      command_ = [this] {
        setThreadCount(threads_);
        return cli::runScene(run_);
      };
    });
  }

  void addDump(CLI::App* command) {
    CLI::Option* steps =
        command
            ->add_option("--dump-problem", run_.dump_steps,
                         "Write the contact problem of this step; may be given more than once")
            ->check(isCount)
            ->allow_extra_args(false);
    command->add_option("--dump-to", run_.dump_to, "File for it; without it SCENE-STEP.hdf5 here")
        ->check(isNotEmpty)
        ->needs(steps);
    command
        ->add_option("--dump-format", run_.dump_format, "own: everything; fclib: its global form")
        ->check(CLI::IsMember({"own", "fclib", "fclib-local"}))
        ->needs(steps)
        ->capture_default_str();
  }

  void addCheck() {
    CLI::App* command = app_.add_subcommand("check", "Check a scene without running it");
    CLI::Option* scene = command->add_option("scene", check_.scene, "Scene file, or a recording");
    addOverrides(command, check_.overrides);
    addStrict(command, check_.strict);
    CLI::Option* schema =
        command->add_flag("--schema", check_.schema, "Print the JSON Schema of scenes instead");
    schema->excludes(scene);
    CLI::Option* analyse = command->add_flag(
        "--analyse", check_.analyse, "Say whether the contacts at the start can be opened, or jam");
    analyse->excludes(schema);
    command->add_flag("--json", check_.json, "Print the analysis as JSON")->needs(analyse);
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
    CLI::Option_group* problem = command->add_option_group("Problem", "One of");
    problem->add_option("problem", solve_.problem,
                        "Contact problem (HDF5): FCLIB's, or one that run --dump-problem wrote");
    problem
        ->add_option("--lcp", solve_.lcp,
                     "Matrix N and vector q of w = N z + q, 0 <= z, w, z.w = 0 (Matrix Market)")
        ->expected(2);
    problem->require_option(1);
    command->add_option("--solver", solve_.solver, "Solver; chosen by the problem without it")
        ->check(CLI::IsMember(wordsOf(solverNames())));
    command->add_option("--law", solve_.law, "Law of the contacts, instead of the problem's own")
        ->check(CLI::IsMember(wordsOf(namesOf<Law>())));
    command
        ->add_option("--tolerance", solve_.tolerance,
                     "Largest relative residual; 1e-8, or a dumped problem's own, without it")
        ->check(isPositiveNumber);
    command->add_option("--budget", solve_.budget, "Most iterations; 0 lets the solver choose")
        ->check(isCount);
    command
        ->add_option("--out", solve_.out,
                     "Matrix Market file for the solution: z, or the impulses r")
        ->check(isNotEmpty);
    command
        ->add_option("--write-solution", solve_.write_solution,
                     "Copy of the contact problem with the solution in it; may be the same file")
        ->check(isNotEmpty);
    command->add_flag("--best", solve_.best,
                      "Write the best point found even if it is no solution");
    command->add_flag("--trace", solve_.trace,
                      "Print what each stage of the solver did: iterations, residual, time");
    addThreads(command);
    command->add_flag("--json", solve_.json, "Print the result as JSON");
    command->callback([this] {
      command_ = [this] {
        setThreadCount(threads_);
        return solve_.lcp.empty() ? cli::solveContactProblem(solve_) : cli::solveLcp(solve_);
      };
    });
  }

  void addConverge() {
    CLI::App* command =
        app_.add_subcommand("converge", "Run a scene over step sizes: errors, rates, variation");
    command->add_option("scene", converge_.scene, "Scene file")->required();
    command->add_option("--steps", converge_.steps, "Step sizes [s], at least two")
        ->required()
        ->check(isPositiveNumber);
    command
        ->add_option(
            "--reference", converge_.reference,
            "Step size of the run that errors are against; a quarter of the finest without it")
        ->check(isPositiveNumber);
    CLI::Option* schemes = command->add_option("--schemes", converge_.schemes, "Schemes to compare")
                               ->check(CLI::IsMember(wordsOf(schemeNames())));
    command->add_option("--presets", converge_.presets, "Presets to compare")
        ->check(CLI::IsMember(wordsOf(presetNames())))
        ->excludes(schemes);
    addOverrides(command, converge_.overrides);
    addStrict(command, converge_.strict);
    command->add_option("--out", converge_.out, "Folder for report.html and converge.json")
        ->check(isNotEmpty);
    addJobs(command);
    command->add_flag("--json", converge_.json, "Print the result as JSON");
    command->callback([this] {
      command_ = [this] {
        converge_.jobs = jobCount();
        converge_.command = typed_;
        return cli::convergeScene(converge_);
      };
    });
  }

  void addReproduce() {
    CLI::App* command =
        app_.add_subcommand("reproduce", "Compute an experiment of the papers, and compare");
    CLI::Option_group* what = command->add_option_group("What", "One of");
    what->add_option("name", reproduce_.names, "Experiments by name, or all");
    what->add_flag("--list", reproduce_.list, "List the experiments instead");
    what->require_option(1);
    command->add_option("--out", reproduce_.out, "Folder for report.html and the numbers")
        ->check(isNotEmpty);
    command->add_flag("--quick", reproduce_.quick, "Small versions: seconds instead of minutes");
    addJobs(command);
    command->add_flag("--json", reproduce_.json, "Print the numbers as JSON");
    command->callback([this] {
      command_ = [this] {
        reproduce_.jobs = jobCount();
        return cli::reproducePapers(reproduce_);
      };
    });
  }

  static void addOverrides(CLI::App* command, std::vector<std::string>& overrides) {
    command->add_option("--set", overrides, "Change a field: path.to.field=value")
        ->allow_extra_args(false);
  }

  void addThreads(CLI::App* command) {
    command
        ->add_option("--threads", threads_,
                     "Threads to work with, which changes no result; 0: as many as there are")
        ->check(CLI::Range(0, kMostThreads))
        ->capture_default_str();
  }

  void addJobs(CLI::App* command) {
    command->add_option("--jobs", jobs_, "Processes at a time; 0: one a core")
        ->check(CLI::Range(0, kMostThreads))
        ->capture_default_str();
  }

  int jobCount() const {
    return jobs_ > 0 ? jobs_ : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  }

  static void addStrict(CLI::App* command, bool& strict) {
    command->add_flag("--strict", strict, "Refuse scenes that give rise to warnings");
  }

  CLI::App app_{"Nonsmooth mechanics with a certificate for every step", "stickslip"};
  cli::RunOptions run_;
  cli::CheckOptions check_;
  cli::ExportOptions export_;
  cli::SolveOptions solve_;
  cli::ReproduceOptions reproduce_;
  cli::ConvergeOptions converge_;
  int threads_ = 0;
  int jobs_ = 0;
  std::string typed_ = "stickslip";  ///< the command as it was typed
  std::function<int()> command_;
};

}  // namespace

int main(int argc, char** argv) {
  logToStandardError();
  keepLargeArraysApart();
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
