#include "analysis/bare_geometry.hpp"

#include <algorithm>

#include "math/index.hpp"

namespace stickslip {
namespace {

// Appends some rows of a group as a group of their own.
void copyRows(const BlockRows& from, int group, const std::vector<int>& rows, BlockRows& to) {
  to.addGroup(static_cast<int>(rows.size()));
  for (const BlockRows::Strip& strip : from.stripsOf(group)) {
    const MatrixView copy = to.addStrip(strip.first_column, strip.columns);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const StripValues entries = from.values(group, strip);
      const std::span<const double> row = entries.row(rows[k]);
      std::copy(row.begin(), row.end(), copy.row(static_cast<int>(k)).begin());
    }
  }
}

}  // namespace

BareGeometry::BareGeometry(const ContactProblem& whole, bool friction) {
  problem.M = whole.M;
  problem.law = Law::relaxed;
  for (int i = 0; i < whole.contactCount(); ++i)
    if (whole.sets[at(i)].kind != ImpulseSet::Kind::interval) addContact(whole, i, friction);
  for (int j = 0; j < whole.G.groupCount(); ++j) addJoint(whole, j);
  problem.v_free.assign(at(whole.velocityCount()), 0.0);
  problem.v_old = problem.v_free;
  problem.b.assign(at(problem.J.rowCount()), 0.0);
  problem.g.assign(at(problem.G.rowCount()), 0.0);
  problem.compliance = problem.g;
}

void BareGeometry::addContact(const ContactProblem& whole, int contact, bool friction) {
  const ImpulseSet& set = whole.sets[at(contact)];
  // Friction with a fixed bound holds nothing for ever.
  friction = friction && !set.load_independent;
  std::vector<int> rows(friction ? at(set.dimension()) : 1);
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = static_cast<int>(k);
  copyRows(whole.J, contact, rows, problem.J);
  problem.sets.push_back(friction ? set : ImpulseSet{});
  problem.contact_id.push_back(static_cast<std::uint64_t>(contact));
  contact_of.push_back(contact);
}

void BareGeometry::addJoint(const ContactProblem& whole, int joint) {
  std::vector<int> rows;
  for (int k = 0; k < whole.G.rowsOf(joint); ++k)
    if (whole.compliance[at(whole.G.firstRow(joint) + k)] == 0) rows.push_back(k);
  if (rows.empty()) return;
  copyRows(whole.G, joint, rows, problem.G);
  for (const int k : rows) joint_row_of.push_back(whole.G.firstRow(joint) + k);
}

ContactSolution BareGeometry::inWhole(const ContactProblem& whole,
                                      const ContactSolution& bare) const {
  ContactSolution out{bare.v, std::vector<double>(at(whole.J.rowCount())),
                      std::vector<double>(at(whole.G.rowCount()))};
  for (int i = 0; i < problem.contactCount(); ++i)
    std::copy_n(bare.p.begin() + problem.J.firstRow(i), problem.J.rowsOf(i),
                out.p.begin() + whole.J.firstRow(contact_of[at(i)]));
  for (std::size_t k = 0; k < joint_row_of.size(); ++k) out.c[at(joint_row_of[k])] = bare.c[k];
  return out;
}

}  // namespace stickslip
