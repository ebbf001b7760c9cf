// Bodies in the plane at several times, side by side.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/svg.hpp"

namespace stickslip {
namespace {

constexpr double kGap = 10, kTitle = 18;
constexpr std::size_t kFramesPerRow = 4;

std::string colourOf(int tone) {
  return tone == 0 ? "#c9d3dc" : std::string(seriesColour(static_cast<std::size_t>(tone - 1)));
}

// Places of a picture in one of its frames.
struct View {
  const Picture& picture;
  double left, top, unit;
  double x(double value) const { return left + (value - picture.x_low) * unit; }
  double y(double value) const { return top + (picture.y_high - value) * unit; }
};

std::string drawOutline(const Outline& outline, const View& view) {
  std::string path;
  for (std::size_t k = 0; k < outline.x.size(); ++k)
    path += fmt::format("{}{:.2f} {:.2f}", k == 0 ? "M" : "L", view.x(outline.x[k]),
                        view.y(outline.y[k]));
  return fmt::format("<path class=\"body\" fill=\"{}\" d=\"{}{}\"/>\n",
                     outline.closed ? colourOf(outline.tone) : "none", path,
                     outline.closed ? "Z" : "");
}

std::string drawBodies(const PictureFrame& frame, const View& view) {
  std::string out;
  for (const Circle& circle : frame.circles)
    out += fmt::format(
        "<circle class=\"body\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\" fill=\"{}\"/>\n",
        view.x(circle.x), view.y(circle.y), circle.radius * view.unit, colourOf(circle.tone));
  for (const Outline& outline : frame.outlines) out += drawOutline(outline, view);
  return out;
}

}  // namespace

std::string drawPicture(const Picture& picture) {
  const std::size_t columns = std::clamp<std::size_t>(picture.frames.size(), 1, kFramesPerRow);
  const double width =
      (kFigureWidth - kGap * static_cast<double>(columns - 1)) / static_cast<double>(columns);
  const double unit = width / (picture.x_high - picture.x_low);
  const double height = (picture.y_high - picture.y_low) * unit;
  std::string body;
  for (std::size_t k = 0; k < picture.frames.size(); ++k) {
    const double left = static_cast<double>(k % columns) * (width + kGap);
    const double top = kTitle + static_cast<double>(k / columns) * (height + kTitle + kGap);
    // Nested, so that what is outside of the part shown is cut off.
    body += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", left, top - 5,
                        escaped(picture.frames[k].title));
    body += fmt::format(
        "<svg x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\">\n{}</svg>\n", left, top,
        width, height, drawBodies(picture.frames[k], {picture, 0, 0, unit}));
    body += fmt::format(
        "<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
        left, top, width, height);
  }
  const double lines =
      std::ceil(static_cast<double>(picture.frames.size()) / static_cast<double>(columns));
  return fmt::format("<svg viewBox=\"0 0 {} {:.0f}\" role=\"img\" aria-label=\"{}\">\n{}</svg>\n",
                     kFigureWidth, lines * (height + kTitle + kGap), escaped(picture.caption),
                     body);
}

}  // namespace stickslip
