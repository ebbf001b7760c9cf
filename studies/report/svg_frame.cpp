#include "report/svg_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "report/svg.hpp"
#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

constexpr int kMostTicks = 7;
constexpr double kMargin = 0.04;  // of the range, at either end
constexpr double kLetter = 6.6;   // width of a letter of the legend
constexpr double kLegendLine = 18;

// 1, 2 or 5 times a power of ten, at least `least`.
double roundStep(double least) {
  const double power = math::pow(10.0, std::floor(math::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least) return factor * power;
  return 10 * power;
}

std::vector<Tick> linearTicks(const Scale& scale) {
  const double step = roundStep((scale.high - scale.low) / kMostTicks);
  std::vector<Tick> ticks;
  const double first = std::ceil(scale.low / step), last = std::floor(scale.high / step);
  for (double k = first; k <= last; ++k)
    ticks.push_back({scale.place(k * step), fmt::format("{:.4g}", k == 0 ? 0.0 : k * step)});
  return ticks;
}

std::vector<Tick> logTicks(const Scale& scale) {
  std::vector<Tick> ticks;
  const auto add = [&](double value) {
    const double place = scale.place(value);
    if (math::log10(value) >= scale.low && math::log10(value) <= scale.high)
      ticks.push_back({place, fmt::format("{:.4g}", value)});
  };
  const double decades = scale.high - scale.low;
  const int stride = std::max(1, static_cast<int>(std::ceil(decades / kMostTicks)));
  for (int k = static_cast<int>(std::floor(scale.low)); k <= scale.high; k += stride) {
    add(math::pow(10.0, k));
    if (decades > 2) continue;
    add(2 * math::pow(10.0, k));
    add(5 * math::pow(10.0, k));
  }
  return ticks;
}

}  // namespace

double Scale::place(double value) const {
  const double share = ((log ? math::log10(value) : value) - low) / (high - low);
  return from + share * (to - from);
}

Scale scaleFor(const std::vector<double>& values, bool log, double from, double to) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : values) {
    if (!std::isfinite(value) || (log && value <= 0)) continue;
    const double shown = log ? math::log10(value) : value;
    low = std::min(low, shown);
    high = std::max(high, shown);
  }
  if (low > high) return {0, 1, from, to, log};
  // All equal, or equal but for rounding: a range of their own size about them.
  if (high - low <= 1e-12 * std::max(std::abs(low), std::abs(high))) {
    const double half = log ? 0.5 : (low == 0 ? 1 : std::abs(low) / 2);
    low -= half;
    high += half;
  }
  const double margin = kMargin * (high - low);
  return {low - margin, high + margin, from, to, log};
}

std::vector<Tick> ticksOf(const Scale& scale) {
  return scale.log ? logTicks(scale) : linearTicks(scale);
}

std::string drawFrame(const Scale& x, const Scale& y, const std::string& x_label,
                      const std::string& y_label) {
  std::string out;
  for (const Tick& tick : ticksOf(x))
    out += fmt::format(
        "<path class=\"grid\" d=\"M{0:.1f} {1:.1f}V{2:.1f}\"/>"
        "<text x=\"{0:.1f}\" y=\"{3:.1f}\" class=\"mid\">{4}</text>\n",
        tick.place, y.from, y.to, y.from + 16, tick.text);
  for (const Tick& tick : ticksOf(y))
    out += fmt::format(
        "<path class=\"grid\" d=\"M{0:.1f} {1:.1f}H{2:.1f}\"/>"
        "<text x=\"{3:.1f}\" y=\"{4:.1f}\" class=\"end\">{5}</text>\n",
        x.from, tick.place, x.to, x.from - 6, tick.place + 4, tick.text);
  out += fmt::format(
      "<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
      x.from, y.to, x.to - x.from, y.from - y.to);
  out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"mid\">{}</text>\n",
                     (x.from + x.to) / 2, y.from + 34, escaped(x_label));
  out +=
      fmt::format("<text transform=\"translate(14 {:.1f}) rotate(-90)\" class=\"mid\">{}</text>\n",
                  (y.from + y.to) / 2, escaped(y_label));
  return out;
}

double drawLegend(const std::vector<LegendEntry>& entries, double y, std::string& out) {
  double x = kLeft, line = y;
  for (const LegendEntry& entry : entries) {
    const double width = 42 + kLetter * static_cast<double>(entry.name.size());
    if (x > kLeft && x + width > kFigureWidth) {
      x = kLeft;
      line += kLegendLine;
    }
    out += fmt::format(
        "<g transform=\"translate({:.1f} {:.1f})\">{}<text x=\"26\" y=\"4\">{}</text></g>\n", x,
        line, entry.mark, escaped(entry.name));
    x += width;
  }
  return entries.empty() ? 0 : line - y + kLegendLine;
}

}  // namespace stickslip
