// What a scene warns of.
#pragma once

#include "stickslip/io/scene.hpp"

namespace stickslip::cli {

/// Logs the warnings of a scene; if `strict`, throws InputError with the first one instead.
void reportWarnings(const Scene& scene, bool strict);

}  // namespace stickslip::cli
