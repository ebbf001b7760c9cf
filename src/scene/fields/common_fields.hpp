// What the descriptions of several parts of a scene share, and which of them others name. Each part
// is described once, for writing and for reading (field_archive.hpp); a description is instantiated
// for both where it is defined.
#pragma once

#include "scene/fields/field_archive.hpp"
#include "stickslip/scene/scene_data.hpp"

namespace stickslip::fields {

template <class Archive>
void describe(Archive& a, SceneTransition& x);
template <class Archive>
void describe(Archive& a, SceneShape& x);
template <class Archive>
void describe(Archive& a, SceneBodies& x);
template <class Archive>
void describe(Archive& a, SceneJoint& x);
template <class Archive>
void describe(Archive& a, SceneElement& x);
template <class Archive>
void describe(Archive& a, SceneSpring& x);
template <class Archive>
void describe(Archive& a, SceneLoad& x);
template <class Archive>
void describe(Archive& a, SceneDrag& x);

// In the order of the enum.
inline constexpr std::string_view kElementWords[] = {"rope", "spring", "one-way", "friction"};

template <class... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Match(Cases...) -> Match<Cases...>;

template <class Archive>
void name(Archive& a, std::string& text) {
  a.valueOr("name", text, std::string());
}

template <class Archive>
void twoNames(Archive& a, const char* key, std::array<std::string, 2>& names) {
  a.value(key, names);
}

// ---- Turns and functions of time ----

inline OrderedJson write(const SceneOrientation& turn) {
  if (const auto* angle = std::get_if<double>(&turn)) return *angle;
  if (const auto* q = std::get_if<Quaternion>(&turn)) return {q->w, q->x, q->y, q->z};
  const auto& [axis, angle] = std::get<AxisAngle>(turn);
  OrderedJson json;
  json["axis"] = {axis.x, axis.y, axis.z};
  json["angle"] = angle;
  return json;
}

inline SceneOrientation takeOrientation(const OrderedJson& json) {
  if (json.is_number()) return json.get<double>();
  if (json.is_array())
    return Quaternion{json[0].get<double>(), json[1].get<double>(), json[2].get<double>(),
                      json[3].get<double>()};
  return AxisAngle{Numbers{Quantity::vector, 3}.take(json.at("axis")),
                   json.at("angle").get<double>()};
}

template <class Archive>
void orientation(Archive& a, std::optional<SceneOrientation>& turn) {
  if constexpr (Archive::kWrites) {
    if (turn) a.json()[turn->index() == 0 ? "angle" : "orientation"] = write(*turn);
  } else {
    for (const char* key : {"angle", "orientation"})
      if (a.has(key)) turn = takeOrientation(a.json().at(key));
  }
}

/// A table of vectors, or one vector for all times.
struct TableOf {
  VectorTable& table;
  Quantity quantity;
};

template <class Archive>
void describe(Archive& a, TableOf& t) {
  a.list("times", t.table.times);
  a.vectors("values", t.table.values, t.quantity, a.dimension());
}

template <class Archive>
void table(Archive& a, const char* key, std::optional<VectorTable>& x, Quantity quantity) {
  const Numbers numbers{quantity, a.dimension()};
  if constexpr (Archive::kWrites) {
    if (!x) return;
    const bool is_constant =
        x->values.size() == 1 && x->times.size() == 1 && isPlainZero(x->times[0]);
    TableOf rows{*x, quantity};
    if (is_constant)
      a.json()[key] = numbers.write(x->values[0]);
    else
      a.object(key, rows);
  } else {
    if (!a.has(key)) return;
    TableOf rows{x.emplace(), quantity};
    if (a.json().at(key).is_object())
      a.object(key, rows);
    else
      x = VectorTable{{0.0}, {numbers.take(a.json().at(key))}};
  }
}

}  // namespace stickslip::fields
