#include "report/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace stickslip {

std::string textOf(const Table& table) {
  std::vector<std::size_t> widths;
  for (const std::string& name : table.columns) widths.push_back(name.size());
  for (const auto& row : table.rows)
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  std::string out = table.caption + "\n";
  const auto add = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t k = 0; k < cells.size(); ++k)
      line += k == 0 ? fmt::format("{:<{}}", cells[k], widths[k])
                     : fmt::format("  {:>{}}", cells[k], widths[k]);
    out += "  " + line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  add(table.columns);
  for (const auto& row : table.rows) add(row);
  return out;
}

}  // namespace stickslip
