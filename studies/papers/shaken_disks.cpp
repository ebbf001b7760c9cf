#include "papers/shaken_disks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "stickslip/body_system.hpp"

namespace stickslip {
namespace {

constexpr int kShakesAtTop = 3;

int bodyNamed(const BodySystemData& data, std::string_view name) {
  const auto found = std::find_if(data.bodies.begin(), data.bodies.end(),
                                  [&](const Body& body) { return body.name == name; });
  assert(found != data.bodies.end());
  return static_cast<int>(found - data.bodies.begin());
}

// Looks at the disks of a state: bodies whose first shape is a disk.
class DiskView {
 public:
  explicit DiskView(const BodySystem& system)
      : system_(system),
        nut_(bodyNamed(system.data(), "nut")),
        bottom_(bodyNamed(system.data(), "bottom")) {}

  PictureFrame frame(const State& state) const {
    PictureFrame frame;
    for (int i = 0; i < static_cast<int>(system_.data().bodies.size()); ++i) {
      const double radius = radiusOf(i);
      if (radius == 0) continue;
      const Vec3 centre = system_.bodyState(i, state).position;
      frame.circles.push_back({centre.x, centre.y, radius, i == nut_ ? 1 : 0});
    }
    const double floor = system_.bodyState(bottom_, state).position.y;
    frame.outlines.push_back({{-kWide, kWide}, {floor, floor}, false, 0});
    return frame;
  }

  ShakeEnd measure(const State& state, int shake) const {
    const Vec3 nut = system_.bodyState(nut_, state).position;
    ShakeEnd end{shake, nut.y - system_.bodyState(bottom_, state).position.y, 0};
    for (int i = 0; i < static_cast<int>(system_.data().bodies.size()); ++i) {
      if (i == nut_ || radiusOf(i) == 0) continue;
      const Vec3 centre = system_.bodyState(i, state).position;
      if (centre.y > nut.y && std::abs(centre.x - nut.x) < radiusOf(nut_)) ++end.above;
    }
    return end;
  }

 private:
  static constexpr double kWide = 1e3;  // wider than any picture, which cuts it off

  double radiusOf(int body) const {
    const Body& it = system_.data().bodies[body];
    if (it.shapes.empty()) return 0;
    const Disk* disk = std::get_if<Disk>(&it.shapes.front().shape);
    return disk ? disk->radius : 0;
  }

  const BodySystem& system_;
  int nut_;
  int bottom_;
};

// The first of the shakes at whose ends, up to the last, nothing lay above; if there are enough.
std::optional<int> topOf(const std::vector<ShakeEnd>& ends) {
  if (ends.size() < kShakesAtTop) return {};
  for (auto end = ends.end() - kShakesAtTop; end != ends.end(); ++end)
    if (end->above > 0) return {};
  return ends[ends.size() - kShakesAtTop].shake;
}

}  // namespace

SinusoidalMotion bottomMotion(const Scene& scene) {
  const BodySystemData& data = dynamic_cast<const BodySystem&>(*scene.model.system).data();
  return std::get<SinusoidalMotion>(data.bodies[bodyNamed(data, "bottom")].motion.form());
}

ShakenDisks shakeToTop(const Scene& scene, int most_shakes) {
  const DiskView view(dynamic_cast<const BodySystem&>(*scene.model.system));
  const double h = scene.run.time.step;
  const std::int64_t per_shake = std::lround(1 / (bottomMotion(scene).frequency * h));
  const std::int64_t landing = (per_shake + 3) / 4;
  ShakenDisks out;
  Stepper stepper(scene.model);
  State state = scene.initial;
  std::int64_t steps = 0;
  for (int shake = 0; shake <= most_shakes && !out.shakes_to_top; ++shake) {
    const std::int64_t end = shake == 0 ? 0 : shake * per_shake + landing;
    while (steps < end) {
      const StepReport report = stepper.step(state, h);
      state.t = static_cast<double>(++steps) * h;
      if (!report.certified) ++out.uncertified_steps;
      out.deepest_overlap = std::max(out.deepest_overlap, -report.certificate.worst_gap);
    }
    out.ends.push_back(view.measure(state, shake));
    out.frames.push_back(view.frame(state));
    out.frames.back().title = shake == 0 ? "start" : fmt::format("after {} shakes", shake);
    out.shakes_to_top = topOf(out.ends);
  }
  return out;
}

Picture fourFrames(const ShakenDisks& run, double half_width, double height, std::string caption) {
  Picture picture{std::move(caption), -half_width, half_width, -5, height, {}};
  const std::size_t last = run.frames.size() - 1;
  for (std::size_t k = 0; k < 4; ++k) picture.frames.push_back(run.frames[k * last / 3]);
  return picture;
}

}  // namespace stickslip
