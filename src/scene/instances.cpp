#include "scene/instances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "scene/places.hpp"
#include "scene/shapes.hpp"

namespace stickslip {
namespace {

// What differs from instance to instance, beside the place.
struct Variation {
  double jitter = 0;  ///< most displacement along each axis
  bool turned = false;
  double smallest = 1, largest = 1;  ///< factor on all lengths
};

Variation readVariation(FieldReader& fields) {
  Variation variation;
  variation.jitter = fields.numberOr("jitter", 0, kNonNegative);
  variation.turned = fields.flagOr("random_orientation", false);
  if (fields.has("random_scale")) {
    const std::vector<double> range = fields.vector("random_scale", 2, kPositive);
    if (!(range[0] <= range[1]))
      fields.fail("random_scale", fmt::format("{} is out of range; expected the smallest and the "
                                              "largest factor, > 0",
                                              fields.valueText("random_scale")));
    variation.smallest = range[0];
    variation.largest = range[1];
  }
  return variation;
}

// All lengths `factor` times as large, at the same density.
void scaleBody(Body& body, double factor, int dimension) {
  for (PlacedShape& placed : body.shapes) {
    placed.shape = scaled(placed.shape, factor);
    placed.placement.position = factor * placed.placement.position;
  }
  const double mass_factor = factor * factor * (dimension == 2 ? 1 : factor);
  body.mass.mass *= mass_factor;
  body.mass.center = factor * body.mass.center;
  body.mass.inertia = (mass_factor * factor * factor) * body.mass.inertia;
}

std::string instanceName(std::string pattern, std::int64_t i) {
  return pattern.replace(pattern.find(kInstanceNumber), kInstanceNumber.size(), std::to_string(i));
}

std::string readPattern(FieldReader& fields) {
  const std::string pattern = fields.name("name");
  const std::size_t first = pattern.find(kInstanceNumber);
  if (first == std::string::npos)
    fields.fail("name", fmt::format("\"{}\" would name all instances alike; it needs {}, which "
                                    "stands for the number of each",
                                    pattern, kInstanceNumber));
  if (pattern.find(kInstanceNumber, first + 1) != std::string::npos)
    fields.fail("name",
                fmt::format("\"{}\" has {} twice; once is enough", pattern, kInstanceNumber));
  return pattern;
}

// One element of the list.
struct Instances {
  std::string pattern;
  Places places;
  Variation variation;
  RandomNumbers random;
  BodyContext context;
  Body model;
  bool all_differ;  ///< each one is read on its own: rocks
};

Body readModel(FieldReader& fields, const BodyContext& context) {
  FieldReader body_fields = fields.object("body");
  return readBody(body_fields, context);
}

Instances readOneInstance(FieldReader& fields, BodyContext context) {
  std::string pattern = readPattern(fields);
  const Places places(fields, context.dimension);
  const Variation variation = readVariation(fields);
  const RandomNumbers random(fields.wholeNumberOr("seed", 1, 0));
  context.shape_of_place = places.shape();
  Body model = readModel(fields, context);
  FieldReader body_fields = fields.object("body");
  const bool all_differ = hasRocks(body_fields);
  fields.refuseUnknown();
  return {std::move(pattern), places, variation, random, context, std::move(model), all_differ};
}

Body modelOf(Instances& instances, FieldReader& fields, std::int64_t i) {
  if (!instances.all_differ) return instances.model;
  instances.context.instance = i;
  return readModel(fields, instances.context);
}

// Bodies and shapes so far, as numbers that cannot overflow.
struct Count {
  double bodies = 0, shapes = 0;

  void add(double copies, const Body& body) {
    bodies += copies;
    shapes += copies * static_cast<double>(body.shapes.size());
  }
};

void checkCount(const Count& count, const FieldReader& fields, const char* key) {
  if (std::max(count.bodies, count.shapes) > static_cast<double>(kMostBodies))
    fields.fail(key, fmt::format("{} would make {} bodies with {} shapes in all; a scene may have "
                                 "{} of each",
                                 fields.valueText(key), count.bodies, count.shapes, kMostBodies));
}

void expand(Instances& instances, FieldReader& fields, std::vector<Body>& bodies,
            NameIndex& names) {
  const auto& [jitter, turned, smallest, largest] = instances.variation;
  const int dimension = instances.context.dimension;
  RandomNumbers& random = instances.random;
  instances.places.prepare(fields, random);
  const auto count = static_cast<std::int64_t>(instances.places.count());
  names.addGroup(instances.pattern, static_cast<int>(bodies.size()), static_cast<int>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    Body body = modelOf(instances, fields, i);
    body.name = instanceName(instances.pattern, i);
    const Place place = instances.places.place(i, random);
    body.position += place.position;
    body.orientation = place.orientation * body.orientation;
    for (int k = 0; jitter > 0 && k < dimension; ++k)
      body.position[k] += random.uniform(-jitter, jitter);
    if (turned) body.orientation = random.rotation(dimension) * body.orientation;
    if (largest > smallest || largest != 1)
      scaleBody(body, random.uniform(smallest, largest), dimension);
    names.add(body.name, fields);
    bodies.push_back(std::move(body));
  }
}

}  // namespace

void readInstances(FieldReader& system, const BodyContext& context, std::vector<Body>& bodies,
                   NameIndex& names) {
  Count count;
  for (const Body& body : bodies) count.add(1, body);
  checkCount(count, system, "bodies");
  std::vector<FieldReader> items = system.objects("instances");
  std::vector<Instances> all;
  for (FieldReader& fields : items) {
    all.push_back(readOneInstance(fields, context));
    count.add(all.back().places.count(), all.back().model);
    checkCount(count, fields, all.back().places.field());
  }
  bodies.reserve(static_cast<std::size_t>(count.bodies));
  for (std::size_t i = 0; i < items.size(); ++i) expand(all[i], items[i], bodies, names);
}

}  // namespace stickslip
