// A map: cells of few classes over axes.
#include <fmt/format.h>

#include "report/svg.hpp"
#include "report/svg_frame.hpp"

namespace stickslip {
namespace {

constexpr double kMapHeight = 300;

}  // namespace

std::string drawCells(const CellMap& map) {
  const Scale x{map.x_low, map.x_high, kLeft, kFigureWidth - kRight, false};
  const Scale y{map.y_low, map.y_high, kTop + kMapHeight, kTop, false};
  const int rows = static_cast<int>(map.cells.size()) / map.columns;
  const double width = (x.to - x.from) / map.columns, height = (y.from - y.to) / rows;
  std::string body = drawFrame(x, y, map.x.label, map.y.label);
  for (int row = 0; row < rows; ++row)
    // Equal neighbours are one rectangle.
    for (int first = 0, next; first < map.columns; first = next) {
      const auto at = [&](int column) { return map.cells[row * map.columns + column]; };
      for (next = first + 1; next < map.columns && at(next) == at(first); ++next) {
      }
      body += fmt::format(
          "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\" "
          "fill-opacity=\"0.75\"/>\n",
          x.from + first * width, y.from - (row + 1) * height, (next - first) * width, height,
          seriesColour(static_cast<std::size_t>(at(first))));
    }
  std::vector<LegendEntry> legend;
  for (std::size_t k = 0; k < map.classes.size(); ++k)
    legend.push_back(
        {map.classes[k], fmt::format("<rect y=\"-6\" width=\"18\" height=\"12\" fill=\"{}\" "
                                     "fill-opacity=\"0.75\"/>",
                                     seriesColour(k))});
  const double below = kTop + kMapHeight + kBottom;
  const double total = below + drawLegend(legend, below + 8, body);
  return fmt::format("<svg viewBox=\"0 0 {} {:.0f}\" role=\"img\" aria-label=\"{}\">\n{}</svg>\n",
                     kFigureWidth, total, escaped(map.caption), body);
}

}  // namespace stickslip
