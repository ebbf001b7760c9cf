#include "model/bodies/body_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "stickslip/input_error.hpp"
#include "stickslip/memory_stream.hpp"

namespace stickslip {
namespace {

bool acts(const Wrench& wrench) {
  return !(wrench.force == Vec3{} && wrench.torque == Vec3{});
}

bool acts(const JointInput& input) {
  return !(input.force[0] == 0 && input.force[1] == 0);
}

// Sets something for a motor.
bool aims(const JointInput& input) {
  const auto isSet = [](double x) { return !std::isnan(x); };
  return std::any_of(input.target.begin(), input.target.end(), isSet) ||
         std::any_of(input.max_force.begin(), input.max_force.end(), isSet);
}

std::string problemOf(const Wrench& wrench, const Body& body) {
  for (int i = 0; i < 3; ++i) {
    if (!std::isfinite(wrench.force[i])) return "force: expected finite numbers";
    if (!std::isfinite(wrench.torque[i])) return "torque: expected finite numbers";
  }
  if (body.type != Body::Type::dynamic) return "no force moves it: only dynamic bodies take any";
  return "";
}

std::string problemOf(const JointInput& input, int k, const Joint& joint, int dimension) {
  const auto drive = static_cast<std::size_t>(k);
  const double target = input.target[drive], max_force = input.max_force[drive];
  const bool for_motor = !std::isnan(target) || !std::isnan(max_force);
  if (for_motor || input.force[drive] != 0) {
    const int count = coordinateCount(joint.type, dimension);
    if (k >= count) return "it has " + std::to_string(count) + " coordinates that can be driven";
  }
  if (!std::isfinite(input.force[drive])) return "force: expected a finite number";
  if (!for_motor) return "";
  if (drive >= joint.drives.size() || !joint.drives[drive].motor)
    return "it has no motor there, for which to set a target or max_force";
  if (std::isinf(target)) return "target: expected a finite number, or NaN for the motor's own";
  if (max_force < 0 || std::isinf(max_force))
    return "max_force: expected a finite number >= 0, or NaN for the motor's own";
  return "";
}

}  // namespace

bool anyForce(const BodyInputs& inputs) {
  return std::any_of(inputs.bodies.begin(), inputs.bodies.end(),
                     [](const Wrench& wrench) { return acts(wrench); }) ||
         std::any_of(inputs.joints.begin(), inputs.joints.end(),
                     [](const JointInput& joint) { return acts(joint); });
}

void checkInputs(const BodyInputs& inputs, const BodySystemData& data) {
  if (inputs.bodies.size() != data.bodies.size() || inputs.joints.size() != data.joints.size())
    throw InputError("inputs: expected one for each of the " + std::to_string(data.bodies.size()) +
                     " bodies and " + std::to_string(data.joints.size()) + " joints");
  for (std::size_t b = 0; b < data.bodies.size(); ++b) {
    if (!acts(inputs.bodies[b])) continue;
    const std::string problem = problemOf(inputs.bodies[b], data.bodies[b]);
    if (!problem.empty())
      throw InputError("inputs: body \"" + data.bodies[b].name + "\": " + problem);
  }
  for (std::size_t j = 0; j < data.joints.size(); ++j)
    for (int k = 0; k < 2; ++k) {
      const std::string problem = problemOf(inputs.joints[j], k, data.joints[j], data.dimension);
      if (!problem.empty())
        throw InputError("inputs: joint \"" + data.joints[j].name + "\", coordinate " +
                         std::to_string(k) + ": " + problem);
    }
}

template <class Memory, MaybeConst<Wrench> W>
void parts(Memory& memory, W& wrench) {
  memory(wrench.force, wrench.torque);
}

template <class Memory, MaybeConst<JointInput> Input>
void parts(Memory& memory, Input& input) {
  memory(input.target, input.max_force, input.force);
}

void saveInputs(const BodyInputs* inputs, MemoryWriter& to) {
  const bool any = inputs != nullptr &&
                   (anyForce(*inputs) || std::any_of(inputs->joints.begin(), inputs->joints.end(),
                                                     [](const JointInput& i) { return aims(i); }));
  to(any);
  if (any) to(inputs->bodies, inputs->joints);
}

// Others may look at the inputs where they are.
void restoreInputs(MemoryReader& from, const BodySystem& system, BodyInputs* inputs) {
  bool any = false;
  from(any);
  if (!any) {
    if (inputs != nullptr) inputs->clear();
    return;
  }
  std::vector<Wrench> bodies;
  std::vector<JointInput> joints;
  from(bodies, joints);
  from.expect(
      bodies.size() == system.data().bodies.size() && joints.size() == system.data().joints.size(),
      "inputs are not of as many bodies and joints");
  BodyInputs& here = *system.inputs();
  here.bodies.resize(bodies.size());
  here.joints.resize(joints.size());
  std::copy(bodies.begin(), bodies.end(), here.bodies.begin());
  std::copy(joints.begin(), joints.end(), here.joints.begin());
}

}  // namespace stickslip
