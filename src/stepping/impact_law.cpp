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
  double sum = dot(drive, p);
  for (int i = 0; i < rows.groupCount(); ++i)
    for (const BlockRows::Strip& strip : rows.stripsOf(i)) {
      const auto part = v.subspan(static_cast<std::size_t>(strip.first_column),
                                  static_cast<std::size_t>(strip.columns));
      const StripValues entries = rows.values(i, strip);
      for (int k = 0; k < rows.rowsOf(i); ++k)
        sum += p[static_cast<std::size_t>(rows.firstRow(i) + k)] * dot(entries.row(k), part);
    }
  return sum;
}

}  // namespace

void ImpactLaw::reserve(const System& system, std::size_t contact_rows) {
  const auto columns = static_cast<std::size_t>(system.velocityCount());
  for (std::vector<double>* v : {&v_before_, &change_, &v_compressed_, &momentum_})
    v->reserve(columns);
  returned_.reserve(contact_rows);
  approach_.reserve(contact_rows);
  joint_returned_.reserve(static_cast<std::size_t>(system.jointCapacity()));
}

double ImpactLaw::compress(std::span<const double> v, std::span<const double> change,
                           ContactProblem& problem) {
  v_before_.assign(v.begin(), v.end());
  change_.assign(change.begin(), change.end());
  problem.v_old = v_before_;
  problem.v_free = v_before_;
  approach_.clear();
  fastest_ = 0;
  for (int i = 0; i < problem.contactCount(); ++i) {
    approach_.push_back(-gapRate(problem.J, i, problem.drive, v));
    if (problem.sets[static_cast<std::size_t>(i)].kind != ImpulseSet::Kind::interval)
      fastest_ = std::max(fastest_, approach_.back());
  }
  return fastest_;
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

double ImpactLaw::restSpeed(const ContactProblem& problem, int i) const {
  return rest_speed_ > 0 ? rest_speed_ : kRestSteps * std::abs(alongNormal(problem.J, i, change_));
}

void ImpactLaw::poisson(const ContactSolution& compression, ProblemBuilder& builder,
                        ContactProblem& problem) {
  momentum_.assign(v_before_.size(), 0.0);
  for (int i = 0; i < problem.contactCount(); ++i) {
    const auto contact = static_cast<std::size_t>(i);
    const ContactParameters& law = builder.parametersOf(i);
    const auto normal = static_cast<std::size_t>(problem.J.firstRow(i));
    const double impulse = compression.p[normal];
    if (!law.isUnilateral() || !(law.e_n * impulse > 0)) continue;
    const double compressed = impulse * builder.mobility(problem.J, i, 0);
    if (!(std::max(approach_[contact], compressed) > restSpeed(problem, i))) continue;
    returned_[normal] = law.e_n * impulse;
    for (const BlockRows::Strip& strip : problem.J.stripsOf(i)) {
      const StripValues entries = problem.J.values(i, strip);
      addScaled(returned_[normal], entries.row(0),
                std::span(momentum_).subspan(static_cast<std::size_t>(strip.first_column)));
    }
  }
  builder.divideByMass(momentum_);
  addScaled(1, momentum_, problem.v_free);
}

void ImpactLaw::reflect(const ContactSolution& compression, const ProblemBuilder& builder,
                        ContactProblem& problem) {
  double e = 0;
  for (int i = 0; i < problem.contactCount(); ++i) {
    const auto contact = static_cast<std::size_t>(i);
    const ContactParameters& law = builder.parametersOf(i);
    const double slow = std::max(restSpeed(problem, i), kNegligible * fastest_);
    if (law.isUnilateral() && approach_[contact] > slow) e = std::max(e, law.e_n);
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
