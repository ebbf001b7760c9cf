#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "report/html_report.hpp"
#include "report/svg.hpp"
#include "report/svg_frame.hpp"
#include "report/text_plot.hpp"
#include "report/text_table.hpp"

namespace stickslip {
namespace {

std::size_t countOf(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++count;
  return count;
}

// Every opening tag of a kind has its end, or ends itself.
void expectBalanced(const std::string& html) {
  for (const char* tag : {"svg", "g", "text", "table", "tr", "td", "figure", "section", "dl"})
    EXPECT_EQ(
        countOf(html, std::string("<") + tag + ">") + countOf(html, std::string("<") + tag + " "),
        countOf(html, std::string("</") + tag + ">"))
        << tag;
}

TEST(Report, ScalesCoverTheirValues) {
  const Scale linear = scaleFor({-2, 3, 1}, false, 100, 0);
  EXPECT_GT(linear.place(-2), linear.place(3));
  EXPECT_LE(linear.place(-2), 100);
  EXPECT_GE(linear.place(3), 0);
  const Scale log = scaleFor({1e-6, 1, -5, 0}, true, 0, 60);
  EXPECT_NEAR(log.place(1e-3), 30, 1e-9);
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(scaleFor({nothing}, false, 0, 1).low, 0);
  const Scale constant = scaleFor({5, 5}, false, 0, 1);
  EXPECT_LT(constant.low, 5);
  EXPECT_GT(constant.high, 5);
}

TEST(Report, TicksAreRoundNumbersWithinTheScale) {
  for (const bool log : {false, true})
    for (const double top : {0.03, 1.0, 7e5}) {
      const Scale scale = scaleFor({top / 1000, top}, log, 0, 500);
      const std::vector<Tick> ticks = ticksOf(scale);
      EXPECT_GE(ticks.size(), 2u) << top;
      EXPECT_LE(ticks.size(), 12u) << top;
      for (const Tick& tick : ticks) {
        EXPECT_GE(tick.place, 0);
        EXPECT_LE(tick.place, 500);
        EXPECT_NEAR(scale.place(std::stod(tick.text)), tick.place, 1e-3 * 500) << tick.text;
      }
    }
}

TEST(Report, PlotsLeaveOutWhatCannotBeShown) {
  const double infinite = std::numeric_limits<double>::infinity();
  Plot plot{"a < b & c",
            {"x"},
            {"y", true},
            {{"one", {0, 1, 2, 3}, {1, 0, infinite, 10}, false, false}},
            false};
  const std::string svg = drawPlot(plot);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_NE(svg.find("a &lt; b &amp; c"), std::string::npos);
  expectBalanced(svg);
}

TEST(Report, LongCurvesKeepTheirPeaks) {
  Series series{"", {}, {}, false, false};
  for (int k = 0; k < 100000; ++k) {
    series.x.push_back(k);
    series.y.push_back(k == 54321 ? 1 : 0);
  }
  const Plot plot{"", {"x"}, {"y"}, {series}, false};
  const std::string svg = drawPlot(plot);
  EXPECT_LT(svg.size(), 100000u);
  const Scale y = scaleFor(series.y, false, 280, 10);
  EXPECT_NE(svg.find(std::to_string(y.place(1)).substr(0, 5)), std::string::npos);
}

TEST(Report, PageHoldsEverything) {
  CellMap map{"map", {"x"}, {"y"}, 0, 1, 0, 1, 2, {"no", "yes"}, {0, 1, 1, 1}};
  Picture picture{
      "frames", 0, 1, 0, 1, {{"t = 0", {{0.5, 0.5, 0.1, 1}}, {{{0, 1, 1}, {0, 0, 1}, true, 2}}}}};
  const std::vector<Block> blocks = {Table{"numbers", {"a", "b"}, {{"1", "2"}}},
                                     Plot{"plot", {"x"}, {"y"}, {}, false}, map, picture};
  ReportSection section{"one",
                        "One <1>",
                        "agrees",
                        "because",
                        {{"mu", "0.5"}},
                        htmlOf(blocks),
                        "stickslip reproduce one",
                        1.5};
  const std::string page = htmlPage("Report", "About", {&section, 1});
  for (const char* part : {"One &lt;1&gt;", "because", "0.5", "stickslip reproduce one", "1.50 s",
                           "numbers", "plot", "map", "frames", "t = 0"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  EXPECT_EQ(page.find("http"), std::string::npos) << "nothing from elsewhere";
  EXPECT_EQ(page.find("<script"), std::string::npos);
  expectBalanced(page);
}

TEST(Report, TextTablesAlign) {
  EXPECT_EQ(textOf(Table{"t", {"name", "n"}, {{"a", "1"}, {"longer", "22"}}}),
            "t\n  name     n\n  a        1\n  longer  22\n");
}

TEST(Report, TextPlotsPutHighAboveLow) {
  const std::string text =
      textOf(Plot{"p", {"x"}, {"y"}, {{"s", {0, 1}, {0, 1}, false, false}}, false});
  const std::size_t high = text.find('a'), low = text.find('a', high + 1);
  ASSERT_NE(low, std::string::npos);
  const auto column = [&](std::size_t at) { return at - text.rfind('\n', at); };
  EXPECT_GT(column(high), column(low));
}

}  // namespace
}  // namespace stickslip
