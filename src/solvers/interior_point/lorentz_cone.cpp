#include "solvers/interior_point/lorentz_cone.hpp"

namespace stickslip {

template <std::size_t N>
void LorentzCone<N>::enter(Law law, double impulse, double velocity, Vector& p, const Vector& u) {
  slips_ = law == Law::coulomb;
  pushInside(p, impulse);
  z_ = u;
  z_[0] += slip();
  pushInside(z_, velocity);
}

template <std::size_t N>
auto LorentzCone<N>::spectral(double plus, double minus, double across, const Vector& x) const
    -> Vector {
  const double along = tangentialDot(axis_, x);
  const double a = plus * (x[0] + along) / 2, b = minus * (x[0] - along) / 2;
  Vector out;
  out[0] = a + b;
  const double on_axis = a - b - across * along;
  for (std::size_t k = 1; k < N; ++k) out[k] = across * x[k] + on_axis * axis_[k];
  return out;
}

template <std::size_t N>
std::array<double, 3> LorentzCone<N>::softened() const {
  const double square = eta_ * eta_, stretch = stretch_ * stretch_;
  std::array<double, 3> l{square * stretch, square / stretch, square};
  for (double& value : l) value /= 1 + delta_ * value;
  return l;
}

template <std::size_t N>
auto LorentzCone<N>::timesScaling(const Vector& x) const -> Vector {
  return spectral(eta_ * stretch_, eta_ / stretch_, eta_, x);
}

template <std::size_t N>
auto LorentzCone<N>::withSlope(const Vector& x) const -> Vector {
  Vector out = x;
  if (slips_) out[0] += tangentialDot(slope_, x);
  return out;
}

template <std::size_t N>
void LorentzCone<N>::scale(double delta, const Vector& p) {
  delta_ = delta;
  const double norm_p = hyperbolicNorm(p), norm_z = hyperbolicNorm(z_);
  double cosine = 0;
  for (std::size_t k = 0; k < N; ++k) cosine += p[k] * z_[k];
  const double gamma = std::sqrt((1 + cosine / (norm_p * norm_z)) / 2);
  Vector w{};
  for (std::size_t k = 1; k < N; ++k) w[k] = (p[k] / norm_p - z_[k] / norm_z) / (2 * gamma);
  const double side = tangentialNorm(w);
  stretch_ = std::sqrt(1 + side * side) + side;
  eta_ = std::sqrt(norm_p / norm_z);
  for (std::size_t k = 1; k < N; ++k) axis_[k] = side > 0 ? w[k] / side : 0;
  lambda_ = timesScaling(z_);
  if (!slips_) return;
  const double z_side = slip();
  for (std::size_t k = 1; k < N; ++k) slope_[k] = z_side > 0 ? z_[k] / z_side : 0;
}

// H^2 / (1 + delta H^2) T.
template <std::size_t N>
void LorentzCone<N>::fill(std::size_t rows, double* S) const {
  const auto [plus, minus, across] = softened();
  const double mean = (plus + minus) / 2, half = (plus - minus) / 2;
  S[0] = mean;
  for (std::size_t i = 1; i < rows; ++i) {
    S[i] = S[i * rows] = half * axis_[i];
    for (std::size_t j = 1; j < rows; ++j)
      S[i * rows + j] = (i == j ? across : 0) + (mean - across) * axis_[i] * axis_[j];
  }
  if (!slips_) return;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 1; j < rows; ++j) S[i * rows + j] += S[i * rows] * slope_[j];
}

template <std::size_t N>
void LorentzCone<N>::aim(double mu, double correction) {
  target_ = {mu};
  if (correction > 0)
    for (std::size_t k = 0; k < N; ++k) target_[k] -= correction * second_[k];
}

// The eigenvalues of the product are brought back.
template <std::size_t N>
void LorentzCone<N>::recentre(double step, double mu) {
  Vector product = jordanProduct(lambda_, lambda_);
  for (std::size_t k = 0; k < N; ++k)
    product[k] = productAfter(step, product[k], target_[k], second_[k]);
  last_target_ = target_;
  const double side = tangentialNorm(product);
  const double plus = recentring(product[0] + side, mu);
  const double minus = recentring(product[0] - side, mu);
  target_[0] += (plus + minus) / 2;
  for (std::size_t k = 1; k < N && side > 0; ++k)
    target_[k] += (plus - minus) / 2 * product[k] / side;
}

// c = -p + H (lambda \ target), r = (1 + delta H^2)^-1 (c - H^2 (T u - z)); H^2 z = p.
template <std::size_t N>
auto LorentzCone<N>::push(const Vector& u) const -> Vector {
  const Vector centre = timesScaling(jordanQuotient(target_, lambda_));
  const auto soft = softened();
  std::array<double, 3> damp = soft;
  for (double& value : damp) value = 1 - delta_ * value;
  const Vector pull = spectral(soft[0], soft[1], soft[2], withSlope(u));
  Vector out = spectral(damp[0], damp[1], damp[2], centre);
  for (std::size_t k = 0; k < N; ++k) out[k] -= pull[k];
  return out;
}

template <std::size_t N>
double LorentzCone<N>::direct(const Vector& d_p, const Vector& u, const Vector& d_u) {
  const Vector velocity = withSlope(u), change = withSlope(d_u);
  for (std::size_t k = 0; k < N; ++k) d_z_[k] = velocity[k] - z_[k] + change[k] + delta_ * d_p[k];
  const Vector scaled_p = spectral(1 / (eta_ * stretch_), stretch_ / eta_, 1 / eta_, d_p);
  const Vector scaled_z = timesScaling(d_z_);
  second_ = jordanProduct(scaled_p, scaled_z);
  return std::max({0.0, boundaryRatio(lambda_, scaled_p), boundaryRatio(lambda_, scaled_z)});
}

template <std::size_t N>
void LorentzCones<N>::select(const ConvexProblem& problem) {
  contacts_.clear();
  law_ = problem.law;
  const bool coulomb = law_ == Law::coulomb;
  // Planar cones of the relaxed law are polygons with two corners.
  if (N == 2 && !coulomb) return;
  for (std::size_t i = 0; i < problem.cones.size(); ++i) {
    const Cone& cone = problem.cones[i];
    const bool circle = coulomb && cone.kind == Cone::Kind::polygon;
    if ((cone.kind != Cone::Kind::lorentz && !circle) || cone.rows != static_cast<int>(N)) continue;
    contacts_.push_back({});
    contacts_.back().first = static_cast<std::size_t>(cone.first);
    contacts_.back().block = problem.W.firstOfBlock(static_cast<int>(i));
  }
}

template <std::size_t N>
void LorentzCones<N>::enter(double impulse, double velocity, std::span<double> p,
                            std::span<const double> u) {
  for (Contact& contact : contacts_) {
    LorentzVector<N> x = load<N>(p, contact.first);
    contact.cone.enter(law_, impulse, velocity, x, load<N>(u, contact.first));
    std::copy(x.begin(), x.end(), p.begin() + static_cast<std::ptrdiff_t>(contact.first));
  }
}

template <std::size_t N>
double LorentzCones<N>::gap(std::span<const double> p) const {
  double sum = 0;
  for (const Contact& contact : contacts_)
    for (std::size_t k = 0; k < N; ++k) sum += p[contact.first + k] * contact.cone.z()[k];
  return sum;
}

template <std::size_t N>
void LorentzCones<N>::scale(double delta, std::span<const double> p, std::span<double> S) {
  for (Contact& contact : contacts_) {
    contact.cone.scale(delta, load<N>(p, contact.first));
    contact.cone.fill(N, S.data() + contact.block);
  }
}

template <std::size_t N>
void LorentzCones<N>::aim(double mu, double correction, std::span<const double>,
                          std::span<const double> u, std::span<double> r) {
  for (Contact& contact : contacts_) contact.cone.aim(mu, correction);
  aimAtTargets(u, r);
}

template <std::size_t N>
void LorentzCones<N>::recentre(double step, double mu, std::span<const double> u,
                               std::span<double> r) {
  for (Contact& contact : contacts_) contact.cone.recentre(step, mu);
  aimAtTargets(u, r);
}

template <std::size_t N>
void LorentzCones<N>::aimAsBefore(std::span<const double> u, std::span<double> r) {
  for (Contact& contact : contacts_) contact.cone.aimAsBefore();
  aimAtTargets(u, r);
}

template <std::size_t N>
void LorentzCones<N>::aimAtTargets(std::span<const double> u, std::span<double> r) const {
  for (const Contact& contact : contacts_) {
    const LorentzVector<N> push = contact.cone.push(load<N>(u, contact.first));
    std::copy(push.begin(), push.end(), r.begin() + static_cast<std::ptrdiff_t>(contact.first));
  }
}

template <std::size_t N>
double LorentzCones<N>::direct(std::span<const double>, std::span<const double> u,
                               std::span<const double> d_p, std::span<const double> d_u) {
  double most = 1;
  for (Contact& contact : contacts_)
    most =
        std::max(most, contact.cone.direct(load<N>(d_p, contact.first), load<N>(u, contact.first),
                                           load<N>(d_u, contact.first)));
  return 1 / most;
}

template <std::size_t N>
void LorentzCones<N>::move(double step, std::span<double> p, std::span<const double> d_p) {
  for (Contact& contact : contacts_) {
    for (std::size_t k = 0; k < N; ++k) p[contact.first + k] += step * d_p[contact.first + k];
    contact.cone.move(step);
  }
}

template class LorentzCone<2>;
template class LorentzCone<3>;
template class LorentzCone<4>;
template class LorentzCone<5>;
template class LorentzCone<6>;
template class LorentzCones<2>;
template class LorentzCones<3>;
template class LorentzCones<4>;
template class LorentzCones<5>;
template class LorentzCones<6>;

}  // namespace stickslip
