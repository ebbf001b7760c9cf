#include "report/text_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/svg_frame.hpp"
#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

constexpr int kColumnsWide = 56, kLinesHigh = 16;
constexpr char kSeveral = '*';  // points of several series in one place

std::vector<double> shownValues(const Plot& plot, std::vector<double> Series::*member) {
  std::vector<double> all;
  for (const Series& series : plot.series)
    if (!series.dashed) all.insert(all.end(), (series.*member).begin(), (series.*member).end());
  return all;
}

std::string endOf(const Scale& scale, double end) {
  return fmt::format("{:.2g}", scale.log ? math::pow(10.0, end) : end);
}

}  // namespace

std::string textOf(const Plot& plot) {
  const Scale x = scaleFor(shownValues(plot, &Series::x), plot.x.log, 0, kColumnsWide - 1);
  const Scale y = scaleFor(shownValues(plot, &Series::y), plot.y.log, kLinesHigh - 1, 0);
  std::vector<std::string> lines(kLinesHigh, std::string(kColumnsWide, ' '));
  std::string legend;
  char letter = 'a';
  for (const Series& series : plot.series) {
    if (series.dashed) continue;
    for (std::size_t k = 0; k < series.x.size(); ++k) {
      if (!x.holds(series.x[k]) || !y.holds(series.y[k]) || !std::isfinite(series.y[k])) continue;
      const std::size_t column = std::llround(x.place(series.x[k]));
      const std::size_t line = std::llround(y.place(series.y[k]));
      char& place = lines[line][column];
      place = place == ' ' || place == letter ? letter : kSeveral;
    }
    legend += fmt::format("  {} {}\n", letter, series.name);
    letter = letter == 'z' ? 'A' : static_cast<char>(letter + 1);
  }
  std::string out = plot.caption + "\n";
  for (int line = 0; line < kLinesHigh; ++line) {
    const std::string label = line == 0                ? endOf(y, y.high)
                              : line == kLinesHigh - 1 ? endOf(y, y.low)
                                                       : "";
    out += fmt::format("  {:>8} |{}\n", label, lines[line]);
  }
  out += fmt::format("  {:>8} +{}\n", plot.y.label, std::string(kColumnsWide, '-'));
  out +=
      fmt::format("  {:>8}  {:<{}}{}\n", "", endOf(x, x.low), kColumnsWide - 8, endOf(x, x.high));
  out += fmt::format("  {:>8}  {:^{}}\n", "", plot.x.label, kColumnsWide);
  return out + legend;
}

}  // namespace stickslip
