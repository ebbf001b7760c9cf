#include "io/motion_fields.hpp"

#include <fmt/format.h>

#include "io/frame_fields.hpp"

namespace stickslip {
namespace {

constexpr std::string_view kMotionTypes[] = {"constant", "sinusoid", "table"};

SinusoidalMotion readSinusoid(FieldReader& fields, int dimension) {
  return {readQuantityOrZero(fields, "amplitude", Quantity::vector, dimension),
          readQuantityOrZero(fields, "rotation_amplitude", Quantity::turn, dimension),
          fields.number("frequency", kPositive), fields.numberOr("phase", 0)};
}

// A column that is missing is zero.
std::vector<Vec3> readColumn(FieldReader& fields, const char* key, Quantity quantity, int dimension,
                             std::size_t size) {
  if (!fields.has(key)) return std::vector<Vec3>(size);
  std::vector<Vec3> values = readQuantities(fields, key, quantity, dimension, 1);
  if (values.size() != size)
    fields.fail(key,
                fmt::format("{} entries for {} times; expected one each", values.size(), size));
  return values;
}

TabledMotion readMotionTable(FieldReader& fields, int dimension) {
  TabledMotion table;
  table.times = readTimes(fields, 1);
  const std::size_t size = table.times.size();
  if (!fields.has("displacements") && !fields.has("rotations"))
    fields.failMissing("displacements", "a table has displacements, rotations or both");
  table.displacements = readColumn(fields, "displacements", Quantity::vector, dimension, size);
  table.rotations = readColumn(fields, "rotations", Quantity::turn, dimension, size);
  return table;
}

Motion readOne(FieldReader& fields, int dimension) {
  const std::string type = fields.choice("type", kMotionTypes);
  if (type == "sinusoid") return readSinusoid(fields, dimension);
  if (type == "table") return readMotionTable(fields, dimension);
  return ConstantMotion{readQuantityOrZero(fields, "velocity", Quantity::vector, dimension),
                        readQuantityOrZero(fields, "angular_velocity", Quantity::turn, dimension)};
}

}  // namespace

Motion readMotion(FieldReader& fields, int dimension) {
  Motion motion = readOne(fields, dimension);
  fields.refuseUnknown();
  return motion;
}

}  // namespace stickslip
