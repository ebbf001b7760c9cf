#include "papers/experiment.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <stdexcept>

#include "papers/paper_scenes.hpp"

namespace stickslip {
namespace {

std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : "; ") + part;
  return out;
}

}  // namespace

std::string_view verdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::agrees:
      return "agrees";
    case Verdict::agrees_in_kind:
      return "agrees in kind";
    case Verdict::open:
      return "open";
    case Verdict::refutes:
      return "refutes";
    case Verdict::differs:
      break;
  }
  return "differs";
}

void Checks::expect(bool holds, std::string found) {
  if (!holds) failed_.push_back(std::move(found));
}

void Checks::decide(Outcome& outcome, Verdict shown, std::string summary) const {
  outcome.verdict = failed_.empty() ? shown : Verdict::differs;
  outcome.why = failed_.empty() ? std::move(summary) : joined(failed_);
}

Scene paperScene(std::string_view name, std::span<const std::string> overrides) {
  for (const PaperScene& scene : paperScenes())
    if (scene.name == name)
      return parseScene(std::string(scene.text), fmt::format("scenes/papers/{}.json", name),
                        overrides);
  throw std::logic_error(fmt::format("there is no scene {} of a paper", name));
}

Scene paperScene(std::string_view name, std::initializer_list<std::string> overrides) {
  return paperScene(name, std::span(overrides.begin(), overrides.size()));
}

void sayProgress(std::string_view what) {
  fmt::print(stderr, "{}\n", what);
}

}  // namespace stickslip
