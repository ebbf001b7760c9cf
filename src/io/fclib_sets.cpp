#include "io/fclib_sets.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "stickslip/input_error.hpp"

namespace stickslip {
namespace {

using Kind = ImpulseSet::Kind;

// Why FCLIB's format cannot hold a contact; empty if it can.
std::string obstacle(const ImpulseSet& set) {
  if (set.spinRows() > 0) return "it has torsional friction";
  if (set.rollingRows() > 0) return "it has rolling friction";
  if (set.load_independent) return "its friction does not depend on the load";
  switch (set.kind) {
    case Kind::frictionless:
    case Kind::planar:
      return "";
    case Kind::elliptic:
      return set.mu == set.mu_2 ? "" : "friction differs between its tangents";
    case Kind::polyhedral:
      return "its cone is polyhedral";
    default:
      return "it is a bounded row (a motor, or friction in a joint)";
  }
}

int largestDimension(const ImpulseSets& sets) {
  int dimension = 0;
  for (const ImpulseSet& set : sets) dimension = std::max(dimension, set.dimension());
  return dimension;
}

}  // namespace

int readSpaceDimension(const ProblemFile& file, const std::string& group) {
  const std::string name = group + "/spacedim";
  const int dimension = file.integer(name);
  if (dimension != 2 && dimension != 3)
    file.fail(name, fmt::format("is {}; expected 2 or 3", dimension));
  return dimension;
}

ImpulseSets readCones(const ProblemFile& file, const std::string& group, std::size_t rows,
                      const std::string& rows_name) {
  const int dimension = readSpaceDimension(file, group);
  const std::string name = group + "/vectors/mu";
  if (rows % static_cast<std::size_t>(dimension) != 0)
    file.fail(rows_name,
              fmt::format("has length {}, which is no multiple of spacedim = {}", rows, dimension));
  const std::vector<double> mu =
      file.numbers(name, rows / static_cast<std::size_t>(dimension),
                   fmt::format("the length of {} divided by spacedim = {}", rows_name, dimension));
  ImpulseSets sets;
  for (std::size_t i = 0; i < mu.size(); ++i) {
    if (mu[i] < 0) file.fail(name, fmt::format("entry {} is {}; expected at least 0", i, mu[i]));
    ImpulseSet set;
    set.kind = dimension == 2 ? Kind::planar : Kind::elliptic;
    set.mu = mu[i];
    set.mu_2 = dimension == 2 ? 0 : mu[i];
    sets.push_back(set);
  }
  return sets;
}

FclibRows fclibRows(const ImpulseSets& sets, Law law, const std::string& file) {
  if (law != Law::coulomb)
    throw InputError(file + ": FCLIB's format is for Coulomb's law, not for the relaxed one");
  FclibRows out;
  out.space_dimension = largestDimension(sets) == 2 ? 2 : 3;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const std::string why = obstacle(sets[i]);
    if (!why.empty())
      throw InputError(fmt::format("{}: FCLIB's format cannot hold contact {}: {}", file, i, why));
    const bool mixed = sets[i].kind == Kind::planar && out.space_dimension == 3;
    if (mixed)
      throw InputError(fmt::format(
          "{}: FCLIB's format cannot hold contacts of the plane and of space together", file));
    for (int k = 0; k < sets[i].dimension(); ++k) out.row.push_back(out.rowCount() + k);
    out.mu.push_back(sets[i].kind == Kind::frictionless ? 0 : sets[i].mu);
  }
  return out;
}

std::vector<double> placed(const FclibRows& rows, std::span<const double> values) {
  std::vector<double> out(static_cast<std::size_t>(rows.rowCount()), 0.0);
  for (std::size_t k = 0; k < values.size(); ++k)
    out[static_cast<std::size_t>(rows.row[k])] = values[k];
  return out;
}

}  // namespace stickslip
