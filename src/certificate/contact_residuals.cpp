// The part of the certificate that is about the contact law; see certifier.cpp for what it
// measures.
//
// The rows are walked through once, and nothing is kept of them: chunks of contacts, added up in
// their order.
#include <algorithm>
#include <numbers>

#include "base/parallel_for.hpp"
#include "certificate/friction_sections.hpp"
#include "certificate/row_sums.hpp"
#include "certificate/workspace.hpp"

namespace stickslip {

using namespace certificate;

namespace {

constexpr int kErrorGrain = 4096;
// What rounding may add to a bound of a sum.
constexpr double kAbove = 1 + 1e-10;

// Velocity that an impulse within the bounds of a row could change; 0 where it has none.
double boundedVelocity(const ImpulseSet& set, double mobility) {
  double most = 0;
  if (set.kind == ImpulseSet::Kind::interval)
    most = std::max(std::abs(set.lower), std::abs(set.upper));
  else if (set.load_independent)
    most = std::max(set.mu, set.mu_2);
  return std::isfinite(most) ? most * mobility : 0;
}

// The larger of the two, or the one that is not finite.
double worseOf(double a, double b) {
  return std::isfinite(b) ? std::max(a, b) : b;
}

// No contact may close at the end of a step. With large friction the cone of admissible velocities
// is so narrow that any approach is near it; half of the velocity is no more than the natural map
// has up to mu = 1.7.
double approachError(double normal_velocity) {
  return -0.5 * normal_velocity;
}

}  // namespace

void Certifier::Workspace::ContactPart::add(const ContactPart& later) {
  worst = worseOf(worst, later.worst);
  reference = std::max(reference, later.reference);
  noise = std::max(noise, later.noise);
  fclib += later.fclib;
  free_square += later.free_square;
  drive_work += later.drive_work;
}

void Certifier::Workspace::checkContacts(const ContactProblem& problem, const ContactSolution& s,
                                         Certificate& out) {
  errors.resize(problem.contactCount());
  opening.resize(errors.size());
  lifts.resize(problem.law == Law::relaxed ? errors.size() : 0);
  const std::size_t chunks = chunkCount(problem.contactCount(), kContactGrain);
  if (contact_parts.size() < chunks) contact_parts.resize(chunks);
  parallelFor(problem.contactCount(), kContactGrain, [&](int begin, int end) {
    ContactPart sum;
    ContactPart& part = partOf(begin);
    std::swap(sum.scratch, part.scratch);
    for (int i = begin; i < end; ++i)
      isCone<3>(problem, i)   ? checkCone<3>(problem, s, i, sum)
      : isCone<2>(problem, i) ? checkCone<2>(problem, s, i, sum)
                              : checkContact(problem, s, i, sum);
    std::swap(part, sum);
  });
  ContactPart all;
  for (std::size_t k = 0; k < chunks; ++k) all.add(contact_parts[k]);
  velocity_scale = std::max(all.reference, all.noise);
  out.contact_work += all.drive_work;
  out.residual = all.worst <= kUnderflow ? 0 : all.worst / velocity_scale;
  parallelFor(problem.contactCount(), kErrorGrain, [&](int begin, int end) {
    for (double& error : std::span(errors).subspan(begin, end - begin))
      error = error <= kUnderflow ? 0 : error / velocity_scale;
  });
  if (problem.law == Law::relaxed) measureLift(problem, s, out);
  // Without a free velocity to compare with the error is absolute, as FCLIB has it.
  out.fclib_error = std::sqrt(all.free_square > 0 ? all.fclib / all.free_square : all.fclib);
}

void Certifier::Workspace::checkContact(const ContactProblem& problem, const ContactSolution& s,
                                        int i, ContactPart& part) {
  const std::size_t first = problem.J.firstRow(i);
  const std::size_t dimension = problem.J.rowsOf(i);
  const ImpulseSet& given = problem.sets[i];
  RowSums<ImpulseSet::kMostRows> sums{};
  bool simple = true;
  for (const BlockRows::Strip& strip : problem.J.stripsOf(i)) {
    const int c = strip.first_column;
    // Where mobilities are not so simple, these sums of theirs are not used.
    const double* inverse_roots = roots.simpleRoots(strip);
    simple &= inverse_roots != nullptr;
    const double *v = s.v.data() + c, *v_free = problem.v_free.data() + c;
    const StripValues values = problem.J.values(i, strip);
    addStripSums(values.view(), {v, v_free, simple ? inverse_roots : v}, sums);
  }
  ImpulseVector mobility{};
  for (std::size_t k = 0; k < dimension; ++k)
    mobility[k] = simple ? sums.mobility[k][0] + sums.mobility[k][1]
                         : roots.squareNorm(problem.J, i, static_cast<int>(k), part.scratch);
  const bool has_moments = given.dimension() != given.linearRows();
  ScaledSet scaled;
  if (has_moments) scaled = scaledSet(given, mobility);
  const ImpulseSet& set = has_moments ? scaled.set : given;
  const ImpulseVector& length = scaled.length;
  ImpulseVector u{}, p{};
  double trace = 0, free_square = 0, push_square = 0, offset = 0;
  for (std::size_t k = 0; k < dimension; ++k) {
    const double b = problem.b[first + k];
    u[k] = length[k] * (sums.now[k][0] + sums.now[k][1] + b);
    p[k] = s.p[first + k] / length[k];
    const double freely = length[k] * (sums.free[k][0] + sums.free[k][1] + b);
    free_square += freely * freely;
    trace += length[k] * length[k] * mobility[k];
    offset = std::max(offset, length[k] * std::abs(b));
    // A motor that closes a distance has an aim beside its drive, which moves the frame as well.
    const bool is_motor = set.kind == ImpulseSet::Kind::interval;
    part.drive_work += s.p[first + k] * (is_motor ? b : driveOf(problem.drive, first + k));
    // A bounded impulse that cannot be 0 is a force to that extent.
    const double least = is_motor ? std::max(set.lower, std::min(0.0, set.upper)) : 0;
    if (least != 0) {
      const double old = rowTimes(problem.J, i, static_cast<int>(k), problem.v_old).value;
      part.drive_work -= least * ((sums.now[k][0] + sums.now[k][1] + old) / 2 + b);
    }
    if (push.empty()) continue;
    const double pushed = length[k] * rowTimes(problem.J, i, static_cast<int>(k), push).value;
    push_square += pushed * pushed;
  }
  part.free_square += free_square;
  part.reference = std::max(part.reference, std::sqrt(std::max(free_square, push_square)));
  part.noise = std::max(part.noise, kNoise * boundedVelocity(set, trace));
  measureNoise(problem, s, i, trace, simple ? offset : INFINITY, length, part);

  const double rho = static_cast<double>(dimension) / trace;
  const ImpulseVector u_hat = correctedVelocity(set, problem.law, u);
  double error = distanceToLaw(set, p, u_hat, rho) / rho;
  if (set.kind != ImpulseSet::Kind::interval) error = worseOf(error, approachError(u[0]));
  errors[i] = error;
  if (isCircularCone(given)) noteCone(problem.law, given.mu, i, u.data());
  part.worst = worseOf(part.worst, error);
  const double unit_error = distanceToLaw(set, p, u_hat, 1.0);
  part.fclib += unit_error * unit_error;
}

template <int kRows>
bool Certifier::Workspace::isCone(const ContactProblem& problem, int i) const {
  const ImpulseSet& set = problem.sets[i];
  if (problem.J.rowsOf(i) != kRows || !push.empty()) return false;
  bool is = kRows == 3 ? isCircularCone(set) : isPlanarCone(set);
  for (const BlockRows::Strip& strip : problem.J.stripsOf(i))
    is = is && strip.columns == (kRows == 3 ? 6 : 3) && roots.simpleRoots(strip) != nullptr;
  return is;
}

template <int kRows>
certificate::RowSums<kRows> Certifier::Workspace::coneSums(const ContactProblem& problem,
                                                           const ContactSolution& s, int i) const {
  const auto factorsOf = [&](const BlockRows::Strip& strip) {
    const int c = strip.first_column;
    return StripFactors{s.v.data() + c, problem.v_free.data() + c, roots.simpleRoots(strip)};
  };
  if constexpr (kRows == 3)
    if (problem.J.isOfBalls(i)) return ballSums(problem.J, i, factorsOf);
  RowSums<kRows> sums{};
  for (const BlockRows::Strip& strip : problem.J.stripsOf(i)) {
    const StripValues values = problem.J.values(i, strip);
    if constexpr (kRows == 3) {
      addSpatialSums(values.view().data, factorsOf(strip), sums);
    } else {
      for (int k = 0; k < kRows; ++k)
        addRowSums<3>(values.view().data + 3 * k, 3, factorsOf(strip), k, sums);
    }
  }
  return sums;
}

// In the plane as a round cone whose second tangent nothing moves.
template <int kRows>
void Certifier::Workspace::checkCone(const ContactProblem& problem, const ContactSolution& s, int i,
                                     ContactPart& part) {
  const RowSums<kRows> sums = coneSums<kRows>(problem, s, i);
  const std::size_t first = problem.J.firstRow(i);
  const double *b = problem.b.data() + first, *p = s.p.data() + first;
  double u[kRows];
  double trace = 0, free_square = 0, offset = 0;
  for (int k = 0; k < kRows; ++k) {
    u[k] = sums.now[k][0] + sums.now[k][1] + b[k];
    const double freely = sums.free[k][0] + sums.free[k][1] + b[k];
    free_square += freely * freely;
    trace += sums.mobility[k][0] + sums.mobility[k][1];
    offset = std::max(offset, std::abs(b[k]));
    part.drive_work += p[k] * driveOf(problem.drive, first + static_cast<std::size_t>(k));
  }
  part.free_square += free_square;
  if (free_square > part.reference * part.reference) part.reference = std::sqrt(free_square);
  measureNoise(problem, s, i, trace, offset, {1, 1, 1}, part);

  const double mu = problem.sets[i].mu;
  const double u_2 = kRows == 3 ? u[kRows - 1] : 0, p_2 = kRows == 3 ? p[kRows - 1] : 0;
  const double lift = problem.law == Law::coulomb ? mu * planeLength(u[1], u_2) : 0;
  const Vec3 p_3{p[0], p[1], p_2}, u_hat{u[0] + lift, u[1], u_2};
  const double error = worseOf(distanceToCircle(mu, p_3, u_hat, kRows / trace) * (trace / kRows),
                               approachError(u[0]));
  errors[i] = error;
  if constexpr (kRows == 3) noteCone(problem.law, mu, i, u);
  part.worst = worseOf(part.worst, error);
  const double unit_error = distanceToCircle(mu, p_3, u_hat, 1);
  part.fclib += unit_error * unit_error;
}

void Certifier::Workspace::noteCone(Law law, double mu, int i, const double* u) {
  const std::size_t k = i;
  opening[k] = u[0];
  if (law == Law::coulomb) return;
  lifts[k] = mu * planeLength(u[1], u[2]);
  opening[k] -= lifts[k];
}

// `offset` is the largest |b| of the contact; infinite if nothing is known about its blocks.
void Certifier::Workspace::measureNoise(const ContactProblem& problem, const ContactSolution& s,
                                        int i, double trace, double offset,
                                        const ImpulseVector& length, ContactPart& part) const {
  const double rows = problem.J.rowsOf(i), root = std::sqrt(trace);
  const double noise = kNoise * speed * root;
  if (noise * noise > part.noise * part.noise * rows) part.noise = noise / std::sqrt(rows);
  // The sizes of the terms in the rows count only if they are large beside the velocities, which a
  // bound of them (Cauchy-Schwarz, block by block) mostly excludes.
  const std::size_t strips = problem.J.stripsOf(i).size();
  const double spread = strips == 2 ? std::numbers::sqrt2 : std::sqrt(static_cast<double>(strips));
  const double most = kNoise * (kAbove * spread * root * fastest + offset);
  if (!(most <= std::max(part.reference, part.noise)))
    part.noise = std::max(part.noise, rowNoise(problem, s, i, length));
}

// What rounding may do to the velocities of a contact, by the terms in its rows.
double Certifier::Workspace::rowNoise(const ContactProblem& problem, const ContactSolution& s,
                                      int i, const ImpulseVector& length) const {
  double noise = 0;
  for (int k = 0; k < problem.J.rowsOf(i); ++k) {
    const double b = problem.b[problem.J.firstRow(i) + k];
    const double size = std::max(rowTimes(problem.J, i, k, s.v).size,
                                 rowTimes(problem.J, i, k, problem.v_free).size);
    noise = std::max(noise, kNoise * length[k] * (size + std::abs(b)));
  }
  return noise;
}

const ImpulseSet& Certifier::Workspace::setOf(const ContactProblem& problem, int i,
                                              ScaledSet& scaled) {
  const ImpulseSet& set = problem.sets[i];
  if (set.dimension() == set.linearRows()) return set;
  ImpulseVector mobility{};
  for (int k = 0; k < set.dimension(); ++k)
    mobility[k] = roots.squareNorm(problem.J, i, k, partOf(i).scratch);
  scaled = scaledSet(set, mobility);
  return scaled.set;
}

}  // namespace stickslip
