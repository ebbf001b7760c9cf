// OBJ as in "Wavefront OBJ, Appendix B1 of the Advanced Visualizer manual": v and f lines, indices
// from 1 or negative from the end. STL as in "StereoLithography Interface Specification", 3D
// Systems 1989: text from "solid" on, or 80 bytes, a count and 50 bytes a triangle, little endian.
// Normals in the file are ignored: the order of a triangle's corners says where outside is.
#include "stickslip/scene/mesh_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <numeric>
#include <string>
#include <string_view>

#include "scene/json/input_file.hpp"
#include "stickslip/input_error.hpp"

namespace stickslip {
namespace {

constexpr std::size_t kMostTriangles = 10'000'000;
constexpr std::size_t kStlHeader = 84;
constexpr std::size_t kStlRecord = 50;

// Text by lines and words; complaints name the line.
class TextFile {
 public:
  TextFile(std::string name, std::istream& stream) : name_(std::move(name)), stream_(stream) {}

  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError(fmt::format("{}:{}: {}", name_, line_number_, problem));
  }
  bool nextLine() {
    ++line_number_;
    if (!std::getline(stream_, line_)) return false;
    rest_ = line_;
    return true;
  }
  // The next word of the line, empty at its end.
  std::string_view nextWord() {
    constexpr std::string_view kBlank = " \t\r\v\f";
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlank), rest_.size()));
    const std::string_view word = rest_.substr(0, rest_.find_first_of(kBlank));
    rest_.remove_prefix(word.size());
    return word;
  }
  double nextNumber() {
    const std::string_view word = nextWord();
    const char* first = word.data() + (word.starts_with('+') ? 1 : 0);
    const char* last = word.data() + word.size();
    double value = 0;
    const auto [end, error] = std::from_chars(first, last, value);
    if (error != std::errc() || end != last || !std::isfinite(value))
      fail(fmt::format("\"{}\": expected a finite number", word.substr(0, 40)));
    return value;
  }
  Vec3 nextPoint() {
    const double x = nextNumber(), y = nextNumber();
    return {x, y, nextNumber()};
  }
  void checkCount(std::size_t triangles) const {
    if (triangles > kMostTriangles)
      fail(fmt::format("more than {} triangles; simplify the mesh", kMostTriangles));
  }

 private:
  std::string name_;
  std::istream& stream_;
  std::string line_;
  std::string_view rest_;
  std::int64_t line_number_ = 0;
};

// The vertex that "3", "3/1", "3//2", "-1/4/4" names.
int objIndex(const TextFile& file, std::string_view word, std::size_t vertex_count) {
  const std::string_view first = word.substr(0, word.find('/'));
  const auto count = static_cast<std::int64_t>(vertex_count);
  std::int64_t index = 0;
  const auto [end, error] = std::from_chars(first.data(), first.data() + first.size(), index);
  if (error != std::errc() || end != first.data() + first.size() ||
      word.find_first_not_of("0123456789-/") != std::string_view::npos)
    file.fail(fmt::format("\"{}\": expected the index of a vertex", word.substr(0, 40)));
  if (index == 0 || index > count || index < -count)
    file.fail(fmt::format("vertex {} does not exist; {} have been defined so far", index, count));
  return static_cast<int>(index > 0 ? index - 1 : count + index);
}

TriangleMesh readObj(TextFile& file, bool needs_faces) {
  TriangleMesh mesh;
  std::vector<int> face;
  while (file.nextLine()) {
    const std::string_view keyword = file.nextWord();
    if (keyword == "v") {
      mesh.vertices.push_back(file.nextPoint());
      file.checkCount(mesh.vertices.size() / 3);
    } else if (keyword == "f") {
      face.clear();
      for (std::string_view word = file.nextWord(); !word.empty(); word = file.nextWord())
        face.push_back(objIndex(file, word, mesh.vertices.size()));
      if (face.size() < 3) file.fail("a face needs at least 3 vertices");
      for (std::size_t i = 1; i + 1 < face.size(); ++i)
        mesh.triangles.push_back({face[0], face[i], face[i + 1]});
      file.checkCount(mesh.triangles.size());
    }
  }
  if (mesh.vertices.empty()) file.fail("no vertices; not an OBJ mesh");
  if (needs_faces && mesh.triangles.empty()) file.fail("no faces; not an OBJ mesh");
  return mesh;
}

// Corners in threes, where equal ones get one number.
TriangleMesh weld(const std::vector<Vec3>& corners) {
  const auto key = [&](int i) {
    const Vec3& v = corners[i];
    return std::array{v.x, v.y, v.z};
  };
  std::vector<int> order(corners.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
  std::vector<int> first(corners.size());  // the first corner at the same place
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool repeats = k > 0 && key(order[k]) == key(order[k - 1]);
    const std::size_t i = order[k];
    first[i] = repeats ? first[order[k - 1]] : order[k];
  }
  TriangleMesh mesh;
  std::vector<int> number(corners.size());
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const std::size_t origin = first[i];
    if (origin == i) {
      number[i] = static_cast<int>(mesh.vertices.size());
      mesh.vertices.push_back(corners[i]);
    }
    number[i] = number[origin];
  }
  for (std::size_t i = 0; i + 2 < corners.size(); i += 3)
    mesh.triangles.push_back({number[i], number[i + 1], number[i + 2]});
  return mesh;
}

TriangleMesh readTextStl(TextFile& file) {
  std::vector<Vec3> corners;
  std::size_t in_facet = 0;
  bool ended = false;
  while (file.nextLine()) {
    const std::string_view keyword = file.nextWord();
    if (keyword.empty()) continue;
    if (keyword == "vertex") {
      if (++in_facet > 3) file.fail("a fourth vertex; a facet has 3");
      corners.push_back(file.nextPoint());
    } else if (keyword == "endfacet") {
      if (in_facet != 3) file.fail(fmt::format("a facet with {} vertices, needs 3", in_facet));
      in_facet = 0;
      file.checkCount(corners.size() / 3);
    } else if (keyword == "endsolid") {
      ended = true;
    } else if (keyword != "solid" && keyword != "facet" && keyword != "outer" &&
               keyword != "endloop") {
      file.fail(fmt::format("\"{}\" is no word of an STL file", keyword.substr(0, 40)));
    }
  }
  if (in_facet != 0 || !ended) file.fail("the file ends before \"endsolid\"");
  if (corners.empty()) file.fail("no facets; not an STL mesh");
  return weld(corners);
}

std::uint32_t littleEndian(const char* bytes) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

TriangleMesh readBinaryStl(const std::string& name, std::istream& stream, std::size_t count,
                           std::size_t size) {
  if (count == 0) throw InputError(name + ": no triangles (byte 80 holds their number)");
  if (count > kMostTriangles)
    throw InputError(
        fmt::format("{}: {} triangles (byte 80), at most {} are read; simplify the "
                    "mesh",
                    name, count, kMostTriangles));
  if (size < kStlHeader + kStlRecord * count)
    throw InputError(fmt::format("{}: ends at byte {}, but {} triangles need {} bytes", name, size,
                                 count, kStlHeader + kStlRecord * count));
  std::vector<Vec3> corners;
  corners.reserve(3 * count);
  std::array<char, kStlRecord> record{};
  for (std::size_t t = 0; t < count; ++t) {
    const std::size_t start = kStlHeader + kStlRecord * t;
    if (!stream.read(record.data(), kStlRecord))
      throw InputError(fmt::format("{}: cannot be read at byte {}", name, start));
    for (std::size_t i = 0; i < 3; ++i) {
      Vec3 v;
      for (int k = 0; k < 3; ++k) {
        const std::size_t offset = 12 + 12 * i + 4 * static_cast<std::size_t>(k);
        v[k] = std::bit_cast<float>(littleEndian(record.data() + offset));
        if (!std::isfinite(v[k]))
          throw InputError(fmt::format("{}: the coordinate at byte {} (triangle {}) is not finite",
                                       name, start + offset, t));
      }
      corners.push_back(v);
    }
  }
  return weld(corners);
}

// A file is binary if its size is what the count at byte 80 says; exporters write "solid" at the
// start of binary files too.
TriangleMesh readStl(const std::string& name, std::ifstream& stream) {
  stream.seekg(0, std::ios::end);
  const std::size_t size = stream.tellg();
  stream.seekg(0);
  std::array<char, kStlHeader> header{};
  const bool has_header = size >= kStlHeader && stream.read(header.data(), kStlHeader);
  const std::size_t count = has_header ? littleEndian(header.data() + 80) : 0;
  const std::string_view start(header.data(), 5);
  if (has_header && (size == kStlHeader + kStlRecord * count || start != "solid"))
    return readBinaryStl(name, stream, count, size);
  stream.clear();
  stream.seekg(0);
  std::string word;
  stream >> word;
  if (word != "solid")
    throw InputError(name + ": not an STL mesh; expected \"solid\" or 84 bytes and more");
  stream.seekg(0);
  TextFile text(name, stream);
  return readTextStl(text);
}

TriangleMesh readFile(const std::filesystem::path& file, bool needs_faces) {
  const std::string name = file.string();
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (extension != ".obj" && extension != ".stl")
    throw InputError(name + ": not a mesh file; expected .obj or .stl");
  expectInputFile(file);
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError(name + ": cannot be read");
  if (extension == ".stl") return readStl(name, stream);
  TextFile text(name, stream);
  return readObj(text, needs_faces);
}

}  // namespace

TriangleMesh readMesh(const std::filesystem::path& file) {
  return readFile(file, true);
}

std::vector<Vec3> readPoints(const std::filesystem::path& file) {
  return readFile(file, false).vertices;
}

}  // namespace stickslip
