#include "scene/frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

// A quaternion that is farther from unit length than this was not meant as a rotation.
constexpr double kNotUnit = 1e-6;
// Beyond, an angle has lost too many digits to say where something points.
constexpr NumberRange kAngleRange{-1e6, 1e6, true, "an angle from -1e6 to 1e6 rad"};

std::size_t sizeOf(Quantity quantity, int dimension) {
  if (quantity == Quantity::scalar) return 1;
  if (quantity == Quantity::turn && dimension == 2) return 1;
  return static_cast<std::size_t>(dimension);
}

Vec3 assemble(const double* x, Quantity quantity, int dimension) {
  if (quantity == Quantity::scalar) return {x[0], 0, 0};
  if (dimension == 3) return {x[0], x[1], x[2]};
  return quantity == Quantity::turn ? Vec3{0, 0, x[0]} : Vec3{x[0], x[1], 0};
}

Quaternion readQuaternion(FieldReader& fields) {
  const std::vector<double> x = fields.vector("orientation", 4);
  const double length = math::hypot(math::hypot(x[0], x[1]), math::hypot(x[2], x[3]));
  if (!(std::abs(length - 1) <= kNotUnit))
    fields.fail("orientation", fmt::format("{} has length {:.9g}; a rotation [w, x, y, z] has "
                                           "length 1",
                                           fields.valueText("orientation"), length));
  return normalized(Quaternion{x[0], x[1], x[2], x[3]});
}

}  // namespace

Vec3 readQuantity(FieldReader& fields, const char* key, Quantity quantity, int dimension) {
  const std::size_t size = sizeOf(quantity, dimension);
  const std::vector<double> x =
      size == 1 ? std::vector<double>{fields.number(key)} : fields.vector(key, size);
  return assemble(x.data(), quantity, dimension);
}

Vec3 readQuantityOrZero(FieldReader& fields, const char* key, Quantity quantity, int dimension) {
  return fields.has(key) ? readQuantity(fields, key, quantity, dimension) : Vec3{};
}

std::vector<Vec3> readQuantities(FieldReader& fields, const char* key, Quantity quantity,
                                 int dimension, std::size_t least) {
  const std::size_t size = sizeOf(quantity, dimension);
  const std::vector<double> x =
      size == 1 ? fields.numbers(key, least) : fields.rows(key, size, least);
  std::vector<Vec3> values;
  values.reserve(x.size() / size);
  for (std::size_t i = 0; i < x.size(); i += size)
    values.push_back(assemble(x.data() + i, quantity, dimension));
  return values;
}

Vec3 readDirection(FieldReader& fields, const char* key, int dimension) {
  const Vec3 v = readQuantity(fields, key, Quantity::vector, dimension);
  // Scaled first, so that no square overflows or vanishes.
  const double size = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  if (!(size > 0)) fields.fail(key, fields.valueText(key) + " is zero; a direction is needed");
  return normalized(Vec3{v.x / size, v.y / size, v.z / size});
}

Quaternion readOrientation(FieldReader& fields, int dimension) {
  if (dimension == 2) {
    if (fields.has("orientation"))
      fields.fail("orientation", "only for spatial scenes; a planar one has \"angle\" [rad]");
    return rotationBy({0, 0, fields.numberOr("angle", 0, kAngleRange)});
  }
  if (fields.has("angle"))
    fields.fail("angle",
                "only for planar scenes; a spatial one has \"orientation\": [w, x, y, z] or "
                "{\"axis\": [x, y, z], \"angle\": a}");
  if (!fields.has("orientation")) return {};
  if (!fields.holds("orientation", FieldReader::Kind::object)) return readQuaternion(fields);
  FieldReader turn = fields.object("orientation");
  const Vec3 axis = readDirection(turn, "axis", dimension);
  const double angle = turn.number("angle", kAngleRange);
  turn.refuseUnknown();
  return rotationBy(angle * axis);
}

int readTurns(FieldReader& fields, const Quaternion& orientation) {
  const double rest =
      fields.numberOr("angle", 0, kAngleRange) - 2 * math::atan2(orientation.z, orientation.w);
  return static_cast<int>(std::lround(rest / (2 * std::numbers::pi)));
}

Pose readPose(FieldReader& fields, int dimension) {
  const Vec3 position = readQuantityOrZero(fields, "position", Quantity::vector, dimension);
  return {position, matrixOf(readOrientation(fields, dimension))};
}

std::vector<double> readTimes(FieldReader& fields, std::size_t least) {
  std::vector<double> times = fields.numbers("times", least);
  for (std::size_t i = 1; i < times.size(); ++i)
    if (!(times[i] > times[i - 1]))
      fields.failAt(
          "times", i,
          fmt::format("{} does not come after {}; times must ascend", times[i], times[i - 1]));
  return times;
}

VectorTable readTable(FieldReader& fields, const char* key, Quantity quantity, int dimension) {
  if (!fields.holds(key, FieldReader::Kind::object))
    return {{0.0}, {readQuantity(fields, key, quantity, dimension)}};
  FieldReader rows = fields.object(key);
  VectorTable table{readTimes(rows, 1), readQuantities(rows, "values", quantity, dimension, 1)};
  if (table.values.size() != table.times.size())
    rows.fail("values", fmt::format("{} values for {} times; expected one each",
                                    table.values.size(), table.times.size()));
  rows.refuseUnknown();
  return table;
}

}  // namespace stickslip
