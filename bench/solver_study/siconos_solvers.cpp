// Siconos' solvers of the friction problem u = W r + q (Acary, Bremond, Huber, "On solving contact
// problems with Coulomb friction", 2018), on the same problems.
//
// W is assembled beforehand, which its users would have to pay for. Planar contacts get a second
// tangent that nothing moves, since only Gauss-Seidel is there for the plane too. Iterations are
// limited by time only.
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

#include <algorithm>
#include <utility>

#include "solver_study/isolated_run.hpp"
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

// A problem in the form of Siconos; every contact has `dimension` rows there.
class SiconosProblem {
 public:
  SiconosProblem(const LocalProblem& local, int dimension, bool blocks)
      : local_(local),
        size_(dimension * local.contactCount()),
        q_(static_cast<std::size_t>(size_), 0.0),
        r_(q_),
        u_(q_) {
    placeRows(dimension);
    buildMatrix();
    if (blocks) turnIntoBlocks(dimension);
    problem_ = {dimension, local.contactCount(), matrix_, q_.data(), mu_.data()};
  }
  ~SiconosProblem() { NM_free(matrix_); }
  SiconosProblem(const SiconosProblem&) = delete;
  SiconosProblem& operator=(const SiconosProblem&) = delete;

  int solve(SolverOptions* options) {
    std::fill(r_.begin(), r_.end(), 0.0);
    std::fill(u_.begin(), u_.end(), 0.0);
    return problem_.dimension == 2 ? fc2d_driver(&problem_, r_.data(), u_.data(), options)
                                   : fc3d_driver(&problem_, r_.data(), u_.data(), options);
  }

  /// The impulses without the rows that were added.
  std::vector<double> impulses() const {
    std::vector<double> p;
    for (const int row : place_) p.push_back(r_[static_cast<std::size_t>(row)]);
    return p;
  }

 private:
  void placeRows(int dimension) {
    int row = 0;
    for (std::size_t i = 0; i < local_.sets.size(); ++i) {
      mu_.push_back(local_.sets[i].mu);
      for (int k = 0; k < local_.sets[i].dimension(); ++k, ++row) {
        place_.push_back(dimension * static_cast<int>(i) + k);
        q_[static_cast<std::size_t>(place_.back())] = local_.q[static_cast<std::size_t>(row)];
      }
    }
  }

  void buildMatrix() {
    matrix_ = NM_create(NM_SPARSE, size_, size_);
    NM_triplet_alloc(matrix_, static_cast<CS_INT>(local_.W.value.size()));
    std::vector<double> diagonal(static_cast<std::size_t>(size_), 0.0);
    for (int row = 0; row < local_.W.rows; ++row) {
      const auto i = static_cast<std::size_t>(row);
      for (std::size_t k = local_.W.start[i]; k < local_.W.start[i + 1]; ++k) {
        const int column = local_.W.column[k];
        NM_entry(matrix_, place_[i], place_[static_cast<std::size_t>(column)], local_.W.value[k]);
        if (column == row) diagonal[static_cast<std::size_t>(place_[i])] = local_.W.value[k];
      }
    }
    addIdleRows(diagonal);
  }

  // As mobile as the row before.
  void addIdleRows(std::vector<double>& diagonal) {
    std::vector<char> is_used(diagonal.size(), 0);
    for (const int row : place_) is_used[static_cast<std::size_t>(row)] = 1;
    for (std::size_t row = 1; row < diagonal.size(); ++row) {
      if (is_used[row]) continue;
      diagonal[row] = diagonal[row - 1];
      NM_entry(matrix_, static_cast<int>(row), static_cast<int>(row), diagonal[row]);
    }
  }

  void turnIntoBlocks(int dimension) {
    NumericsMatrix* blocks = NM_create(NM_SPARSE_BLOCK, size_, size_);
    SBM_from_csparse(dimension, NM_csc(matrix_), blocks->matrix1);
    NM_free(std::exchange(matrix_, blocks));
  }

  const LocalProblem& local_;
  int size_;
  std::vector<double> q_, r_, u_, mu_;
  std::vector<int> place_;  ///< of each row of the problem
  NumericsMatrix* matrix_ = nullptr;
  FrictionContactProblem problem_{};
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
