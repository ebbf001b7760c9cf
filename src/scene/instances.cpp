#include "scene/instances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include "scene/frames.hpp"
#include "scene/shapes.hpp"
#include "stickslip/elementary.hpp"

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

namespace {

constexpr double kPi = std::numbers::pi;
constexpr std::string_view kLayers[] = {"straight", "staggered", "pyramid"};

std::size_t at(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

std::int64_t readCount(FieldReader& fields) {
  if (!fields.has("count")) fields.failMissing("count", "this field is required");
  return fields.wholeNumberOr("count", 1, 1);
}

// A stone between two radial joints `angle` apart, seen from the middle of its mean arc, outwards
// up; along y as deep as it says in space.
Shape stoneOfArch(double radius, double thickness, double angle, double depth, int dimension) {
  const auto corner = [&](double r, double side) {
    return Vec2{side * r * math::sin(angle / 2), r * math::cos(angle / 2) - radius};
  };
  const double inner = radius - thickness / 2, outer = radius + thickness / 2;
  const std::vector<Vec2> corners = {corner(inner, -1), corner(inner, 1), corner(outer, 1),
                                     corner(outer, -1)};
  if (dimension == 2) return Polygon{corners};
  ConvexHull stone;
  for (const Vec2& c : corners)
    for (const double y : {-depth / 2, depth / 2}) stone.points.push_back({c.x, y, c.y});
  return stone;
}

}  // namespace

Places::Places(FieldReader& fields, int dimension) : dimension_(dimension) {
  const bool grid = fields.has("grid"), list = fields.has("positions");
  const bool random = fields.has("random"), arch = fields.has("arch");
  if (grid + list + random + arch != 1) {
    fields.refuseMisspelt();
    fields.failHere("expected exactly one of \"grid\", \"positions\", \"random\" and \"arch\"");
  }
  if (grid) readGrid(fields);
  if (list) list_ = readQuantities(fields, "positions", Quantity::vector, dimension, 1);
  if (random) readBox(fields);
  if (arch) readArch(fields);
}

double Places::count() const {
  if (!layer_begin_.empty()) return static_cast<double>(layer_begin_.back());
  if (counts_.empty()) return static_cast<double>(list_.size());
  double product = 1;
  for (const std::int64_t n : counts_) product *= static_cast<double>(n);
  return product;
}

void Places::prepare(const FieldReader& fields, RandomNumbers& random) {
  if (!(distance_ > 0)) return;
  list_ = spacedPlaces(counts_[0], box_, distance_, dimension_, random);
  if (list_.size() < at(counts_[0]))
    fields.fail("random", fmt::format("found room for {} of {} places that are {} apart; make the "
                                      "box larger, or take a \"grid\" with \"jitter\"",
                                      list_.size(), counts_[0], distance_));
}

Place Places::place(std::int64_t i, RandomNumbers& random) const {
  if (!list_.empty()) return {list_[i]};
  if (radius_ > 0) return archPlace(i);
  if (!is_box_) return {gridPlace(i)};
  Vec3 p;
  for (int k = 0; k < dimension_; ++k) p[k] = random.uniform(box_.lower[k], box_.upper[k]);
  return {p};
}

// ---- Grid ----

void Places::readGrid(FieldReader& fields) {
  FieldReader grid = fields.object("grid");
  field_ = "grid";
  counts_ = grid.wholeNumbers("count", at(dimension_), 1);
  spacing_ = readQuantity(grid, "spacing", Quantity::vector, dimension_);
  origin_ = readQuantityOrZero(grid, "origin", Quantity::vector, dimension_);
  const std::string layers = grid.choiceOr("layers", "straight", kLayers);
  grid.refuseUnknown();
  if (layers == "straight") return;
  is_pyramid_ = layers == "pyramid";
  const std::int64_t height = counts_.back();
  const auto fits = [&](std::int64_t n) { return is_pyramid_ ? n == 1 || n >= height : n >= 2; };
  const auto narrowing = is_pyramid_ ? counts_.end() - 1 : counts_.begin() + 1;
  if (!std::all_of(counts_.begin(), narrowing, fits))
    grid.fail("count", fmt::format("{}: {}", grid.valueText("count"),
                                   is_pyramid_ ? "a pyramid needs at least as many along the other "
                                                 "axes as it has layers, or 1"
                                               : "staggered layers need at least 2 along the "
                                                 "first axis"));
  findLayers();
}

// How many places fewer than the first layer another one has along an axis.
std::int64_t Places::missing(std::int64_t layer, int axis) const {
  if (layer_begin_.empty()) return 0;
  if (is_pyramid_) return counts_[axis] > 1 ? layer : 0;
  return axis == 0 ? layer % 2 : 0;
}

void Places::findLayers() {
  double total = 0;
  layer_begin_ = {0};
  for (std::int64_t layer = 0; layer < counts_.back() && total <= kMostBodies; ++layer) {
    double size = 1;
    for (int k = 0; k < dimension_ - 1; ++k)
      size *= static_cast<double>(counts_[k] - missing(layer, k));
    total += std::min(size, 2.0 * kMostBodies);
    layer_begin_.push_back(static_cast<std::int64_t>(total));
  }
}

Vec3 Places::gridPlace(std::int64_t i) const {
  const int last = dimension_ - 1;
  std::int64_t layer = 0;
  if (!layer_begin_.empty()) {
    const auto next = std::upper_bound(layer_begin_.begin(), layer_begin_.end(), i);
    layer = static_cast<std::int64_t>(next - layer_begin_.begin()) - 1;
    i -= layer_begin_[layer];
  }
  Vec3 p = origin_;
  for (int k = 0; k < last; ++k) {
    const std::int64_t fewer = missing(layer, k), n = counts_[k] - fewer;
    p[k] += (static_cast<double>(i % n) + 0.5 * static_cast<double>(fewer)) * spacing_[k];
    i /= n;
  }
  if (layer_begin_.empty()) layer = i;
  p[last] += static_cast<double>(layer) * spacing_[last];
  return p;
}

// ---- Random places ----

void Places::readBox(FieldReader& fields) {
  FieldReader box = fields.object("random");
  field_ = "random";
  is_box_ = true;
  counts_ = {readCount(box)};
  box_.lower = readQuantity(box, "lower", Quantity::vector, dimension_);
  box_.upper = readQuantity(box, "upper", Quantity::vector, dimension_);
  distance_ = box.numberOr("distance", 0, kNonNegative);
  for (int k = 0; k < dimension_; ++k)
    if (!(box_.lower[k] <= box_.upper[k]))
      box.fail("upper", fmt::format("{} is below \"lower\"", box.valueText("upper")));
  box.refuseUnknown();
}

// ---- Arch ----

void Places::readArch(FieldReader& fields) {
  FieldReader arch = fields.object("arch");
  field_ = "arch";
  counts_ = {readCount(arch)};
  origin_ = readQuantityOrZero(arch, "center", Quantity::vector, dimension_);
  radius_ = arch.number("radius", kPositive);
  const double thickness = arch.number("thickness", kPositive);
  if (!(thickness < 2 * radius_))
    arch.fail("thickness", fmt::format("{} is not below twice the radius, which is that of the "
                                       "middle of the stones",
                                       thickness));
  std::vector<double> angles = {0, kPi};
  if (arch.has("angles")) angles = arch.vector("angles", 2);
  const double span = angles[1] - angles[0];
  const double angle = span / static_cast<double>(counts_[0]);
  if (!(span > 0 && span <= 2 * kPi && angle < kPi))
    arch.fail("angles", fmt::format("from {} to {} with {} stones; expected ascending angles, at "
                                    "most a whole turn, and less than half a turn for a stone",
                                    angles[0], angles[1], counts_[0]));
  if (dimension_ == 2 && arch.has("depth")) arch.fail("depth", "only for spatial scenes");
  const double depth = dimension_ == 3 ? arch.number("depth", kPositive) : 0;
  arch.refuseUnknown();
  first_angle_ = angles[0] + angle / 2;
  angle_step_ = angle;
  shape_ = stoneOfArch(radius_, thickness, angle, depth, dimension_);
}

// In space the arch stands in the plane of x and z, hence turns about -y.
Place Places::archPlace(std::int64_t i) const {
  const double angle = first_angle_ + static_cast<double>(i) * angle_step_;
  const double x = radius_ * math::cos(angle), up = radius_ * math::sin(angle);
  const double turn = angle - kPi / 2;
  if (dimension_ == 2) return {origin_ + Vec3{x, up, 0}, rotationBy({0, 0, turn})};
  return {origin_ + Vec3{x, 0, up}, rotationBy({0, -turn, 0})};
}

namespace {

// Draws for a place, on the average over all of them, until the box counts as full.
constexpr std::int64_t kDrawsPerPlace = 100;
constexpr std::int64_t kSpareDraws = 10'000;

// The box in cells, none shorter than the distance along any axis: what is too near to a place is
// in its own cell or in one next to it.
class Cells {
 public:
  Cells(std::int64_t count, const PlaceBox& box, double distance, int dimension)
      : box_(box), distance_(distance) {
    const double most = 4.0 * static_cast<double>(count) + 64;
    double n[3] = {1, 1, 1};
    for (int k = 0; k < dimension; ++k)
      n[k] = std::max(1.0, std::floor(std::min((box.upper[k] - box.lower[k]) / distance, most)));
    while (n[0] * n[1] * n[2] > most) {
      double& largest = *std::max_element(n, n + 3);
      largest = std::ceil(largest / 2);
    }
    for (int k = 0; k < 3; ++k) n_[k] = static_cast<std::int64_t>(n[k]);
    head_.assign(n_[0] * n_[1] * n_[2], -1);
  }

  bool isFree(Vec3 p) const {
    std::int64_t low[3], high[3];
    for (int k = 0; k < 3; ++k) {
      const std::int64_t i = indexAlong(p, k);
      low[k] = std::max(i - 1, std::int64_t{0});
      high[k] = std::min(i + 1, n_[k] - 1);
    }
    for (std::int64_t z = low[2]; z <= high[2]; ++z)
      for (std::int64_t y = low[1]; y <= high[1]; ++y)
        for (std::int64_t x = low[0]; x <= high[0]; ++x)
          if (!isFreeIn(x + n_[0] * (y + n_[1] * z), p)) return false;
    return true;
  }

  void add(Vec3 p) {
    const std::int64_t cell =
        indexAlong(p, 0) + n_[0] * (indexAlong(p, 1) + n_[1] * indexAlong(p, 2));
    std::int64_t& head = head_[cell];
    next_.push_back(head);
    head = static_cast<std::int64_t>(places_.size());
    places_.push_back(p);
  }

  std::vector<Vec3>& places() { return places_; }

 private:
  std::int64_t indexAlong(Vec3 p, int k) const {
    const double extent = box_.upper[k] - box_.lower[k];
    if (n_[k] == 1) return 0;
    const auto i =
        static_cast<std::int64_t>((p[k] - box_.lower[k]) / extent * static_cast<double>(n_[k]));
    return std::clamp(i, std::int64_t{0}, n_[k] - 1);
  }

  bool isFreeIn(std::int64_t cell, Vec3 p) const {
    for (std::int64_t i = head_[cell]; i >= 0; i = next_[i])
      if (norm(places_[i] - p) < distance_) return false;
    return true;
  }

  PlaceBox box_;
  double distance_;
  std::int64_t n_[3];
  std::vector<std::int64_t> head_, next_;  // places of a cell as a list, by index
  std::vector<Vec3> places_;
};

}  // namespace

std::vector<Vec3> spacedPlaces(std::int64_t count, const PlaceBox& box, double distance,
                               int dimension, RandomNumbers& random) {
  Cells cells(count, box, distance, dimension);
  const std::int64_t most_draws = kDrawsPerPlace * count + kSpareDraws;
  for (std::int64_t i = 0;
       i < most_draws && static_cast<std::int64_t>(cells.places().size()) < count; ++i) {
    Vec3 p;
    for (int k = 0; k < dimension; ++k) p[k] = random.uniform(box.lower[k], box.upper[k]);
    if (cells.isFree(p)) cells.add(p);
  }
  return std::move(cells.places());
}

}  // namespace stickslip
