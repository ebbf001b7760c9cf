// What is no contact problem is refused with a line that names the member.
#include "stickslip/problem_check.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

#include "stickslip/input_error.hpp"
#include "stickslip/problem_forms.hpp"
#include "support/contact_problems.hpp"
#include "support/random.hpp"

namespace stickslip {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

ContactProblem soundProblem() {
  testing::Random random(7);
  return testing::randomContactProblem(random, {.velocities = 5, .contacts = 3, .joints = 2});
}

template <class Problem>
void expectRefused(Problem problem, const std::string& name,
                   const std::function<void(Problem&)>& damage) {
  ASSERT_NO_THROW(checkProblem(problem));
  damage(problem);
  try {
    checkProblem(problem);
    ADD_FAILURE() << name << " was not refused";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, name.size()), name) << error.what();
  }
}

TEST(ProblemCheck, RefusesWhatIsNoProblem) {
  using P = ContactProblem;
  const auto refused = [](const std::string& name, const std::function<void(P&)>& damage) {
    expectRefused<P>(soundProblem(), name, damage);
  };
  refused("M: is not symmetric", [](P& p) { p.M.block(0)(1, 0) += 1; });
  refused("M: is not positive definite at row 2", [](P& p) { p.M.block(0)(2, 2) = -1; });
  refused("M: row 4 is not finite", [](P& p) { p.M.block(0)(4, 0) = std::nan(""); });
  refused("v_free: has length 6; expected 5", [](P& p) { p.v_free.push_back(0); });
  refused("v_old[1]", [](P& p) { p.v_old[1] = kInf; });
  refused("b[0]", [](P& p) { p.b[0] = std::nan(""); });
  refused("gap", [](P& p) { p.gap.clear(); });
  refused("sets: has length 4", [](P& p) { p.sets.push_back({}); });
  refused("J: contact 0 has 2 rows; expected 1", [](P& p) { p.sets.own(0).kind = {}; });
  refused("sets[2]: mu", [](P& p) { p.sets.own(2).mu = -0.1; });
  refused("g: has length", [](P& p) { p.g.pop_back(); });
  refused("compliance[1]", [](P& p) { p.compliance[1] = -1; });
  refused("duration", [](P& p) { p.duration = -1; });
  refused("J: group 0", [](P& p) {
    p.J.clear();
    for (int i = 0; i < 3; ++i) {
      p.J.addGroup(2);
      p.J.addStrip(3, 3);
    }
  });
}

TEST(ProblemCheck, RefusesWhatIsNoLocalProblem) {
  using P = LocalProblem;
  const auto refused = [](const std::string& name, const std::function<void(P&)>& damage) {
    expectRefused<P>(localForm(soundProblem()), name, damage);
  };
  refused("W: is not square", [](P& p) { p.W.columns = 7; });
  refused("W: columns of row 0", [](P& p) { p.W.column[0] = 9; });
  refused("W: row 0 is not finite", [](P& p) { p.W.value[0] = kInf; });
  refused("W: the starts", [](P& p) { p.W.start[1] = 1000; });
  refused("W: has length 6; expected 7", [](P& p) { p.sets.push_back({}); });
  refused("q[3]", [](P& p) { p.q[3] = std::nan(""); });
  refused("sets[1]: expected lower <= 0 <= upper", [](P& p) {
    p.sets.own(1) = {.kind = ImpulseSet::Kind::interval, .lower = 1, .upper = 2};
  });
  refused("sets[1]: directions is 2", [](P& p) {
    p.sets.own(1) = {.kind = ImpulseSet::Kind::polyhedral, .mu = 1, .mu_2 = 1, .directions = 2};
  });
}

}  // namespace
}  // namespace stickslip
