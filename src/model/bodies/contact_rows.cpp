#include "model/bodies/contact_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace stickslip {
namespace {

/// What the rows of a contact are about: velocities along axes, then turning about others.
struct RowAxes {
  std::array<Vec3, 6> axis;
  int linear = 0;
  int count = 0;
};

RowAxes axesOf(const FoundContact& contact, const SurfaceLaw& law, Vec3 tangent, int dimension) {
  RowAxes rows;
  const Vec3 other = cross(contact.normal, tangent);
  rows.axis = {contact.normal, tangent, other};
  rows.linear = rows.count = law.has_friction ? dimension : 1;
  const auto add = [&](Vec3 axis) { rows.axis[rows.count++] = axis; };
  if (law.surface.torsional_friction > 0) add(contact.normal);
  if (!(law.surface.rolling_friction > 0)) return rows;
  if (dimension == 2) {
    add({0, 0, 1});
  } else {
    add(tangent);
    add(other);
  }
  return rows;
}

void writeRow(Vec3 linear, Vec3 angular, double* out) {
  out[0] = linear.x;
  out[1] = linear.y;
  out[2] = linear.z;
  out[3] = angular.x;
  out[4] = angular.y;
  out[5] = angular.z;
}

// The arm of a ball is along its normal n = t x o: n turns nothing, arm x t = (arm.n) o and
// arm x o = -(arm.n) t.
double leverOf(Vec3 normal, double sign, Vec3 arm) {
  return sign * dot(arm, normal);
}

void writeBall(const RowAxes& rows, double sign, Vec3 arm, const BodyFrame& frame, double* out) {
  const double lever = leverOf(rows.axis[0], sign, arm);
  writeRow(sign * rows.axis[0], {}, out);
  if (rows.linear == 1) return;
  writeRow(sign * rows.axis[1], lever * frame.toSpin(rows.axis[2]), out + 6);
  writeRow(sign * rows.axis[2], -lever * frame.toSpin(rows.axis[1]), out + 12);
}

void writeSpatial(const RowAxes& rows, double sign, Vec3 arm, const BodyFrame& frame, bool round,
                  double* out) {
  if (round) {
    writeBall(rows, sign, arm, frame, out);
  } else {
    for (int k = 0; k < rows.linear; ++k) {
      const Vec3 d = sign * rows.axis[k];
      writeRow(d, frame.toSpin(cross(arm, d)), out + 6 * k);
    }
  }
  for (int k = rows.linear; k < rows.count; ++k)
    writeRow({}, frame.toSpin(sign * rows.axis[k]), out + 6 * k);
}

// True if the rows of this contact are those of balls: friction, but nothing that rolling or
// spinning adds to it.
bool areBalls(const SurfaceLaw& law, const ContactBodies& bodies, int dimension) {
  const auto fits = [](const BodyFrame& frame, bool round) {
    return !frame.isDynamic() || (round && frame.spins_in_world);
  };
  return dimension == 3 && law.has_friction && !(law.surface.torsional_friction > 0) &&
         !(law.surface.rolling_friction > 0) && fits(bodies.a, bodies.round_a) &&
         fits(bodies.b, bodies.round_b);
}

void writePlanar(const RowAxes& rows, double sign, Vec3 arm, double* out) {
  for (int k = 0; k < rows.count; ++k, out += 3) {
    const Vec3 d = sign * rows.axis[k];
    const bool turns = k >= rows.linear;
    out[0] = turns ? 0 : d.x;
    out[1] = turns ? 0 : d.y;
    out[2] = turns ? d.z : arm.x * d.y - arm.y * d.x;
  }
}

void addDrive(const RowAxes& rows, double sign, Vec3 arm, const FrameVelocity& velocity,
              double* drive) {
  if (velocity.isZero()) return;
  for (int k = 0; k < rows.count; ++k) {
    const Vec3 d = sign * rows.axis[k];
    drive[k] += k >= rows.linear ? dot(d, velocity.angular)
                                 : dot(d, velocity.linear) + dot(cross(arm, d), velocity.angular);
  }
}

void writeBalls(const FoundContact& contact, Vec3 tangent, const ContactBodies& bodies,
                BlockRows::Writer& rows) {
  const auto entries = [](Vec3 x) { return std::array{x.x, x.y, x.z}; };
  BallRows balls{entries(contact.normal), entries(tangent), {0, 0}};
  std::array<int, 2> first_column{BlockRows::kNoBall, BlockRows::kNoBall};
  for (const std::size_t side : {0, 1}) {
    const BodyFrame& frame = side == 0 ? bodies.a : bodies.b;
    if (!frame.isDynamic()) continue;
    first_column[side] = frame.first_velocity;
    balls.lever[side] =
        leverOf(contact.normal, side == 0 ? -1 : 1, contact.place - frame.pose.position);
  }
  rows.addBalls(balls, first_column);
}

void writeStrips(const RowAxes& axes, Vec3 place, const ContactBodies& bodies, int dimension,
                 BlockRows::Writer& rows) {
  rows.addGroup(axes.count);
  const auto write = [&](const BodyFrame& frame, bool round, double sign) {
    if (!frame.isDynamic()) return;
    const Vec3 arm = place - frame.pose.position;
    if (dimension == 2) return writePlanar(axes, sign, arm, rows.addStrip(frame.first_velocity, 3));
    writeSpatial(axes, sign, arm, frame, round, rows.addStrip(frame.first_velocity, 6));
  };
  write(bodies.a, bodies.round_a, -1);
  write(bodies.b, bodies.round_b, 1);
}

void writeDrive(const RowAxes& axes, Vec3 place, const ContactBodies& bodies, double* drive) {
  std::fill_n(drive, axes.count, 0.0);
  for (const double sign : {-1.0, 1.0}) {
    const BodyFrame& frame = sign < 0 ? bodies.a : bodies.b;
    if (!frame.isDynamic())
      addDrive(axes, sign, place - frame.pose.position, bodies.frames.velocityOf(frame), drive);
  }
}

// Of a body whose motion is prescribed.
double speedAlong(const FrameVelocity& velocity, Vec3 arm, Vec3 normal) {
  if (velocity.isZero()) return 0;
  return dot(normal, velocity.linear) + dot(cross(arm, normal), velocity.angular);
}

double reachOf(const Kinematics& frames, const BodyFrame& frame, bool round, Vec3 place,
               Vec3 normal, int dimension, const Reach& reach) {
  const Vec3 arm = place - frame.pose.position;
  if (!frame.isDynamic())
    return reach.time * std::abs(speedAlong(frames.velocityOf(frame), arm, normal));
  const double* way = reach.way.data() + frame.first_velocity;
  double sum = std::abs(normal.x) * way[0] + std::abs(normal.y) * way[1];
  if (dimension == 3) sum += std::abs(normal.z) * way[2];
  if (round) return sum;
  const Vec3 turn = cross(arm, normal);
  if (dimension == 2) return sum + std::abs(turn.z) * way[2];
  const Vec3 angular = frame.toSpin(turn);
  return sum + std::abs(angular.x) * way[3] + std::abs(angular.y) * way[4] +
         std::abs(angular.z) * way[5];
}

}  // namespace

double reachAlongNormal(const FoundContact& contact, const ContactBodies& bodies, int dimension,
                        const Reach& reach) {
  return reach.margin +
         reachOf(bodies.frames, bodies.a, bodies.round_a, contact.place, contact.normal, dimension,
                 reach) +
         reachOf(bodies.frames, bodies.b, bodies.round_b, contact.place, contact.normal, dimension,
                 reach);
}

BlockRows::Extent extentOf(const SurfaceLaw& law, const ContactBodies& bodies, int dimension) {
  const int turning = (law.surface.torsional_friction > 0 ? 1 : 0) +
                      (law.surface.rolling_friction > 0 ? dimension - 1 : 0);
  const int rows = (law.has_friction ? dimension : 1) + turning;
  const int strips = (bodies.a.isDynamic() ? 1 : 0) + (bodies.b.isDynamic() ? 1 : 0);
  const std::size_t values =
      areBalls(law, bodies, dimension)
          ? BlockRows::kBallValues
          : static_cast<std::size_t>(rows * strips * (dimension == 2 ? 3 : 6));
  return {1, rows, static_cast<std::size_t>(strips), values};
}

void writeContactRows(const FoundContact& contact, const SurfaceLaw& law, Vec3 tangent,
                      const ContactBodies& bodies, int dimension, BlockRows::Writer& rows,
                      double* drive) {
  const bool are_balls = areBalls(law, bodies, dimension);
  if (are_balls) writeBalls(contact, tangent, bodies, rows);
  if (are_balls && drive == nullptr) return;
  const RowAxes axes = axesOf(contact, law, tangent, dimension);
  if (!are_balls) writeStrips(axes, contact.place, bodies, dimension, rows);
  if (drive != nullptr) writeDrive(axes, contact.place, bodies, drive);
}

}  // namespace stickslip
