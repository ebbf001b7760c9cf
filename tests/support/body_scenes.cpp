#include "support/body_scenes.hpp"

namespace stickslip::testing {

const char* const kPlanarScene = R"({
  "stickslip": 1,
  "name": "planar",
  "time": {"step": 0.01, "end": 1},
  "initial": {"impact": true},
  "system": {
    "type": "planar",
    "materials": {
      "ice": {"friction": 0.04, "density": 2},
      "default": {"friction": 0.6, "restitution": 0.2, "rolling_friction": 0.01}
    },
    "material_pairs": [{"between": ["ice", "default"], "friction": 0.3}],
    "bodies": [
      {"name": "ground", "type": "static", "shapes": [
        {"type": "polyline", "points": [[-9, 0], [0, -1], [9, 0]], "material": "ice"},
        {"type": "half-plane", "position": [-9, 0], "normal": [2, 0]}
      ]},
      {"name": "plate", "position": [0, 1], "angle": 0.5, "velocity": [1, 2],
       "angular_velocity": 3, "material": "ice", "shape": {"type": "box", "size": [2, 1]}},
      {"name": "wheel", "position": [3, 1], "mass": 3, "shape": {"type": "disk", "radius": 0.5}},
      {"name": "given", "position": [6, 1], "mass": 5, "inertia": 0.7,
       "center_of_mass": [0.1, 0.2], "shapes": [
        {"type": "polygon", "vertices": [[0, 0], [0, 1], [1, 0]]},
        {"type": "capsule", "length": 1, "radius": 0.1, "angle": 1, "density": 7}]},
      {"name": "piston", "type": "kinematic", "position": [-5, 1],
       "motion": {"type": "sinusoid", "amplitude": [0.1, 0], "frequency": 2, "phase": 1},
       "shape": {"type": "box", "size": [1, 1]}}
    ],
    "instances": [
      {"name": "stone{i}", "grid": {"count": [3, 1], "spacing": [2, 2], "origin": [10, 5]},
       "body": {"position": [0, 0.25], "shape": {"type": "disk", "radius": 0.25}}}
    ],
    "joints": [
      {"name": "hinge", "type": "revolute", "bodies": ["plate", "wheel"], "position": [0.5, 1],
       "limits": [-1, null], "limit_restitution": 0.5,
       "motor": {"velocity": {"times": [0, 1], "values": [0, 2]}, "max_force": 10}},
      {"name": "rope", "type": "distance", "bodies": ["wheel", "given"], "length": null,
       "limits": [null, 4], "spring": {"stiffness": 10, "damping": 1}},
      {"name": "rail", "type": "prismatic", "bodies": ["world", "given"], "position": [6, 1],
       "axis": [0, 2], "friction": 1},
      {"type": "gear", "joints": ["hinge", "rail"], "ratio": -2}
    ],
    "springs": [{"bodies": ["plate", "world"], "point_b": [5, 0], "stiffness": 3,
                 "implicit": false}],
    "loads": [{"body": "plate", "force": {"times": [0, 2], "values": [[0, 0], [0, 10]]},
               "torque": 2, "point": [1, 0], "frame": "body"}],
    "drag": [{"body": "stone{i}", "linear": 0.1}],
    "no_collision": [["plate", "given"]]
  }
}
)";

const char* const kSpatialScene = R"({
  "stickslip": 1,
  "name": "spatial",
  "time": {"step": 0.01, "end": 1},
  "system": {
    "type": "spatial",
    "gravity": [0, 0, -1],
    "materials": {
      "default": {"torsional_friction": 0.01,
                  "anisotropy": {"direction": [3, 0, 0], "friction_across": 0.1}}
    },
    "bodies": [
      {"name": "terrain", "type": "static",
       "shape": {"type": "height-field", "spacing": [1, 2], "heights": [[0, 0, 0], [0, 0.5, 0]]}},
      {"name": "box", "position": [0, 0, 3], "orientation": {"axis": [0, 1, 0], "angle": 1.5707963267948966},
       "density": 500, "shape": {"type": "box", "size": [1, 2, 3]}},
      {"name": "rock", "position": [4, 0, 3], "orientation": [0.6, 0, 0, 0.8], "mass": 2,
       "inertia": [[1, 0.1, 0], [0.1, 1, 0], [0, 0, 1]], "angular_velocity": [1, 2, 3],
       "shape": {"type": "convex", "scale": [2, 1, 1],
                 "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}},
      {"name": "lift", "type": "kinematic", "position": [9, 0, 0],
       "motion": {"type": "table", "times": [0, 1], "displacements": [[0, 0, 0], [0, 0, 1]]},
       "shape": {"type": "mesh", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]],
                 "triangles": [[0, 1, 2]]}},
      {"name": "roller", "position": [0, 5, 5], "shapes": [
        {"type": "cylinder", "radius": 0.5, "height": 2, "position": [0, 0, 1]},
        {"type": "capsule", "radius": 0.5, "length": 2},
        {"type": "sphere", "radius": 0.5, "orientation": [1, 0, 0, 0]}]}
    ],
    "joints": [
      {"name": "cardan", "type": "universal", "bodies": ["box", "rock"], "position": [2, 0, 3],
       "axis": [0, 1, 0], "axis_2": [0, 0, 1]},
      {"name": "slide", "type": "cylindrical", "bodies": ["box", "roller"], "position": [0, 2, 4],
       "axis": [0, 1, 1], "drives": {"displacement": {"limits": [-0.3, 0.3]},
                                     "angle": {"friction": 0.5}}},
      {"name": "weld", "type": "fixed", "bodies": ["rock", "roller"],
       "frame_a": {"position": [1, 0, 0]}, "frame_b": {"position": [0, 0, 1]}}
    ],
    "loads": [{"body": "rock", "torque": [0, 0, 1]}]
  }
}
)";

namespace {

const BadBodyScene kBadPlanar[] = {
    // Materials
    {R"("friction": 0.04)", R"("friction": -1)", {"test.json:9", "/system/materials/ice/friction"}},
    {R"("friction": 0.04)", R"("friktion": 1)", {"did you mean \"friction\""}},
    {R"("density": 2)", R"("density": 0)", {"/system/materials/ice/density", "> 0"}},
    {R"("density": 2)", R"("torsional_friction": 0)", {"only for spatial"}},
    {R"("density": 2)", R"("anisotropy": {})", {"only for spatial"}},
    {R"("restitution": 0.2)", R"("restitution": 1.1)", {"restitution", "0 to 1"}},
    {R"(["ice", "default"])", R"(["ica", "default"])", {"between", "did you mean \"ice\""}, false},
    {R"(["ice", "default"])", R"(["ice"])", {"between", "two materials"}},
    {R"("friction": 0.3}])",
     R"("friction": 0.3}, {"between": ["default", "ice"]}])",
     {"material_pairs/1/between", "twice"},
     false},
    {R"("default": {)", R"("rock": {)", {"there is no material \"default\""}, false},
    // Bodies
    {R"("name": "wheel")", R"("name": "plate")", {"/system/bodies/2/name", "twice"}, false},
    {R"("name": "wheel")", R"("name": "a,b")", {"/system/bodies/2/name", "comma"}, false},
    {R"("name": "wheel")", R"("name": "world")", {"world itself"}, false},
    {R"("type": "static")", R"("type": "fixed")", {"/system/bodies/0/type", "static"}},
    {R"("position": [0, 1])", R"("position": [0, 1, 2])", {"/system/bodies/1/position", "2 numb"}},
    {R"("angle": 0.5)", R"("orientation": [1, 0, 0, 0])", {"orientation", "only for spatial"}},
    {R"("angle": 0.5)", R"("angle": "left")", {"/system/bodies/1/angle", "left"}},
    {R"("angular_velocity": 3)", R"("angular_velocity": [0, 0, 3])", {"not a number"}},
    {R"("mass": 3)", R"("mass": 0)", {"test.json:20", "/system/bodies/2/mass", "> 0"}},
    {R"("mass": 3)", R"("mass": -3)", {"/system/bodies/2/mass", "-3"}},
    {R"("mass": 5, )", "", {"/system/bodies/3/mass", "missing"}, false},
    {R"("inertia": 0.7)", R"("inertia": 0)", {"/system/bodies/3/inertia", "> 0"}},
    {R"("inertia": 0.7,)", "", {"center_of_mass", "without \"inertia\""}, false},
    {R"("mass": 3, "shape": {"type": "disk", "radius": 0.5}})",
     R"("mass": 3})",
     {"/system/bodies/2/inertia", "missing"},
     false},
    {R"("mass": 3, "shape": {"type": "disk", "radius": 0.5}})",
     R"("shapes": []})",
     {"/system/bodies/2/mass", "missing"},
     false},
    {R"("name": "ground", "type": "static")",
     R"("name": "ground")",
     {"shapes/0/type", "polyline", "static"},
     false},
    {R"("name": "ground", "type": "static")",
     R"("name": "ground", "type": "static", "mass": 1)",
     {"/system/bodies/0/mass", "only for dynamic"}},
    {R"("name": "ground", "type": "static")",
     R"("name": "ground", "type": "static", "velocity": [1, 0])",
     {"/system/bodies/0/velocity", "only for dynamic"}},
    {R"("mass": 3)", R"("motion": {"type": "constant"})", {"motion", "only for kinematic"}},
    {R"("type": "kinematic", "position": [-5, 1],
       "motion": {"type": "sinusoid", "amplitude": [0.1, 0], "frequency": 2, "phase": 1})",
     R"("type": "kinematic")",
     {"/system/bodies/4/motion", "missing"}},
    {R"("frequency": 2)", R"("frequency": 0)", {"/motion/frequency", "> 0"}},
    {R"("type": "sinusoid")", R"("type": "sinus")", {"/motion/type", "sinusoid"}},
    // Shapes
    {R"("radius": 0.5)", R"("radius": 0)", {"/system/bodies/2/shape/radius", "> 0"}},
    {R"("radius": 0.5)", R"("radus": 0.5)", {"/system/bodies/2/shape/radius", "missing"}},
    {R"("type": "disk")", R"("type": "sphere")", {"shape/type", "only for spatial", "disk"}},
    {R"("type": "disk")", R"("type": "disc")", {"shape/type", "disk"}},
    {R"("size": [2, 1])", R"("size": [2, -1])", {"/system/bodies/1/shape", "box"}},
    {R"([[0, 0], [0, 1], [1, 0]])",
     R"([[0, 0], [0, 1], [0.1, 0.1], [1, 0]])",
     {"/system/bodies/3/shapes/0", "polygon", "convex"},
     false},
    {R"([[0, 0], [0, 1], [1, 0]])", R"([[0, 0], [0, 1]])", {"vertices", "at least 3"}},
    {R"("normal": [2, 0])", R"("normal": [0, 0])", {"normal", "zero"}, false},
    {R"("normal": [2, 0])", R"("normal": [1, 0], "angle": 1)", {"beside \"normal\""}, false},
    {R"("shape": {"type": "box", "size": [2, 1]})",
     R"("shape": {"type": "box", "size": [2, 1], "material": "iron"})",
     {"shape/material", "no material \"iron\""},
     false},
    // Instances
    {R"("stone{i}", "grid")", R"("stone", "grid")", {"/system/instances/0/name", "{i}"}, false},
    {R"("count": [3, 1])", R"("count": [3, 0])", {"/grid/count/1", ">= 1"}},
    {R"("count": [3, 1])", R"("count": [3, 1.5])", {"/grid/count/1", "1.5"}},
    {R"("count": [3, 1])", R"("count": [100000, 100000])", {"instances/0/grid", "1000000"}, false},
    {R"("origin": [10, 5]})",
     R"("origin": [10, 5]}, "positions": [[0, 0]])",
     {"/system/instances/0", "exactly one"}},
    {R"("radius": 0.25}}})", R"("radius": 0.25}}, "jitter": -1})", {"instances/0/jitter", ">= 0"}},
    {R"("position": [0, 0.25])", R"("name": "x")", {"instances/0/body/name", "unknown"}},
    {R"("radius": 0.25)", R"("radius": -1)", {"/system/instances/0/body/shape/radius", "-1"}},
    // Joints
    {R"(["plate", "wheel"])", R"(["plate", "weel"])", {"joints/0/bodies", "\"wheel\""}, false},
    {R"(["plate", "wheel"])", R"(["plate", "plate"])", {"joints/0/bodies", "itself"}, false},
    {R"(["plate", "wheel"])", R"(["ground", "world"])", {"nor \"world\" is dynamic"}, false},
    {R"(["plate", "wheel"])", R"(["ground", "piston"])", {"nor \"piston\""}, false},
    {R"(["plate", "wheel"])", R"("plate")", {"/system/joints/0/bodies", "two bodies"}},
    {R"("type": "revolute")", R"("type": "spherical")", {"/system/joints/0/type", "revolute"}},
    {R"("position": [0.5, 1],)", "", {"/system/joints/0/position", "missing"}},
    {R"("limits": [-1, null])", R"("limits": [2, 1])", {"limits", "lower bound"}, false},
    {R"("limits": [-1, null])", R"("limits": [-1])", {"limits", "two bounds"}},
    {R"("limits": [-1, null])", R"("axis": [0, 1])", {"axis", "no axis"}},
    {R"("max_force": 10)", R"("max_force": -10)", {"motor/max_force", ">= 0"}},
    {R"("max_force": 10)", R"("max_force": 10, "position": 1)", {"motor", "either"}},
    {R"("times": [0, 1], "values": [0, 2])",
     R"("times": [0, 0], "values": [0, 2])",
     {"/motor/velocity/times/1", "ascend"},
     false},
    {R"("times": [0, 1], "values": [0, 2])",
     R"("times": [0, 1], "values": [0])",
     {"/motor/velocity/values", "one each"},
     false},
    {R"("length": null)", R"("length": 2.5)", {"joints/1", "2.5", "3"}, false},
    {R"("axis": [0, 2])", R"("axis": [0, 0])", {"joints/2/axis", "zero"}, false},
    {R"("name": "rail")", R"("name": "rope")", {"joints/2/name", "twice"}, false},
    {R"("joints": ["hinge", "rail"])", R"("joints": ["hinge", "rope"])", {"distance"}, false},
    {R"("joints": ["hinge", "rail"])", R"("joints": ["hinge", "hinge"])", {"itself"}, false},
    {R"("joints": ["hinge", "rail"])", R"("joints": ["hinge", "rial"])", {"\"rail\""}, false},
    {R"("ratio": -2)", R"("ratio": 0)", {"joints/3/ratio", "0"}, false},
    {R"("ratio": -2)", R"("ratio": 1, "limits": [0, 1])", {"joints/3/limits", "unknown"}},
    // Forces
    {R"("stiffness": 3)", R"("stiffness": -3)", {"springs/0/stiffness", ">= 0"}},
    {R"("stiffness": 3)", R"("stiffness": 0)", {"/system/springs/0", "> 0"}, false},
    {R"("body": "plate")", R"("body": "ground")", {"loads/0/body", "not dynamic"}, false},
    {R"("body": "plate")", R"("body": "plat")", {"loads/0/body", "\"plate\""}, false},
    {R"("frame": "body")", R"("frame": "moon")", {"loads/0/frame", "world, body"}},
    {R"("torque": 2)", R"("torque": [0, 0, 2])", {"loads/0/torque"}},
    {R"("linear": 0.1)", R"("linear": -0.1)", {"drag/0/linear", ">= 0"}},
    {R"("linear": 0.1)", R"("lineer": 0.1)", {"drag/0/lineer", "did you mean \"linear\""}},
    {R"([["plate", "given"]])", R"([["plate", "plate"]])", {"no_collision/0", "itself"}, false},
    {R"([["plate", "given"]])", R"([["plate"]])", {"no_collision/0", "two names"}},
    {R"("drag": [)", R"("drags": [)", {"/system/drags", "did you mean \"drag\""}},
};

const BadBodyScene kBadSpatial[] = {
    {R"("gravity": [0, 0, -1])", R"("gravity": [0, -1])", {"/system/gravity", "3 numbers"}},
    {R"("direction": [3, 0, 0])", R"("direction": [0, 0, 0])", {"direction", "zero"}, false},
    {R"("friction_across": 0.1)", R"("friction_across": -1)", {"friction_across", ">= 0"}},
    {R"("spacing": [1, 2])", R"("spacing": [1, -2])", {"/system/bodies/0/shape"}},
    {R"([[0, 0, 0], [0, 0.5, 0]])", R"([[0, 0, 0], [0, 0.5]])", {"heights/1", "3 numb"}, false},
    {R"([[0, 0, 0], [0, 0.5, 0]])", R"([[0, 0, 0]])", {"heights", "at least 2"}},
    {R"("orientation": [0.6, 0, 0, 0.8])", R"("orientation": [1, 0, 0, 1])", {"length 1"}, false},
    {R"("orientation": [0.6, 0, 0, 0.8])", R"("orientation": [1, 0, 0])", {"4 numbers"}},
    {R"("orientation": [0.6, 0, 0, 0.8])", R"("angle": 1)", {"angle", "only for planar"}},
    {R"("axis": [0, 1, 0], "angle")", R"("axis": [0, 0, 0], "angle")", {"zero"}, false},
    {R"("size": [1, 2, 3])", R"("size": [1, 2])", {"/system/bodies/1/shape/size", "3 numbers"}},
    {R"([[1, 0.1, 0], [0.1, 1, 0], [0, 0, 1]])",
     R"([1, 1, 3])",
     {"/system/bodies/2/inertia", "[1,1,3]", "triangle"},
     false},
    {R"([[1, 0.1, 0], [0.1, 1, 0], [0, 0, 1]])",
     R"([[1, 0.1, 0], [0.2, 1, 0], [0, 0, 1]])",
     {"/system/bodies/2/inertia", "symmetric"},
     false},
    {R"([[1, 0.1, 0], [0.1, 1, 0], [0, 0, 1]])", R"([1, 1, -1])", {"/inertia"}, false},
    {R"([[1, 0.1, 0], [0.1, 1, 0], [0, 0, 1]])", R"(1)", {"/system/bodies/2/inertia"}},
    {R"("scale": [2, 1, 1])", R"("scale": [2, 0, 1])", {"/shape/scale", "> 0"}},
    {R"([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])",
     R"([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]])",
     {"/system/bodies/2/shape", "convex"},
     false},
    {R"("scale": [2, 1, 1])", R"("file": "a.obj")", {"points", "beside \"file\""}},
    {R"("triangles": [[0, 1, 2]])", R"("triangles": [[0, 1, 3]])", {"triangles/0", "3"}, false},
    {R"("triangles": [[0, 1, 2]])", R"("triangles": [[0, 1, 1]])", {"shape", "mesh"}, false},
    {R"("triangles": [[0, 1, 2]])", R"("triangles": [[0, 1, 0.5]])", {"triangles/0", "0.5"}},
    {R"("triangles": [[0, 1, 2]])", R"("triangles": [])", {"triangles", "at least 1"}},
    {R"("vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]])",
     R"("vertices": [[0, 0, 0], [1, 0, 0], [0, 1, null]])",
     {"vertices/2/2", "null"}},
    {R"("times": [0, 1], "dis)", R"("times": [1, 0], "dis)", {"motion/times/1", "ascend"}, false},
    {R"([[0, 0, 0], [0, 0, 1]])", R"([[0, 0, 0]])", {"displacements", "one each"}, false},
    {R"("type": "cylinder")", R"("type": "polygon")", {"shapes/0/type", "only for planar"}},
    {R"("axis_2": [0, 0, 1])", R"("axis_2": [0, 1, 1])", {"axis_2", "right angles"}, false},
    {R"("axis": [0, 1, 0], "axis_2": [0, 0, 1])", R"("axis": [0, 1, 0])", {"axis_2", "missing"}},
    {R"("axis": [0, 1, 1],)", "", {"/system/joints/1/axis", "missing"}},
    {R"("angle": {"friction": 0.5})", R"("angel": {})", {"drives/angel", "\"angle\""}},
    {R"("frame_a": {"position": [1, 0, 0]}, )", "", {"/system/joints/2/frame_a", "missing"}, false},
    {R"("frame_a": {)", R"("axis": [0, 0, 1], "frame_a": {)", {"axis", "beside"}},
    {R"("torque": [0, 0, 1])", R"("torque": 1)", {"/system/loads/0/torque", "3 numbers"}},
    {R"("torque": [0, 0, 1])", R"("point": [0, 0, 1])", {"/system/loads/0", "force"}, false},
};

}  // namespace

std::span<const BadBodyScene> badPlanarScenes() {
  return kBadPlanar;
}
std::span<const BadBodyScene> badSpatialScenes() {
  return kBadSpatial;
}

}  // namespace stickslip::testing
