#include "scene/bodies.hpp"

#include <fmt/format.h>
#include <cmath>
#include <utility>

#include "scene/frames.hpp"
#include "scene/materials.hpp"
#include "scene/shapes.hpp"

namespace stickslip {
namespace {

constexpr std::string_view kBodyTypes[] = {"dynamic", "static", "kinematic"};

Body::Type readBodyType(FieldReader& fields) {
  const std::string type = fields.choiceOr("type", "dynamic", kBodyTypes);
  if (type == "static") return Body::Type::fixed;
  return type == "kinematic" ? Body::Type::kinematic : Body::Type::dynamic;
}

// Fields that belong to another type of body would have no effect; better to say so.
void refuseFor(FieldReader& fields, const char* key, const std::string& owner) {
  if (fields.has(key)) fields.fail(key, fmt::format("only for {} bodies", owner));
}

std::vector<FieldReader> shapeReaders(FieldReader& fields) {
  if (!fields.has("shape")) return fields.objects("shapes");
  if (fields.has("shapes")) fields.fail("shapes", "given beside \"shape\"; keep one of them");
  return {fields.object("shape")};
}

// The one shape that the place of a body asks for.
ShapeList shapeOfPlace(FieldReader& fields, double density, int material,
                       const BodyContext& context) {
  for (const char* key : {"shape", "shapes"})
    if (fields.has(key)) fields.fail(key, "the stones of an \"arch\" have a shape already");
  PlacedShape placed;
  placed.shape = *context.shape_of_place;
  placed.material = readMaterial(fields, context.material_names, material);
  placed.density = density;
  return {std::move(placed)};
}

ShapeList readShapes(FieldReader& fields, Body::Type type, const BodyContext& context) {
  const bool dynamic = type == Body::Type::dynamic;
  const double body_density = dynamic ? fields.numberOr("density", 0, kPositive) : 0;
  const int body_material =
      fields.has("material") ? readMaterial(fields, context.material_names, -1) : -1;
  if (context.shape_of_place) return shapeOfPlace(fields, body_density, body_material, context);
  std::vector<PlacedShape> shapes;
  for (FieldReader& item : shapeReaders(fields)) {
    PlacedShape placed = readShape(item, context.dimension, context.files, context.instance);
    placed.material = readMaterial(item, context.material_names, body_material);
    if (!dynamic) refuseFor(item, "density", "shapes of dynamic");
    placed.density = dynamic ? item.numberOr("density", body_density, kPositive) : 0;
    item.refuseUnknown();
    if (dynamic && isTerrain(placed.shape))
      item.fail("type", fmt::format("a {} has no volume; only static and kinematic bodies may "
                                    "have one",
                                    shapeName(placed.shape)));
    shapes.push_back(std::move(placed));
  }
  return shapes;
}

Mat3 readInertia(FieldReader& fields, int dimension) {
  if (dimension == 2) return diagonal({0, 0, fields.number("inertia", kPositive)});
  if (!fields.isListOfLists("inertia"))
    return diagonal(readQuantity(fields, "inertia", Quantity::vector, 3));
  const std::vector<double> rows = fields.squareMatrix("inertia", 3);
  return transposed(
      {{rows[0], rows[1], rows[2]}, {rows[3], rows[4], rows[5]}, {rows[6], rows[7], rows[8]}});
}

MassProperties readGivenMass(FieldReader& fields, int dimension) {
  const MassProperties mass{
      fields.number("mass", kPositive),
      readQuantityOrZero(fields, "center_of_mass", Quantity::vector, dimension),
      readInertia(fields, dimension)};
  const std::string problem = problemOf(mass, dimension);
  if (!problem.empty())
    fields.fail("inertia", fmt::format("{}: {}", fields.valueText("inertia"), problem));
  return mass;
}

// Given as a whole; or the mass only, which the shapes distribute; or by density.
MassProperties readMass(FieldReader& fields, std::span<const PlacedShape> shapes,
                        std::span<const Material> materials, int dimension) {
  if (fields.has("inertia")) return readGivenMass(fields, dimension);
  if (fields.has("center_of_mass"))
    fields.fail("center_of_mass",
                "given without \"inertia\"; give mass and inertia too, or let the "
                "shapes decide");
  if (shapes.empty())
    fields.failMissing(fields.has("mass") ? "inertia" : "mass",
                       "a dynamic body needs mass and inertia, or shapes to compute them from");
  MassProperties mass = massProperties(shapes, materials);
  if (fields.has("mass")) {
    const double given = fields.number("mass", kPositive);
    mass.inertia = (given / mass.mass) * mass.inertia;
    mass.mass = given;
  }
  const std::string problem = problemOf(mass, dimension);
  if (!problem.empty()) fields.failHere("the mass of its shapes: " + problem);
  if (!(mass.mass >= kSmallestPositive && mass.mass <= kLargestNumber))
    fields.failHere(fmt::format("the mass of its shapes is {}, beyond any unit", mass.mass));
  return mass;
}

void readDynamics(FieldReader& fields, const BodyContext& context, Body& body) {
  const int dimension = context.dimension;
  if (body.type == Body::Type::dynamic) {
    body.velocity = readQuantityOrZero(fields, "velocity", Quantity::vector, dimension);
    body.angular_velocity =
        readQuantityOrZero(fields, "angular_velocity", Quantity::turn, dimension);
    body.mass = readMass(fields, std::as_const(body.shapes), context.materials, dimension);
    refuseFor(fields, "motion", "kinematic");
    return;
  }
  for (const char* key :
       {"velocity", "angular_velocity", "mass", "inertia", "center_of_mass", "density"})
    refuseFor(fields, key, "dynamic");
  if (body.type == Body::Type::fixed) return refuseFor(fields, "motion", "kinematic");
  FieldReader motion = fields.object("motion");
  body.motion = readMotion(motion, dimension);
}

}  // namespace

Body readBody(FieldReader& fields, const BodyContext& context) {
  Body body;
  body.type = readBodyType(fields);
  body.position = readQuantityOrZero(fields, "position", Quantity::vector, context.dimension);
  body.orientation = readOrientation(fields, context.dimension);
  if (context.dimension == 2) body.turns = readTurns(fields, body.orientation);
  body.shapes = readShapes(fields, body.type, context);
  readDynamics(fields, context, body);
  fields.refuseUnknown();
  return body;
}

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

Motion readOneBody(FieldReader& fields, int dimension) {
  const std::string type = fields.choice("type", kMotionTypes);
  if (type == "sinusoid") return readSinusoid(fields, dimension);
  if (type == "table") return readMotionTable(fields, dimension);
  return ConstantMotion{readQuantityOrZero(fields, "velocity", Quantity::vector, dimension),
                        readQuantityOrZero(fields, "angular_velocity", Quantity::turn, dimension)};
}

}  // namespace

Motion readMotion(FieldReader& fields, int dimension) {
  Motion motion = readOneBody(fields, dimension);
  fields.refuseUnknown();
  return motion;
}

}  // namespace stickslip
