// SceneData <-> JSON.
#pragma once

#include "scene/fields/field_archive.hpp"
#include "stickslip/scene/scene_data.hpp"

namespace stickslip {

OrderedJson jsonOf(const SceneData& data);
/// Of a scene that the reader has accepted.
SceneData sceneDataOf(const OrderedJson& scene);

}  // namespace stickslip
