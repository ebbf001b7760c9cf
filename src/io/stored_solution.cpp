#include "stickslip/io/stored_solution.hpp"

#include "io/hdf5_vectors.hpp"
#include "io/problem_draft.hpp"
#include "io/problem_file.hpp"

namespace stickslip {
namespace {

const std::string kGroup = "/solution";

}  // namespace

void writeStoredSolution(const std::filesystem::path& problem, const std::filesystem::path& path,
                         const StoredSolution& solution) {
  const bool replace = ProblemFile(problem).has(kGroup);
  writeProblemFile(path, problem, [&](hid_t file) {
    if (replace)
      hdf5::check(H5Ldelete(file, kGroup.c_str(), H5P_DEFAULT), "the old solution stays");
    const auto write = [&](const char* name, const std::vector<double>& values) {
      hdf5::writeVector(file, kGroup + "/" + name, values);
    };
    write("r", solution.r);
    write("u", solution.u);
    if (!solution.v.empty()) write("v", solution.v);
    if (!solution.l.empty()) write("l", solution.l);
  });
}

StoredSolution readStoredSolution(const std::filesystem::path& path) {
  const ProblemFile file(path);
  const auto read = [&](const char* name) { return file.numbers(kGroup + "/" + name); };
  StoredSolution solution{read("r"), read("u"), {}, {}};
  if (file.has(kGroup + "/v")) solution.v = read("v");
  if (file.has(kGroup + "/l")) solution.l = read("l");
  return solution;
}

}  // namespace stickslip
