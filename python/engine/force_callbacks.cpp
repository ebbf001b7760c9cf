#include "force_callbacks.hpp"

#include <string>
#include <utility>

namespace stickslip::python {

PythonForce::PythonForce(const nb::object& function, std::string name) : name_(std::move(name)) {
  hold(function);
}

void PythonForce::add(double t, std::span<const BodyState> bodies,
                      std::span<Wrench> wrenches) const {
  const WithLock lock;
  numbers_.clear();
  const auto append = [&](const Vec3& v) { numbers_.insert(numbers_.end(), {v.x, v.y, v.z}); };
  for (const BodyState& body : bodies) {
    append(body.position);
    const Quaternion& r = body.orientation;
    numbers_.insert(numbers_.end(), {r.w, r.x, r.y, r.z, body.angle});
    append(body.velocity);
    append(body.angular_velocity);
  }
  const nb::object function = held(0);
  const nb::object result = call(function, {nb::float_(t), constantArray(numbers_)});
  constexpr std::size_t kOfAWrench = 6;
  std::vector<double> given(kOfAWrench * wrenches.size());
  takeNumbers(result, {wrenches.size(), kOfAWrench}, given, {name_});
  for (std::size_t i = 0; i < wrenches.size(); ++i) {
    const double* w = &given[kOfAWrench * i];
    wrenches[i].force += {w[0], w[1], w[2]};
    wrenches[i].torque += {w[3], w[4], w[5]};
  }
}

std::shared_ptr<const BodySystem> withForces(const BodySystem& system, const nb::object& forces,
                                             std::vector<PythonPart*>& parts) {
  BodySystemData data = system.data();
  for (const nb::handle pair : forces) {
    const auto force =
        std::make_shared<PythonForce>(nb::object(pair[0]), nb::cast<std::string>(pair[1]));
    parts.push_back(force.get());
    data.user_forces.push_back(
        [force](double t, std::span<const BodyState> bodies, std::span<Wrench> wrenches) {
          force->add(t, bodies, wrenches);
        });
  }
  return std::make_shared<const BodySystem>(std::move(data));
}

}  // namespace stickslip::python
