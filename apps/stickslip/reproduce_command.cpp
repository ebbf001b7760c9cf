#include <fmt/core.h>
#include <spdlog/spdlog.h>

#include <optional>

#include "commands.hpp"
#include "papers/reproduction.hpp"
#include "report_folder.hpp"
#include "stickslip/input_error.hpp"

namespace stickslip::cli {
namespace {

std::string namesOfExperiments() {
  std::string names;
  for (const Experiment& experiment : experiments()) names += fmt::format("{}, ", experiment.name);
  return names + "or all";
}

std::vector<const Experiment*> chosenExperiments(const std::vector<std::string>& names) {
  std::vector<const Experiment*> chosen;
  for (const std::string& name : names) {
    if (name == "all") {
      for (const Experiment& experiment : experiments()) chosen.push_back(&experiment);
      continue;
    }
    const Experiment* experiment = findExperiment(name);
    if (!experiment)
      throw InputError(fmt::format("reproduce {}: there is no such experiment; expected {}", name,
                                   namesOfExperiments()));
    chosen.push_back(experiment);
  }
  return chosen;
}

int listExperiments(bool json) {
  Json list = Json::array();
  for (const Experiment& experiment : experiments()) {
    if (!json) fmt::print("{:18} {}: {}\n", experiment.name, experiment.source, experiment.title);
    list.push_back(
        {{"name", experiment.name}, {"paper", experiment.source}, {"title", experiment.title}});
  }
  if (json) fmt::print("{}\n", list.dump(2));
  return kFine;
}

std::string fileOf(const Experiment& experiment) {
  return fmt::format("{}.json", experiment.name);
}

std::vector<std::string> filesOf(std::span<const Experiment* const> chosen) {
  std::vector<std::string> names;
  for (const Experiment* experiment : chosen) names.push_back(fileOf(*experiment));
  return names;
}

void writeReport(const ReportFolder& folder, std::span<const Reproduction> all,
                 const Effort& effort) {
  for (const Reproduction& one : all)
    if (one.finished) folder.writeNumbers(fileOf(*one.experiment), one.numbers.dump(2) + "\n");
  folder.writePage(reportPage(all, effort));
}

void printText(std::span<const Reproduction> all) {
  for (const Reproduction& one : all) {
    if (!one.finished) continue;
    fmt::print("{}: {}\n{}\n{}: {}\n\n", one.experiment->source, one.experiment->title, one.tables,
               one.numbers.at("verdict").get<std::string>(),
               one.numbers.at("why").get<std::string>());
  }
}

void printJson(std::span<const Reproduction> all, bool one_object) {
  Json list = Json::array();
  for (const Reproduction& one : all)
    list.push_back(one.finished ? one.numbers
                                : Json{{"name", one.experiment->name}, {"failure", one.failure}});
  fmt::print("{}\n", (one_object ? list.front() : Json{{"experiments", list}}).dump(2));
}

}  // namespace

int reproducePapers(const ReproduceOptions& options) {
  if (options.list) return listExperiments(options.json);
  const std::vector<const Experiment*> chosen = chosenExperiments(options.names);
  std::optional<ReportFolder> folder;
  if (!options.out.empty()) folder.emplace(options.out, filesOf(chosen));
  const Effort effort{options.quick};
  const std::vector<Reproduction> all =
      reproduce(chosen, effort, options.jobs, [&](const Reproduction& one, std::size_t done) {
        spdlog::info("[{}/{}] {}: {} in {:.1f} s", done, chosen.size(), one.experiment->name,
                     one.finished ? one.numbers.at("verdict").get<std::string>() : one.failure,
                     one.seconds);
      });
  if (folder) writeReport(*folder, all, effort);
  if (options.json)
    printJson(all, all.size() == 1);
  else
    printText(all);
  if (folder && !options.json) fmt::print("report: {}\n", folder->page().string());
  int code = kFine;
  for (const Reproduction& one : all) {
    if (one.finished && one.numbers.at("verdict") != verdictName(Verdict::differs)) continue;
    spdlog::error("{}: {}", one.experiment->name,
                  one.finished
                      ? "differs from the paper: " + one.numbers.at("why").get<std::string>()
                      : one.failure);
    code = kNotCertified;
  }
  return code;
}

}  // namespace stickslip::cli
