#include "stepping/impact_law.hpp"

#include <algorithm>
#include <cmath>

#include "math/block_products.hpp"
#include "stepping/contact_approach.hpp"

namespace stickslip {
namespace {

// sum_i p_i.(rows_i v + drive_i)
double power(const BlockRows& rows, std::span<const double> p, std::span<const double> drive,
             std::span<const double> v) {
  double sum = dot(p, drive);
  for (int i = 0; i < rows.groupCount(); ++i)
    for (const BlockRows::Strip& strip : rows.stripsOf(i)) {
      const auto part = v.subspan(static_cast<std::size_t>(strip.first_column),
                                  static_cast<std::size_t>(strip.columns));
      for (int k = 0; k < rows.rowsOf(i); ++k)
        sum += p[static_cast<std::size_t>(rows.firstRow(i) + k)] *
               dot(rows.values(i, strip).row(k), part);
    }
  return sum;
}

}  // namespace

void ImpactLaw::reserve(const System& system, std::size_t contact_rows) {
  const auto columns = static_cast<std::size_t>(system.velocityCount());
  for (std::vector<double>* v : {&v_before_, &change_, &v_compressed_, &momentum_})
    v->reserve(columns);
  returned_.reserve(contact_rows);
  joint_returned_.reserve(static_cast<std::size_t>(system.jointCapacity()));
}

void ImpactLaw::compress(std::span<const double> v, std::span<const double> change,
                         ContactProblem& problem) {
  v_before_.assign(v.begin(), v.end());
  change_.assign(change.begin(), change.end());
  problem.v_old = v_before_;
  problem.v_free = v_before_;
}

bool ImpactLaw::decompress(const ContactSolution& compression, ProblemBuilder& builder,
                           ContactProblem& problem) {
  v_compressed_ = compression.v;
  returned_.assign(compression.p.size(), 0.0);
  joint_returned_.assign(compression.c.size(), 0.0);
  problem.v_old = v_compressed_;
  problem.v_free = v_compressed_;
  if (reflected_)
    reflect(compression, builder, problem);
  else
    poisson(compression, builder, problem);
  return std::any_of(returned_.begin(), returned_.end(), [](double p) { return p != 0; });
}

bool ImpactLaw::givesBack(const ContactProblem& problem, int i, double impulse,
                          ProblemBuilder& builder) const {
  const auto contact = static_cast<std::size_t>(i);
  if (!(impulse > 0) || !(builder.contactData()[contact].e_n > 0)) return false;
  if (builder.contactData()[contact].kind != Contact::Kind::unilateral) return false;
  const double before = -approachOf(problem.J, i, problem.drive, v_before_).rate;
  const double compressed = impulse * builder.mobility(problem.J, i, 0);
  const double changed = std::abs(alongNormal(problem.J, i, change_));
  return std::max(before, compressed) > (rest_speed_ > 0 ? rest_speed_ : kRestSteps * changed);
}

void ImpactLaw::poisson(const ContactSolution& compression, ProblemBuilder& builder,
                        ContactProblem& problem) {
  momentum_.assign(v_before_.size(), 0.0);
  for (int i = 0; i < problem.contactCount(); ++i) {
    const auto normal = static_cast<std::size_t>(problem.J.firstRow(i));
    if (!givesBack(problem, i, compression.p[normal], builder)) continue;
    returned_[normal] =
        builder.contactData()[static_cast<std::size_t>(i)].e_n * compression.p[normal];
    for (const BlockRows::Strip& strip : problem.J.stripsOf(i))
      addScaled(returned_[normal], problem.J.values(i, strip).row(0),
                std::span(momentum_).subspan(static_cast<std::size_t>(strip.first_column)));
  }
  builder.divideByMass(momentum_);
  addScaled(1, momentum_, problem.v_free);
}

void ImpactLaw::reflect(const ContactSolution& compression, ProblemBuilder& builder,
                        ContactProblem& problem) {
  double e = 0;
  for (int i = 0; i < problem.contactCount(); ++i) {
    const double impulse = compression.p[static_cast<std::size_t>(problem.J.firstRow(i))];
    if (approachOf(problem.J, i, problem.drive, v_before_).closes() &&
        givesBack(problem, i, impulse, builder))
      e = std::max(e, builder.contactData()[static_cast<std::size_t>(i)].e_n);
  }
  for (std::size_t k = 0; k < v_before_.size(); ++k)
    problem.v_free[k] += e * (v_compressed_[k] - v_before_[k]);
  addScaled(e, compression.p, returned_);
  addScaled(e, compression.c, joint_returned_);
}

double ImpactLaw::work(const ContactProblem& problem, std::span<const double> v) const {
  const auto both = [&](std::span<const double> at) {
    return power(problem.J, returned_, problem.drive, at) +
           power(problem.G, joint_returned_, problem.joint_drive, at);
  };
  return (both(v_compressed_) + both(v)) / 2;
}

}  // namespace stickslip
