// Matrix Market files: the formats that are read, and how damage is refused.
#include <gtest/gtest.h>

#include <fstream>

#include "stickslip/input_error.hpp"
#include "stickslip/io/matrix_market.hpp"

namespace stickslip {
namespace {

std::filesystem::path fileWith(const std::string& text) {
  // One file per test, since tests run side by side.
  const std::string test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / (test + ".mtx");
  std::ofstream(file) << text;
  return file;
}

TEST(MatrixMarket, ReadsDenseMatricesColumnByColumn) {
  const DenseMatrix m = readMatrixMarket(fileWith(
      "%%MatrixMarket matrix array real general\n% a comment\n\n2 3\n1\n2\n3\n4\n5e0\n-6\n"));
  EXPECT_EQ(m.rows, 2);
  EXPECT_EQ(m.columns, 3);
  EXPECT_EQ(m.values, (std::vector<double>{1, 3, 5, 2, 4, -6}));
}

TEST(MatrixMarket, ReadsSparseAndSymmetricMatrices) {
  EXPECT_EQ(readMatrixMarket(fileWith("%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 "
                                      "5\n2 1 7\n2 1 1\n"))
                .values,
            (std::vector<double>{5, 0, 8, 0}));
  EXPECT_EQ(
      readMatrixMarket(
          fileWith("%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 5\n2 1 7\n"))
          .values,
      (std::vector<double>{5, 7, 7, 0}));
  EXPECT_EQ(readMatrixMarket(fileWith("%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n"))
                .values,
            (std::vector<double>{1, 2, 2, 3}));
  EXPECT_EQ(readMatrixMarket(fileWith("%%MatrixMarket matrix array real skew-symmetric\n2 2\n4\n"))
                .values,
            (std::vector<double>{0, -4, 4, 0}));
}

TEST(MatrixMarket, WritesWhatItReads) {
  const std::vector<double> z{0, 1.0 / 3, -1e-310, 1.2345678901234567e16};
  const auto file = fileWith("1 2 3\n");
  EXPECT_THROW(writeMatrixMarket(file, z), InputError) << "somebody else's";
  std::filesystem::remove(file);
  for (int k = 0; k < 2; ++k) writeMatrixMarket(file, z);
  const DenseMatrix m = readMatrixMarket(file);
  EXPECT_EQ(m.columns, 1);
  EXPECT_EQ(m.values, z);
}

TEST(MatrixMarket, RefusesDamagedFilesByLine) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "empty"},
      {"1 2 3\n", ":1: expected the header"},
      {"%%MatrixMarket matrix array complex general\n", "complex"},
      {"%%MatrixMarket matrix array real hermitian\n", "hermitian"},
      {"%%MatrixMarket matrix list real general\n", "list"},
      {"%%MatrixMarket matrix array real general\n", "size is missing"},
      {"%%MatrixMarket matrix array real general\n2 -1\n", ":2:"},
      {"%%MatrixMarket matrix array real general\n100000 100000\n", "too large"},
      {"%%MatrixMarket matrix array real symmetric\n2 3\n", "square"},
      {"%%MatrixMarket matrix array real general\n9000 9000\n1\n", "ends before"},
      {"%%MatrixMarket matrix array real skew-symmetric\n9000 9000\n1\n", "ends before"},
      {"%%MatrixMarket matrix array real general\n2 1\n1\n", "ends before"},
      {"%%MatrixMarket matrix array real general\n2 1\n1\nnan\n", ":4:"},
      {"%%MatrixMarket matrix array real general\n2 1\n1\n2 3\n", ":4:"},
      {"%%MatrixMarket matrix array real general\n2 1\n1\n2\n3\n", "more entries"},
      {"%%MatrixMarket matrix array real general\n2 1\n1\n1e999\n", ":4:"},
      {"%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n", "1 to 2"},
      {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1\n", ":3:"},
      {"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 5\n", "lower triangle"},
  };
  for (const auto& [text, word] : cases) {
    try {
      readMatrixMarket(fileWith(text));
      ADD_FAILURE() << "accepted: " << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(readMatrixMarket("no/such/file.mtx"), InputError);
  EXPECT_THROW(readMatrixMarket(::testing::TempDir()), InputError);
  EXPECT_THROW(writeMatrixMarket("no/such/file.mtx", {}), InputError);
}

}  // namespace
}  // namespace stickslip
