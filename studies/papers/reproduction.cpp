#include "papers/reproduction.hpp"

#include <fmt/format.h>

#include "convergence/child_processes.hpp"
#include "report/html_report.hpp"
#include "report/text_table.hpp"
#include "stickslip/threads.hpp"
#include "stickslip/version.hpp"

namespace stickslip {
namespace {

std::string commandOf(const Experiment& experiment, const Effort& effort) {
  return fmt::format("stickslip reproduce {}{}", experiment.name, effort.quick ? " --quick" : "");
}

std::string tablesOf(const Outcome& outcome) {
  std::string out;
  for (const Block& block : outcome.blocks)
    if (const Table* table = std::get_if<Table>(&block)) out += textOf(*table) + "\n";
  return out;
}

// What the child sends.
std::string runExperiment(const Experiment& experiment, const Effort& effort) {
  setThreadCount(1);
  const Outcome outcome = experiment.run(effort);
  const Json numbers = {{"name", experiment.name},
                        {"paper", experiment.source},
                        {"verdict", verdictName(outcome.verdict)},
                        {"why", outcome.why},
                        {"quick", effort.quick},
                        {"command", commandOf(experiment, effort)},
                        {"parameters", outcome.parameters},
                        {"rows", outcome.rows}};
  return Json{
      {"numbers", numbers}, {"tables", tablesOf(outcome)}, {"figures", htmlOf(outcome.blocks)}}
      .dump();
}

Reproduction gathered(const Experiment* experiment, const ChildResult& result) {
  Reproduction out{experiment, result.finished, {}, result.seconds, {}, {}, {}};
  if (!result.finished) {
    out.failure = result.text;
    return out;
  }
  const Json sent = Json::parse(result.text);
  out.numbers = sent.at("numbers");
  out.numbers["seconds"] = result.seconds;
  out.tables = sent.at("tables");
  out.figures = sent.at("figures");
  return out;
}

std::string shown(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

ReportSection sectionOf(const Reproduction& reproduction, const Effort& effort) {
  const Experiment& experiment = *reproduction.experiment;
  ReportSection section;
  section.anchor = experiment.name;
  section.title = fmt::format("{}: {}", experiment.name, experiment.title);
  section.seconds = reproduction.seconds;
  section.command = commandOf(experiment, effort);
  if (!reproduction.finished) {
    section.verdict = "failed";
    section.text = reproduction.failure;
    return section;
  }
  section.verdict = reproduction.numbers.at("verdict");
  section.text = reproduction.numbers.at("why");
  section.figures = reproduction.figures;
  section.facts.emplace_back("paper", experiment.source);
  for (const auto& [name, value] : reproduction.numbers.at("parameters").items())
    section.facts.emplace_back(name, shown(value));
  return section;
}

}  // namespace

std::vector<Reproduction> reproduce(std::span<const Experiment* const> chosen, const Effort& effort,
                                    int at_once, const ReproductionObserver& observer) {
  std::vector<ChildJob> jobs;
  for (const Experiment* experiment : chosen)
    jobs.push_back([experiment, effort] { return runExperiment(*experiment, effort); });
  std::vector<Reproduction> out(chosen.size());
  runInChildren(jobs, at_once, [&](std::size_t k, std::size_t done, const ChildResult& result) {
    out[k] = gathered(chosen[k], result);
    if (observer) observer(out[k], done);
  });
  return out;
}

std::string reportPage(std::span<const Reproduction> reproductions, const Effort& effort) {
  std::vector<ReportSection> sections;
  for (const Reproduction& reproduction : reproductions)
    sections.push_back(sectionOf(reproduction, effort));
  return htmlPage(
      "The papers, computed again",
      fmt::format(
          "Experiments of five papers on nonsmooth mechanics, computed by stickslip {}{}. "
          "Each has what the paper says beside what came out here, and a verdict: "
          "agrees (with its numbers), agrees in kind (it gives none, or not its data), open "
          "(data were chosen by the outcome, or it does not say), refutes, differs.",
          version(), effort.quick ? " in their quick versions" : ""),
      sections);
}

}  // namespace stickslip
