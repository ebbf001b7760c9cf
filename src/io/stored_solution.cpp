#include "io/stored_solution.hpp"

#include "io/hdf5_vectors.hpp"
#include "io/problem_draft.hpp"
#include "io/problem_file.hpp"
#include "math/block_products.hpp"

namespace stickslip {
namespace {

const std::string kSolutionGroup = "/solution";

}  // namespace

StoredSolution storedSolution(const LocalProblem& problem, std::span<const double> r) {
  StoredSolution out{{r.begin(), r.end()}, problem.q, {}, {}};
  const SparseRows& W = problem.W;
  for (std::size_t i = 0; i < out.u.size(); ++i)
    for (std::size_t k = W.start[i]; k < W.start[i + 1]; ++k)
      out.u[i] += W.value[k] * r[static_cast<std::size_t>(W.column[k])];
  return out;
}

StoredSolution storedSolution(const ContactProblem& problem, const ContactSolution& solution) {
  StoredSolution out{solution.p, std::vector<double>(problem.b.size()), solution.v, solution.c};
  multiply(problem.J, solution.v, out.u);
  addScaled(1, problem.b, out.u);
  return out;
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
