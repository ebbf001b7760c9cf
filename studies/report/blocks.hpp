// What reports are made of: tables and figures as data. svg_*.cpp draw them, html_report.cpp makes
// a page of them, text_table.cpp prints tables on a terminal.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace stickslip {

struct Table {
  std::string caption;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  ///< as many cells as there are columns
};

struct Axis {
  std::string label;
  bool log = false;  ///< decimal logarithms; values <= 0 are left out
};

struct Series {
  std::string name;  ///< in the legend; empty: not there
  std::vector<double> x;
  std::vector<double> y;
  bool points = false;  ///< marks at the points instead of a line through them
  bool dashed = false;
};

struct Plot {
  std::string caption;
  Axis x;
  Axis y;
  std::vector<Series> series;
  bool equal_scales = false;  ///< one unit is as long in x as in y
};

/// A field over a grid: one class of few for each cell, row by row from the lowest y.
struct CellMap {
  std::string caption;
  Axis x;
  Axis y;
  double x_low = 0, x_high = 1, y_low = 0, y_high = 1;
  int columns = 0;
  std::vector<std::string> classes;
  std::vector<int> cells;
};

struct Circle {
  double x = 0, y = 0, radius = 0;
  int tone = 0;  ///< colour: 0 plain, then those of series
};

struct Outline {
  std::vector<double> x;
  std::vector<double> y;
  bool closed = true;
  int tone = 0;
};

struct PictureFrame {
  std::string title;
  std::vector<Circle> circles;
  std::vector<Outline> outlines;
};

/// The same part of the plane at several times.
struct Picture {
  std::string caption;
  double x_low = 0, x_high = 1, y_low = 0, y_high = 1;
  std::vector<PictureFrame> frames;
};

using Block = std::variant<Table, Plot, CellMap, Picture>;

}  // namespace stickslip
