// The frame of a figure: a rectangle with axes, ticks and labels, and where values lie in it.
#pragma once

#include <string>
#include <vector>

#include "report/blocks.hpp"

namespace stickslip {

/// Room around the rectangle.
inline constexpr double kLeft = 76, kRight = 14, kTop = 10, kBottom = 46;

/// Maps values of an axis to places of the figure.
struct Scale {
  double low = 0, high = 1;  ///< of the values, or of their logarithms
  double from = 0, to = 1;   ///< of the figure
  bool log = false;

  double place(double value) const;
  bool holds(double value) const { return !log || value > 0; }
};

/// The scale that shows all values in [from, to], a little wider. With no value: 0 to 1.
Scale scaleFor(const std::vector<double>& values, bool log, double from, double to);

struct Tick {
  double place;
  std::string text;
};
std::vector<Tick> ticksOf(const Scale& scale);

/// Rectangle of the scales with ticks, lines across and labels.
std::string drawFrame(const Scale& x, const Scale& y, const std::string& x_label,
                      const std::string& y_label);

/// One line of marks with names, below the figure at height `y`; wraps. Returns the height it took.
struct LegendEntry {
  std::string name;
  std::string mark;  ///< SVG drawn about (0, 0), 20 wide
};
double drawLegend(const std::vector<LegendEntry>& entries, double y, std::string& out);

}  // namespace stickslip
