// Scenes of bodies that use every field, and what can be wrong with them.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace stickslip::testing {

extern const char* const kPlanarScene;
extern const char* const kSpatialScene;

/// A change that makes a scene bad.
struct BadBodyScene {
  const char* from;
  const char* to;
  std::vector<std::string> words;  ///< that the complaint must have
  bool schema_can_tell = true;
};
std::span<const BadBodyScene> badPlanarScenes();
std::span<const BadBodyScene> badSpatialScenes();

/// Hands a scene to the schema's own test (scene/schema_test.py), which runs these tests to get
/// them, and then asks whether the schema accepts what it should.
void noteForSchema(const std::string& text, bool accepted);

}  // namespace stickslip::testing
