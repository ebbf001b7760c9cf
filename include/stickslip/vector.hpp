// Vectors and matrices of the plane and of space, by value.
//
// Planar bodies live in the plane z = 0 of the same space: one set of joints, loads and contacts
// then serves both.
#pragma once

#include <cmath>

namespace stickslip {

/// A vector of the plane.
struct Vec2 {
  double x = 0;
  double y = 0;

  friend constexpr Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
  friend constexpr Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
  friend constexpr Vec2 operator-(Vec2 a) { return {-a.x, -a.y}; }
  friend constexpr Vec2 operator*(double s, Vec2 a) { return {s * a.x, s * a.y}; }
  friend constexpr bool operator==(Vec2, Vec2) = default;
};

constexpr double dot(Vec2 a, Vec2 b) {
  return a.x * b.x + a.y * b.y;
}
/// The z component of the cross product.
constexpr double cross(Vec2 a, Vec2 b) {
  return a.x * b.y - a.y * b.x;
}
/// Turned by a right angle, counterclockwise.
constexpr Vec2 turned(Vec2 a) {
  return {-a.y, a.x};
}
inline double norm(Vec2 a) {
  return std::sqrt(dot(a, a));
}

/// A vector of space.
struct Vec3 {
  double x = 0;
  double y = 0;
  double z = 0;

  /// Component i; 0, 1, 2 are x, y, z.
  constexpr double operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  constexpr double& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  constexpr Vec3& operator+=(Vec3 b) { return *this = {x + b.x, y + b.y, z + b.z}; }
  constexpr Vec3& operator-=(Vec3 b) { return *this = {x - b.x, y - b.y, z - b.z}; }

  friend constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend constexpr Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
  friend constexpr Vec3 operator*(double s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
  friend constexpr bool operator==(Vec3, Vec3) = default;
};

constexpr double dot(Vec3 a, Vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
constexpr Vec3 cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double norm(Vec3 a) {
  return std::sqrt(dot(a, a));
}
/// a / |a|; a must not be zero.
inline Vec3 normalized(Vec3 a) {
  return (1 / norm(a)) * a;
}
/// A unit vector across the unit vector n; depends on n only.
Vec3 someTangent(Vec3 n);

/// 3 x 3 matrix by its columns.
struct Mat3 {
  Vec3 x{1, 0, 0};
  Vec3 y{0, 1, 0};
  Vec3 z{0, 0, 1};

  constexpr double operator()(int row, int column) const {
    return column == 0 ? x[row] : column == 1 ? y[row] : z[row];
  }
  friend constexpr Vec3 operator*(const Mat3& A, Vec3 v) {
    return v.x * A.x + v.y * A.y + v.z * A.z;
  }
  friend constexpr Mat3 operator*(const Mat3& A, const Mat3& B) {
    return {A * B.x, A * B.y, A * B.z};
  }
  friend constexpr Mat3 operator+(const Mat3& A, const Mat3& B) {
    return {A.x + B.x, A.y + B.y, A.z + B.z};
  }
  friend constexpr Mat3 operator*(double s, const Mat3& A) { return {s * A.x, s * A.y, s * A.z}; }
  friend constexpr bool operator==(const Mat3&, const Mat3&) = default;
};

constexpr Mat3 transposed(const Mat3& A) {
  return {{A.x.x, A.y.x, A.z.x}, {A.x.y, A.y.y, A.z.y}, {A.x.z, A.y.z, A.z.z}};
}
/// A' v.
constexpr Vec3 transposedTimes(const Mat3& A, Vec3 v) {
  return {dot(A.x, v), dot(A.y, v), dot(A.z, v)};
}
/// a b'.
constexpr Mat3 outer(Vec3 a, Vec3 b) {
  return {b.x * a, b.y * a, b.z * a};
}
/// diag(d).
constexpr Mat3 diagonal(Vec3 d) {
  return {{d.x, 0, 0}, {0, d.y, 0}, {0, 0, d.z}};
}

/// A^-1 b by Cramer's rule; A must not be singular.
constexpr Vec3 solve(const Mat3& A, Vec3 b) {
  const double determinant = dot(A.x, cross(A.y, A.z));
  return (1 / determinant) *
         Vec3{dot(b, cross(A.y, A.z)), dot(A.x, cross(b, A.z)), dot(A.x, cross(A.y, b))};
}

}  // namespace stickslip
