// The part of the certificate that adds up: momentum, joints, kinetic energy, work.
#include <algorithm>

#include "base/parallel_for.hpp"
#include "certificate/row_sums.hpp"
#include "certificate/workspace.hpp"
#include "stickslip/threads.hpp"

namespace stickslip {

using namespace certificate;

namespace {

constexpr int kGrain = 256;

// addTransposed() for some of the columns.
void addTransposedWithin(ConstMatrixView values, const double* factor, Columns columns, double* sum,
                         double* size) {
  for (int i = 0; i < values.rows; ++i)
    for (int k = std::max(0, columns.begin); k < std::min(values.columns, columns.end); ++k) {
      const double term = factor[i] * values(i, k);
      sum[k] += term;
      size[k] += std::abs(term);
    }
}

// rows' impulses of one group, for some of the columns.
void addGroup(const BlockRows& rows, int group, const double* factor, Columns columns, double* sum,
              double* size) {
  for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
    const int first = strip.first_column, last = first + strip.columns;
    if (first >= columns.end || last <= columns.begin) continue;
    const StripValues entries = rows.values(group, strip);
    if (first >= columns.begin && last <= columns.end)
      addTransposed(entries.view(), factor, sum + first, size + first);
    else
      addTransposedWithin(entries.view(), factor, {columns.begin - first, columns.end - first},
                          sum + first, size + first);
  }
}

void addBalls(const BlockRows& rows, int group, const double* factor, Columns columns, double* sum,
              double* size) {
  const std::span<const BlockRows::Strip> strips = rows.stripsOf(group);
  if (std::all_of(strips.begin(), strips.end(), [&](const BlockRows::Strip& strip) {
        return strip.first_column >= columns.end ||
               strip.first_column + strip.columns <= columns.begin;
      }))
    return;
  const BallRows balls = rows.balls(group);
  const BallPush push(balls, factor);
  for (const BlockRows::Strip& strip : strips) {
    const int first = strip.first_column, ball = BlockRows::ballOf(strip);
    const double s = ball == 0 ? -1 : 1, lever = balls.lever[ball];
    if (first >= columns.begin && first + strip.columns <= columns.end)
      push.addTo(s, lever, sum + first, size + first);
    else
      push.addTo(s, lever, {columns.begin - first, columns.end - first}, sum + first, size + first);
  }
}

// sum += rows' impulses, with the magnitudes in `terms`. Threads share the velocities among them,
// so that each sum is in the order of the groups however many there are.
void addImpulses(const BlockRows& rows, std::span<const double> impulses, std::span<double> sum,
                 std::span<double> terms) {
  const int n = static_cast<int>(sum.size());
  const int share = (n + threadCount() - 1) / threadCount();
  parallelFor(n, std::max(1, share), [&](int begin, int end) {
    for (int group = 0; group < rows.groupCount(); ++group) {
      const auto add = rows.isOfBalls(group) ? addBalls : addGroup;
      add(rows, group, impulses.data() + rows.firstRow(group), {begin, end}, sum.data(),
          terms.data());
    }
  });
}

}  // namespace

void Certifier::Workspace::measureBlocks(const ContactProblem& problem, const ContactSolution& s,
                                         const MomentumSums& sums) {
  const int blocks = problem.M.blockCount();
  block_parts.resize(chunkCount(blocks, kGrain));
  parallelFor(blocks, kGrain, [&](int begin, int end) {
    BlockPart part;
    for (int b = begin; b < end; ++b) measureBlock(problem, s, b, sums.terms, part);
    block_parts[begin / kGrain] = part;
  });
  double most = 0, bound = 0;
  for (const BlockPart& part : block_parts) {
    most = std::max(most, part.speed_square);
    bound = std::max(bound, part.fastest_square);
  }
  speed = std::sqrt(most);
  fastest = std::sqrt(bound);
}

void Certifier::Workspace::measureBlock(const ContactProblem& problem, const ContactSolution& s,
                                        int block, std::span<double> terms, BlockPart& part) {
  const ConstMatrixView M = problem.M.block(block);
  const std::size_t first = problem.M.firstRow(block);
  const double *old = problem.v_old.data() + first, *free = problem.v_free.data() + first;
  const double* v = s.v.data() + first;
  double* added = terms.data() + first;
  double now_square = 0, free_square = 0, old_square = 0, most = 0;
  for (int i = 0; i < M.rows; ++i) most += M(i, i) * std::max(v[i] * v[i], free[i] * free[i]);
  if (roots.isDiagonal(block)) {
    for (int i = 0; i < M.rows; ++i) {
      const double mass = M(i, i);
      now_square += v[i] * (mass * v[i]);
      free_square += free[i] * (mass * free[i]);
      old_square += old[i] * (mass * old[i]);
      added[i] = mass * (std::abs(v[i]) + std::abs(free[i]));
    }
  } else {
    for (int i = 0; i < M.rows; ++i) {
      added[i] = 0;
      for (int j = 0; j < M.columns; ++j) {
        const double mass = M(i, j);
        now_square += v[i] * mass * v[j];
        free_square += free[i] * mass * free[j];
        old_square += old[i] * mass * old[j];
        added[i] += std::abs(mass) * (std::abs(v[j]) + std::abs(free[j]));
      }
    }
  }
  part.speed_square = std::max({part.speed_square, now_square, free_square});
  part.fastest_square = std::max(part.fastest_square, most);
  part.energy_start += old_square / 2;
  part.energy_free += free_square / 2;
  part.energy_end += now_square / 2;
}

void Certifier::Workspace::reportEnergies(Certificate& out) const {
  for (const BlockPart& part : block_parts) {
    out.kinetic_energy_start += part.energy_start;
    out.kinetic_energy_free += part.energy_free;
    out.kinetic_energy_end += part.energy_end;
  }
}

// How much of the work comes from the part of b_n that takes overlaps back. A contact that
// approaches may be thrown back with its own speed: that is restitution.
void Certifier::Workspace::measureOverlapWork(const ContactProblem& problem,
                                              const ContactSolution& s, Certificate& out) const {
  if (problem.duration == 0) return;
  for (int i = 0; i < problem.contactCount(); ++i) {
    const std::size_t normal = problem.J.firstRow(i);
    const double away = driveOf(problem.drive, normal) - problem.b[normal];
    const bool is_motor = problem.sets[i].kind == ImpulseSet::Kind::interval;
    if (is_motor || !(away > 0 && s.p[normal] > 0)) continue;
    const double old =
        rowTimes(problem.J, i, 0, problem.v_old).value + driveOf(problem.drive, normal);
    out.overlap_work += s.p[normal] * std::max(0.0, away + std::min(0.0, old));
  }
}

void Certifier::Workspace::measurePush(const ContactProblem& problem, const ContactSolution& s,
                                       const MomentumSums& sums) {
  constraint.clear();
  push.clear();
  if (problem.G.rowCount() == 0) return;
  joints.start(roots);
  for (int group = 0; group < problem.G.groupCount(); ++group) joints.addGroup(problem.G, group);
  constraint.assign(s.v.size(), 0.0);
  addImpulses(problem.G, s.c, constraint, sums.terms);
  push.assign(constraint.begin(), constraint.end());
  roots.divideTwice(push);
  measureSprings(problem, s);
}

// M^-1 G' c of the compliant rows: springs are forces to the rigid ones and to contacts.
void Certifier::Workspace::measureSprings(const ContactProblem& problem, const ContactSolution& s) {
  spring.clear();
  const auto is_spring = [](double compliance) { return compliance > 0; };
  if (std::none_of(problem.compliance.begin(), problem.compliance.end(), is_spring)) return;
  spring.assign(s.v.size(), 0.0);
  for (int group = 0; group < problem.G.groupCount(); ++group)
    for (const BlockRows::Strip& strip : problem.G.stripsOf(group)) {
      const StripValues entries = problem.G.values(group, strip);
      for (int i = 0; i < problem.G.rowsOf(group); ++i) {
        const std::size_t row = problem.G.firstRow(group) + i;
        if (!is_spring(problem.compliance[row])) continue;
        const std::span<const double> values = entries.row(i);
        for (std::size_t k = 0; k < values.size(); ++k)
          spring[strip.first_column + k] += s.c[row] * values[k];
      }
    }
  roots.divideTwice(spring);
}

void Certifier::Workspace::checkJoints(const ContactProblem& problem, const ContactSolution& s,
                                       Certificate& out) {
  for (int group = 0; group < problem.G.groupCount(); ++group) {
    for (int i = 0; i < problem.G.rowsOf(group); ++i) {
      const std::size_t row = problem.G.firstRow(group) + i;
      const Product now = rowTimes(problem.G, group, i, s.v);
      const Product before = rowTimes(problem.G, group, i, problem.v_old);
      const Product free = rowTimes(problem.G, group, i, problem.v_free);
      const double give = problem.compliance[row] * s.c[row];
      const double error = std::abs(now.value + problem.g[row] + give);
      const double added =
          std::max(now.size, free.size) + std::abs(problem.g[row]) + std::abs(give);
      const double most = speed * std::sqrt(squareNorm(joints.values(static_cast<int>(row))));
      const double size = std::max(added, kNoise * most);
      if (error > kUnderflow) out.joint_residual = std::max(out.joint_residual, error / size);
      // A spring keeps what it takes: no work of constraints.
      if (problem.compliance[row] > 0) continue;
      out.contact_work += s.c[row] * ((now.value + before.value) / 2 + problem.joint_drive[row]);
    }
  }
  out.joint_drift = largestMagnitude(problem.joint_gap);
}

void Certifier::Workspace::checkMomentumOf(const ContactProblem& problem, const ContactSolution& s,
                                           const MomentumSums& sums, int block,
                                           BlockPart& part) const {
  const auto [terms, impulse] = sums;
  const double* const inverse_roots = roots.inverseRoots(block);
  const int first = roots.firstColumn(block);
  const ConstMatrixView M = problem.M.block(block);
  const bool diagonal = roots.isDiagonal(block);
  // What forces and springs change a velocity by before rigid impulses act; nothing in an impact.
  const bool is_impact = problem.duration == 0, has_springs = !spring.empty();
  const auto forcedChange = [&](std::size_t k) {
    if (is_impact) return 0.0;
    return problem.v_free[k] - problem.v_old[k] + (has_springs ? spring[k] : 0);
  };
  for (int i = 0; i < roots.sizeOf(block); ++i) {
    const std::size_t k = first + i;
    part.work += impulse[k] * (s.v[k] + problem.v_old[k]) / 2;
    const double forced = forcedChange(k);
    double change = 0;
    if (diagonal) {
      change = M(i, i) * (s.v[k] - problem.v_free[k]);
      part.forced_energy += forced * M(i, i) * forced / 2;
    } else {
      for (int j = 0; j < M.columns; ++j) {
        const std::size_t l = first + j;
        change += M(i, j) * (s.v[l] - problem.v_free[l]);
        part.forced_energy += forced * M(i, j) * forcedChange(l) / 2;
      }
    }
    const double rest = change - impulse[k] - (constraint.empty() ? 0 : constraint[k]);
    // Most are smaller than the largest so far, which needs no division.
    if (std::abs(rest) <= std::max(kUnderflow, part.momentum_residual * terms[k])) continue;
    const double root = 1 / inverse_roots[i];
    const double error = std::abs(rest) / std::max(terms[k], kNoise * root * speed);
    if (!(error <= part.momentum_residual)) part.momentum_residual = error;
  }
}

void Certifier::Workspace::checkMomentum(const ContactProblem& problem, const ContactSolution& s,
                                         const MomentumSums& sums, Certificate& out) {
  std::fill(sums.impulse.begin(), sums.impulse.end(), 0.0);
  addImpulses(problem.J, s.p, sums.impulse, sums.terms);
  parallelFor(problem.M.blockCount(), kGrain, [&](int begin, int end) {
    BlockPart& part = block_parts[begin / kGrain];
    for (int b = begin; b < end; ++b) checkMomentumOf(problem, s, sums, b, part);
  });
  for (const BlockPart& part : block_parts) {
    out.contact_work += part.work;
    out.forced_energy += part.forced_energy;
    if (!(part.momentum_residual <= out.momentum_residual))
      out.momentum_residual = part.momentum_residual;
  }
}

}  // namespace stickslip
