// The analysis of a configuration, island by island; see include/stickslip/analysis.hpp.

#include "analysis/analysis.hpp"

#include <algorithm>

#include "analysis/island_mobility.hpp"
#include "analysis/opening_margin.hpp"
#include "base/index.hpp"
#include "problem/island_extraction.hpp"
#include "stickslip/analysis.hpp"

namespace stickslip {
namespace {

ContactSolution zeroSolution(const ContactProblem& problem) {
  return {std::vector<double>(at(problem.velocityCount())),
          std::vector<double>(at(problem.J.rowCount())),
          std::vector<double>(at(problem.G.rowCount()))};
}

// One island of the problem, as a problem of its own, and the way back.
class IslandAnalyser {
 public:
  IslandAnalyser(const ContactProblem& whole, const Islands& islands, int island)
      : whole_(whole), islands_(islands), island_(island) {
    extracted_.extract(whole, islands, island);
  }

  IslandAnalysis analyse(ConfigurationAnalysis& all) {
    const BareGeometry geometry(extracted_.problem(), true);
    const IslandMobility mobility(geometry.problem);
    IslandAnalysis analysis;
    analysis.contacts = inWhole(geometry.contact_of);
    analysis.velocities = geometry.problem.velocityCount();
    analysis.joint_rows = geometry.problem.G.rowCount();
    analysis.redundant_joint_rows = mobility.redundantJointRows();
    all.impulses_unique = all.impulses_unique && mobility.rowsIndependent();
    for (const PainleveContact& found : mobility.painleveContacts())
      all.painleve.push_back({analysis.contacts[found.contact], found.response});
    const BareGeometry smooth(extracted_.problem(), false);
    analysis.frictionless = opening(smooth, all.frictionless_witness);
    analysis.frictional = opening(geometry, all.frictional_witness);
    return analysis;
  }

 private:
  std::vector<int> inWhole(const std::vector<int>& contacts) const {
    std::vector<int> numbers;
    numbers.reserve(contacts.size());
    for (const int i : contacts) numbers.push_back(islands_.contacts(island_)[i]);
    return numbers;
  }

  OpeningAnalysis opening(const BareGeometry& geometry, ContactSolution& witness) const {
    OpeningMargin test(geometry);
    OpeningAnalysis analysis = test.analyse();
    for (int& i : analysis.jammed) i = geometry.contact_of[i];
    analysis.jammed = inWhole(analysis.jammed);
    ExtractedIsland::insert(whole_, islands_, island_,
                            geometry.inWhole(extracted_.problem(), test.witness()), witness);
    return analysis;
  }

  const ContactProblem& whole_;
  const Islands& islands_;
  int island_;
  ExtractedIsland extracted_;
};

}  // namespace

ConfigurationAnalysis analyseConfiguration(const ContactProblem& problem) {
  ConfigurationAnalysis all;
  all.frictionless_witness = zeroSolution(problem);
  all.frictional_witness = all.frictionless_witness;
  Islands islands;
  islands.find(problem);
  for (int island = 0; island < islands.count(); ++island) {
    IslandAnalysis analysis = IslandAnalyser(problem, islands, island).analyse(all);
    if (!analysis.contacts.empty() || analysis.joint_rows > 0)
      all.islands.push_back(std::move(analysis));
  }
  std::sort(all.painleve.begin(), all.painleve.end(),
            [](const auto& a, const auto& b) { return a.contact < b.contact; });
  return all;
}

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
    if (whole.sets[i].kind != ImpulseSet::Kind::interval) addContact(whole, i, friction);
  for (int j = 0; j < whole.G.groupCount(); ++j) addJoint(whole, j);
  problem.v_free.assign(whole.velocityCount(), 0.0);
  problem.v_old = problem.v_free;
  problem.b.assign(problem.J.rowCount(), 0.0);
  problem.g.assign(problem.G.rowCount(), 0.0);
  problem.compliance = problem.g;
}

void BareGeometry::addContact(const ContactProblem& whole, int contact, bool friction) {
  const ImpulseSet& set = whole.sets[contact];
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
    if (whole.compliance[whole.G.firstRow(joint) + k] == 0) rows.push_back(k);
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
                out.p.begin() + whole.J.firstRow(contact_of[i]));
  for (std::size_t k = 0; k < joint_row_of.size(); ++k) out.c[joint_row_of[k]] = bare.c[k];
  return out;
}

}  // namespace stickslip
