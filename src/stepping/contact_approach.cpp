#include "stepping/contact_approach.hpp"

#include <cmath>

#include "math/blocks/block_products.hpp"

namespace stickslip {

double alongNormal(const BlockRows& rows, int i, std::span<const double> x) {
  double sum = 0;
  for (const BlockRows::Strip& strip : rows.stripsOf(i)) {
    const StripValues values = rows.values(i, strip);
    sum += dot(values.row(0), x.subspan(strip.first_column));
  }
  return sum;
}

double wayAlongNormal(const BlockRows& rows, int i, std::span<const double> way) {
  double sum = 0;
  for (const BlockRows::Strip& strip : rows.stripsOf(i)) {
    const StripValues entries = rows.values(i, strip);
    const std::span<const double> w = entries.row(0);
    for (std::size_t k = 0; k < w.size(); ++k) sum += std::abs(w[k]) * way[strip.first_column + k];
  }
  return sum;
}

double gapRate(const BlockRows& rows, int i, std::span<const double> drive,
               std::span<const double> v) {
  return alongNormal(rows, i, v) + driveOf(drive, static_cast<std::size_t>(rows.firstRow(i)));
}

}  // namespace stickslip
