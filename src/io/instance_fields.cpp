#include "io/instance_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

#include "io/frame_fields.hpp"
#include "io/shape_fields.hpp"

namespace stickslip {
namespace {

class RandomNumbers {
 public:
  explicit RandomNumbers(long seed) : engine_(static_cast<std::uint64_t>(seed)) {}

  /// Uniform in [low, high).
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
  }

  /// Uniform over all rotations (G. Marsaglia, Choosing a point from the surface of a sphere, Ann.
  /// Math. Statist. 43 (1972)); in the plane, over all angles.
  Quaternion rotation(int dimension) {
    const auto [x1, x2, s1] = pointInDisk();
    if (dimension == 2) return normalized(Quaternion{x1, 0, 0, x2});
    const auto [x3, x4, s2] = pointInDisk();
    const double scale = std::sqrt((1 - s1) / s2);
    return normalized(Quaternion{x1, x2, scale * x3, scale * x4});
  }

 private:
  struct DiskPoint {
    double x, y, squared;
  };
  DiskPoint pointInDisk() {
    for (;;) {
      const double x = uniform(-1, 1), y = uniform(-1, 1);
      const double squared = x * x + y * y;
      if (squared < 1 && squared > 0) return {x, y, squared};
    }
  }

  std::mt19937_64 engine_;
};

// Where instances go: the places of a grid, of a list, or random ones in a box.
class Places {
 public:
  Places(FieldReader& fields, int dimension) : dimension_(dimension) {
    const bool grid = fields.has("grid"), list = fields.has("positions");
    const bool random = fields.has("random");
    if (grid + list + random != 1) {
      fields.refuseMisspelt();
      fields.failHere("expected exactly one of \"grid\", \"positions\" and \"random\"");
    }
    if (grid) readGrid(fields);
    if (list) list_ = readQuantities(fields, "positions", Quantity::vector, dimension, 1);
    if (random) readBox(fields);
  }

  /// How many, as a number that cannot overflow, and the field that says so.
  double count() const {
    if (counts_.empty()) return static_cast<double>(list_.size());
    double product = 1;
    for (const long n : counts_) product *= static_cast<double>(n);
    return product;
  }
  const char* field() const { return field_; }

  Vec3 place(long i, RandomNumbers& random) const {
    if (!list_.empty()) return list_[static_cast<std::size_t>(i)];
    if (is_box_) {
      Vec3 p;
      for (int k = 0; k < dimension_; ++k) p[k] = random.uniform(origin_[k], upper_[k]);
      return p;
    }
    Vec3 p = origin_;
    for (int k = 0; k < dimension_; ++k) {
      const long n = counts_[static_cast<std::size_t>(k)];
      p[k] += static_cast<double>(i % n) * spacing_[k];
      i /= n;
    }
    return p;
  }

 private:
  void readGrid(FieldReader& fields) {
    FieldReader grid = fields.object("grid");
    field_ = "grid";
    counts_ = grid.wholeNumbers("count", static_cast<std::size_t>(dimension_), 1);
    spacing_ = readQuantity(grid, "spacing", Quantity::vector, dimension_);
    origin_ = readQuantityOrZero(grid, "origin", Quantity::vector, dimension_);
    grid.refuseUnknown();
  }

  void readBox(FieldReader& fields) {
    FieldReader box = fields.object("random");
    field_ = "random";
    is_box_ = true;
    if (!box.has("count")) box.failMissing("count", "this field is required");
    counts_ = {box.wholeNumberOr("count", 1, 1)};
    origin_ = readQuantity(box, "lower", Quantity::vector, dimension_);
    upper_ = readQuantity(box, "upper", Quantity::vector, dimension_);
    for (int k = 0; k < dimension_; ++k)
      if (!(origin_[k] <= upper_[k]))
        box.fail("upper", fmt::format("{} is below \"lower\"", box.valueText("upper")));
    box.refuseUnknown();
  }

  int dimension_;
  const char* field_ = "positions";
  std::vector<long> counts_;
  std::vector<Vec3> list_;
  bool is_box_ = false;
  Vec3 origin_, upper_, spacing_;
};

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

std::string instanceName(std::string pattern, long i) {
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
  Body model;
};

Instances readOne(FieldReader& fields, const BodyContext& context) {
  std::string pattern = readPattern(fields);
  const Places places(fields, context.dimension);
  const Variation variation = readVariation(fields);
  const RandomNumbers random(fields.wholeNumberOr("seed", 1, 0));
  FieldReader body_fields = fields.object("body");
  Body model = readBody(body_fields, context);
  fields.refuseUnknown();
  return {std::move(pattern), places, variation, random, std::move(model)};
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

void expand(Instances& instances, const FieldReader& fields, int dimension,
            std::vector<Body>& bodies, NameIndex& names) {
  const auto& [jitter, turned, smallest, largest] = instances.variation;
  RandomNumbers& random = instances.random;
  const auto count = static_cast<long>(instances.places.count());
  names.addGroup(instances.pattern, static_cast<int>(bodies.size()), static_cast<int>(count));
  for (long i = 0; i < count; ++i) {
    Body body = instances.model;
    body.name = instanceName(instances.pattern, i);
    body.position += instances.places.place(i, random);
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
    all.push_back(readOne(fields, context));
    count.add(all.back().places.count(), all.back().model);
    checkCount(count, fields, all.back().places.field());
  }
  bodies.reserve(static_cast<std::size_t>(count.bodies));
  for (std::size_t i = 0; i < items.size(); ++i)
    expand(all[i], items[i], context.dimension, bodies, names);
}

}  // namespace stickslip
