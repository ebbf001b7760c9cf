#include "support/problem_files.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "io/hdf5/hdf5_file.hpp"

namespace stickslip::testing {
namespace {

hdf5::Handle openToChange(const std::filesystem::path& file) {
  hdf5::prepareLibrary();
  return {H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), "cannot open " + file.string()};
}

void remove(hid_t file, const std::string& name) {
  if (H5Oexists_by_name(file, name.c_str(), H5P_DEFAULT) > 0)
    hdf5::check(H5Ldelete(file, name.c_str(), H5P_DEFAULT), "cannot delete " + name);
}

herr_t collectDataset(hid_t, const char* name, const H5O_info_t* info, void* names) {
  if (info->type == H5O_TYPE_DATASET)
    static_cast<std::vector<std::string>*>(names)->push_back(std::string("/") + name);
  return 0;
}

void appendRows(const BlockRows& rows, std::vector<double>& out) {
  for (int g = 0; g < rows.groupCount(); ++g) {
    out.push_back(rows.rowsOf(g));
    for (const BlockRows::Strip& strip : rows.stripsOf(g)) {
      out.push_back(strip.first_column);
      for (int i = 0; i < rows.rowsOf(g); ++i) {
        const StripValues entries = rows.values(g, strip);
        const auto row = entries.row(i);
        out.insert(out.end(), row.begin(), row.end());
      }
    }
  }
}

}  // namespace

std::filesystem::path temporaryProblem(const std::string& name) {
  // One file per test, since tests run side by side.
  const ::testing::TestInfo& test = *::testing::UnitTest::GetInstance()->current_test_info();
  const std::string file = std::string(test.test_suite_name()) + "_" + test.name() + "_" + name;
  const std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / (file + ".hdf5");
  // What an earlier test left there may be damaged, and is not replaced then.
  std::filesystem::remove(path);
  return path;
}

std::vector<std::filesystem::path> foreignProblems() {
  const char* named = std::getenv("STICKSLIP_FCLIB");
  const std::filesystem::path folder =
      named ? std::filesystem::path(named)
            : std::filesystem::path(STICKSLIP_SCENES) / "../../shared/fclib";
  std::vector<std::filesystem::path> files;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(folder, missing))
    if (entry.path().extension() == ".hdf5") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> datasetsOf(const std::filesystem::path& file) {
  const hdf5::Handle open = openToChange(file);
  std::vector<std::string> names;
  hdf5::check(H5Ovisit(open, H5_INDEX_NAME, H5_ITER_INC, collectDataset, &names), "visit");
  std::sort(names.begin(), names.end());
  return names;
}

void dropDataset(const std::filesystem::path& file, const std::string& name) {
  remove(openToChange(file), name);
}

void putIntegers(const std::filesystem::path& file, const std::string& name,
                 const std::vector<int>& values) {
  const hdf5::Handle open = openToChange(file);
  remove(open, name);
  hdf5::writeVector(open, name, values);
}

void putNumbers(const std::filesystem::path& file, const std::string& name,
                const std::vector<double>& values) {
  const hdf5::Handle open = openToChange(file);
  remove(open, name);
  hdf5::writeVector(open, name, values);
}

std::string bytesOf(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

void writeBytes(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream stream(file, std::ios::binary);
  stream << bytes;
}

std::vector<double> everythingIn(const ContactProblem& problem) {
  std::vector<double> out;
  for (int b = 0; b < problem.M.blockCount(); ++b) {
    out.push_back(problem.M.block(b).rows);
    for (int i = 0; i < problem.M.block(b).rows; ++i) {
      const auto row = problem.M.block(b).row(i);
      out.insert(out.end(), row.begin(), row.end());
    }
  }
  for (const ImpulseSet& set : problem.sets)
    out.insert(out.end(), {static_cast<double>(set.kind), set.mu, set.mu_2,
                           static_cast<double>(set.directions), set.lower, set.upper, set.torsion,
                           set.rolling, set.load_independent ? 1.0 : 0.0});
  for (const ImpulseSet& set : problem.sets)
    for (int k = 0; set.given && k < set.given->count(); ++k)
      out.insert(out.end(), (*set.given)[k].begin(), (*set.given)[k].end());
  out.push_back(static_cast<double>(problem.law));
  appendRows(problem.J, out);
  appendRows(problem.G, out);
  for (const auto* list : {&problem.v_free, &problem.b, &problem.g, &problem.compliance,
                           &problem.v_old, &problem.gap, &problem.joint_gap, &problem.joint_drive})
    out.insert(out.end(), list->begin(), list->end());
  for (std::size_t row = 0; row < problem.b.size(); ++row)
    out.push_back(driveOf(problem.drive, row));
  return out;
}

}  // namespace stickslip::testing
