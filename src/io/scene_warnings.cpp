#include "io/scene_warnings.hpp"

#include <fmt/format.h>

#include "stickslip/body_system.hpp"

namespace stickslip {
namespace {

// Bodies that overlap by more than this share of the smaller one were not meant to.
constexpr double kDeepOverlap = 0.01;
constexpr std::size_t kMostOverlapsNamed = 5;

void addOverlaps(const BodySystem& system, const State& state, const std::string& source,
                 std::vector<std::string>& warnings) {
  const auto name = [&](int body) { return system.data().bodies[std::size_t(body)].name; };
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

// No scheme of this version has moments in its contacts.
void addIdleFriction(const BodySystemData& data, const std::string& scheme,
                     const std::string& source, std::vector<std::string>& warnings) {
  const auto is_idle = [](const ContactProperties& surface) {
    return surface.rolling_friction > 0 || surface.torsional_friction > 0;
  };
  for (const Material& material : data.materials)
    if (is_idle(material.surface))
      warnings.push_back(
          fmt::format("{}: material \"{}\": the scheme \"{}\" does not apply rolling "
                      "and torsional friction",
                      source, material.name, scheme));
  for (const MaterialPair& pair : data.material_pairs)
    if (is_idle(pair.surface) && !is_idle(combine(data.materials[std::size_t(pair.a)].surface,
                                                  data.materials[std::size_t(pair.b)].surface)))
      warnings.push_back(
          fmt::format("{}: material_pairs: the scheme \"{}\" does not apply rolling "
                      "and torsional friction",
                      source, scheme));
}

}  // namespace

std::vector<std::string> warningsAbout(const Scene& scene, const std::string& source) {
  std::vector<std::string> warnings;
  if (const auto* system = dynamic_cast<const BodySystem*>(scene.model.system.get())) {
    addIdleFriction(system->data(), scene.model.method.scheme, source, warnings);
    addOverlaps(*system, scene.initial, source, warnings);
  }
  return warnings;
}

}  // namespace stickslip
