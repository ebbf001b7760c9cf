#include "io/friction_fields.hpp"

#include <fmt/format.h>

#include <array>

#include "stickslip/input_error.hpp"

namespace stickslip {
namespace {

constexpr std::array<std::string_view, 2> kTransitions{"smooth", "stribeck"};

FrictionCurve readTransition(FieldReader fields) {
  FrictionCurve curve;
  const bool is_stribeck = fields.choice("type", kTransitions) == "stribeck";
  curve.transition =
      is_stribeck ? FrictionCurve::Transition::stribeck : FrictionCurve::Transition::smooth;
  curve.speed = fields.number("speed", kPositive);
  if (is_stribeck)
    curve.exponent = fields.numberOr("exponent", 1, kPositive);
  else if (fields.has("exponent"))
    fields.fail("exponent", "only for the type \"stribeck\"");
  fields.refuseUnknown();
  return curve;
}

}  // namespace

FrictionCurve readFrictionCurve(FieldReader& fields, double friction, const char* friction_key,
                                const char* kinetic_key) {
  const bool has_kinetic = fields.has(kinetic_key), has_transition = fields.has("transition");
  if (!has_kinetic && !has_transition) return {};
  if (!has_transition)
    fields.failMissing("transition",
                       fmt::format("it says over which speeds friction goes from \"{}\" to \"{}\"",
                                   friction_key, kinetic_key));
  if (!has_kinetic)
    fields.failMissing(kinetic_key, "it is what friction tends to beyond the transition");
  const double kinetic = fields.number(kinetic_key, kNonNegative);
  FrictionCurve curve = readTransition(fields.object("transition"));
  if (!(friction > 0))
    fields.fail(kinetic_key,
                fmt::format("\"{}\" is 0 here, and kinetic friction is a multiple of it; give one "
                            "that is > 0",
                            friction_key));
  curve.kinetic_ratio = kinetic / friction;
  return curve;
}

int readDirectionCount(FieldReader& fields, int fallback) {
  const std::int64_t directions = fields.wholeNumberOr("directions", fallback, 0);
  if (fields.has("directions") && (directions < 3 || directions > FrictionDirections::kMostGiven))
    fields.fail("directions",
                fmt::format("{} is out of range; expected 3 to {} corners of a friction cone",
                            directions, FrictionDirections::kMostGiven));
  return static_cast<int>(directions);
}

FrictionDirections::Pointer readFrictionDirections(FieldReader& fields, bool moments) {
  constexpr const char* kKey = "friction_directions";
  const std::size_t width = fields.isListOfLists(kKey) ? fields.firstRowSize(kKey) : 2;
  if (width != 2 && !(moments && (width == 3 || width == 5)))
    fields.fail(kKey, fmt::format("the first direction has {} components; expected {}", width,
                                  moments ? "2 along the tangents, 3 with spin, or 5 with spin and "
                                            "rolling"
                                          : "2 along the tangents"));
  const std::vector<double> rows = fields.rows(kKey, width, 2);
  std::vector<FrictionDirections::Direction> directions(rows.size() / width);
  if (directions.size() > std::size_t{FrictionDirections::kMostGiven})
    fields.fail(kKey, fmt::format("there are {} directions; expected 2 to {}", directions.size(),
                                  FrictionDirections::kMostGiven));
  for (std::size_t k = 0; k < rows.size(); ++k) directions[k / width][k % width] = rows[k];
  try {
    return FrictionDirections::make(directions);
  } catch (const InputError& error) {
    fields.fail(kKey, error.what());
  }
}

}  // namespace stickslip
