// Siconos' solvers of the friction problem u = W r + q (Acary, Bremond, Huber, "On solving contact
// problems with Coulomb friction", 2018), on the same problems.
//
// W is assembled beforehand, which its users would have to pay for. Planar contacts get a second
// tangent that nothing moves, since only Gauss-Seidel is there for the plane too. Iterations are
// limited by time only.
#include <Friction_cst.h>
#include <SolverOptions.h>

#include <algorithm>

#include "solver_study/isolated_run.hpp"
#include "solver_study/siconos_problem.hpp"
#include "solver_study/study_solvers.hpp"
#include "stickslip/certificate.hpp"
#include "support/local_problems.hpp"

namespace stickslip::study {
namespace {

constexpr int kNoLimit = 100000000;

struct Peer {
  const char* name;
  int id;
  int planar_id;  ///< of its own solver for the plane; 0: none
  bool blocks;    ///< W as dense blocks, which it is quicker with; else by columns
};

constexpr Peer kPeers[] = {
    {"siconos-nsgs", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_2D_NSGS, true},
    {"siconos-nsn-ac", SICONOS_FRICTION_3D_NSN_AC, 0, false},
    {"siconos-admm", SICONOS_FRICTION_3D_ADMM, 0, false},
    {"siconos-prox", SICONOS_FRICTION_3D_PROX, 0, false},
};

// Problems with joints have no W that is cheap to assemble.
bool acceptsProblem(const AnyProblem& problem) {
  const auto* bodies = std::get_if<ContactProblem>(&problem);
  const auto isCircular = [](const ImpulseSet& set) {
    return set.kind == ImpulseSet::Kind::frictionless || set.kind == ImpulseSet::Kind::planar ||
           (set.kind == ImpulseSet::Kind::elliptic && set.mu == set.mu_2);
  };
  return (bodies == nullptr || bodies->G.rowCount() == 0) &&
         std::visit(
             [&](const auto& p) { return std::all_of(p.sets.begin(), p.sets.end(), isCircular); },
             problem);
}

Measurement measure(const Peer& peer, const AnyProblem& problem, double tolerance, int repeats) {
  const auto* bodies = std::get_if<ContactProblem>(&problem);
  const LocalProblem local =
      bodies != nullptr ? testing::localForm(*bodies) : std::get<LocalProblem>(problem);
  const bool planar = isPlanar(problem) && peer.planar_id != 0;
  SiconosProblem siconos(local, planar ? 2 : 3, peer.blocks);
  int failed = 0;
  double iterations = 0;
  SolverOptions* options = nullptr;
  const BestTime time = bestOf(
      repeats,
      [&] {
        if (options != nullptr) solver_options_delete(options);
        options = solver_options_create(planar ? peer.planar_id : peer.id);
        options->dparam[SICONOS_DPARAM_TOL] = tolerance;
        options->iparam[SICONOS_IPARAM_MAX_ITER] = kNoLimit;
      },
      [&] {
        siconos.startFrom({});
        failed = siconos.solve(options);
        iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
      });
  solver_options_delete(options);
  const Certificate certificate = certifyLocal(local, siconos.impulses());
  return {
      failed == 0, certificate.worstResidual(), certificate.fclib_error, iterations, time.seconds,
      time.repeats};
}

}  // namespace

std::vector<StudySolver> siconosSolvers() {
  std::vector<StudySolver> solvers;
  for (const Peer& peer : kPeers)
    solvers.push_back({peer.name, true, Law::coulomb, acceptsProblem,
                       [&peer](const AnyProblem& problem, double tolerance, int repeats) {
                         return measure(peer, problem, tolerance, repeats);
                       }});
  return solvers;
}

}  // namespace stickslip::study
