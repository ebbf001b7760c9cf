// Experiments of the papers: each is a function that computes it here and says what came out.
//
//   Experiment -> run(Effort) -> Outcome: verdict, numbers, tables and figures
//
// One file an experiment; experiments.cpp lists them. Scenes are those of scenes/papers, built in.
//
// A verdict follows from the numbers. Each experiment says what it has shown if all its checks
// hold, which depends on what the paper gives to compare with; if one fails, it `differs`.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/blocks.hpp"
#include "stickslip/io/scene.hpp"

namespace stickslip {

using Json = nlohmann::ordered_json;

inline constexpr double kGravity = 9.81;  ///< in all scenes of the papers [m/s^2]

enum class Verdict {
  agrees,          ///< the paper's own numbers come out, or what it derives
  agrees_in_kind,  ///< what it says comes out; it gives no numbers, or not the data behind them
  open,     ///< it comes out for data that were chosen by the outcome, or the paper does not say
  refutes,  ///< a statement of the paper has a counterexample, which is shown
  differs,  ///< something else comes out
};
std::string_view verdictName(Verdict verdict);

struct Effort {
  bool quick = false;  ///< small versions, seconds in all: for tests and first looks
};

struct Outcome {
  Verdict verdict = Verdict::open;
  std::string why;
  Json parameters = Json::object();  ///< what was simulated; `chosen`: what the paper does not give
  Json rows = Json::array();
  std::vector<Block> blocks;  ///< tables and figures, in the order of the report
};

/// What must hold for `agrees`.
class Checks {
 public:
  /// `found` says what was found instead, should it not hold.
  void expect(bool holds, std::string found);
  /// The verdict `shown`, with the summary as the reason; or `differs`, with all that did not hold.
  void decide(Outcome& outcome, Verdict shown, std::string summary) const;

 private:
  std::vector<std::string> failed_;
};

struct Experiment {
  std::string_view name;
  std::string_view source;  ///< paper and place
  std::string_view title;
  Outcome (*run)(const Effort& effort);
};

/// All experiments, in the order of reports.
std::span<const Experiment> experiments();
/// The experiment of this name, or null.
const Experiment* findExperiment(std::string_view name);

/// scenes/papers/<name>.json as it was when the program was built, with overrides as for loadScene.
Scene paperScene(std::string_view name, std::span<const std::string> overrides = {});
Scene paperScene(std::string_view name, std::initializer_list<std::string> overrides);

/// A line about what is being done, on standard error.
void sayProgress(std::string_view what);

}  // namespace stickslip
