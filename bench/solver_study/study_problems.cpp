#include "solver_study/study_problems.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "stickslip/io/fclib.hpp"
#include "support/pile_problems.hpp"
#include "support/spatial_problems.hpp"
#include "support/sphere_box.hpp"

namespace stickslip::study {
namespace {

constexpr double kStep = 0.05;  // of [AH04]'s piles [s]
constexpr int kTowerLevels = 20;

void addPiles(int bottom_row, const std::vector<double>& mus, std::vector<StudyProblem>& list) {
  for (const double mu : mus)
    list.push_back({"pile" + std::to_string(bottom_row), "mu", mu, [=]() -> AnyProblem {
                      testing::Random random(1);
                      return testing::cannonballPile(bottom_row, mu, kStep, 0, random);
                    }});
}

// States near rest: every one has its own seed, velocity and friction, which the parameter numbers.
void addStates(int bottom_row, int count, std::vector<StudyProblem>& list) {
  constexpr double kSpeeds[] = {0.03, 0.1, 0.25}, kFrictions[] = {0.2, 0.4, 0.6, 0.8};
  for (int k = 0; k < count; ++k)
    list.push_back({"pile" + std::to_string(bottom_row) + "-states", "state",
                    static_cast<double>(k),
                    [=]() -> AnyProblem {
                      testing::Random random(static_cast<std::uint64_t>(100 + k));
                      return testing::cannonballPile(bottom_row, kFrictions[k / 3 % 4], kStep,
                                                     kSpeeds[k % 3], random);
                    },
                    true});
}

// The mass grows from the cube on the floor to the one on top by the ratio in all.
void addTowers(const std::vector<double>& ratios, std::vector<StudyProblem>& list) {
  for (const double ratio : ratios)
    list.push_back({"tower20", "mass_ratio", ratio, [=]() -> AnyProblem {
                      const double step = std::pow(ratio, 1.0 / (kTowerLevels - 1));
                      return testing::towerProblem(kTowerLevels, step, 0.5, 0.1);
                    }});
}

void addSpheres(int side, int steps, std::vector<StudyProblem>& list) {
  list.push_back({"spheres" + std::to_string(side * side * side), "mu", 0.5, [=]() -> AnyProblem {
                    return testing::settledSpheres(side, 0.5, steps).nextProblem();
                  }});
}

AnyProblem readFclib(const std::filesystem::path& file) {
  try {
    return readFclibLocal(file);
  } catch (const std::exception&) {
    return readFclibGlobal(file);
  }
}

void addFclib(const std::filesystem::path& folder, std::vector<StudyProblem>& list) {
  if (folder.empty() || !std::filesystem::is_directory(folder)) return;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".hdf5") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path& file : files)
    list.push_back({"fclib:" + file.stem().string(), "", 0, [=] { return readFclib(file); }});
}

}  // namespace

std::vector<StudyProblem> studyProblems(Extent extent, const std::filesystem::path& fclib) {
  const bool full = extent == Extent::full;
  const std::vector<double> all_mu{0.05, 0.1, 0.2, 0.3, 0.5, 0.8}, some_mu{0.05, 0.2, 0.8};
  std::vector<StudyProblem> list;
  addPiles(6, all_mu, list);
  addPiles(20, full ? all_mu : some_mu, list);
  if (full) addPiles(60, all_mu, list);
  addStates(20, full ? 100 : 12, list);
  if (full) addStates(30, 20, list);
  addTowers(
      full ? std::vector<double>{1, 10, 1e2, 1e3, 1e4, 1e5, 1e6} : std::vector<double>{1, 1e3, 1e6},
      list);
  addSpheres(5, 300, list);
  if (full) addSpheres(10, 300, list);
  addFclib(fclib, list);
  return list;
}

bool isPlanar(const AnyProblem& problem) {
  return std::visit(
      [](const auto& p) {
        return std::none_of(p.sets.begin(), p.sets.end(),
                            [](const ImpulseSet& set) { return set.dimension() == 3; });
      },
      problem);
}

int rowsOf(const AnyProblem& problem) {
  return std::visit(
      [](const auto& p) {
        int rows = 0;
        for (const ImpulseSet& set : p.sets) rows += set.dimension();
        return rows;
      },
      problem);
}

int contactsOf(const AnyProblem& problem) {
  return std::visit([](const auto& p) { return p.contactCount(); }, problem);
}

Law& lawOf(AnyProblem& problem) {
  return std::visit([](auto& p) -> Law& { return p.law; }, problem);
}

}  // namespace stickslip::study
