// The analysis of a configuration, island by island; see include/stickslip/analysis.hpp.
#include "stickslip/analysis.hpp"
#include "math/index.hpp"

#include <algorithm>

#include "analysis/bare_geometry.hpp"
#include "analysis/island_mobility.hpp"
#include "analysis/opening_test.hpp"
#include "contact/island_problem.hpp"

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
  IslandAnalyser(const ContactProblem& whole, const ProblemIslands& islands, int island)
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
      all.painleve.push_back({analysis.contacts[at(found.contact)], found.response});
    const BareGeometry smooth(extracted_.problem(), false);
    analysis.frictionless = opening(smooth, all.frictionless_witness);
    analysis.frictional = opening(geometry, all.frictional_witness);
    return analysis;
  }

 private:
  std::vector<int> inWhole(const std::vector<int>& contacts) const {
    std::vector<int> numbers;
    for (const int i : contacts) numbers.push_back(islands_.contacts(island_)[at(i)]);
    return numbers;
  }

  OpeningAnalysis opening(const BareGeometry& geometry, ContactSolution& witness) const {
    OpeningTest test(geometry);
    OpeningAnalysis analysis = test.analyse();
    for (int& i : analysis.jammed) i = geometry.contact_of[at(i)];
    analysis.jammed = inWhole(analysis.jammed);
    IslandProblem::insert(whole_, islands_, island_,
                          geometry.inWhole(extracted_.problem(), test.witness()), witness);
    return analysis;
  }

  const ContactProblem& whole_;
  const ProblemIslands& islands_;
  int island_;
  IslandProblem extracted_;
};

}  // namespace

ConfigurationAnalysis analyseConfiguration(const ContactProblem& problem) {
  ConfigurationAnalysis all;
  all.frictionless_witness = zeroSolution(problem);
  all.frictional_witness = all.frictionless_witness;
  ProblemIslands islands;
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

}  // namespace stickslip
