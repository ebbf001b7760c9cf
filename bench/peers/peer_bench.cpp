// Time against error of this engine and of others, on the same scenes in the same run.
//
// Each contender runs each scene several times, all contenders once before any of them runs again,
// so that what slows the machine down for a while meets all of them; the quickest run counts. The
// first one is checked after every step. Sleeping is off everywhere, and one thread is used.
//
// Usage: peer_bench FILE.csv [SCENE...]   all scenes if none is named
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string_view>

#include "peers/peer_run.hpp"

namespace stickslip::peers {
namespace {

constexpr int kRounds = 3;
constexpr double kLimit = 15;   // of one run [s]
constexpr double kTooSlow = 4;  // runs that take longer are not repeated [s]

struct Row {
  const Contender* contender = nullptr;
  study::Ending ending = study::Ending::complete;
  PeerResult first{};
  double best_seconds_per_step = 0;
  int runs = 0;
};

bool isWorthRepeating(const Row& row) {
  return row.runs == 0 || (row.ending == study::Ending::complete && row.first.seconds <= kTooSlow);
}

void runOnce(const PeerScene& scene, Row& row) {
  PeerResult result;
  const bool is_first = row.runs == 0;
  row.ending = runPeer(*row.contender, scene, kLimit, is_first, result);
  ++row.runs;
  if (row.ending != study::Ending::complete || result.steps == 0) return;
  const double seconds = result.seconds / result.steps;
  row.best_seconds_per_step = is_first ? seconds : std::min(row.best_seconds_per_step, seconds);
  if (is_first) row.first = result;
}

const char* nameOf(Purpose purpose) {
  switch (purpose) {
    case Purpose::pile:
      return "pile";
    case Purpose::stuck:
      return "stuck";
    case Purpose::collision:
      break;
  }
  return "collision";
}

const char* statusOf(const Row& row, const PeerScene& scene) {
  if (row.ending == study::Ending::time_limit) return "time_limit";
  if (row.ending == study::Ending::crashed) return "crashed";
  if (!row.first.errors.finite) return "not_finite";
  return row.first.steps < scene.steps ? "partial" : "done";
}

void writeRow(std::ostream& out, const PeerScene& scene, const Row& row) {
  const SceneErrors& e = row.first.errors;
  char text[400];
  std::snprintf(text, sizeof text,
                "%s,%s,%d,%s,%s,%s,%d,%d,%.4g,%.4g,%.3e,%.3e,%.3e,%.3e,%.3e,%.3e,%.3e,%.3e",
                scene.name.c_str(), nameOf(scene.purpose), scene.bodyCount(),
                row.contender->engine.c_str(), row.contender->setting.c_str(), statusOf(row, scene),
                row.first.steps, row.runs, 1e3 * row.best_seconds_per_step,
                1e3 * row.first.worst_step, e.overlap_end, e.overlap_peak, e.rest_energy, e.drift,
                e.creep, e.momentum, e.energy_gain, row.first.residual);
  out << text << std::endl;
}

void runScene(const PeerScene& scene, const std::vector<Contender>& all, std::ostream& out) {
  std::vector<Row> rows;
  for (const Contender& contender : all)
    if (contender.accepts(scene)) rows.push_back({.contender = &contender});
  for (int round = 0; round < kRounds; ++round)
    for (Row& row : rows)
      if (isWorthRepeating(row)) runOnce(scene, row);
  std::printf("%s: %d bodies, %d steps\n", scene.name.c_str(), scene.bodyCount(), scene.steps);
  for (const Row& row : rows) {
    writeRow(out, scene, row);
    std::printf("  %-10s %-24s %-10s %9.1f steps/s, overlap %.1e\n", row.contender->engine.c_str(),
                row.contender->setting.c_str(), statusOf(row, scene),
                row.best_seconds_per_step > 0 ? 1 / row.best_seconds_per_step : 0.0,
                row.first.errors.overlap_end);
  }
  std::fflush(stdout);
}

bool areKnown(const std::vector<std::string_view>& wanted, const std::vector<PeerScene>& scenes) {
  for (const std::string_view name : wanted) {
    if (std::any_of(scenes.begin(), scenes.end(), [&](const auto& s) { return s.name == name; }))
      continue;
    std::fprintf(stderr, "peer_bench: no scene \"%s\"; there are:", std::string(name).c_str());
    for (const PeerScene& scene : scenes) std::fprintf(stderr, " %s", scene.name.c_str());
    std::fprintf(stderr, "\n");
    return false;
  }
  return true;
}

int runAll(const char* file, const std::vector<std::string_view>& wanted) {
  const std::vector<PeerScene> scenes = peerScenes();
  if (!areKnown(wanted, scenes)) return 2;
  std::ofstream out(file);
  if (!out) {
    std::fprintf(stderr, "cannot write %s\n", file);
    return 1;
  }
  for (const std::string& peer : missingPeers())
    std::printf("not installed, left out: %s\n", peer.c_str());
  const std::vector<Contender> all = contenders();
  out << "scene,purpose,bodies,engine,setting,status,steps,runs,step_ms,worst_ms,overlap_end,"
         "overlap_peak,"
         "rest_energy,drift,creep,momentum,energy_gain,residual\n";
  for (const PeerScene& scene : scenes)
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), scene.name) != wanted.end())
      runScene(scene, all, out);
  return 0;
}

}  // namespace
}  // namespace stickslip::peers

int main(int count, char** arguments) {
  if (count < 2 || arguments[1][0] == '-') {
    std::fprintf(stderr, "usage: peer_bench FILE.csv [SCENE...]\n");
    return 2;
  }
  return stickslip::peers::runAll(arguments[1], {arguments + 2, arguments + count});
}
