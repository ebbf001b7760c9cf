#include "io/problem/problem_file.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>

#include "io/files/output_file.hpp"
#include "io/hdf5/hdf5_file.hpp"
#include "scene/json/input_file.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/problem_forms.hpp"

namespace stickslip {
namespace {

// The strongest compression that HDF5's deflate filter reaches is 1032 : 1.
constexpr std::uintmax_t kStrongestCompression = 1032;

hdf5::Handle openFile(const std::filesystem::path& file) {
  const std::string name = file.string();
  expectInputFile(file);
  hdf5::prepareLibrary();
  if (H5Fis_hdf5(file.c_str()) <= 0)
    throw InputError(name + ": not an HDF5 file, or it cannot be read; expected a contact problem");
  const hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (id < 0) throw InputError(name + ": damaged or cut short; get it again");
  return {id, "file"};
}

}  // namespace

ProblemFile::ProblemFile(const std::filesystem::path& file)
    : path_(file.string()), file_(openFile(file)) {
  std::error_code error;
  bytes_ = std::filesystem::file_size(file, error);
}

void ProblemFile::fail(const std::string& name, const std::string& problem) const {
  throw InputError(fmt::format("{}: {}: {}", path_, name, problem));
}

// HDF5 wants to be asked for one part of the path after the other.
bool ProblemFile::has(const std::string& name) const {
  for (std::size_t end = name.find('/', 1);; end = name.find('/', end + 1)) {
    const std::string part = name.substr(0, end);
    if (H5Lexists(file_, part.c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) break;
  }
  return H5Oexists_by_name(file_, name.c_str(), H5P_DEFAULT) > 0;
}

bool ProblemFile::hasGroup(const std::string& name) const {
  if (!has(name)) return false;
  const hid_t id = H5Gopen2(file_, name.c_str(), H5P_DEFAULT);
  if (id < 0) return false;
  H5Gclose(id);
  return true;
}

ProblemFile::Dataset ProblemFile::open(const std::string& name) const {
  if (!has(name)) fail(name, "this dataset is missing");
  const hid_t id = H5Dopen2(file_, name.c_str(), H5P_DEFAULT);
  if (id < 0) fail(name, "damaged, or not a dataset");
  hdf5::Handle dataset(id, name);
  const hid_t space_id = H5Dget_space(dataset), type_id = H5Dget_type(dataset);
  if (space_id < 0 || type_id < 0) fail(name, "damaged");
  const hdf5::Handle space(space_id, name), type(type_id, name);
  if (H5Sget_simple_extent_ndims(space) > 1) fail(name, "has rows and columns; expected one list");
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  if (count < 0) fail(name, "damaged");
  Dataset out{std::move(dataset), H5Tget_class(type), H5Tget_size(type),
              static_cast<std::size_t>(count)};
  expectStored(out, name);
  return out;
}

// A header may claim any length; what is stored for it cannot be longer than the file.
void ProblemFile::expectStored(const Dataset& dataset, const std::string& name) const {
  const std::uintmax_t stored = H5Dget_storage_size(dataset.id);
  if (dataset.count == 0) return;
  if (stored == 0 || stored > bytes_ || dataset.value_bytes == 0 ||
      dataset.count > kStrongestCompression * stored / dataset.value_bytes)
    fail(name,
         fmt::format("damaged: the {} values that it announces are not there", dataset.count));
}

void ProblemFile::read(const Dataset& dataset, const std::string& name, hid_t type,
                       void* out) const {
  if (dataset.count == 0) return;
  if (H5Dread(dataset.id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) < 0)
    fail(name, "damaged: cannot be read");
}

std::vector<std::int64_t> ProblemFile::wideIntegers(const std::string& name) const {
  const Dataset dataset = open(name);
  if (dataset.type != H5T_INTEGER) fail(name, "does not hold whole numbers");
  std::vector<std::int64_t> values(dataset.count);
  read(dataset, name, H5T_NATIVE_INT64, values.data());
  return values;
}

std::vector<int> ProblemFile::integers(const std::string& name) const {
  std::vector<int> values;
  for (const std::int64_t value : wideIntegers(name)) {
    if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max())
      fail(name, fmt::format("{} is beyond what 32 bits hold", value));
    values.push_back(static_cast<int>(value));
  }
  return values;
}

int ProblemFile::integer(const std::string& name) const {
  const std::vector<int> values = integers(name);
  if (values.size() != 1) fail(name, fmt::format("holds {} numbers; expected one", values.size()));
  return values.front();
}

std::vector<std::uint64_t> ProblemFile::unsignedIntegers(const std::string& name) const {
  const Dataset dataset = open(name);
  if (dataset.type != H5T_INTEGER) fail(name, "does not hold whole numbers");
  std::vector<std::uint64_t> values(dataset.count);
  read(dataset, name, H5T_NATIVE_UINT64, values.data());
  return values;
}

std::vector<double> ProblemFile::numbers(const std::string& name, Numbers kind) const {
  const Dataset dataset = open(name);
  if (dataset.type != H5T_FLOAT && dataset.type != H5T_INTEGER) fail(name, "does not hold numbers");
  std::vector<double> values(dataset.count);
  read(dataset, name, H5T_NATIVE_DOUBLE, values.data());
  for (std::size_t k = 0; k < values.size(); ++k)
    if (std::isnan(values[k]) || (kind == Numbers::finite && std::isinf(values[k])))
      fail(name, fmt::format("entry {} is {}; expected finite numbers", k, values[k]));
  return values;
}

std::vector<double> ProblemFile::numbers(const std::string& name, std::size_t count,
                                         const std::string& reason, Numbers kind) const {
  std::vector<double> values = numbers(name, kind);
  if (values.size() != count)
    fail(name, fmt::format("has length {}; expected {}, {}", values.size(), count, reason));
  return values;
}

std::vector<std::string> ProblemFile::texts(const std::string& name) const {
  if (open(name).type != H5T_STRING) fail(name, "does not hold texts");
  try {
    return hdf5::readNames(file_, name);
  } catch (const hdf5::Error& error) {
    fail(name, error.what());
  }
}

std::string ProblemFile::text(const std::string& name) const {
  std::vector<std::string> values = texts(name);
  if (values.size() != 1) fail(name, fmt::format("holds {} texts; expected one", values.size()));
  return std::move(values.front());
}

namespace {

struct Entry {
  int row;
  int column;
  double value;
};

void forEachEntry(const SparseRows& M, const auto& action) {
  for (int i = 0; i < M.rows; ++i)
    for (std::size_t k = M.start[i]; k < M.start[i + 1]; ++k)
      action(Entry{i, M.column[k], M.value[k]});
}

double entryAt(const SparseRows& M, int row, int column) {
  const auto begin = M.column.begin() + static_cast<std::ptrdiff_t>(M.start[row]);
  const auto end = M.column.begin() + static_cast<std::ptrdiff_t>(M.start[row + 1]);
  const auto found = std::lower_bound(begin, end, column);
  if (found == end || *found != column) return 0;
  return M.value[found - M.column.begin()];
}

// Blocks are intervals: velocities between two that are coupled belong to their block.
std::vector<int> smallestBlocks(const SparseRows& M) {
  std::vector<int> reach(static_cast<std::size_t>(M.rows));
  for (int i = 0; i < M.rows; ++i) reach[i] = i;
  forEachEntry(M, [&](const Entry& entry) {
    int& far = reach[std::min(entry.row, entry.column)];
    if (entry.value != 0) far = std::max({far, entry.row, entry.column});
  });
  std::vector<int> sizes;
  for (int first = 0; first < M.rows; first += sizes.back()) {
    int last = first;
    for (int i = first; i <= last; ++i) last = std::max(last, reach[i]);
    sizes.push_back(last - first + 1);
  }
  return sizes;
}

bool fitsInto(int body_size, std::span<const int> sizes) {
  int row = 0;
  for (const int size : sizes) {
    if (row % body_size + size > body_size) return false;
    row += size;
  }
  return row % body_size == 0;
}

}  // namespace

std::vector<int> massBlockSizes(const SparseRows& M, int space_dimension) {
  const std::vector<int> smallest = smallestBlocks(M);
  for (const int body_size : {6, 3})
    if ((body_size == 3 || space_dimension == 3) && fitsInto(body_size, smallest))
      return std::vector<int>(static_cast<std::size_t>(M.rows / body_size), body_size);
  return smallest;
}

double asymmetry(const SparseRows& M) {
  double worst = 0;
  for (int i = 0; i < M.rows; ++i)
    if (!(entryAt(M, i, i) > 0)) return std::numeric_limits<double>::infinity();
  forEachEntry(M, [&](const Entry& entry) {
    if (entry.row == entry.column) return;
    const double size = std::sqrt(entryAt(M, entry.row, entry.row)) *
                        std::sqrt(entryAt(M, entry.column, entry.column));
    const double other = entryAt(M, entry.column, entry.row);
    worst = std::max(worst, std::abs(entry.value - other) / size);
  });
  return worst;
}

void fillBlocks(const SparseRows& M, std::span<const int> sizes, BlockDiagonal& blocks) {
  blocks.resize(sizes);
  forEachEntry(M, [&](const Entry& entry) {
    if (entry.value == 0) return;
    const int b = blocks.blockOf(entry.column);
    const int i = entry.row - blocks.firstRow(b), j = entry.column - blocks.firstRow(b);
    blocks.block(b)(i, j) += entry.value / 2;
    blocks.block(b)(j, i) += entry.value / 2;
  });
}

namespace {

namespace fs = std::filesystem;

hdf5::Handle createIn(const OutputFile& output) {
  const hid_t id = H5Fcreate(output.draft().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (id < 0) output.fail("is the disk full?");
  return {id, "file"};
}

hdf5::Handle copyTo(const OutputFile& output, const fs::path& original) {
  std::error_code error;
  fs::copy_file(original, output.draft(), fs::copy_options::overwrite_existing, error);
  // A copy of a read-only file is one, too.
  if (!error) fs::permissions(output.draft(), fs::perms::owner_write, fs::perm_options::add, error);
  if (error) output.fail(error.message());
  const hid_t id = H5Fopen(output.draft().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  if (id < 0) output.fail("the copy cannot be opened");
  return {id, "file"};
}

}  // namespace

void writeProblemFile(const fs::path& file, const fs::path& original,
                      const std::function<void(hid_t)>& fill) {
  hdf5::prepareLibrary();
  OutputFile output(file, OwnFile::problem, file.string(), original);
  std::error_code error;
  // A problem that gets a solution remains whose it was.
  const bool is_original = !original.empty() && fs::equivalent(file, original, error);
  const bool is_marked = !original.empty() && ProblemFile(original).hasAttribute(kProblemMark);
  try {
    const hdf5::Handle open = original.empty() ? createIn(output) : copyTo(output, original);
    output.expectDraft(hdf5::descriptorOf(open));
    fill(open);
    if (!is_original && !is_marked) hdf5::writeMark(open, kProblemMark);
    hdf5::check(H5Fflush(open, H5F_SCOPE_LOCAL), "is the disk full?");
  } catch (const hdf5::Error& failure) {
    output.fail(failure.what());
  }
  output.complete();
}

namespace {

const std::string kSolutionGroup = "/solution";

}  // namespace

StoredSolution storedSolution(const LocalProblem& problem, std::span<const double> r) {
  return {{r.begin(), r.end()}, contactVelocities(problem, r), {}, {}};
}

StoredSolution storedSolution(const ContactProblem& problem, const ContactSolution& solution) {
  return {solution.p, contactVelocities(problem, solution.v), solution.v, solution.c};
}

void writeSolutionGroup(hid_t file, const StoredSolution& solution) {
  const auto write = [&](const char* name, const std::vector<double>& values) {
    hdf5::writeVector(file, kSolutionGroup + "/" + name, values);
  };
  write("r", solution.r);
  write("u", solution.u);
  if (!solution.v.empty()) write("v", solution.v);
  if (!solution.l.empty()) write("l", solution.l);
}

void writeStoredSolution(const std::filesystem::path& problem, const std::filesystem::path& path,
                         const StoredSolution& solution) {
  const bool replace = ProblemFile(problem).has(kSolutionGroup);
  writeProblemFile(path, problem, [&](hid_t file) {
    if (replace)
      hdf5::check(H5Ldelete(file, kSolutionGroup.c_str(), H5P_DEFAULT), "the old solution stays");
    writeSolutionGroup(file, solution);
  });
}

StoredSolution readStoredSolution(const std::filesystem::path& path) {
  const ProblemFile file(path);
  const auto read = [&](const char* name) { return file.numbers(kSolutionGroup + "/" + name); };
  StoredSolution solution{read("r"), read("u"), {}, {}};
  if (file.has(kSolutionGroup + "/v")) solution.v = read("v");
  if (file.has(kSolutionGroup + "/l")) solution.l = read("l");
  return solution;
}

}  // namespace stickslip
