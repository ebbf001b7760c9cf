#include "analysis_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

namespace stickslip::cli {
namespace {

using Kind = ImpulseSet::Kind;
using Json = nlohmann::ordered_json;

constexpr std::size_t kNamesShown = 6;
constexpr std::size_t kIslandsShown = 12;
constexpr std::pair<Kind, std::string_view> kKinds[] = {{Kind::frictionless, "frictionless"},
                                                        {Kind::planar, "planar"},
                                                        {Kind::elliptic, "elliptic"},
                                                        {Kind::polyhedral, "polyhedral"},
                                                        {Kind::interval, "bounded"}};

std::string_view wordFor(OpeningAnalysis::Answer answer) {
  switch (answer) {
    case OpeningAnalysis::Answer::opens:
      return "opens";
    case OpeningAnalysis::Answer::jams:
      return "jams";
    default:
      return "undecided";
  }
}

std::int64_t countOf(const ContactProblem& problem, Kind kind) {
  return std::count_if(problem.sets.begin(), problem.sets.end(),
                       [&](const ImpulseSet& set) { return set.kind == kind; });
}

std::string nameOf(const AnalysedScene& analysed, int contact) {
  const auto id = analysed.problem.contact_id[contact];
  return analysed.scene.model.system->contactName(id);
}

std::vector<std::string> namesOf(const AnalysedScene& analysed, const std::vector<int>& contacts) {
  std::vector<std::string> names;
  names.reserve(contacts.size());
  for (const int i : contacts) names.push_back(nameOf(analysed, i));
  return names;
}

std::string listOf(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), kNamesShown); ++k)
    text += (k == 0 ? "" : ", ") + names[k];
  if (names.size() > kNamesShown) text += fmt::format(" and {} more", names.size() - kNamesShown);
  return text;
}

Json openingAsJson(const AnalysedScene& analysed, const OpeningAnalysis& opening) {
  return {{"answer", wordFor(opening.answer)},
          {"margin_proven", opening.margin_proven},
          {"margin_ceiling", opening.margin_ceiling},
          {"jammed", namesOf(analysed, opening.jammed)}};
}

std::string openingAsText(const AnalysedScene& analysed, const OpeningAnalysis& opening,
                          std::string_view if_open) {
  switch (opening.answer) {
    case OpeningAnalysis::Answer::opens:
      return fmt::format("{}, margin {:.3g}", if_open, opening.margin_proven);
    case OpeningAnalysis::Answer::jams:
      return fmt::format("{} contacts can jam: {} (impulses in balance to {:.1e})",
                         opening.jammed.size(), listOf(namesOf(analysed, opening.jammed)),
                         opening.margin_ceiling);
    default:
      return fmt::format("undecided: margin between {:.1e} and {:.1e}", opening.margin_proven,
                         opening.margin_ceiling);
  }
}

std::string jointsAsText(const IslandAnalysis& island) {
  if (island.redundant_joint_rows == IslandAnalysis::kUnknown)
    return fmt::format("{} rows, some redundant", island.joint_rows);
  return fmt::format("{} rows, {} of them redundant", island.joint_rows,
                     island.redundant_joint_rows);
}

std::string kindsAsText(const ContactProblem& problem) {
  std::string text = fmt::format("{} at the start", problem.contactCount());
  for (const auto& [kind, word] : kKinds)
    if (const std::int64_t count = countOf(problem, kind); count > 0)
      text += fmt::format(", {} {}", count, word);
  return text;
}

}  // namespace

// The contacts that are closed where the run starts, with nothing moving yet, as the scheme
// midpoint finds them; cones are those of the scene's method.
AnalysedScene analyse(const Scene& scene) {
  AnalysedScene analysed{scene, {}, {}};
  Method method = scene.model.method;
  method.scheme = "midpoint";
  State start = scene.initial;
  std::fill(start.u.begin(), start.u.end(), 0.0);
  const auto scheme = makeScheme(method);
  scheme->reserve(*scene.model.system, analysed.problem);
  scheme->formulate(*scene.model.system, start, scene.run.time.step, analysed.problem);
  analysed.analysis = analyseConfiguration(analysed.problem);
  return analysed;
}

std::string analysisAsJson(const AnalysedScene& analysed) {
  const ConfigurationAnalysis& analysis = analysed.analysis;
  Json contacts{{"total", analysed.problem.contactCount()}};
  for (const auto& [kind, word] : kKinds)
    contacts[std::string(word)] = countOf(analysed.problem, kind);
  Json islands = Json::array();
  for (const IslandAnalysis& island : analysis.islands) {
    Json redundant = island.redundant_joint_rows;
    if (island.redundant_joint_rows == IslandAnalysis::kUnknown) redundant = nullptr;
    islands.push_back({{"contacts", namesOf(analysed, island.contacts)},
                       {"velocities", island.velocities},
                       {"joint_rows", island.joint_rows},
                       {"redundant_joint_rows", redundant},
                       {"frictionless", openingAsJson(analysed, island.frictionless)},
                       {"frictional", openingAsJson(analysed, island.frictional)}});
  }
  Json painleve = Json::array();
  for (const PainleveContact& found : analysis.painleve)
    painleve.push_back(
        {{"contact", nameOf(analysed, found.contact)}, {"response", found.response}});
  const Json json{{"scene", analysed.scene.name},
                  {"contacts", contacts},
                  {"islands", islands},
                  {"painleve", painleve},
                  {"impulses_unique", analysis.impulses_unique}};
  return json.dump(2) + "\n";
}

std::string analysisAsText(const AnalysedScene& analysed) {
  const ConfigurationAnalysis& analysis = analysed.analysis;
  std::string text;
  const auto line = [&](std::string_view label, const std::string& value) {
    text += fmt::format("{:<18} {}\n", label, value);
  };
  line("contacts", kindsAsText(analysed.problem));
  line("islands", fmt::format("{}", analysis.islands.size()));
  for (std::size_t k = 0; k < std::min(analysis.islands.size(), kIslandsShown); ++k) {
    const IslandAnalysis& island = analysis.islands[k];
    line(fmt::format("island {}", k + 1),
         fmt::format("{} velocities, {} contacts{}{}", island.velocities, island.contacts.size(),
                     island.contacts.empty() ? "" : ": ",
                     listOf(namesOf(analysed, island.contacts))));
    if (island.joint_rows > 0) line("  joints", jointsAsText(island));
    if (island.contacts.empty()) continue;
    line("  without friction",
         openingAsText(analysed, island.frictionless, "all contacts can be opened at once"));
    line("  with friction", openingAsText(analysed, island.frictional, "no contact can jam"));
  }
  if (analysis.islands.size() > kIslandsShown)
    line("", fmt::format("... {} more islands; --json has all",
                         analysis.islands.size() - kIslandsShown));
  for (const PainleveContact& found : analysis.painleve)
    line("painleve", fmt::format("{}: sliding one way, a normal impulse pulls it together "
                                 "({:.3g} of its response without friction)",
                                 nameOf(analysed, found.contact), found.response));
  line("impulses", analysis.impulses_unique ? "unique, whatever moves" : "may not be unique");
  return text;
}

}  // namespace stickslip::cli
