#include "support/lcp_problems.hpp"

#include "problem/reduced_problem.hpp"
#include "solvers/lemke/friction_lcp.hpp"

namespace stickslip::testing {
namespace {

ContactProblem ringOfBodies(Random& random, int contacts) {
  const int bodies = contacts;
  ContactProblem problem;
  problem.M.resize(std::vector<int>(static_cast<std::size_t>(bodies), 3));
  for (int body = 0; body < bodies; ++body)
    for (int k = 0; k < 3; ++k) problem.M.block(body)(k, k) = 1.5 + random.uniform();
  for (int k = 0; k < 3 * bodies; ++k) problem.v_free.push_back(random.uniform());
  for (int i = 0; i < contacts; ++i) {
    problem.J.addGroup(2);
    for (const int body : {i, (i + 1) % bodies}) {
      const MatrixView strip = problem.J.addStrip(3 * body, 3);
      for (int row = 0; row < 2; ++row)
        for (double& x : strip.row(row)) x = random.uniform();
      if (bodies == 1) break;
    }
    problem.sets.push_back({ImpulseSet::Kind::planar, 0.3});
    problem.b.insert(problem.b.end(), 2, 0.0);
  }
  return problem;
}

}  // namespace

DenseLcp randomContactLcp(Random& random, int contacts) {
  const ContactProblem problem = ringOfBodies(random, contacts);
  ReducedProblem reduced;
  reduced.reduce(problem);
  FrictionLcp friction;
  friction.build(FrictionLcp::Form::relay, reduced.W(), reduced.q(), problem.J, problem.sets);
  const Lcp lcp = friction.lcp();
  DenseLcp dense{lcp.size(), {}, {lcp.q.begin(), lcp.q.end()}};
  for (int i = 0; i < dense.size; ++i)
    for (int j = 0; j < dense.size; ++j) dense.N.push_back(lcp.N(i, j));
  return dense;
}

}  // namespace stickslip::testing
