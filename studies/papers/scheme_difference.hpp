// What [A06] section 10.1 measures: how far the optimization-based scheme (5.3) and the LCP-based
// one are apart, both with gaps linearized over the step, for h = 0.1/2^k. The column of its tables
// is
//
//   ||y_QP - y_LCP||_2 / 2^k,
//
// y the vector of a height after all steps. A difference d at all times gives d sqrt(T/h) / 2^k, so
// that one of first order in h falls with 2^(-3k/2), and one that stays with 2^(-k/2).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "convergence/trajectory.hpp"
#include "papers/experiment.hpp"

namespace stickslip {

/// One scene by both schemes.
struct SchemePair {
  double step = 0;
  FinishedMotion qp;
  FinishedMotion lcp;
};

/// A height in a trajectory, after a step.
using Height = std::function<double(const Trajectory& motion, std::size_t step)>;

SchemePair runBothSchemes(std::string_view scene, std::span<const std::string> overrides,
                          double step);
/// The same for h = 0.1/2^k, k = 0 ... count - 1.
std::vector<SchemePair> runStepSequence(std::string_view scene,
                                        std::span<const std::string> overrides, int count);

/// The column of the tables, row k.
double scaledDifference(const SchemePair& pair, const Height& height, std::size_t k);
double largestDifference(const SchemePair& pair, const Height& height);
std::vector<double> heightsOf(const Trajectory& motion, const Height& height);

/// Within a factor 3.
bool isClose(double ours, double paper);

/// Rows k, h, difference and paper, a table and a plot of them; and what must hold: every step
/// certified, each row within a factor 3 of the paper's, and the same rate.
void compareWithTable(std::span<const SchemePair> pairs, const Height& height,
                      std::span<const double> paper, std::string caption, Outcome& outcome,
                      Checks& checks);
/// After compareWithTable(): how close the rows and their rate are to those of the paper's table.
std::string besideTable(std::string_view name, const Outcome& outcome);
void expectCertified(std::span<const SchemePair> pairs, Checks& checks);

/// A height over time by both schemes.
Plot heightPlot(const SchemePair& pair, const Height& height, std::string caption,
                std::string label);

}  // namespace stickslip
