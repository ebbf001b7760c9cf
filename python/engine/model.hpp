// A scene that Python holds: read once, shared by the simulations that are made of it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "binding.hpp"
#include "stickslip/body_system.hpp"
#include "stickslip/scene/scene.hpp"

namespace stickslip::python {

struct SceneModel {
  SceneModel(const std::string& text, const std::string& source,
             const std::vector<std::string>& overrides, const std::string& folder);
  /// Of a stickslip.System and its start; `text` as parseSceneOf() has it.
  SceneModel(const nb::object& system, State initial, const std::string& text,
             const std::string& source);

  /// The same once more: systems have workspaces, and each simulation needs its own.
  SceneModel fresh() const;
  const System& system() const;
  const BodySystem* bodies() const;  ///< null for other systems

  std::shared_ptr<const Scene> scene;

 private:
  explicit SceneModel(std::shared_ptr<const Scene> of) : scene(std::move(of)) {}
};

/// Bodies in some states, one row of q and u each, as arrays with the axes (state, body, ...): all
/// bodies, or those that are asked for.
nb::dict bodyStates(const BodySystem* system, std::span<const double> t, std::span<const double> q,
                    std::span<const double> u,
                    const std::optional<std::vector<int>>& bodies = std::nullopt);
/// Coordinates of joints with the axes (state, joint, 2); not a number where a joint has fewer.
nb::ndarray<nb::numpy, double> jointCoordinates(const BodySystem* system, std::span<const double> t,
                                                std::span<const double> q,
                                                std::span<const double> u);

}  // namespace stickslip::python
