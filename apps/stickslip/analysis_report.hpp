// What check --analyse prints.
#pragma once

#include <string>

#include "stickslip/analysis.hpp"
#include "stickslip/io/scene.hpp"

namespace stickslip::cli {

/// A scene's contacts and joints at its start, and what is to be said about them.
struct AnalysedScene {
  const Scene& scene;
  ContactProblem problem;
  ConfigurationAnalysis analysis;
};

AnalysedScene analyse(const Scene& scene);
std::string analysisAsJson(const AnalysedScene& analysed);
std::string analysisAsText(const AnalysedScene& analysed);

}  // namespace stickslip::cli
