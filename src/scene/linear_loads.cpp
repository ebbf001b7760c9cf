#include "scene/linear_loads.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scene/frames.hpp"

namespace stickslip {
namespace {

constexpr std::string_view kLoadTypes[] = {"sinusoid", "table"};

VectorTable readLoadTable(FieldReader& fields) {
  VectorTable table{readTimes(fields, 1), readQuantities(fields, "values", Quantity::scalar, 3, 1)};
  if (table.values.size() != table.times.size())
    fields.fail("values", fmt::format("{} values for {} times; expected one each",
                                      table.values.size(), table.times.size()));
  return table;
}

LinearLoad readLinearLoad(FieldReader& fields, const std::vector<std::string>& coordinates) {
  const std::vector<std::string_view> names(coordinates.begin(), coordinates.end());
  const std::string coordinate = fields.choice("coordinate", names);
  LinearLoad load;
  load.coordinate =
      static_cast<int>(std::find(names.begin(), names.end(), coordinate) - names.begin());
  if (fields.choice("type", kLoadTypes) == "table")
    load.course = readLoadTable(fields);
  else
    load.course = SinusoidalLoad{fields.number("amplitude"), fields.number("frequency", kPositive),
                                 fields.numberOr("phase", 0)};
  fields.refuseUnknown();
  return load;
}

}  // namespace

std::vector<LinearLoad> readLinearLoads(FieldReader& system,
                                        const std::vector<std::string>& coordinates) {
  std::vector<LinearLoad> loads;
  for (FieldReader& fields : system.objects("loads"))
    loads.push_back(readLinearLoad(fields, coordinates));
  return loads;
}

}  // namespace stickslip
