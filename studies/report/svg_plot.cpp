// Curves and points over axes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/svg.hpp"
#include "report/svg_frame.hpp"

namespace stickslip {
namespace {

constexpr double kPlotHeight = 270;  // of the frame
constexpr std::array<std::string_view, 7> kColours = {"#0b62a4", "#d1495b", "#2e8b57", "#b8860b",
                                                      "#7b4fa6", "#3aa6b9", "#555555"};
// More points than this many columns show nothing more: the highest and lowest of each are kept.
constexpr std::size_t kColumns = 600;

std::vector<double> valuesOf(const Plot& plot, std::vector<double> Series::*member) {
  std::vector<double> all;
  for (const Series& series : plot.series)
    all.insert(all.end(), (series.*member).begin(), (series.*member).end());
  return all;
}

// Indices of the points that are drawn, in order.
std::vector<std::size_t> shownPoints(const Series& series) {
  const std::size_t count = std::min(series.x.size(), series.y.size());
  std::vector<std::size_t> shown;
  if (count <= 4 * kColumns || series.points) {
    for (std::size_t k = 0; k < count; ++k) shown.push_back(k);
    return shown;
  }
  for (std::size_t column = 0; column < kColumns; ++column) {
    const std::size_t begin = column * count / kColumns, end = (column + 1) * count / kColumns;
    const auto at = [&](auto it) { return static_cast<std::size_t>(it - series.y.begin()); };
    const auto first = series.y.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = series.y.begin() + static_cast<std::ptrdiff_t>(end);
    std::array<std::size_t, 4> kept = {begin, at(std::min_element(first, last)),
                                       at(std::max_element(first, last)), end - 1};
    std::sort(kept.begin(), kept.end());
    for (std::size_t k = 0; k < kept.size(); ++k)
      if (k == 0 || kept[k] != kept[k - 1]) shown.push_back(kept[k]);
  }
  return shown;
}

std::string curve(const Series& series, const Scale& x, const Scale& y, std::string_view colour) {
  std::string path;
  bool broken = true;  // a gap before the next point
  for (const std::size_t k : shownPoints(series)) {
    const double px = series.x[k], py = series.y[k];
    if (!x.holds(px) || !y.holds(py) || !std::isfinite(px) || !std::isfinite(py)) {
      broken = true;
      continue;
    }
    path += fmt::format("{}{:.2f} {:.2f}", broken ? "M" : "L", x.place(px), y.place(py));
    broken = false;
  }
  return fmt::format("<path fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"{} d=\"{}\"/>\n",
                     colour, series.dashed ? " stroke-dasharray=\"6 4\"" : "", path);
}

std::string marks(const Series& series, const Scale& x, const Scale& y, std::string_view colour) {
  std::string out;
  for (const std::size_t k : shownPoints(series)) {
    const double px = series.x[k], py = series.y[k];
    if (!x.holds(px) || !y.holds(py) || !std::isfinite(px) || !std::isfinite(py)) continue;
    out += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"3.2\" fill=\"{}\"/>\n", x.place(px),
                       y.place(py), colour);
  }
  return out;
}

LegendEntry legendOf(const Series& series, std::string_view colour) {
  if (series.points)
    return {series.name, fmt::format("<circle cx=\"10\" r=\"3.2\" fill=\"{}\"/>", colour)};
  return {series.name, fmt::format("<path stroke=\"{}\" stroke-width=\"1.6\"{} d=\"M0 0H20\"/>",
                                   colour, series.dashed ? " stroke-dasharray=\"6 4\"" : "")};
}

// Widens the range that has more room, so that units are equally long.
void equalize(Scale& x, Scale& y) {
  const double unit_x = (x.to - x.from) / (x.high - x.low);
  const double unit_y = (y.from - y.to) / (y.high - y.low);
  Scale& wider = unit_x > unit_y ? x : y;
  const double half =
      (wider.high - wider.low) / 2 * std::max(unit_x, unit_y) / std::min(unit_x, unit_y);
  const double middle = (wider.low + wider.high) / 2;
  wider.low = middle - half;
  wider.high = middle + half;
}

}  // namespace

std::string_view seriesColour(std::size_t k) {
  return kColours[k % kColours.size()];
}

std::string drawPlot(const Plot& plot) {
  Scale x = scaleFor(valuesOf(plot, &Series::x), plot.x.log, kLeft, kFigureWidth - kRight);
  Scale y = scaleFor(valuesOf(plot, &Series::y), plot.y.log, kTop + kPlotHeight, kTop);
  if (plot.equal_scales) equalize(x, y);
  std::string body = drawFrame(x, y, plot.x.label, plot.y.label);
  std::vector<LegendEntry> legend;
  for (std::size_t k = 0; k < plot.series.size(); ++k) {
    const Series& series = plot.series[k];
    body +=
        series.points ? marks(series, x, y, seriesColour(k)) : curve(series, x, y, seriesColour(k));
    if (!series.name.empty()) legend.push_back(legendOf(series, seriesColour(k)));
  }
  const double below = kTop + kPlotHeight + kBottom;
  const double height = below + drawLegend(legend, below + 8, body);
  return fmt::format("<svg viewBox=\"0 0 {} {:.0f}\" role=\"img\" aria-label=\"{}\">\n{}</svg>\n",
                     kFigureWidth, height, escaped(plot.caption), body);
}

}  // namespace stickslip
