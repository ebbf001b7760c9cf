// Siconos' Gauss-Seidel (NSGS) on the contact problems of our scheme `position`: the same collision
// detection and the same equations as ours, another solver. Assembling W, which its users have to
// do as well, is part of the time. Warm-started with the impulses of the step before.
#include <Friction_cst.h>
#include <SolverOptions.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "peers/peer_world.hpp"
#include "solver_study/siconos_problem.hpp"
#include "stickslip/certificate.hpp"
#include "stickslip/scheme.hpp"
#include "support/local_problems.hpp"

namespace stickslip::peers {
namespace {

struct NsgsSetting {
  const char* name;
  double tolerance;
  int most_iterations;
};

constexpr NsgsSetting kSettings[] = {
    {"NSGS 20", 0, 20},
    {"NSGS 1e-4", 1e-4, 10000},
};

class SiconosWorld final : public PeerWorld {
 public:
  SiconosWorld(const PeerScene& scene, const NsgsSetting& setting)
      : system_(scene.data),
        state_(system_.initialState()),
        walls_(scene.walls),
        step_(scene.step) {
    const bool planar = scene.data.dimension == 2;
    dimension_ = scene.data.dimension;
    scheme_ = makeScheme(
        {.scheme = "position", .cone = planar ? FrictionCone::planar : FrictionCone::circular});
    scheme_->reserve(system_, problem_);
    options_ = solver_options_create(planar ? SICONOS_FRICTION_2D_NSGS : SICONOS_FRICTION_3D_NSGS);
    options_->dparam[SICONOS_DPARAM_TOL] = setting.tolerance;
    options_->iparam[SICONOS_IPARAM_MAX_ITER] = setting.most_iterations;
  }
  ~SiconosWorld() override { solver_options_delete(options_); }
  SiconosWorld(const SiconosWorld&) = delete;
  SiconosWorld& operator=(const SiconosWorld&) = delete;

  void step() override {
    scheme_->formulate(system_, state_, step_, problem_);
    solve();
    worst_residual_ =
        std::max(worst_residual_, certifier_.certify(problem_, solution_).worstResidual());
    scheme_->conclude(system_, solution_, problem_);
    scheme_->advance(system_, step_, solution_.v, state_);
  }
  BodyState bodyState(int i) const override { return system_.bodyState(walls_ + i, state_); }
  double worstResidual() const override { return worst_residual_; }

 private:
  using Impulse = std::array<double, 3>;

  void solve() {
    solution_ = {problem_.v_free, {}, {}};
    if (problem_.contactCount() == 0) return;
    const LocalProblem local = testing::localForm(problem_);
    study::SiconosProblem siconos(local, dimension_, true);
    siconos.startFrom(impulsesBefore());
    siconos.solve(options_);
    solution_.p = siconos.impulses();
    remember();
    addImpulses();
  }

  std::vector<double> impulsesBefore() const {
    std::vector<double> p(static_cast<std::size_t>(problem_.J.rowCount()), 0.0);
    for (int i = 0; i < problem_.contactCount(); ++i) {
      const auto found = before_.find(problem_.contact_id[i]);
      if (found != before_.end())
        std::copy_n(found->second.begin(), problem_.J.rowsOf(i),
                    p.begin() + problem_.J.firstRow(i));
    }
    return p;
  }

  void remember() {
    before_.clear();
    for (int i = 0; i < problem_.contactCount(); ++i)
      std::copy_n(solution_.p.begin() + problem_.J.firstRow(i), problem_.J.rowsOf(i),
                  before_[problem_.contact_id[i]].begin());
  }

  // v = v_free + M^-1 J' p. Principal axes: M is diagonal.
  void addImpulses() {
    for (int i = 0; i < problem_.contactCount(); ++i)
      for (const BlockRows::Strip& strip : problem_.J.stripsOf(i))
        for (int j = 0; j < strip.columns; ++j) {
          double impulse = 0;
          for (int k = 0; k < problem_.J.rowsOf(i); ++k)
            impulse += problem_.J.values(i, strip)(k, j) * solution_.p[problem_.J.firstRow(i) + k];
          const int block = strip.first_column / strip.columns;
          solution_.v[strip.first_column + j] += impulse / problem_.M.block(block)(j, j);
        }
  }

  BodySystem system_;
  State state_;
  int walls_, dimension_;
  double step_, worst_residual_ = 0;
  std::unique_ptr<Scheme> scheme_;
  SolverOptions* options_;
  Certifier certifier_;
  ContactProblem problem_;
  ContactSolution solution_;
  std::unordered_map<std::uint64_t, Impulse> before_;
};

}  // namespace

std::vector<Contender> siconosContenders() {
  std::vector<Contender> list;
  for (const NsgsSetting& setting : kSettings) {
    Contender c;
    c.engine = "Siconos";
    c.setting = setting.name;
    c.plane = c.space = true;
    c.make = [&setting](const PeerScene& scene) {
      return std::make_unique<SiconosWorld>(scene, setting);
    };
    list.push_back(std::move(c));
  }
  return list;
}

}  // namespace stickslip::peers
