#include "stepping/schemes/impact_law.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "cones/friction_shape.hpp"
#include "math/blocks/block_products.hpp"
#include "stepping/contact_approach.hpp"

namespace stickslip {
namespace {

constexpr double kRoundingOfCone = 1e-12;
constexpr int kHalvings = 50;
// Gains that are rounding, as a part of the work of the compression.
constexpr double kNoGain = 1e-10;
constexpr int kMostAttempts = 8;

// sum_i p_i.(rows_i v + drive_i)
double power(const BlockRows& rows, std::span<const double> p, std::span<const double> drive,
             std::span<const double> v) {
  double sum = dot(drive, p);
  for (int i = 0; i < rows.groupCount(); ++i)
    for (const BlockRows::Strip& strip : rows.stripsOf(i)) {
      const auto part = v.subspan(strip.first_column, strip.columns);
      const StripValues entries = rows.values(i, strip);
      for (int k = 0; k < rows.rowsOf(i); ++k)
        sum += p[rows.firstRow(i) + k] * dot(entries.row(k), part);
    }
  return sum;
}

// The part of its friction that a contact may give back: p with the normal impulse (1 + e_n) p_n
// must stay in the cone.
double largestShare(const ImpulseSet& set, std::span<const double> p, double e_n, double e_t) {
  const std::size_t tangents = set.tangents();
  const std::size_t rows = tangents + static_cast<std::size_t>(set.spinRows());
  const bool is_ball = set.kind != ImpulseSet::Kind::polyhedral;
  const FrictionShape shape{static_cast<int>(rows), is_ball ? 0 : set.directions};
  const std::array<double, kMostFrictionRows> limit{set.mu, tangents == 2 ? set.mu_2 : set.torsion,
                                                    set.torsion};
  const double normal = (1 + e_n) * p[0];
  const auto fits = [&](double share) {
    FrictionVector y{};
    for (std::size_t k = 0; k < rows; ++k)
      y[k] = limit[k] > 0 ? (k < tangents ? 1 + share : 1) * p[1 + k] / limit[k] : 0;
    const NearestFriction nearest = nearestFriction(shape, normal, std::span(y).first(rows));
    for (std::size_t k = 0; k < rows; ++k)
      if (std::abs(nearest.point[k] - y[k]) > kRoundingOfCone * normal) return false;
    return true;
  };
  if (fits(e_t)) return e_t;
  double low = 0, high = e_t;
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = (low + high) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace

void ImpactLaw::reserve(const System& system, std::size_t contact_rows) {
  const std::size_t columns = system.velocityCount();
  for (std::vector<double>* v : {&v_before_, &change_, &v_compressed_, &momentum_})
    v->reserve(columns);
  returned_.reserve(contact_rows);
  approach_.reserve(contact_rows);
  impulse_.reserve(contact_rows);
  joint_returned_.reserve(system.jointCapacity());
  joint_impulse_.reserve(system.jointCapacity());
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
    if (problem.sets[i].kind != ImpulseSet::Kind::interval)
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
  share_ = 1;
  attempts_ = 0;
  if (reflected_)
    reflect(compression, builder, problem);
  else
    poisson(compression, builder, problem);
  problem.v_free = v_compressed_;
  addScaled(1, momentum_, problem.v_free);
  const auto both = [&](std::span<const double> at) {
    return power(problem.J, compression.p, problem.drive, at) +
           power(problem.G, compression.c, problem.joint_drive, at);
  };
  compression_work_ = (both(v_before_) + both(v_compressed_)) / 2;
  return std::any_of(returned_.begin(), returned_.end(), [](double p) { return p != 0; });
}

bool ImpactLaw::weaken(const ContactSolution& decompression, ContactProblem& problem) {
  // By Lemma 3.1, and where there is nothing left to scale.
  if (reflected_ || share_ == 0) return false;
  impulse_ = returned_;
  addScaled(1, decompression.p, impulse_);
  joint_impulse_ = joint_returned_;
  addScaled(1, decompression.c, joint_impulse_);
  const auto both = [&](std::span<const double> at) {
    return power(problem.J, impulse_, problem.drive, at) +
           power(problem.G, joint_impulse_, problem.joint_drive, at);
  };
  const double start = both(v_compressed_), end = both(decompression.v);
  const double lost = std::max(0.0, -compression_work_);
  if ((start + end) / 2 <= lost * (1 + kNoGain)) return false;
  // start s + (end - start) s^2/2 = lost
  const double root = std::sqrt(std::max(0.0, start * start + 2 * (end - start) * lost));
  const double part = start + root > 0 ? 2 * lost / (start + root) : 0;
  setShare(++attempts_ < kMostAttempts && part < 1 ? part * share_ : 0, problem);
  return true;
}

void ImpactLaw::setShare(double share, ContactProblem& problem) {
  const double part = share / share_;
  share_ = share;
  for (std::vector<double>* x : {&returned_, &joint_returned_, &momentum_})
    for (double& value : *x) value *= part;
  problem.v_free = v_compressed_;
  addScaled(1, momentum_, problem.v_free);
}

double ImpactLaw::restSpeed(const ContactProblem& problem, int i) const {
  return rest_speed_ > 0 ? rest_speed_ : kRestSteps * std::abs(alongNormal(problem.J, i, change_));
}

void ImpactLaw::poisson(const ContactSolution& compression, ProblemBuilder& builder,
                        ContactProblem& problem) {
  for (int i = 0; i < problem.contactCount(); ++i) {
    const std::size_t contact = i;
    const ContactParameters& law = builder.parametersOf(i);
    const std::size_t normal = problem.J.firstRow(i);
    const double impulse = compression.p[normal];
    if (!law.isUnilateral() || !(std::max(law.e_n, law.e_t) * impulse > 0)) continue;
    const double compressed = impulse * builder.mobility(problem.J, i, 0);
    if (!(std::max(approach_[contact], compressed) > restSpeed(problem, i))) continue;
    returned_[normal] = law.e_n * impulse;
    giveBackFriction(compression, law, i, problem);
  }
  giveBack(problem);
  builder.divideByMass(momentum_);
}

void ImpactLaw::giveBackFriction(const ContactSolution& compression, const ContactParameters& law,
                                 int contact, const ContactProblem& problem) {
  const ImpulseSet& set = problem.sets[contact];
  if (!(law.e_t > 0) || set.tangents() == 0 || set.load_independent) return;
  const std::size_t first = problem.J.firstRow(contact);
  const std::size_t rows = problem.J.rowsOf(contact);
  const std::span<const double> p = std::span(compression.p).subspan(first, rows);
  const double share = largestShare(set, p, law.e_n, law.e_t);
  for (std::size_t k = 1; k < static_cast<std::size_t>(set.linearRows()); ++k)
    returned_[first + k] = share * p[k];
}

// The momentum of what is given back.
void ImpactLaw::giveBack(const ContactProblem& problem) {
  momentum_.assign(v_before_.size(), 0.0);
  for (int i = 0; i < problem.contactCount(); ++i)
    for (const BlockRows::Strip& strip : problem.J.stripsOf(i)) {
      const StripValues entries = problem.J.values(i, strip);
      for (int k = 0; k < problem.J.rowsOf(i); ++k) {
        const double p = returned_[problem.J.firstRow(i) + k];
        if (p != 0) addScaled(p, entries.row(k), std::span(momentum_).subspan(strip.first_column));
      }
    }
}

void ImpactLaw::reflect(const ContactSolution& compression, const ProblemBuilder& builder,
                        const ContactProblem& problem) {
  double e = 0;
  for (int i = 0; i < problem.contactCount(); ++i) {
    const std::size_t contact = i;
    const ContactParameters& law = builder.parametersOf(i);
    const double slow = std::max(restSpeed(problem, i), kNegligible * fastest_);
    if (law.isUnilateral() && approach_[contact] > slow) e = std::max(e, law.e_n);
  }
  momentum_.resize(v_before_.size());
  for (std::size_t k = 0; k < v_before_.size(); ++k)
    momentum_[k] = e * (v_compressed_[k] - v_before_[k]);
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
