// The table of schemes: names, options, how to make one.
#include "stickslip/scheme.hpp"

#include <algorithm>

#include "base/registry.hpp"
#include "stepping/schemes/midpoint.hpp"
#include "stepping/schemes/position.hpp"
#include "stepping/schemes/velocity.hpp"
#include "stickslip/registry.hpp"

namespace stickslip {
namespace {

template <class OwnScheme>
std::unique_ptr<Scheme> makeFor(const Method& method, const SolverTraits& solver) {
  if constexpr (std::is_constructible_v<OwnScheme, const Method&, const SolverTraits&>)
    return std::make_unique<OwnScheme>(method, solver);
  else
    return std::make_unique<OwnScheme>(method);
}

Registry<SchemeEntry>& schemes() {
  static Registry<SchemeEntry> table(
      "scheme",
      {{.name = "midpoint", .traits = {.options = {"theta"}}, .make = makeFor<MidpointScheme>},
       {.name = "position",
        .traits = {.options = {"implicit", "margin", "correction", "full_push", "lift",
                               "sleep_time"},
                   .gaps_at_start = true,
                   .watches_contacts = true},
        .make = makeFor<PositionScheme>},
       {.name = "velocity",
        .traits = {.options = {"impact", "joint_stabilization", "geometry"},
                   .locates_collisions = true},
        .make = makeFor<VelocityScheme>}});
  return table;
}

}  // namespace

bool SchemeTraits::has(std::string_view option) const {
  return std::find(options.begin(), options.end(), option) != options.end();
}

void registerScheme(SchemeEntry entry) {
  schemes().add(std::move(entry));
}

std::vector<std::string_view> schemeNames() {
  return schemes().names();
}

bool isScheme(std::string_view name) {
  return schemes().find(name) != nullptr;
}

SchemeTraits schemeTraits(std::string_view name) {
  return schemes().at(name).traits;
}

SchemeTraits Scheme::traits() const {
  const SchemeEntry* const entry = schemes().find(name());
  return entry != nullptr ? entry->traits : SchemeTraits{};
}

std::unique_ptr<Scheme> makeScheme(const Method& method) {
  return makeScheme(method, solverTraits(method.solver));
}

std::unique_ptr<Scheme> makeScheme(const Method& method, const SolverTraits& solver) {
  return schemes().at(method.scheme).make(method, solver);
}

void SchemeReport::add(const SchemeReport& later) {
  geometry_iterations = std::max(geometry_iterations, later.geometry_iterations);
  geometry_change = std::max(geometry_change, later.geometry_change);
  geometry_contraction = std::max(geometry_contraction, later.geometry_contraction);
  contact_rounds += later.contact_rounds;
  contacts_missed = contacts_missed || later.contacts_missed;
  collisions += later.collisions;
  collisions_cut = collisions_cut || later.collisions_cut;
  restitution_limited = restitution_limited || later.restitution_limited;
  restitution_work += later.restitution_work;
}

}  // namespace stickslip
