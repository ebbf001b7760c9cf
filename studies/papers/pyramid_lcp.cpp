#include "papers/pyramid_lcp.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "problem/mass_factor.hpp"
#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

// Solutions that differ by less, relative to the largest variable, are the same.
constexpr double kSame = 1e-9;

using Variables = PyramidLcp::Variables;

// Row `row` of a contact as a column of H.
std::vector<double> columnOf(const ContactProblem& problem, int contact, int row, double sign) {
  std::vector<double> out(problem.v_free.size());
  for (const BlockRows::Strip& strip : problem.J.stripsOf(contact)) {
    const StripValues entries = problem.J.values(contact, strip);
    const std::span<const double> values = entries.row(row);
    for (std::size_t k = 0; k < values.size(); ++k) out[strip.first_column + k] = sign * values[k];
  }
  return out;
}

double product(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

bool same(const Variables& a, const Variables& b) {
  double difference = 0, size = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    difference = std::max(difference, std::abs(a[k] - b[k]));
    size = std::max({size, std::abs(a[k]), std::abs(b[k])});
  }
  return difference <= kSame * size;
}

// z with corner k called place[k].
Variables renamed(const Variables& z, const PyramidLcp::Order& place) {
  Variables out{};
  for (int k = 0; k < PyramidLcp::kCorners; ++k) {
    const int corner = place[k];
    out[PyramidLcp::normal(corner)] = z[PyramidLcp::normal(k)];
    out[PyramidLcp::lambda(corner)] = z[PyramidLcp::lambda(k)];
    for (int d = 0; d < PyramidLcp::kDirections; ++d)
      out[PyramidLcp::friction(corner, d)] = z[PyramidLcp::friction(k, d)];
  }
  return out;
}

}  // namespace

PyramidLcp::Order PyramidLcp::around(const ContactProblem& problem) {
  std::array<double, kCorners> angle{};
  for (int i = 0; i < kCorners; ++i) {
    // Of a normal row the moments about x and y are (y, -x) of the corner.
    const std::vector<double> row = columnOf(problem, i, 0, 1);
    angle[i] = math::atan2(row[3], -row[4]);
  }
  Order out{};
  std::iota(out.begin(), out.end(), 0);
  std::sort(out.begin(), out.end(), [&](int a, int b) { return angle[a] < angle[b]; });
  return out;
}

PyramidLcp::PyramidLcp(const ContactProblem& problem, const Order& order)
    : N_(std::size_t{kSize} * kSize) {
  std::array<std::vector<double>, kImpulses> H;
  for (int corner = 0; corner < kCorners; ++corner) {
    const int contact = order[corner];
    H[normal(corner)] = columnOf(problem, contact, 0, 1);
    for (int d = 0; d < kDirections; ++d)
      H[friction(corner, d)] = columnOf(problem, contact, 1 + d % 2, d < 2 ? 1 : -1);
    entry(lambda(corner), normal(corner)) = problem.sets[contact].mu;
    for (int d = 0; d < kDirections; ++d) {
      entry(friction(corner, d), lambda(corner)) = 1;
      entry(lambda(corner), friction(corner, d)) = -1;
    }
  }
  MassFactor mass;
  mass.start(problem.M);
  for (std::size_t k = 0; k < kImpulses; ++k) {
    q_[k] = product(H[k], problem.v_free);
    std::vector<double> divided = H[k];
    mass.divide(divided);
    for (std::size_t i = 0; i < kImpulses; ++i) entry(i, k) = product(H[i], divided);
  }
}

PyramidSolutions lemkeSolutions(const ContactProblem& problem) {
  const PyramidLcp::Order hexagon = PyramidLcp::around(problem);
  PyramidLcp::Order place{}, order{};
  std::iota(place.begin(), place.end(), 0);
  PyramidSolutions out;
  DenseLemke lemke;
  do {
    for (std::size_t k = 0; k < place.size(); ++k) order[k] = hexagon[place[k]];
    Variables z{};
    if (lemke.solve(PyramidLcp(problem, order).lcp(), z).status != SolveStatus::solved) {
      ++out.unsolved;
      continue;
    }
    const Variables found = renamed(z, place);
    const bool known = std::any_of(out.distinct.begin(), out.distinct.end(),
                                   [&](const Variables& other) { return same(found, other); });
    if (!known) out.distinct.push_back(found);
  } while (std::next_permutation(place.begin(), place.end()));
  return out;
}

}  // namespace stickslip
