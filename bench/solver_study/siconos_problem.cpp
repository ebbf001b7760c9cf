#include "solver_study/siconos_problem.hpp"

#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SparseBlockMatrix.h>

#include <algorithm>
#include <utility>

namespace stickslip::study {

SiconosProblem::SiconosProblem(const LocalProblem& local, int dimension, bool blocks)
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

SiconosProblem::~SiconosProblem() {
  NM_free(matrix_);
}

void SiconosProblem::startFrom(std::span<const double> p) {
  std::fill(r_.begin(), r_.end(), 0.0);
  std::fill(u_.begin(), u_.end(), 0.0);
  for (std::size_t k = 0; k < p.size(); ++k) r_[place_[k]] = p[k];
}

int SiconosProblem::solve(SolverOptions* options) {
  return problem_.dimension == 2 ? fc2d_driver(&problem_, r_.data(), u_.data(), options)
                                 : fc3d_driver(&problem_, r_.data(), u_.data(), options);
}

std::vector<double> SiconosProblem::impulses() const {
  std::vector<double> p;
  for (const int row : place_) p.push_back(r_[row]);
  return p;
}

void SiconosProblem::placeRows(int dimension) {
  int row = 0;
  for (std::size_t i = 0; i < local_.sets.size(); ++i) {
    mu_.push_back(local_.sets[i].mu);
    for (int k = 0; k < local_.sets[i].dimension(); ++k, ++row) {
      place_.push_back(dimension * static_cast<int>(i) + k);
      q_[place_.back()] = local_.q[row];
    }
  }
}

void SiconosProblem::buildMatrix() {
  matrix_ = NM_create(NM_SPARSE, size_, size_);
  NM_triplet_alloc(matrix_, static_cast<CS_INT>(local_.W.value.size()));
  std::vector<double> diagonal(static_cast<std::size_t>(size_), 0.0);
  for (int row = 0; row < local_.W.rows; ++row) {
    const std::size_t i = row;
    for (std::size_t k = local_.W.start[i]; k < local_.W.start[i + 1]; ++k) {
      const int column = local_.W.column[k];
      NM_entry(matrix_, place_[i], place_[column], local_.W.value[k]);
      if (column == row) diagonal[place_[i]] = local_.W.value[k];
    }
  }
  addIdleRows(diagonal);
}

// As mobile as the row before.
void SiconosProblem::addIdleRows(std::vector<double>& diagonal) {
  std::vector<char> is_used(diagonal.size(), 0);
  for (const int row : place_) is_used[row] = 1;
  for (std::size_t row = 1; row < diagonal.size(); ++row) {
    if (is_used[row]) continue;
    diagonal[row] = diagonal[row - 1];
    NM_entry(matrix_, static_cast<int>(row), static_cast<int>(row), diagonal[row]);
  }
}

void SiconosProblem::turnIntoBlocks(int dimension) {
  NumericsMatrix* blocks = NM_create(NM_SPARSE_BLOCK, size_, size_);
  SBM_from_csparse(dimension, NM_csc(matrix_), blocks->matrix1);
  NM_free(std::exchange(matrix_, blocks));
}

}  // namespace stickslip::study
