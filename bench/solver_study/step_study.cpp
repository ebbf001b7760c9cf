#include "solver_study/step_study.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <ostream>

#include "solver_study/isolated_run.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/io/recording.hpp"
#include "support/sphere_box.hpp"

namespace stickslip::study {
namespace {

constexpr double kTolerance = 1e-8;

struct StepScene {
  std::string name;
  double mu = 0;
  Scene scene;
  int tangents = 0;
};

struct StepMeasurement {
  int steps = 0;
  int certified = 0;
  int contacts = 0;     ///< most of any step
  double residual = 0;  ///< worst
  double mean = 0;      ///< [s], as all that follow
  double median = 0;
  double worst = 0;
  double rest = 0;
  double record = 0;
};

StepScene cannonball(double mu) {
  const std::string overrides[] = {"system.materials.default.friction=" + std::to_string(mu)};
  return {"cannonball", mu,
          loadScene(std::string(STICKSLIP_SCENES) + "/cannonball.json", overrides), 1};
}

StepScene spheres(int side) {
  const testing::SphereBox box = testing::settledSpheres(side, 0.5, 300);
  Scene scene;
  scene.name = "spheres" + std::to_string(side * side * side);
  scene.text = "{}";
  scene.model.system = box.system;
  scene.initial = box.state;
  scene.run.time.step = box.step;
  return {scene.name, 0.5, scene, 2};
}

// The parts of a step that are not the solver's, done again from the state before it.
class RestOfStep {
 public:
  explicit RestOfStep(const Model& model) : model_(model), scheme_(makeScheme(model.method)) {
    scheme_->reserve(*model.system, problem_);
  }
  double seconds(State state, double h, const ContactSolution& solution) {
    const double before = cpuSeconds();
    scheme_->formulate(*model_.system, state, h, problem_);
    certifier_.certify(problem_, solution);
    scheme_->advance(*model_.system, h, solution.v, state);
    return cpuSeconds() - before;
  }

 private:
  const Model& model_;
  std::unique_ptr<Scheme> scheme_;
  Certifier certifier_;
  ContactProblem problem_;
};

// Goes on until the steps are done or the time is up.
StepMeasurement measureSteps(const Scene& scene, int steps, double limit_seconds) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("step_study." + std::to_string(getpid()));
  StepMeasurement m;
  std::vector<double> times;
  {
    Stepper stepper(scene.model);
    RestOfStep rest(scene.model);
    RecordingWriter writer(folder, scene);
    State state = scene.initial;
    const double start = cpuSeconds(), h = scene.run.time.step;
    while (m.steps < steps && cpuSeconds() - start < limit_seconds) {
      const State before = state;
      const double t0 = cpuSeconds();
      const StepReport report = stepper.step(state, h);
      const double t1 = cpuSeconds();
      writer.append(++m.steps, state, stepper, &report);
      m.record += cpuSeconds() - t1;
      times.push_back(t1 - t0);
      m.rest += rest.seconds(before, h, stepper.solution());
      m.certified += report.certified ? 1 : 0;
      m.contacts = std::max(m.contacts, stepper.problem().contactCount());
      m.residual = std::max(m.residual, report.certificate.worstResidual());
    }
    const double t2 = cpuSeconds();
    writer.flush();
    m.record += cpuSeconds() - t2;
  }
  std::filesystem::remove_all(folder);
  m.rest /= m.steps;
  m.record /= m.steps;
  for (const double time : times) m.mean += time / m.steps;
  m.mean += m.record;
  std::sort(times.begin(), times.end());
  m.median = times[times.size() / 2];
  m.worst = times.back();
  return m;
}

bool isPossible(const Method& method, int tangents) {
  try {
    checkMethod(method);
    checkMethodFits(method, tangents);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

void writeRow(std::ostream& out, const StepScene& scene, const Method& method, Ending ending,
              const StepMeasurement& m) {
  const char* status = ending == Ending::complete     ? "done"
                       : ending == Ending::time_limit ? "time_limit"
                                                      : "crashed";
  char row[300];
  std::snprintf(row, sizeof row, "%s,mu,%g,%s,%s,%g,%s,%d,%d,%d,%.2e,%.3f,%.3f,%.3f,%.3f,%.3f",
                scene.name.c_str(), scene.mu, std::string(nameOf(method.law)).c_str(),
                method.solver.c_str(), method.tolerance, status, m.steps, m.certified, m.contacts,
                m.residual, 1e3 * m.mean, 1e3 * m.median, 1e3 * m.worst, 1e3 * m.rest,
                1e3 * m.record);
  out << row << std::endl;
}

void runScene(StepScene scene, const std::vector<std::pair<const char*, const char*>>& methods,
              Extent extent, std::ostream& out) {
  const int steps = extent == Extent::full ? 40 : 8;
  const double limit_seconds = extent == Extent::full ? 20 : 2;
  for (const auto& [law, solver] : methods) {
    Method& method = scene.scene.model.method;
    method = defaultMethod(*scene.scene.model.system);
    method.law = named<Law>(law);
    method.solver = solver;
    method.tolerance = kTolerance;
    if (!isPossible(method, scene.tangents)) continue;
    StepMeasurement m;
    const Ending ending = runIsolated<StepMeasurement>(
        3 * limit_seconds, m, [&] { return measureSteps(scene.scene, steps, limit_seconds); });
    writeRow(out, scene, method, ending, m);
  }
}

}  // namespace

void runStepStudy(Extent extent, std::ostream& out) {
  out << "scene,parameter,value,law,solver,tolerance,status,steps,certified,contacts,residual,"
         "step_ms,median_ms,worst_ms,rest_ms,record_ms\n";
  for (const double mu : {0.05, 0.2, 0.8})
    runScene(cannonball(mu),
             {{"coulomb", "auto"},
              {"coulomb", "exact"},
              {"coulomb", "fixed-point-1"},
              {"relaxed", "convex"}},
             extent, out);
  runScene(spheres(extent == Extent::full ? 10 : 5),
           {{"relaxed", "auto"}, {"relaxed", "convex"}, {"coulomb", "auto"}}, extent, out);
}

}  // namespace stickslip::study
