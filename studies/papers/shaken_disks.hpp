// One large disk among small ones in a box whose bottom is shaken, as [A06] section 10.2 and [AH04]
// example 4 have it: how many shakes it takes until nothing lies on the large one.
//
// A shake is a period of the bottom, which begins at its lowest point; it ends a quarter of a
// period after the next one, where the bottom moves up fastest and the disks, once thrown, have
// landed. The large disk is at the top when, at the end of a shake and of the two that follow, no
// small disk with its centre above that of the large one is within its width.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/blocks.hpp"
#include "stickslip/io/scene.hpp"
#include "stickslip/motion.hpp"

namespace stickslip {

/// Where things are at the end of a shake.
struct ShakeEnd {
  int shake = 0;
  double height = 0;  ///< of the large disk's centre above the bottom
  int above = 0;      ///< small disks that lie above it
};

struct ShakenDisks {
  std::vector<ShakeEnd> ends;        ///< from shake 0, the start
  std::optional<int> shakes_to_top;  ///< none if it did not get there
  std::vector<PictureFrame> frames;  ///< one for each end of a shake
  double deepest_overlap = 0;
  std::int64_t uncertified_steps = 0;
};

/// How the scene's body `bottom`, which is kinematic, moves.
SinusoidalMotion bottomMotion(const Scene& scene);

/// Shakes until the large disk (the body `nut`) is at the top, but at most this often. The scene
/// has a kinematic body `bottom` that moves as a sinusoid, of which a period is a whole number of
/// steps.
ShakenDisks shakeToTop(const Scene& scene, int most_shakes);

/// The box of the scene, and four of its frames, evenly spaced from the start to the end.
Picture fourFrames(const ShakenDisks& run, double half_width, double height, std::string caption);

}  // namespace stickslip
