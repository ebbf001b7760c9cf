// FCLIB's files: all three storages of a matrix, the conventions of both forms against dense
// algebra, what is written is read, and what the format cannot hold is refused.
#include "stickslip/io/fclib.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "io/hdf5/hdf5_file.hpp"
#include "io/problem/fclib_matrix.hpp"
#include "io/problem/problem_file.hpp"
#include "stickslip/certificate.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/io/problem_dump.hpp"
#include "stickslip/io/stored_solution.hpp"
#include "stickslip/solver.hpp"
#include "support/contact_problems.hpp"
#include "support/local_problems.hpp"
#include "support/problem_files.hpp"
#include "support/spatial_problems.hpp"

namespace stickslip {
namespace {

using testing::Random;
using testing::temporaryProblem;
using Dense = std::vector<std::vector<double>>;

Dense zeros(int rows, int columns) {
  return Dense(static_cast<std::size_t>(rows),
               std::vector<double>(static_cast<std::size_t>(columns), 0.0));
}

Dense dense(const SparseRows& matrix) {
  Dense out = zeros(matrix.rows, matrix.columns);
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::size_t k = matrix.start[i]; k < matrix.start[i + 1]; ++k)
      out[i][matrix.column[k]] += matrix.value[k];
  return out;
}

// A random matrix whose entries are sums of two powers of two: halves and sums of them are exact.
Dense sparseDense(Random& random, int rows, int columns) {
  Dense out = zeros(rows, columns);
  for (auto& row : out)
    for (double& x : row)
      if (random.integer(0, 2) == 0) x = std::ldexp(random.integer(-9, 9), random.integer(-3, 3));
  return out;
}

struct Storage {
  std::vector<int> p, i;
  std::vector<double> x;
  int nz;
};

// By hand, from the definition: lines are columns if `by_columns`, else rows.
Storage compressedBy(bool by_columns, const Dense& matrix) {
  Storage out{{0}, {}, {}, by_columns ? -1 : -2};
  const std::size_t rows = matrix.size(), columns = matrix[0].size();
  for (std::size_t line = 0; line < (by_columns ? columns : rows); ++line) {
    for (std::size_t place = 0; place < (by_columns ? rows : columns); ++place) {
      const double x = by_columns ? matrix[place][line] : matrix[line][place];
      if (x == 0) continue;
      out.i.push_back(static_cast<int>(place));
      out.x.push_back(x);
    }
    out.p.push_back(static_cast<int>(out.i.size()));
  }
  return out;
}

// In random order, and every entry as two halves.
Storage tripletsOf(Random& random, const Dense& matrix) {
  Storage out;
  for (int half = 0; half < 2; ++half)
    for (std::size_t row = 0; row < matrix.size(); ++row)
      for (std::size_t column = 0; column < matrix[row].size(); ++column) {
        if (matrix[row][column] == 0) continue;
        const auto at = random.integer(0, static_cast<int>(out.x.size()));
        out.p.insert(out.p.begin() + at, static_cast<int>(column));
        out.i.insert(out.i.begin() + at, static_cast<int>(row));
        out.x.insert(out.x.begin() + at, matrix[row][column] / 2);
      }
  out.nz = static_cast<int>(out.x.size());
  return out;
}

void put(hid_t file, const std::string& group, const Dense& matrix, Storage storage, int spare) {
  const auto room = storage.x.size() + static_cast<std::size_t>(spare);
  storage.x.resize(room, -1.5);
  if (storage.nz < 0) storage.i.resize(room, 77);
  const auto write = [&](const char* name, const auto& values) {
    hdf5::writeVector(file, group + "/" + name, values);
  };
  write("m", std::vector{static_cast<int>(matrix.size())});
  write("n", std::vector{static_cast<int>(matrix[0].size())});
  write("nzmax", std::vector{static_cast<int>(room)});
  write("nz", std::vector{storage.nz});
  write("p", storage.p);
  write("i", storage.i);
  write("x", storage.x);
}

void putLocal(hid_t file, const Dense& W, const Storage& storage, int spare, int dimension) {
  put(file, "/fclib_local/W", W, storage, spare);
  hdf5::writeVector(file, "/fclib_local/spacedim", std::vector{dimension});
  hdf5::writeVector(file, "/fclib_local/vectors/q", std::vector<double>(W.size(), 1.0));
  hdf5::writeVector(file, "/fclib_local/vectors/mu",
                    std::vector<double>(W.size() / static_cast<std::size_t>(dimension), 0.5));
}

TEST(Fclib, ThreeStoragesOfOneMatrix) {
  Random random(1);
  for (int repetition = 0; repetition < 20; ++repetition) {
    const int n = 6 * random.integer(1, 3);
    Dense W = sparseDense(random, n, n);
    for (std::size_t k = 0; k < W.size(); ++k) W[k][k] = 4;
    for (const Storage& storage :
         {compressedBy(true, W), compressedBy(false, W), tripletsOf(random, W)}) {
      const auto path = temporaryProblem("storages");
      writeProblemFile(path, {},
                       [&](hid_t file) { putLocal(file, W, storage, random.integer(0, 3), 3); });
      const LocalProblem problem = readFclibLocal(path);
      EXPECT_EQ(dense(problem.W), W);
      for (std::size_t i = 0; i < W.size(); ++i)
        for (std::size_t k = problem.W.start[i] + 1; k < problem.W.start[i + 1]; ++k)
          ASSERT_LT(problem.W.column[k - 1], problem.W.column[k]);
    }
  }
}

Dense oneTriangle(Dense matrix, bool lower) {
  for (std::size_t i = 0; i < matrix.size(); ++i)
    for (std::size_t j = 0; j < matrix.size(); ++j)
      if (lower ? j > i : j < i) matrix[i][j] = 0;
  return matrix;
}

void putMatrix(const std::filesystem::path& path, const std::string& group, const Storage& s) {
  testing::putIntegers(path, group + "/nzmax", {static_cast<int>(s.x.size())});
  testing::putIntegers(path, group + "/nz", {s.nz});
  testing::putIntegers(path, group + "/p", s.p);
  testing::putIntegers(path, group + "/i", s.i);
  testing::putNumbers(path, group + "/x", s.x);
}

// Calls `check` with the file after its matrix has been replaced by either triangle of itself, in
// all storages.
void forEachTriangle(const std::filesystem::path& path, const std::string& group,
                     const Dense& whole, const auto& check) {
  Random random(12);
  for (const bool lower : {true, false}) {
    const Dense half = oneTriangle(whole, lower);
    ASSERT_NE(half, whole);
    for (const Storage& storage :
         {compressedBy(true, half), compressedBy(false, half), tripletsOf(random, half)}) {
      putMatrix(path, group, storage);
      check();
    }
  }
}

TEST(Fclib, OneTriangleOfAMassMatrixIsEnough) {
  Random random(13);
  const ContactProblem problem = testing::randomSpatialProblem(random, testing::SpatialShape{});
  const auto path = temporaryProblem("one_triangle");
  writeFclibGlobal(path, problem);
  Method method;
  method.solver = "exact";
  method.cone = FrictionCone::circular;
  const auto solutionIn = [&] {
    const ContactProblem read = readFclibGlobal(path);
    ContactSolution solution;
    makeSolver(method)->solve(read, solution);
    EXPECT_LT(Certifier().certify(read, solution).worstResidual(), 1e-9);
    return solution;
  };
  const ContactProblem whole = readFclibGlobal(path);
  const ContactSolution expected = solutionIn();
  const int n = whole.M.size();
  Dense M = zeros(n, n);
  for (int b = 0; b < whole.M.blockCount(); ++b)
    for (int i = 0; i < whole.M.block(b).rows; ++i)
      for (int j = 0; j < whole.M.block(b).rows; ++j)
        M[whole.M.firstRow(b) + i][whole.M.firstRow(b) + j] = whole.M.block(b)(i, j);
  forEachTriangle(path, "/fclib_global/M", M, [&] {
    EXPECT_EQ(testing::everythingIn(readFclibGlobal(path)), testing::everythingIn(whole));
    const ContactSolution solution = solutionIn();
    EXPECT_EQ(solution.v, expected.v);
    EXPECT_EQ(solution.p, expected.p);
  });
}

TEST(Fclib, OneTriangleOfADelassusMatrixIsEnough) {
  Random random(14);
  LocalProblem problem = localForm(testing::randomSpatialProblem(random, testing::SpatialShape{}));
  const auto path = temporaryProblem("one_triangle_local");
  writeFclibLocal(path, problem);
  Dense W = dense(readFclibLocal(path).W);
  for (std::size_t i = 0; i < W.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) W[j][i] = W[i][j];
  forEachTriangle(path, "/fclib_local/W", W, [&] { EXPECT_EQ(dense(readFclibLocal(path).W), W); });
}

TEST(Fclib, PlanarAndSpatialCones) {
  Random random(2);
  Dense W = zeros(6, 6);
  for (std::size_t k = 0; k < 6; ++k) W[k][k] = 1;
  for (const int dimension : {2, 3}) {
    const auto path = temporaryProblem("cones");
    writeProblemFile(path, {},
                     [&](hid_t file) { putLocal(file, W, compressedBy(false, W), 0, dimension); });
    const LocalProblem problem = readFclibLocal(path);
    ASSERT_EQ(problem.contactCount(), 6 / dimension);
    for (const ImpulseSet& set : problem.sets) {
      EXPECT_EQ(set.dimension(), dimension);
      EXPECT_EQ(set.kind, dimension == 2 ? ImpulseSet::Kind::planar : ImpulseSet::Kind::elliptic);
      EXPECT_EQ(set.mu, 0.5);
      EXPECT_EQ(set.mu_2, dimension == 3 ? 0.5 : 0.0);
    }
    EXPECT_EQ(problem.law, Law::coulomb);
    EXPECT_EQ(problemKindOf(path), ProblemKind::fclib_local);
  }
}

// M v = f, u = H' v + w and G' v + b, with dense matrices.
TEST(Fclib, ConventionsOfTheGlobalForm) {
  Random random(3);
  const int n = 12, rows = 6, joints = 2;
  Dense M = zeros(n, n);
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t j = 0; j < 12; ++j)
      if (i / 6 == j / 6) M[i][j] = i == j ? 8 : 0.25 * static_cast<double>((i % 6) * (j % 6) % 3);
  const Dense H = sparseDense(random, n, rows), G = sparseDense(random, n, joints);
  const std::vector<double> f = random.vector(12), w = random.vector(6), b = random.vector(2);
  const auto path = temporaryProblem("global");
  writeProblemFile(path, {}, [&](hid_t file) {
    put(file, "/fclib_global/M", M, tripletsOf(random, M), 0);
    put(file, "/fclib_global/H", H, tripletsOf(random, H), 2);
    put(file, "/fclib_global/G", G, compressedBy(true, G), 0);
    hdf5::writeVector(file, "/fclib_global/spacedim", std::vector{3});
    hdf5::writeVector(file, "/fclib_global/vectors/f", f);
    hdf5::writeVector(file, "/fclib_global/vectors/w", w);
    hdf5::writeVector(file, "/fclib_global/vectors/b", b);
    hdf5::writeVector(file, "/fclib_global/vectors/mu", std::vector{0.3, 0.0});
  });
  EXPECT_EQ(problemKindOf(path), ProblemKind::fclib_global);
  const ContactProblem problem = readFclibGlobal(path);
  ASSERT_EQ(problem.velocityCount(), n);
  EXPECT_EQ(problem.M.blockCount(), 2);
  EXPECT_EQ(problem.b, w);
  EXPECT_EQ(problem.g, b);
  EXPECT_EQ(problem.sets[0].mu, 0.3);
  EXPECT_EQ(problem.sets[1].mu_2, 0.0);
  for (int i = 0; i < n; ++i) {
    const std::size_t row = i;
    EXPECT_NEAR(std::inner_product(M[row].begin(), M[row].end(), problem.v_free.begin(), 0.0),
                f[row], 1e-13);
    for (int k = 0; k < rows; ++k) EXPECT_EQ(testing::denseRow(problem.J, k, n)[row], H[row][k]);
    for (int k = 0; k < joints; ++k) EXPECT_EQ(testing::denseRow(problem.G, k, n)[row], G[row][k]);
  }
}

std::vector<int> blocksOf(int n, const std::vector<std::pair<int, int>>& coupled, int dimension) {
  SparseRows M{n, n, {0}, {}, {}};
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const bool together = i == j || std::count(coupled.begin(), coupled.end(),
                                                 std::pair{std::min(i, j), std::max(i, j)});
      if (!together) continue;
      M.column.push_back(j);
      M.value.push_back(i == j ? 4 : 1);
    }
    M.start.push_back(M.column.size());
  }
  return massBlockSizes(M, dimension);
}

TEST(Fclib, FindsTheBodiesInAMassMatrix) {
  using Sizes = std::vector<int>;
  EXPECT_EQ(blocksOf(12, {}, 3), Sizes({6, 6}));
  EXPECT_EQ(blocksOf(12, {}, 2), Sizes({3, 3, 3, 3}));
  EXPECT_EQ(blocksOf(9, {{0, 1}}, 3), Sizes({3, 3, 3}));
  EXPECT_EQ(blocksOf(12, {{5, 6}}, 3), Sizes({1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1}));
  EXPECT_EQ(blocksOf(5, {{0, 2}, {1, 3}}, 3), Sizes({4, 1}));
  EXPECT_EQ(blocksOf(0, {}, 3), Sizes({}));
}

// Solutions of the problem that was read solve the one that was written.
TEST(Fclib, WritesGlobalProblems) {
  Random random(4);
  for (int repetition = 0; repetition < 8; ++repetition) {
    testing::SpatialShape shape;
    shape.joints = repetition % 2;
    shape.frictionless = repetition % 3 == 0;
    const ContactProblem problem = testing::randomSpatialProblem(random, shape);
    const auto path = temporaryProblem("written_global");
    writeFclibGlobal(path, problem);
    const ContactProblem again = readFclibGlobal(path);
    ASSERT_EQ(again.contactCount(), problem.contactCount());
    EXPECT_EQ(again.g, problem.g);
    Method method;
    method.solver = "exact";
    method.cone = FrictionCone::circular;
    ContactSolution solution;
    makeSolver(method)->solve(again, solution);
    ContactSolution original{solution.v, {}, solution.c};
    for (int i = 0; i < problem.contactCount(); ++i)
      for (int k = 0; k < problem.J.rowsOf(i); ++k)
        original.p.push_back(solution.p[again.J.firstRow(i) + k]);
    EXPECT_LT(Certifier().certify(problem, original).worstResidual(), 1e-9);
  }
}

TEST(Fclib, WritesPlanarProblems) {
  Random random(5);
  testing::ProblemShape shape;
  shape.contacts = 3;
  shape.some_frictionless = true;
  const ContactProblem problem = testing::randomContactProblem(random, shape);
  const auto path = temporaryProblem("written_planar");
  writeFclibGlobal(path, problem);
  const ContactProblem again = readFclibGlobal(path);
  ASSERT_EQ(again.J.rowCount(), 6);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(testing::denseRow(again.J, 2 * i, 4),
              testing::denseRow(problem.J, problem.J.firstRow(i), 4));
}

// The local form against the global one: u = W p + q of any p is what M v = J' p makes of it.
TEST(Fclib, LocalFormBehavesAsTheGlobalOne) {
  Random random(6);
  testing::SpatialShape shape;
  shape.joints = 1;
  const ContactProblem problem = testing::randomSpatialProblem(random, shape);
  const auto path = temporaryProblem("local_form");
  writeFclibLocal(path, localForm(problem));
  const LocalProblem local = readFclibLocal(path);
  EXPECT_EQ(dense(local.W), dense(localForm(problem).W));
  Method method;
  method.solver = "exact";
  method.cone = FrictionCone::circular;
  ContactSolution solution;
  makeSolver(method)->solve(problem, solution);
  EXPECT_LT(Certifier().certify(problem, solution).worstResidual(), 1e-10);
  EXPECT_LT(certifyLocal(local, solution.p).residual, 1e-9);
  const std::vector<double> u = storedSolution(problem, solution).u;
  const std::vector<double> local_u = storedSolution(local, solution.p).u;
  for (std::size_t k = 0; k < u.size(); ++k) EXPECT_NEAR(u[k], local_u[k], 1e-9);
}

// W body by body and contact by contact, as other tests form it.
TEST(Fclib, LocalFormAgainstAnotherRoute) {
  Random random(11);
  testing::SpatialShape shape;
  shape.patches = 5;
  const ContactProblem problem = testing::randomSpatialProblem(random, shape);
  const LocalProblem ours = localForm(problem), theirs = testing::localForm(problem);
  const Dense W = dense(ours.W), V = dense(theirs.W);
  for (std::size_t i = 0; i < W.size(); ++i) {
    EXPECT_NEAR(ours.q[i], theirs.q[i], 1e-12);
    for (std::size_t j = 0; j < W.size(); ++j)
      EXPECT_NEAR(W[i][j], V[i][j], 1e-12 * std::sqrt(W[i][i] * W[j][j]));
  }
}

TEST(Fclib, NoContactsAtAll) {
  const auto path = temporaryProblem("empty");
  writeFclibLocal(path, LocalProblem{});
  EXPECT_EQ(readFclibLocal(path).contactCount(), 0);
  Random random(7);
  testing::ProblemShape shape;
  shape.contacts = 0;
  const ContactProblem problem = testing::randomContactProblem(random, shape);
  writeFclibGlobal(path, problem);
  const ContactProblem again = readFclibGlobal(path);
  EXPECT_EQ(again.contactCount(), 0);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(again.v_free[k], problem.v_free[k], 1e-12);
}

TEST(Fclib, RefusesWhatTheFormatCannotHold) {
  Random random(8);
  const auto path = temporaryProblem("refused");
  std::filesystem::remove(path);
  const auto reason = [&](const ContactProblem& problem) {
    try {
      writeFclibGlobal(path, problem);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  testing::SpatialShape shape;
  shape.polyhedral = true;
  EXPECT_NE(reason(testing::randomSpatialProblem(random, shape)).find("polyhedral"),
            std::string::npos);
  shape = {};
  shape.circular = false;
  EXPECT_NE(reason(testing::randomSpatialProblem(random, shape)).find("tangents"),
            std::string::npos);
  shape = {};
  shape.torsion = 0.1;
  EXPECT_NE(reason(testing::randomSpatialProblem(random, shape)).find("torsional"),
            std::string::npos);
  shape = {};
  shape.rolling = 0.1;
  EXPECT_NE(reason(testing::randomSpatialProblem(random, shape)).find("rolling"),
            std::string::npos);
  shape = {};
  shape.load_independent = true;
  EXPECT_NE(reason(testing::randomSpatialProblem(random, shape)).find("load"), std::string::npos);
  shape = {};
  shape.motors = 1;
  EXPECT_NE(reason(testing::randomSpatialProblem(random, shape)).find("bounded"),
            std::string::npos);
  shape = {};
  shape.springs = 1;
  EXPECT_NE(reason(testing::randomSpatialProblem(random, shape)).find("compliant"),
            std::string::npos);
  shape = {};
  ContactProblem relaxed = testing::randomSpatialProblem(random, shape);
  relaxed.law = Law::relaxed;
  EXPECT_NE(reason(relaxed).find("relaxed"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Fclib, SolutionsAreWrittenBack) {
  Random random(9);
  const ContactProblem problem = testing::randomSpatialProblem(random, {});
  const auto path = temporaryProblem("solution"), copy = temporaryProblem("solution_copy");
  writeFclibGlobal(path, problem);
  EXPECT_THROW(readStoredSolution(path), InputError);
  const std::string before = testing::bytesOf(path);
  const StoredSolution first{random.vector(9), random.vector(9), random.vector(18), {}};
  writeStoredSolution(path, copy, first);
  EXPECT_EQ(testing::bytesOf(path), before);
  EXPECT_EQ(readStoredSolution(copy).v, first.v);

  const StoredSolution second{random.vector(9), random.vector(9), random.vector(18), {0.5}};
  writeStoredSolution(copy, copy, second);
  const StoredSolution read = readStoredSolution(copy);
  EXPECT_EQ(read.r, second.r);
  EXPECT_EQ(read.u, second.u);
  EXPECT_EQ(read.v, second.v);
  EXPECT_EQ(read.l, second.l);
  EXPECT_EQ(readFclibGlobal(copy).b, problem.b);
  EXPECT_THROW(writeStoredSolution(path, "/nonexistent/folder/x.hdf5", first), InputError);
}

TEST(Fclib, EqualProblemsMakeEqualFiles) {
  Random random(10);
  const ContactProblem problem = testing::randomSpatialProblem(random, {});
  const auto first = temporaryProblem("equal_1"), second = temporaryProblem("equal_2");
  writeFclibGlobal(first, problem);
  writeFclibGlobal(second, problem);
  EXPECT_EQ(testing::bytesOf(first), testing::bytesOf(second));
}

// Problems that others have made, where they are at hand.
TEST(Fclib, ReadsForeignProblems) {
  for (const auto& path : testing::foreignProblems()) {
    SCOPED_TRACE(path.filename().string());
    const auto copy = temporaryProblem("foreign");
    if (problemKindOf(path) == ProblemKind::fclib_local) {
      const LocalProblem problem = readFclibLocal(path);
      writeFclibLocal(copy, problem);
      const LocalProblem again = readFclibLocal(copy);
      EXPECT_GT(problem.contactCount(), 0);
      EXPECT_EQ(again.W.column, problem.W.column);
      EXPECT_EQ(again.W.value, problem.W.value);
      EXPECT_EQ(again.q, problem.q);
    } else {
      const ContactProblem problem = readFclibGlobal(path);
      writeFclibGlobal(copy, problem);
      const ContactProblem again = readFclibGlobal(copy);
      EXPECT_GT(problem.contactCount(), 0);
      EXPECT_EQ(again.b, problem.b);
      EXPECT_EQ(again.M.blockCount(), problem.M.blockCount());
      EXPECT_EQ(again.J.groupCount(), problem.J.groupCount());
    }
  }
}

}  // namespace
}  // namespace stickslip
