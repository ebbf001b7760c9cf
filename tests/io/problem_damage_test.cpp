// Damaged problem files: each damage is refused with one line that names the file, the dataset and
// what would be right; thousands of random ones crash nothing.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <limits>

#include "stickslip/certificate.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/io/fclib.hpp"
#include "stickslip/io/problem_dump.hpp"
#include "support/problem_files.hpp"
#include "support/spatial_problems.hpp"

// A damaged file makes HDF5 ask for any amount of memory, and copes with not getting it, and lose
// some of its own now and then. The address sanitizer should not blame that on us; that nothing of
// ours stays open is checked below.
extern "C" const char* __asan_default_options() {
  return "allocator_may_return_null=1";
}
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libhdf5";
}

namespace stickslip {
namespace {

using testing::putIntegers;
using testing::putNumbers;
using testing::Random;
using testing::temporaryProblem;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Three bodies, three contacts, a joint.
ContactProblem smallProblem() {
  Random random(1);
  testing::SpatialShape shape;
  shape.joints = 1;
  return testing::randomSpatialProblem(random, shape);
}

std::filesystem::path smallFile(ProblemKind kind) {
  const auto path = temporaryProblem("small_" + std::string(toString(kind)));
  const ContactProblem problem = smallProblem();
  if (kind == ProblemKind::fclib_local) writeFclibLocal(path, localForm(problem));
  if (kind == ProblemKind::fclib_global) writeFclibGlobal(path, problem);
  if (kind == ProblemKind::dump) {
    Method method;
    method.cone = FrictionCone::circular;
    method.solver = "exact";
    const std::vector<double> p(problem.b.size()), c(problem.g.size());
    writeProblemDump(path, {problem, method, "small", 3}, {problem.v_free, p, c});
  }
  return path;
}

// Reads a file and looks at everything in it.
void readAll(ProblemKind kind, const std::filesystem::path& path) {
  const auto certify = [](const ContactProblem& problem) {
    Certifier().certify(problem, {problem.v_free, std::vector<double>(problem.b.size(), 0.0),
                                  std::vector<double>(problem.g.size(), 0.0)});
  };
  switch (kind) {
    case ProblemKind::fclib_local: {
      const LocalProblem problem = readFclibLocal(path);
      certifyLocal(problem, std::vector<double>(problem.q.size(), 0.0));
      break;
    }
    case ProblemKind::fclib_global:
      certify(readFclibGlobal(path));
      break;
    default:
      certify(readProblemDump(path).problem);
  }
}

std::string complaintAbout(ProblemKind kind, const std::filesystem::path& path) {
  try {
    readAll(kind, path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

void expectComplaint(ProblemKind kind, const std::vector<std::string>& words, const auto& damage) {
  const auto path = smallFile(kind);
  damage(path);
  const std::string complaint = complaintAbout(kind, path);
  EXPECT_EQ(complaint.find(path.string()), 0u) << complaint;
  EXPECT_EQ(complaint.find('\n'), std::string::npos) << complaint;
  for (const std::string& word : words)
    EXPECT_NE(complaint.find(word), std::string::npos) << word << " is not in: " << complaint;
}

using Path = std::filesystem::path;

TEST(ProblemDamage, UndamagedFilesAreFine) {
  for (const ProblemKind kind :
       {ProblemKind::fclib_local, ProblemKind::fclib_global, ProblemKind::dump})
    EXPECT_EQ(complaintAbout(kind, smallFile(kind)), "");
}

TEST(ProblemDamage, EveryMissingDatasetIsNamed) {
  const ProblemKind kinds[] = {ProblemKind::fclib_local, ProblemKind::fclib_global,
                               ProblemKind::dump};
  for (const ProblemKind kind : kinds)
    for (const std::string& name : testing::datasetsOf(smallFile(kind))) {
      if (name.starts_with("/solution")) continue;
      expectComplaint(kind, {name + ":", "missing"},
                      [&](const Path& path) { testing::dropDataset(path, name); });
    }
}

TEST(ProblemDamage, LocalProblems) {
  const auto expect = [](const std::vector<std::string>& words, const auto& damage) {
    expectComplaint(ProblemKind::fclib_local, words, damage);
  };
  const std::string w = "/fclib_local/W/", v = "/fclib_local/vectors/";
  const auto integers = [](std::string name, std::vector<int> values) {
    return [=](const Path& path) { putIntegers(path, name, values); };
  };
  const auto numbers = [](std::string name, std::vector<double> values) {
    return [=](const Path& path) { putNumbers(path, name, values); };
  };
  expect({"spacedim", "5", "2 or 3"}, integers("/fclib_local/spacedim", {5}));
  expect({"spacedim", "one"}, integers("/fclib_local/spacedim", {3, 3}));
  expect({"spacedim", "whole"}, numbers("/fclib_local/spacedim", {3}));
  expect({"vectors/q", "no multiple", "2"}, integers("/fclib_local/spacedim", {2}));
  expect({"W/m", "9", "8", "vectors/q"}, [&](const Path& path) {
    putNumbers(path, v + "q", std::vector<double>(8, 1.0));
    putIntegers(path, "/fclib_local/spacedim", {2});
    putNumbers(path, v + "mu", std::vector<double>(4, 1.0));
  });
  expect({"vectors/mu", "length 2", "3"}, numbers(v + "mu", {1, 1}));
  expect({"vectors/mu", "entry 1", "-0.5", "at least 0"}, numbers(v + "mu", {1, -0.5, 1}));
  expect({"vectors/mu", "finite"}, numbers(v + "mu", {1, INFINITY, 1}));
  expect({"vectors/q", "entry 8", "finite"}, numbers(v + "q", {1, 1, 1, 1, 1, 1, 1, 1, kNan}));
  expect({"W/x", "length 1"}, numbers(w + "x", {1}));
  expect({"W/m", "-1"}, integers(w + "m", {-1}));
  expect({"W/m", "2000000000", "9"}, integers(w + "m", {2000000000}));
  expect({"W/n", "10", "9"}, integers(w + "n", {10}));
  expect({"W/nz:", "-3", "-1"}, integers(w + "nz", {-3}));
  expect({"W/nz:", "nzmax"}, integers(w + "nz", {1000000}));
  expect({"W/p", "length"}, integers(w + "nz", {3}));
  expect({"W/p", "length 2", "10"}, integers(w + "p", {0, 1}));
  expect({"W/p", "never fall"}, integers(w + "p", {0, 9, 8, 9, 9, 9, 9, 9, 9, 9}));
  expect({"W/p", "nzmax"}, integers(w + "p", {0, 9, 9, 9, 9, 9, 9, 9, 9, 2000000000}));
  expect({"W/i", "entry 0", "9", "0 to 8"}, [&](const Path& path) {
    putIntegers(path, w + "i", std::vector<int>(readFclibLocal(path).W.value.size(), 9));
  });
  expect({"/fclib_local/W", "diagonal", "semidefinite"}, [&](const Path& path) {
    putNumbers(path, w + "x", std::vector<double>(readFclibLocal(path).W.value.size(), -1.0));
  });
  expect({"/fclib_local/V", "global form"}, integers("/fclib_local/V/m", {1}));
  expect({"W", "matrix is missing"}, [&](const Path& path) {
    testing::dropDataset(path, "/fclib_local/W");
    putIntegers(path, "/fclib_local/W", {1});
  });
}

TEST(ProblemDamage, GlobalProblems) {
  const auto expect = [](const std::vector<std::string>& words, const auto& damage) {
    expectComplaint(ProblemKind::fclib_global, words, damage);
  };
  const std::string g = "/fclib_global/", v = "/fclib_global/vectors/";
  const auto size = [&](const Path& path) { return readFclibGlobal(path).v_free.size(); };
  const auto putDiagonal = [&](const Path& path, std::vector<double> x) {
    std::vector<int> index(x.size());
    for (std::size_t k = 0; k < x.size(); ++k) index[k] = static_cast<int>(k);
    for (const char* name : {"M/p", "M/i"}) putIntegers(path, g + name, index);
    for (const char* name : {"M/nz", "M/nzmax"})
      putIntegers(path, g + name, {static_cast<int>(x.size())});
    putNumbers(path, g + "M/x", x);
  };
  expect({"/M", "diagonal", "mass matrix"}, [&](const Path& path) {
    std::vector<double> x(size(path), 1.0);
    x[4] = -2;
    putDiagonal(path, x);
  });
  expect({"/M", "symmetric"}, [&](const Path& path) {
    const int n = static_cast<int>(size(path));
    putDiagonal(path, std::vector<double>(size(path), 1.0));
    std::vector<int> row, column;
    for (int k = 0; k < n; ++k) row.push_back(k);
    column = row;
    row.insert(row.end(), {0, 1});
    column.insert(column.end(), {1, 0});
    putIntegers(path, g + "M/i", row);
    putIntegers(path, g + "M/p", column);
    std::vector<double> x(row.size(), 1.0);
    x.back() = 0.5;
    putNumbers(path, g + "M/x", x);
    for (const char* name : {"M/nz", "M/nzmax"}) putIntegers(path, g + name, {n + 2});
  });
  expect({"/M", "positive definite", "row 1"}, [&](const Path& path) {
    const int n = static_cast<int>(size(path));
    std::vector<int> row{0, 1}, column{1, 0};
    std::vector<double> x{2, 2};
    for (int k = 0; k < n; ++k) {
      row.push_back(k);
      column.push_back(k);
      x.push_back(1);
    }
    putIntegers(path, g + "M/i", row);
    putIntegers(path, g + "M/p", column);
    putNumbers(path, g + "M/x", x);
    for (const char* name : {"M/nz", "M/nzmax"}) putIntegers(path, g + name, {n + 2});
  });
  expect({"M/m", "vectors/f"},
         [&](const Path& path) { putNumbers(path, v + "f", std::vector<double>(5, 1.0)); });
  expect({"H/n", "vectors/w"}, [&](const Path& path) {
    putNumbers(path, v + "w", std::vector<double>(6, 1.0));
    putNumbers(path, v + "mu", {1, 1});
  });
  expect({"G/n", "vectors/b"}, [&](const Path& path) { putNumbers(path, v + "b", {1}); });
  expect({"H/p", "0 to 8"}, [&](const Path& path) {
    putIntegers(path, g + "H/nz", {1});
    for (const char* name : {"H/p", "H/i"}) putIntegers(path, g + name, {11});
    putNumbers(path, g + "H/x", {1});
  });
}

TEST(ProblemDamage, Dumps) {
  const auto expect = [](const std::vector<std::string>& words, const auto& damage) {
    expectComplaint(ProblemKind::dump, words, damage);
  };
  const std::string g = "/stickslip_problem/";
  const auto integers = [&](std::string name, std::vector<int> values) {
    return [=](const Path& path) { putIntegers(path, g + name, values); };
  };
  const auto numbers = [&](std::string name, std::vector<double> values) {
    return [=](const Path& path) { putNumbers(path, g + name, values); };
  };
  expect({"format", "2", "reads 1"}, integers("format", {2}));
  expect({"mass/sizes", "18"}, integers("mass/sizes", {6, 6}));
  expect({"mass/sizes", "0"}, integers("mass/sizes", {6, 6, 6, 0}));
  expect({"mass/values", "definite"}, numbers("mass/values", std::vector<double>(108, 1.0)));
  expect({"v_old", "length 1"}, numbers("v_old", {1}));
  expect({"contacts/rows", "2", "for its kind"}, [&](const Path& path) {
    const ContactProblem problem = readProblemDump(path).problem;
    std::vector<double> values;
    const std::vector<int> rows{2, 4, 3};
    for (int i = 0; i < 3; ++i)
      values.resize(values.size() +
                    problem.J.stripsOf(i).size() * 6 * static_cast<std::size_t>(rows[i]));
    putIntegers(path, g + "contacts/rows", rows);
    putNumbers(path, g + "contacts/values", values);
  });
  expect({"contacts/rows", "9"}, integers("contacts/rows", {3, 3}));
  expect({"contacts/strips"}, integers("contacts/strips", {1, 1, 100}));
  expect({"contacts/columns", "18 velocities"}, [&](const Path& path) {
    const ContactProblem problem = readProblemDump(path).problem;
    std::vector<int> columns;
    for (int i = 0; i < problem.contactCount(); ++i)
      columns.insert(columns.end(), problem.J.stripsOf(i).size(), 20);
    putIntegers(path, g + "contacts/columns", columns);
  });
  expect({"contacts/values", "length 1"}, numbers("contacts/values", {1}));
  expect({"contacts/directions", "length 1"}, integers("contacts/directions", {1}));
  expect({"contacts/mu", "negative"}, numbers("contacts/mu", {1, -1, 1}));
  expect({"contacts/kind", "texts"}, integers("contacts/kind", {1}));
  expect({"contacts/id", "3"}, integers("contacts/id", {1}));
  expect({"joints/compliance", "negative"}, numbers("joints/compliance", {0, -1, 0}));
  expect({"law", "text"}, integers("law", {1}));
  expect({"method", "tolerance"}, numbers("method/tolerance", {-1}));
}

TEST(ProblemDamage, CutShortAnywhere) {
  const auto path = temporaryProblem("truncated");
  const std::string whole = testing::bytesOf(smallFile(ProblemKind::fclib_local));
  for (std::size_t length = 0; length < whole.size(); length += whole.size() / 40) {
    testing::writeBytes(path, whole.substr(0, length));
    EXPECT_NE(complaintAbout(ProblemKind::fclib_local, path), "") << length;
    EXPECT_THROW(problemKindOf(path), InputError) << length;
  }
}

// Files, groups, datasets ... of HDF5 that nobody has closed.
long openObjects() {
  return static_cast<long>(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL));
}

std::vector<double> strangeNumbers(Random& random) {
  const double strange[] = {0, -1, 1e308, -1e308, 5e-324, kNan, INFINITY, 0.5};
  std::vector<double> values(static_cast<std::size_t>(random.integer(0, 30)));
  for (double& x : values) x = strange[random.integer(0, 7)];
  return values;
}

std::vector<int> strangeIntegers(Random& random) {
  const int strange[] = {0, 1, 2, 3, 6, -1, -2, 2147483647, -2147483647, 18};
  std::vector<int> values(static_cast<std::size_t>(random.integer(0, 12)));
  for (int& x : values) x = strange[random.integer(0, 9)];
  return values;
}

// Datasets replaced by others of other lengths and types.
TEST(ProblemDamage, AThousandStrangeDatasets) {
  Random random(2);
  const auto path = temporaryProblem("strange");
  int refused = 0;
  for (const ProblemKind kind :
       {ProblemKind::fclib_local, ProblemKind::fclib_global, ProblemKind::dump}) {
    const std::string whole = testing::bytesOf(smallFile(kind));
    const std::vector<std::string> names = testing::datasetsOf(smallFile(kind));
    for (int repetition = 0; repetition < 334; ++repetition) {
      testing::writeBytes(path, whole);
      for (int changes = random.integer(1, 3); changes > 0; --changes) {
        const std::string& name = names[random.integer(0, static_cast<int>(names.size()) - 1)];
        const int way = random.integer(0, 4);
        if (way == 0) testing::dropDataset(path, name);
        if (way == 1 || way == 2) putIntegers(path, name, strangeIntegers(random));
        if (way > 2) putNumbers(path, name, strangeNumbers(random));
      }
      refused += complaintAbout(kind, path).empty() ? 0 : 1;
      ASSERT_EQ(openObjects(), 0);
    }
  }
  EXPECT_GT(refused, 600);
}

// Bytes changed at random, the file cut short now and then.
TEST(ProblemDamage, TwoThousandFlippedFiles) {
  Random random(3);
  const auto path = temporaryProblem("flipped");
  int refused = 0;
  for (const ProblemKind kind :
       {ProblemKind::fclib_local, ProblemKind::fclib_global, ProblemKind::dump}) {
    const std::string whole = testing::bytesOf(smallFile(kind));
    for (int repetition = 0; repetition < 667; ++repetition) {
      std::string damaged = whole;
      for (int changes = random.integer(1, 8); changes > 0; --changes)
        damaged[random.integer(0, static_cast<int>(whole.size()) - 1)] =
            static_cast<char>(random.integer(0, 255));
      if (random.integer(0, 9) == 0)
        damaged.resize(random.integer(0, static_cast<int>(whole.size()) - 1));
      testing::writeBytes(path, damaged);
      const std::string complaint = complaintAbout(kind, path);
      EXPECT_EQ(complaint.find('\n'), std::string::npos) << complaint;
      refused += complaint.empty() ? 0 : 1;
      ASSERT_EQ(openObjects(), 0);
    }
  }
  EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace stickslip
