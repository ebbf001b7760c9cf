// A contact problem without bodies in the form of Siconos, where it is installed.
#pragma once

#include <FrictionContactProblem.h>

#include <span>
#include <vector>

#include "stickslip/local_problem.hpp"

struct SolverOptions;

namespace stickslip::study {

/// Every contact has `dimension` rows there; rows that the problem does not have are added, and
/// nothing moves them.
class SiconosProblem {
 public:
  /// With W as dense blocks, or by columns. `local` must outlive this.
  SiconosProblem(const LocalProblem& local, int dimension, bool blocks);
  ~SiconosProblem();
  SiconosProblem(const SiconosProblem&) = delete;
  SiconosProblem& operator=(const SiconosProblem&) = delete;

  /// Impulses that the next solve starts from, one per row of the problem; zero if there are none.
  void startFrom(std::span<const double> p);
  /// 0 if Siconos says that it succeeded.
  int solve(SolverOptions* options);
  /// The impulses without the rows that were added.
  std::vector<double> impulses() const;

 private:
  void placeRows(int dimension);
  void buildMatrix();
  void addIdleRows(std::vector<double>& diagonal);
  void turnIntoBlocks(int dimension);

  const LocalProblem& local_;
  int size_;
  std::vector<double> q_, r_, u_, mu_;
  std::vector<int> place_;  ///< of each row of the problem
  NumericsMatrix* matrix_ = nullptr;
  FrictionContactProblem problem_{};
};

}  // namespace stickslip::study
