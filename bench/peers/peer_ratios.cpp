// How many times as quick as other engines this one is, at no more overlap than theirs: the
// settings that matter, in turn.
//
// All settings of a scene run it once in every round, so that what slows the machine down for a
// while meets all of them; a ratio is that of two runs of one round. Printed are the median of the
// ratios and that of the quickest runs. Overlaps are those of the first round, after the last step.
//
// Usage: peer_ratios ROUNDS [SCENE...]   all scenes if none is named
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string_view>

#include "peers/peer_run.hpp"

namespace stickslip::peers {
namespace {

constexpr double kLimit = 60;  // of one run [s]

struct Setting {
  const char* engine;
  const char* name;
};

struct Comparison {
  const char* scene;
  std::vector<Setting> ours;
  std::vector<Setting> theirs;
};

// Theirs as their manuals recommend them (peer_bench has more of both).
const std::vector<Comparison>& comparisons() {
  static const std::vector<Comparison> all{
      {"spheres",
       {{"stickslip", "sweeps 4 margin"},
        {"stickslip", "sweeps 8 margin"},
        {"stickslip", "sweeps 20 margin"},
        {"stickslip", "sweeps 20"},
        {"stickslip", "accelerated 1e-4 relaxed"}},
       {{"ODE", "QuickStep 20"}, {"Bullet", "10"}}},
      {"boxes",
       {{"stickslip", "sweeps 8 margin"}, {"stickslip", "sweeps 8"}},
       {{"ODE", "QuickStep 20"}, {"Bullet", "10"}}},
      {"rocks",
       {{"stickslip", "sweeps 8 margin"}, {"stickslip", "sweeps 8"}},
       {{"ODE", "QuickStep 20"}, {"Bullet", "10"}}},
      {"discs",
       {{"stickslip", "sweeps 20 margin"}, {"stickslip", "sweeps 8 margin"}},
       {{"Box2D", "8/3"}, {"Chipmunk", "10"}}},
  };
  return all;
}

/// The runs of one setting.
struct Runs {
  Setting setting;
  const Contender* contender = nullptr;
  std::vector<double> seconds{};  ///< a step, one a round
  double overlap = 0;

  double best() const { return *std::min_element(seconds.begin(), seconds.end()); }
};

double medianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double medianRatio(const Runs& ours, const Runs& theirs) {
  std::vector<double> ratios;
  for (std::size_t k = 0; k < ours.seconds.size(); ++k)
    ratios.push_back(theirs.seconds[k] / ours.seconds[k]);
  return medianOf(ratios);
}

std::vector<Runs> installed(const std::vector<Setting>& settings,
                            const std::vector<Contender>& all) {
  std::vector<Runs> out;
  for (const Setting& setting : settings) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Contender& c) {
      return c.engine == setting.engine && c.setting == setting.name;
    });
    if (found != all.end())
      out.push_back({.setting = setting, .contender = &*found});
    else
      std::printf("not installed, left out: %s %s\n", setting.engine, setting.name);
  }
  return out;
}

// False if it did not get to the end.
bool runOnce(const PeerScene& scene, Runs& runs) {
  PeerResult result;
  const bool is_first = runs.seconds.empty();
  const study::Ending ending = runPeer(*runs.contender, scene, kLimit, is_first, result);
  if (ending != study::Ending::complete || result.steps < scene.steps) return false;
  runs.seconds.push_back(result.seconds / result.steps);
  if (is_first) runs.overlap = result.errors.overlap_end;
  return true;
}

void print(const Runs& runs) {
  std::printf("  %-9s %-22s best %7.1f, median %7.1f steps/s, overlap at the end %.2g mm\n",
              runs.setting.engine, runs.setting.name, 1 / runs.best(), 1 / medianOf(runs.seconds),
              1e3 * runs.overlap);
}

bool compare(const Comparison& comparison, const PeerScene& scene, int rounds) {
  const std::vector<Contender> all = contenders();
  std::vector<Runs> ours = installed(comparison.ours, all);
  std::vector<Runs> theirs = installed(comparison.theirs, all);
  for (int round = 0; round < rounds; ++round)
    for (std::vector<Runs>* side : {&ours, &theirs})
      for (Runs& runs : *side)
        if (!runOnce(scene, runs)) {
          std::fprintf(stderr, "peer_ratios: %s %s did not get to the end of %s\n",
                       runs.setting.engine, runs.setting.name, comparison.scene);
          return false;
        }
  std::printf("%s: %d bodies, %d steps, %d rounds\n", comparison.scene, scene.bodyCount(),
              scene.steps, rounds);
  for (const Runs& runs : ours) {
    print(runs);
    for (const Runs& other : theirs)
      std::printf("    against %s %s: %.2f times as quick (by the quickest runs %.2f)%s\n",
                  other.setting.engine, other.setting.name, medianRatio(runs, other),
                  other.best() / runs.best(),
                  runs.overlap <= other.overlap ? "" : ", at more overlap");
  }
  for (const Runs& runs : theirs) print(runs);
  std::fflush(stdout);
  return true;
}

int runAll(int rounds, const std::vector<std::string_view>& wanted) {
  for (const std::string_view name : wanted)
    if (std::none_of(comparisons().begin(), comparisons().end(),
                     [&](const Comparison& c) { return c.scene == name; })) {
      std::fprintf(stderr, "peer_ratios: no scene \"%s\"; there are: spheres boxes rocks discs\n",
                   std::string(name).c_str());
      return 2;
    }
  const std::vector<PeerScene> scenes = peerScenes();
  bool complete = true;
  for (const Comparison& comparison : comparisons()) {
    if (!wanted.empty() &&
        std::find(wanted.begin(), wanted.end(), comparison.scene) == wanted.end())
      continue;
    const auto scene = std::find_if(scenes.begin(), scenes.end(),
                                    [&](const PeerScene& s) { return s.name == comparison.scene; });
    complete = compare(comparison, *scene, rounds) && complete;
  }
  return complete ? 0 : 1;
}

}  // namespace
}  // namespace stickslip::peers

int main(int count, char** arguments) {
  int rounds = 0;
  const std::string_view first = count > 1 ? arguments[1] : "";
  const auto [end, error] = std::from_chars(first.data(), first.data() + first.size(), rounds);
  if (error != std::errc() || end != first.data() + first.size() || rounds < 1) {
    std::fprintf(stderr, "usage: peer_ratios ROUNDS [SCENE...], ROUNDS a whole number >= 1\n");
    return 2;
  }
  return stickslip::peers::runAll(rounds, {arguments + 2, arguments + count});
}
