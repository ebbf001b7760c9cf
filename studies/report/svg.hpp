// Figures as SVG elements that scale with the page. Sizes are in units of the figure, which is
// kFigureWidth wide. The same data give the same text.
#pragma once

#include <string>
#include <string_view>

#include "report/blocks.hpp"

namespace stickslip {

inline constexpr double kFigureWidth = 520;

std::string drawPlot(const Plot& plot);
std::string drawCells(const CellMap& map);
std::string drawPicture(const Picture& picture);

/// Text with the characters escaped that mean something in HTML and SVG.
std::string escaped(std::string_view text);

/// Colour of series k = 0, 1, ...; told apart with most kinds of colour blindness.
std::string_view seriesColour(std::size_t k);

}  // namespace stickslip
