#include "analysis/island_mobility.hpp"

#include <algorithm>
#include <cstdint>

#include "analysis/opening_margin.hpp"
#include "base/index.hpp"
#include "certificate/row_independence.hpp"
#include "math/blocks/block_products.hpp"

namespace stickslip {
namespace {

// A response that is negative by less than this is rounding.
constexpr double kNegative = 1e-9;
// Joint rows up to which an orthonormal basis of them is affordable.
constexpr int kFewJointRows = 800;
// Multiplications that the question of independence may cost, in any case and per row.
constexpr std::int64_t kWork = 1000000;
constexpr std::int64_t kWorkPerRow = 300;

void spread(const ScaledDirections& rows, int row, std::span<double> dense) {
  const std::span<const int> columns = rows.columns(row);
  for (std::size_t k = 0; k < columns.size(); ++k) dense[columns[k]] = rows.values(row)[k];
}

}  // namespace

IslandMobility::IslandMobility(const ContactProblem& bare) : bare_(bare) {
  contact_rows_.start(bare.M);
  for (int i = 0; i < bare.contactCount(); ++i) contact_rows_.addGroup(bare.J, i);
  joint_rows_.start(bare.M);
  for (int j = 0; j < bare.G.groupCount(); ++j) joint_rows_.addGroup(bare.G, j);
  if (!jointsAreFew()) return;
  const int rows = bare.G.rowCount(), columns = bare.velocityCount();
  std::vector<double> B(at(rows) * at(columns));
  for (int row = 0; row < rows; ++row)
    spread(joint_rows_, row, std::span(B).subspan(at(row) * at(columns), columns));
  joints_.factorize({B.data(), rows, columns});
}

bool IslandMobility::jointsAreFew() const {
  return bare_.G.rowCount() <= kFewJointRows;
}

int IslandMobility::redundantJointRows() const {
  if (jointsAreFew()) return bare_.G.rowCount() - joints_.rank();
  return independent(false) ? 0 : IslandAnalysis::kUnknown;
}

// A row of J L^-T without what the joints hold.
std::vector<double> IslandMobility::heldRow(int row) const {
  if (bare_.G.rowCount() == 0) {  // rows of a contact share their columns
    const std::span<const double> values = contact_rows_.values(row);
    return {values.begin(), values.end()};
  }
  std::vector<double> dense(at(bare_.velocityCount()));
  spread(contact_rows_, row, dense);
  joints_.removeRowSpace(dense);
  return dense;
}

// The velocity of a contact after a normal impulse of one.
std::vector<double> IslandMobility::responseOf(int contact) const {
  const int first = bare_.J.firstRow(contact);
  const std::vector<double> normal = heldRow(first);
  std::vector<double> velocity(bare_.J.rowsOf(contact));
  for (int k = 0; k < bare_.J.rowsOf(contact); ++k) velocity[k] = dot(normal, heldRow(first + k));
  return velocity;
}

std::vector<PainleveContact> IslandMobility::painleveContacts() const {
  std::vector<PainleveContact> found;
  if (!jointsAreFew()) return found;
  for (int i = 0; i < bare_.contactCount(); ++i) {
    if (bare_.J.rowsOf(i) == 1) continue;
    const std::vector<double> velocity = responseOf(i);
    const double response = depthInDual(bare_.sets[i], velocity) / velocity[0];
    if (velocity[0] > 0 && response < -kNegative) found.push_back({i, response});
  }
  return found;
}

bool IslandMobility::rowsIndependent() const {
  return independent(true);
}

bool IslandMobility::independent(bool with_contacts) const {
  const int contact_rows = with_contacts ? bare_.J.rowCount() : 0;
  if (contact_rows + bare_.G.rowCount() > bare_.velocityCount()) return false;
  RowIndependence test;
  test.start(bare_.M);
  const double whole[] = {1};
  for (int row = 0; row < contact_rows; ++row) test.add(contact_rows_, row, whole);
  for (int row = 0; row < bare_.G.rowCount(); ++row) test.add(joint_rows_, row, whole);
  return test.isProven(kWork + kWorkPerRow * bare_.velocityCount());
}

}  // namespace stickslip
