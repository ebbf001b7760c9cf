#include "stage_study/stage_problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "stickslip/io/fclib.hpp"
#include "stickslip/io/problem_dump.hpp"
#include "stickslip/io/scene.hpp"
#include "stickslip/run.hpp"
#include "support/pile_problems.hpp"
#include "support/planar_problems.hpp"
#include "support/scenes.hpp"
#include "support/spatial_problems.hpp"

namespace stickslip::study {
namespace {

using testing::Random;
using Sequence = std::vector<AnyProblem>;

constexpr double kPileStep = 0.05;  // of [AH04]'s piles [s]
constexpr int kTowerLevels = 20;
constexpr int kTrials = 40;  // of random problems, in one sequence

class List {
 public:
  explicit List(bool full) : full_(full) {}

  void add(std::string family, std::string name, std::function<Sequence()> make) {
    problems.push_back({std::move(family), std::move(name), std::move(make)});
  }
  void addFull(std::string family, std::string name, std::function<Sequence()> make) {
    if (full_) add(std::move(family), std::move(name), std::move(make));
  }
  bool full() const { return full_; }

  std::vector<ProblemSequence> problems;

 private:
  bool full_;
};

// Problems that have nothing to do with each other.
template <class Make>
std::function<Sequence()> trials(int count, Make make) {
  return [=] {
    Sequence problems;
    Random random(11);
    for (int k = 0; k < count; ++k) problems.push_back(make(random, k));
    return problems;
  };
}

void addPiles(List& list) {
  for (const int row : {6, 20, 60})
    for (const double mu : {0.05, 0.1, 0.2, 0.3, 0.5, 0.8}) {
      const auto make = [=]() -> Sequence {
        Random random(1);
        return {testing::cannonballPile(row, mu, kPileStep, 0, random)};
      };
      const std::string name = fmt::format("{} in the lowest row, mu {}", row, mu);
      if (row < 60)
        list.add("piles", name, make);
      else if (mu < 0.2 || mu > 0.5)  // what is between takes minutes
        list.addFull("piles", name, make);
    }
}

// Each with a velocity and a friction of its own.
void addStates(List& list) {
  constexpr double kSpeeds[] = {0.03, 0.1, 0.25}, kFrictions[] = {0.2, 0.4, 0.6, 0.8};
  const int states = list.full() ? 24 : 6;
  for (int k = 0; k < states; ++k)
    list.add("near rest", fmt::format("state {}", k), [=]() -> Sequence {
      Random random(static_cast<std::uint64_t>(100 + k));
      return {
          testing::cannonballPile(20, kFrictions[k / 3 % 4], kPileStep, kSpeeds[k % 3], random)};
    });
}

// The mass grows from the cube on the floor to the one on top by the ratio in all.
void addTowers(List& list) {
  for (const double ratio : {1.0, 1e2, 1e4, 1e6})
    for (const double mu : {0.2, 0.5}) {
      list.add("towers", fmt::format("{:g}:1, mu {}", ratio, mu), [=]() -> Sequence {
        const double step = std::pow(ratio, 1.0 / (kTowerLevels - 1));
        return {testing::towerProblem(kTowerLevels, step, mu, 0.1)};
      });
    }
}

void addJams(List& list) {
  const int count = list.full() ? kTrials : kTrials / 4;
  for (const int contacts : {4, 8, 16}) {
    const std::string size = fmt::format("{} contacts", contacts);
    list.add("jams", "wedged, " + size, trials(count, [=](Random& random, int) {
               return testing::jammedProblem(random, contacts);
             }));
    list.add("jams", "wedged with rebound, " + size, trials(count, [=](Random& random, int) {
               return testing::jammedReboundProblem(random, contacts);
             }));
    list.add("jams", "patches, " + size, trials(count, [=](Random& random, int) {
               return testing::patchProblem(random, contacts);
             }));
  }
}

void addRandom(List& list) {
  const int count = list.full() ? kTrials : kTrials / 4;
  const auto add = [&](const std::string& name, const testing::SpatialShape& shape) {
    list.add("random", name, trials(count, [=](Random& random, int) {
               return testing::randomSpatialProblem(random, shape);
             }));
  };
  for (const int bodies : {3, 12, 40}) {
    const int patches = bodies + bodies / 2;
    const std::string size = fmt::format("{} bodies", bodies);
    add("round cones, " + size, {.bodies = bodies, .patches = patches, .points = 2});
    add("redundant, masses 1e4:1, " + size,
        {.bodies = bodies, .patches = patches, .points = 4, .mass_ratio = 1e4});
    add("polygons, " + size,
        {.bodies = bodies, .patches = patches, .points = 2, .polyhedral = true});
    add("elliptic cones, joints, motors, " + size, {.bodies = bodies,
                                                    .patches = patches,
                                                    .points = 2,
                                                    .circular = false,
                                                    .largest_mu = 2,
                                                    .restitution = true,
                                                    .joints = bodies / 3,
                                                    .motors = bodies / 3});
    add("torsion and rolling, " + size,
        {.bodies = bodies, .patches = patches, .torsion = 0.1, .rolling = 0.1});
    add("friction that knows no load, " + size,
        {.bodies = bodies, .patches = patches, .load_independent = true});
    list.add("random", "plane, " + size, trials(count, [=](Random& random, int) {
               return testing::randomPlanarProblem(random, {bodies, 2 * bodies});
             }));
  }
}

// The contact problems of some steps of a scene, two steps or more at a time.
Sequence stepsOf(const Scene& scene, const std::vector<std::int64_t>& steps) {
  Sequence problems;
  Stepper stepper(scene.model);
  run(stepper, scene.initial, scene.run,
      [&](std::int64_t step, const State&, const Stepper& at, const StepReport*) {
        if (std::find(steps.begin(), steps.end(), step) != steps.end())
          problems.push_back(at.problem());
      });
  return problems;
}

std::vector<std::int64_t> range(std::int64_t first, std::int64_t last) {
  std::vector<std::int64_t> steps;
  for (std::int64_t step = first; step <= last; ++step) steps.push_back(step);
  return steps;
}

// Scenes of the repository, with all they have in them: limits, motors, stops, moments.
void addScenes(List& list) {
  const auto add = [&](const char* file, std::int64_t first, std::int64_t last, double h) {
    list.add("scenes", file, [=] {
      const std::vector<std::string> overrides{
          fmt::format("time.end={}", h * static_cast<double>(last))};
      return stepsOf(testing::repositoryScene(file, overrides), range(first, last));
    });
  };
  const auto stepOf = [](const char* file) { return testing::repositoryScene(file).run.time.step; };
  for (const auto& [file, first, last] :
       std::initializer_list<std::tuple<const char*, int, int>>{{"woodpecker.json", 1, 400},
                                                                {"box-stack.json", 1, 40},
                                                                {"incline-stack.json", 1, 40},
                                                                {"wedge.json", 1, 40},
                                                                {"scale/arch.json", 1, 10},
                                                                {"scale/card-house.json", 1, 10},
                                                                {"scale/dominoes.json", 100, 110},
                                                                {"scale/wall.json", 1, 4}})
    add(file, first, last, stepOf(file));
}

// A column of disks that falls, stands, and runs out to one side once it stands: h = 2 ms.
std::string columnScene(int wide, int high, double mu) {
  constexpr double kRadius = 0.05, kSpacing = 0.11;
  return fmt::format(
      R"({{"stickslip": 1, "name": "column", "time": {{"step": 0.002, "end": 1}},
"system": {{"type": "planar", "materials": {{"default": {{"friction": {}}}}},
"bodies": [{{"name": "walls", "type": "static", "shapes": [{{"type": "half-plane"}},
  {{"type": "half-plane", "position": [0, 0], "normal": [1, 0]}}]}}],
"instances": [{{"name": "disk{{i}}", "grid": {{"count": [{}, {}], "spacing": [{}, {}],
  "origin": [{}, {}]}}, "jitter": 0.005, "seed": 1,
  "body": {{"shape": {{"type": "disk", "radius": {}}}}}}}]}},
"method": {{"solver": "sweeps", "budget": 300}}}})",
      mu, wide, high, kSpacing, kSpacing, kSpacing / 2, kSpacing / 2, kRadius);
}

void addGranularFlow(List& list) {
  struct Column {
    int wide, high;
    double mu;
  };
  const auto add = [&](const Column& c, std::vector<std::int64_t> steps, bool always) {
    for (const std::int64_t step : steps) {
      const std::string name = fmt::format("{} disks, mu {}, step {}", c.wide * c.high, c.mu, step);
      const auto make = [=] {
        const std::vector<std::string> end{
            fmt::format("time.end={}", 0.002 * static_cast<double>(step + 1))};
        return stepsOf(parseScene(columnScene(c.wide, c.high, c.mu), "column", end),
                       {step, step + 1});
      };
      always ? list.add("granular flow", name, make) : list.addFull("granular flow", name, make);
    }
  };
  add({20, 20, 0.5}, {150, 300, 450}, true);
  add({20, 20, 0.2}, {150, 300, 450}, true);
  add({40, 40, 0.5}, {150, 300, 450}, false);
  add({60, 65, 0.5}, {200, 400}, false);
  for (const int disks : {100, 1000, 3500})
    for (const double mu : {0.2, 0.8}) {
      const auto make = [=]() -> Sequence {
        Random random(5);
        return {testing::randomPile(disks, mu, 10, 0.1, random)};
      };
      const std::string name = fmt::format("random pile, {} disks, mu {}", disks, mu);
      disks < 3500 ? list.add("granular flow", name, make)
                   : list.addFull("granular flow", name, make);
    }
}

// Spheres that fall into a box that fits them and jam: h = 2 ms, driven by many sweeps a step.
std::string spheresScene(int side, double mu) {
  const double half = 0.06 * side, first = -0.0575 * (side - 1);
  return fmt::format(
      R"({{"stickslip": 1, "name": "spheres", "time": {{"step": 0.002, "end": 1}},
"system": {{"type": "spatial", "materials": {{"default": {{"friction": {0}}}}},
"bodies": [{{"name": "box", "type": "static", "shapes": [{{"type": "half-space"}},
  {{"type": "half-space", "position": [{1}, 0, 0], "normal": [-1, 0, 0]}},
  {{"type": "half-space", "position": [-{1}, 0, 0], "normal": [1, 0, 0]}},
  {{"type": "half-space", "position": [0, {1}, 0], "normal": [0, -1, 0]}},
  {{"type": "half-space", "position": [0, -{1}, 0], "normal": [0, 1, 0]}}]}}],
"instances": [{{"name": "ball{{i}}", "grid": {{"count": [{2}, {2}, {2}],
  "spacing": [0.115, 0.115, 0.115], "origin": [{3}, {3}, 0.06]}}, "jitter": 0.007, "seed": 1,
  "body": {{"shape": {{"type": "sphere", "radius": 0.05}}}}}}]}},
"method": {{"solver": "sweeps", "budget": 2000}}}})",
      mu, half, side, first);
}

LocalProblem localFormOf(const AnyProblem& problem) {
  return localForm(std::get<ContactProblem>(problem));
}

void addJammedSpheres(List& list) {
  const auto add = [&](int side, double mu, std::vector<std::int64_t> steps, bool always) {
    for (const std::int64_t step : steps) {
      const std::string name =
          fmt::format("{} spheres, mu {}, step {}", side * side * side, mu, step);
      const auto make = [=] {
        const std::vector<std::string> end{
            fmt::format("time.end={}", 0.002 * static_cast<double>(step + 1))};
        return stepsOf(parseScene(spheresScene(side, mu), "spheres", end), {step, step + 1});
      };
      always ? list.add("jammed spheres", name, make) : list.addFull("jammed spheres", name, make);
      // The second of them in FCLIB's local form, which knows no bodies.
      if (side <= 5)
        list.add("local form", name, [=]() -> Sequence { return {localFormOf(make().back())}; });
    }
  };
  add(4, 0.5, {150, 300}, true);
  add(5, 0.3, {200, 400}, true);
  add(7, 0.3, {250, 400}, false);
  add(7, 0.5, {160, 220, 280, 340, 400}, false);
  add(7, 0.8, {250, 400}, false);
  add(10, 0.5, {280, 400}, false);
}

AnyProblem readProblem(const std::filesystem::path& file) {
  switch (problemKindOf(file.string())) {
    case ProblemKind::fclib_local:
      return readFclibLocal(file);
    case ProblemKind::fclib_global:
      return readFclibGlobal(file);
    default:
      return readProblemDump(file).problem;
  }
}

void addFiles(const std::string& family, const std::filesystem::path& folder, List& list) {
  if (folder.empty() || !std::filesystem::is_directory(folder)) return;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".hdf5") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path& file : files)
    list.add(family, file.stem().string(), [=]() -> Sequence { return {readProblem(file)}; });
}

}  // namespace

std::vector<ProblemSequence> stageProblems(Extent extent, const std::filesystem::path& fclib) {
  List list(extent == Extent::full);
  addPiles(list);
  addStates(list);
  addTowers(list);
  addJams(list);
  addRandom(list);
  addScenes(list);
  addGranularFlow(list);
  addJammedSpheres(list);
  addFiles("files", testing::sceneFolder() / "problems", list);
  addFiles("fclib", fclib, list);
  return list.problems;
}

}  // namespace stickslip::study
