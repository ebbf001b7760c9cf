#include "reproduce/experiments.hpp"

#include <array>

namespace stickslip {

std::span<const Experiment> experiments() {
  static constexpr auto kExperiments = std::to_array<Experiment>({
      {"incline", "000 Figure 1, (1)", "Block on an incline: a differential inclusion",
       reproduceIncline},
  });
  return kExperiments;
}

const Experiment* findExperiment(std::string_view name) {
  for (const Experiment& experiment : experiments())
    if (experiment.name == name) return &experiment;
  return nullptr;
}

}  // namespace stickslip
