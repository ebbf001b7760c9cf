// One description of the fields of an object serves to write and to read it.
//
// describe(archive, object) calls the archive once for each field: a FieldWriter puts those that
// are given into a JSON object, a FieldTaker takes those that are there out of one. Taking checks
// nothing: the scene has been read by FieldReader before, which refuses what is wrong.
#pragma once

#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "scene/frames.hpp"

namespace stickslip {

/// Keeps the order of fields.
using OrderedJson = nlohmann::ordered_json;

}  // namespace stickslip

/// Descriptions belong here, too: that is where the archives find them.
namespace stickslip::fields {

// Values by their JSON. Points of the plane have two numbers, turns there one.

/// What the numbers of a vector are, in so many dimensions.
struct Numbers {
  Quantity quantity;
  int dimension;

  int count() const {
    if (quantity == Quantity::scalar) return 1;
    return quantity == Quantity::turn && dimension == 2 ? 1 : dimension;
  }
  int first() const { return quantity == Quantity::turn && dimension == 2 ? 2 : 0; }

  OrderedJson write(Vec3 v) const {
    if (count() == 1) return v[first()];
    OrderedJson list = OrderedJson::array();
    for (int k = 0; k < count(); ++k) list.push_back(v[k]);
    return list;
  }
  Vec3 take(const OrderedJson& value) const {
    Vec3 v;
    if (count() == 1)
      v[first()] = value.get<double>();
    else
      for (int k = 0; k < count(); ++k) v[k] = value[static_cast<std::size_t>(k)].get<double>();
    return v;
  }
};

/// Whether all bits are those of 0: -0 is worth writing.
inline bool isPlainZero(double x) {
  return x == 0 && !std::signbit(x);
}
inline bool isPlainZero(Vec3 v) {
  return isPlainZero(v.x) && isPlainZero(v.y) && isPlainZero(v.z);
}

class FieldWriter {
 public:
  explicit FieldWriter(int dimension) : dimension_(dimension) {}

  static constexpr bool kWrites = true;
  int dimension() const { return dimension_; }
  OrderedJson& json() { return json_; }
  bool has(const char*) const { return false; }

  template <class T>
  void value(const char* key, T& x) {
    json_[key] = x;
  }
  /// Written if it differs from what it is where nothing is said.
  template <class T>
  void valueOr(const char* key, T& x, const T& standard) {
    if (x != standard) json_[key] = x;
  }
  template <class T>
  void optional(const char* key, std::optional<T>& x) {
    if (x) json_[key] = *x;
  }
  template <class T>
  void list(const char* key, std::vector<T>& x) {
    if (!x.empty()) json_[key] = x;
  }
  template <class T>
  void map(const char* key, std::map<std::string, T>& x) {
    if (!x.empty()) json_[key] = x;
  }
  template <class E>
  void choice(const char* key, E& x, std::span<const std::string_view> names, bool always) {
    if (always || static_cast<int>(x) != 0)
      json_[key] = std::string(names[static_cast<std::size_t>(x)]);
  }
  void vector(const char* key, Vec3& v, Quantity quantity, bool always = false) {
    if (always || !isPlainZero(v)) json_[key] = Numbers{quantity, dimension_}.write(v);
  }
  void vector(const char* key, std::optional<Vec3>& v, Quantity quantity) {
    if (v) json_[key] = Numbers{quantity, dimension_}.write(*v);
  }
  void vectors(const char* key, std::vector<Vec3>& list, Quantity quantity, int dimension) {
    OrderedJson& out = json_[key] = OrderedJson::array();
    for (const Vec3& v : list) out.push_back(Numbers{quantity, dimension}.write(v));
  }
  template <class T>
  void object(const char* key, T& x) {
    FieldWriter part(dimension_);
    describe(part, x);
    json_[key] = std::move(part.json_);
  }
  template <class T>
  void object(const char* key, std::optional<T>& x) {
    if (x) object(key, *x);
  }
  template <class T>
  void objects(const char* key, std::vector<T>& list) {
    if (list.empty()) return;
    OrderedJson& out = json_[key] = OrderedJson::array();
    for (T& x : list) {
      FieldWriter part(dimension_);
      describe(part, x);
      out.push_back(std::move(part.json_));
    }
  }

 private:
  int dimension_;
  OrderedJson json_ = OrderedJson::object();
};

class FieldTaker {
 public:
  FieldTaker(const OrderedJson& json, int dimension) : json_(json), dimension_(dimension) {}

  static constexpr bool kWrites = false;
  int dimension() const { return dimension_; }
  const OrderedJson& json() const { return json_; }
  bool has(const char* key) {
    taken_.insert(key);
    return json_.contains(key);
  }

  template <class T>
  void value(const char* key, T& x) {
    if (has(key)) x = json_.at(key).get<T>();
  }
  template <class T>
  void valueOr(const char* key, T& x, const T&) {
    value(key, x);
  }
  template <class T>
  void optional(const char* key, std::optional<T>& x) {
    if (has(key)) x = json_.at(key).get<T>();
  }
  template <class T>
  void list(const char* key, std::vector<T>& x) {
    value(key, x);
  }
  template <class T>
  void map(const char* key, std::map<std::string, T>& x) {
    value(key, x);
  }
  template <class E>
  void choice(const char* key, E& x, std::span<const std::string_view> names, bool) {
    if (!has(key)) return;
    std::size_t i = 0;
    while (names[i] != json_.at(key).get_ref<const std::string&>()) ++i;
    x = static_cast<E>(i);
  }
  void vector(const char* key, Vec3& v, Quantity quantity, bool = false) {
    if (has(key)) v = Numbers{quantity, dimension_}.take(json_.at(key));
  }
  void vector(const char* key, std::optional<Vec3>& v, Quantity quantity) {
    if (has(key)) v = Numbers{quantity, dimension_}.take(json_.at(key));
  }
  void vectors(const char* key, std::vector<Vec3>& list, Quantity quantity, int dimension) {
    if (!has(key)) return;
    for (const OrderedJson& v : json_.at(key)) list.push_back(Numbers{quantity, dimension}.take(v));
  }
  template <class T>
  void object(const char* key, T& x) {
    if (!has(key)) return;
    FieldTaker part(json_.at(key), dimension_);
    describe(part, x);
    part.expectAllTaken();
  }
  template <class T>
  void object(const char* key, std::optional<T>& x) {
    if (has(key)) object(key, x.emplace());
  }
  template <class T>
  void objects(const char* key, std::vector<T>& list) {
    if (!has(key)) return;
    for (const OrderedJson& item : json_.at(key)) {
      FieldTaker part(item, dimension_);
      describe(part, list.emplace_back());
      part.expectAllTaken();
    }
  }
  /// A field that the reader of scenes knows and SceneData does not would be lost.
  void expectAllTaken() const {
    for (const auto& [key, value] : json_.items())
      if (taken_.count(key) == 0) throw std::logic_error("SceneData lacks field \"" + key + "\"");
  }

 private:
  const OrderedJson& json_;
  int dimension_;
  std::set<std::string> taken_;
};

}  // namespace stickslip::fields
