#include "taylor_polynomial.hpp"

namespace stickslip::reference {
namespace {

bool hasNoRootByBound(const Polynomial& f) {
  double rest = 0.0;
  for (std::size_t k = 1; k < f.size(); ++k) rest += std::abs(f[k]);
  return std::abs(f[0]) >= rest;
}

double bisect(const Polynomial& f, double a, double b, bool positiveAtA) {
  for (double m = 0.5 * (a + b); a < m && m < b; m = 0.5 * (a + b))
    ((evaluate(f, m) > 0.0) == positiveAtA ? a : b) = m;
  return b;
}

}  // namespace

double evaluate(const Polynomial& f, double s) {
  double value = 0.0;
  for (std::size_t k = f.size(); k-- > 0;) value = value * s + f[k];
  return value;
}

Polynomial differentiate(const Polynomial& f) {
  Polynomial d{};
  for (std::size_t k = 1; k < f.size(); ++k) d[k - 1] = static_cast<double>(k) * f[k];
  return d;
}

bool isNonnegativeAfterStart(const Polynomial& f) {
  for (double c : f)
    if (c != 0.0) return c > 0.0;
  return true;
}

// The roots of f' cut the interval into pieces on which f is monotone, so that no pair of roots can
// hide between two probes.
std::vector<double> signChanges(const Polynomial& f) {
  if (hasNoRootByBound(f)) return {};
  std::vector<double> ends = signChanges(differentiate(f));
  ends.push_back(1.0);
  std::vector<double> roots;
  double a = 0.0;
  bool positive = isNonnegativeAfterStart(f);
  for (double b : ends) {
    const bool positiveAtB = evaluate(f, b) > 0.0;
    if (positive != positiveAtB) roots.push_back(bisect(f, a, b, positive));
    a = b;
    positive = positiveAtB;
  }
  return roots;
}

void cleanLeading(Polynomial& f) {
  const double floor = kLeadingTolerance * largestEntry(f);
  for (double& c : f) {
    if (std::abs(c) > floor) return;
    c = 0.0;
  }
}

std::optional<double> firstViolation(const Polynomial& f) {
  if (!isNonnegativeAfterStart(f)) return 0.0;
  const std::vector<double> roots = signChanges(f);
  return roots.empty() ? std::nullopt : std::optional<double>(roots.front());
}

double integrateProduct(const Polynomial& f, const Polynomial& g, double s) {
  std::array<double, 2 * kOrder + 1> product{};
  for (std::size_t i = 0; i < f.size(); ++i)
    for (std::size_t j = 0; j < g.size(); ++j) product[i + j] += f[i] * g[j];
  double sum = 0.0;
  for (std::size_t k = product.size(); k-- > 0;)
    sum = (sum + product[k] / static_cast<double>(k + 1)) * s;
  return sum;
}

}  // namespace stickslip::reference
