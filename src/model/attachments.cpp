#include "model/attachments.hpp"

namespace stickslip {

Attachments::Attachments(const BodySystemData& data)
    : joints(data.joints), springs(data.springs), loads(data.loads) {
  const auto shift = [&](int body, Vec3& point) {
    if (body >= 0) point -= data.bodies[static_cast<std::size_t>(body)].mass.center;
  };
  for (Joint& joint : joints) {
    if (joint.type == Joint::Type::gear) continue;
    shift(joint.body_a, joint.frame_a.position);
    shift(joint.body_b, joint.frame_b.position);
  }
  for (PointSpring& spring : springs) {
    shift(spring.body_a, spring.point_a);
    shift(spring.body_b, spring.point_b);
  }
  for (BodyLoad& load : loads) shift(load.body, load.point);
}

}  // namespace stickslip
