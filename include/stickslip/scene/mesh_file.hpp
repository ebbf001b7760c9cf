// Triangle meshes from files.
#pragma once

#include <filesystem>

#include "stickslip/shape.hpp"

namespace stickslip {

/// Reads a Wavefront OBJ file (vertices and faces; polygons become fans, everything else is
/// ignored) or an STL file, as text or binary (vertices at exactly the same place become one), by
/// the extension .obj or .stl. At most 10^7 triangles. Throws InputError with the file and the line
/// or byte. The mesh may still have triangles without area: problemOf(Shape) says.
TriangleMesh readMesh(const std::filesystem::path& file);

/// The vertices of such a file only; an OBJ file may then have no faces.
std::vector<Vec3> readPoints(const std::filesystem::path& file);

}  // namespace stickslip
