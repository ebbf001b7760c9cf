#include "scene/scene_warnings.hpp"

#include <fmt/format.h>

#include "stickslip/body_system.hpp"

namespace stickslip {
namespace {

// Bodies that overlap by more than this share of the smaller one were not meant to.
constexpr double kDeepOverlap = 0.01;
constexpr std::size_t kMostOverlapsNamed = 5;

void addOverlaps(const BodySystem& system, const State& state, const std::string& source,
                 std::vector<std::string>& warnings) {
  const auto name = [&](int body) { return system.data().bodies[body].name; };
  std::size_t count = 0;
  for (const Overlap& overlap : system.overlaps(state, kDeepOverlap)) {
    if (++count > kMostOverlapsNamed) continue;
    const double percent = 100 * overlap.depth / overlap.size;
    warnings.push_back(fmt::format(
        "{}: bodies \"{}\" and \"{}\" overlap at the start by {:.3g}, {:.{}f} % of the smaller one",
        source, name(overlap.body_a), name(overlap.body_b), overlap.depth, percent,
        percent < 10 ? 1 : 0));
  }
  if (count > kMostOverlapsNamed)
    warnings.push_back(fmt::format("{}: ... and {} more overlaps at the start", source,
                                   count - kMostOverlapsNamed));
}

}  // namespace

std::vector<std::string> warningsAbout(const Scene& scene, const std::string& source) {
  std::vector<std::string> warnings;
  if (const auto* system = dynamic_cast<const BodySystem*>(scene.model.system.get())) {
    addOverlaps(*system, scene.initial, source, warnings);
  }
  return warnings;
}

}  // namespace stickslip
