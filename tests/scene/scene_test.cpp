// Scene files: what is read, and how bad input is refused: one line with file, line, field, value
// and what would be right.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "stickslip/input_error.hpp"
#include "stickslip/linear_system.hpp"
#include "support/random.hpp"
#include "support/scenes.hpp"

namespace stickslip {
namespace {

const char* const kScene = R"({
  "stickslip": 1,
  "name": "test",
  "time": {"step": 0.01, "end": 1},
  "method": {"preset": "glocker-studer", "tolerance": 1e-7},
  "system": {
    "type": "linear",
    "coordinates": ["x", "y"],
    "M": [[2, 0.5], [0.5, 1]],
    "K": [[1, 0], [0, 1]],
    "f": [0, -9.81],
    "contacts": [
      {"name": "floor", "g0": 0, "w_N": [0, 1], "w_T": [1, 0], "mu": 0.3, "e_n": 0.5, "e_t": 0.1}
    ],
    "joints": [{"name": "rail", "g0": -1, "w": [1, 0]}]
  },
  "initial": {"q": {"x": 1}, "u": {"y": -1}, "impact": true},
  "recording": {"every": 5}
}
)";

std::string withChange(const std::string& from, const std::string& to) {
  std::string text = kScene;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string complaintAbout(const std::string& text, std::vector<std::string> overrides = {}) {
  try {
    parseScene(text, "test.json", overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(Scene, ReadsEveryField) {
  const Scene scene = parseScene(kScene, "test.json");
  EXPECT_EQ(scene.name, "test");
  EXPECT_EQ(scene.run.time.step, 0.01);
  EXPECT_EQ(scene.run.time.end, 1);
  EXPECT_TRUE(scene.run.impact_at_start);
  EXPECT_EQ(scene.record_every, 5);
  EXPECT_EQ(scene.model.method.tolerance, 1e-7);
  EXPECT_EQ(scene.initial.q, (std::vector<double>{1, 0}));
  EXPECT_EQ(scene.initial.u, (std::vector<double>{0, -1}));
  EXPECT_EQ(scene.text, kScene);
  const auto& data = dynamic_cast<const LinearSystem&>(*scene.model.system).data();
  EXPECT_EQ(data.coordinates, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(data.M, (std::vector<double>{2, 0.5, 0.5, 1}));
  EXPECT_EQ(data.contacts[0].name, "floor");
  EXPECT_EQ(data.contacts[0].law.e_t, 0.1);
  EXPECT_EQ(data.joints[0].w, (std::vector<double>{1, 0}));
}

TEST(Scene, OverridesChangeWhatIsRead) {
  const std::string overrides[] = {"time.step=0.5", "system.contacts.floor.mu=0.7",
                                   "system.contacts.0.e_n=0", "initial.u.x=3", "name=other"};
  const Scene scene = parseScene(kScene, "test.json", overrides);
  EXPECT_EQ(scene.run.time.step, 0.5);
  EXPECT_EQ(scene.name, "other");
  EXPECT_EQ(scene.initial.u[0], 3);
  const auto& data = dynamic_cast<const LinearSystem&>(*scene.model.system).data();
  EXPECT_EQ(data.contacts[0].law.mu, 0.7);
  EXPECT_EQ(data.contacts[0].law.e_n, 0);
  // The text that a recording keeps has the overrides in it.
  EXPECT_EQ(parseScene(scene.text, "again").run.time.step, 0.5);
}

struct BadScene {
  const char* from;
  const char* to;
  std::vector<std::string> words;
};

TEST(Scene, RefusesBadFieldsByNameAndLine) {
  const BadScene cases[] = {
      {R"("step": 0.01)", R"("step": 0)", {"test.json:4", "/time/step", "0", "> 0"}},
      {R"("step": 0.01)", R"("step": -1e-3)", {"/time/step", "-0.001", "> 0"}},
      {R"("step": 0.01)", R"("step": "fast")", {"/time/step", "\"fast\"", "not a number"}},
      {R"("step": 0.01, )", "", {"/time/step", "missing"}},
      {R"("step": 0.01)", R"("step": 1e-30)", {"/time/step", "steps"}},
      {R"("end": 1})", R"("end": -1})", {"/time/end", "-1", ">= 0"}},
      {R"("time": {)", R"("tyme": {)", {"/time", "missing"}},
      {R"("stickslip": 1,)", "", {"/stickslip", "missing"}},
      {R"("stickslip": 1,)", R"("stickslip": 2,)", {"/stickslip", "format 1"}},
      {R"("mu": 0.3)", R"("mu": -0.3)", {"test.json:13", "/system/contacts/0/mu", "-0.3", ">= 0"}},
      {R"("mu": 0.3, )", "", {"/system/contacts/0/mu", "missing"}},
      {R"("e_n": 0.5)", R"("e_n": 1.5)", {"/system/contacts/0/e_n", "1.5", "0 to 1"}},
      {R"("e_t": 0.1)", R"("e_t": -0.1)", {"/system/contacts/0/e_t", "-0.1", "0 to 1"}},
      {R"("mu": 0.3)", R"("mue": 0.3, "mu": 1)", {"/system/contacts/0/mue", "did you mean \"mu\""}},
      {R"("w_N": [0, 1])",
       R"("w_N": [0, 1, 2])",
       {"/system/contacts/0/w_N", "[0,1,2]", "2 numbers"}},
      {R"("w_N": [0, 1])", R"("w_N": [0, 0])", {"/system/contacts/0/w_N", "zero"}},
      {R"("w_T": [1, 0], )", "", {"/system/contacts/0/w_T", "missing"}},
      {R"("w_N": [0, 1])", R"("w_N": [0, null])", {"/system/contacts/0/w_N/1", "null"}},
      {R"([[2, 0.5], [0.5, 1]])",
       R"([[2, 0.5], [0.4, 1]])",
       {"/system/M", "not symmetric", "0.5", "0.4"}},
      {R"([[2, 0.5], [0.5, 1]])", R"([[2, 2], [2, 1]])", {"/system/M", "not positive definite"}},
      {R"([[2, 0.5], [0.5, 1]])", R"([[2, 0.5], [0.5, -1]])", {"/system/M", "\"y\"", "-1"}},
      {R"([[2, 0.5], [0.5, 1]])", R"([[1, 1], [1, 1]])", {"/system/M", "not positive definite"}},
      {R"([[2, 0.5], [0.5, 1]])", R"([[2, 0.5]])", {"/system/M", "2 rows"}},
      {R"([[2, 0.5], [0.5, 1]])", R"([[2, 0.5], [0.5]])", {"/system/M/1", "2 numbers"}},
      {R"("f": [0, -9.81])", R"("f": [0])", {"/system/f", "2 numbers"}},
      {R"("f": [0, -9.81])", R"("F": [0, -9.81])", {"/system/F", "did you mean \"f\""}},
      {R"(["x", "y"])", R"(["x", "x"])", {"/system/coordinates/1", "twice"}},
      {R"(["x", "y"])", R"([])", {"/system/coordinates", "at least one"}},
      {R"(["x", "y"])", R"(["x,y", "y"])", {"/system/coordinates/0", "comma"}},
      {R"("type": "linear")", R"("type": "fluid")", {"/system/type", "\"fluid\"", "linear"}},
      {R"("type": "linear",)", "", {"/system/type", "missing"}},
      {R"("q": {"x": 1})", R"("q": {"z": 1})", {"/initial/q/z", "unknown", "x, y"}},
      {R"("q": {"x": 1})", R"("q": [1, 0])", {"/initial/q", "not an object"}},
      {R"("q": {"x": 1})", R"("q": {"x": 2})", {"/initial", "\"rail\"", "must be 0"}},
      {R"("u": {"y": -1}, "impact": true)",
       R"("u": {"x": 2})",
       {"/initial", "\"rail\"", "drive + w.u"}},
      {R"("name": "test",)", R"("name": "two\nlines",)", {"/name", "line break"}},
      {R"(["x", "y"])", R"(["x\u0000", "y"])", {"/system/coordinates/0", "control"}},
      {R"("w": [1, 0])", R"("w": [0, 0])", {"/system/joints/0/w", "zero"}},
      {R"("impact": true)", R"("impact": 1)", {"/initial/impact", "true nor false"}},
      {R"("every": 5)", R"("every": 0)", {"/recording/every", "0", ">= 1"}},
      {R"("every": 5)", R"("every": 2.5)", {"/recording/every", "2.5"}},
      {R"("glocker-studer")", R"("newton")", {"/method/preset", "newton", "glocker-studer"}},
      {R"("tolerance": 1e-7)", R"("tolerance": 0)", {"/method/tolerance", "> 0"}},
      {R"("tolerance": 1e-7)", R"("solver": "magic")", {"/method/solver", "magic", "lemke"}},
      {R"("tolerance": 1e-7)", R"("budget": -1)", {"/method/budget", "-1", ">= 0"}},
      {R"("name": "test",)",
       R"("name": "test", "name": "again",)",
       {"test.json:3", "/name", "twice"}},
      {R"("mu": 0.3)", R"("mu": NaN)", {"test.json:13", "not valid JSON"}},
      {R"("mu": 0.3)", R"("mu": 1e999)", {"not valid JSON"}},
      {R"("recording": {"every": 5})", R"("recording": {"every": 5)", {"not valid JSON"}},
      {R"("recording")", R"("Recording")", {"/Recording", "did you mean \"recording\""}},
      {R"("contacts": [)", R"("contacts": 3, "x": [)", {"/system/contacts", "3", "list"}},
  };
  for (const BadScene& bad : cases) {
    const std::string complaint = complaintAbout(withChange(bad.from, bad.to));
    EXPECT_EQ(complaint.find('\n'), std::string::npos) << complaint;
    EXPECT_EQ(complaint.rfind("test.json", 0), 0u) << complaint;
    for (const std::string& word : bad.words)
      EXPECT_NE(complaint.find(word), std::string::npos) << bad.to << ": " << complaint;
  }
}

TEST(Scene, RefusesTwoContactsOfOneName) {
  const std::string text =
      withChange(R"("joints": [{"name": "rail")", R"("joints": [{"name": "floor")");
  EXPECT_NE(complaintAbout(text).find("used twice"), std::string::npos);
}

TEST(Scene, RefusesBadOverrides) {
  EXPECT_NE(complaintAbout(kScene, {"time.step"}).find("path.to.field=value"), std::string::npos);
  EXPECT_NE(complaintAbout(kScene, {"=1"}).find("path.to.field=value"), std::string::npos);
  EXPECT_NE(complaintAbout(kScene, {"time..step=1"}).find("empty part"), std::string::npos);
  EXPECT_NE(complaintAbout(kScene, {"name.x=1"}).find("has no fields"), std::string::npos);
  EXPECT_NE(complaintAbout(kScene, {"system.contacts.7.mu=1"}).find("no element"),
            std::string::npos);
  EXPECT_NE(complaintAbout(kScene, {"name=\xff"}).find("UTF-8"), std::string::npos);
  const std::string unknown = complaintAbout(kScene, {"time.stepp=1"});
  EXPECT_NE(unknown.find("did you mean \"step\""), std::string::npos) << unknown;
  const std::string nan = complaintAbout(kScene, {"system.contacts.0.mu=nan"});
  EXPECT_NE(nan.find("--set system.contacts.0.mu=nan"), std::string::npos) << nan;
  EXPECT_NE(nan.find("not a number"), std::string::npos) << nan;
}

TEST(Scene, RefusesFilesThatCannotBeRead) {
  EXPECT_THROW(loadScene("no/such/scene.json"), InputError);
  EXPECT_THROW(loadScene(std::filesystem::temp_directory_path()), InputError);
}

TEST(Scene, RefusesDeepNestingWithoutRecursion) {
  const std::string deep(100000, '[');
  EXPECT_NE(complaintAbout(deep).find("nested"), std::string::npos);
}

// Text with random damage: either it still is a scene, or there is one clear line.
TEST(Scene, SurvivesDamagedText) {
  testing::Random random(91);
  std::ifstream stream(testing::sceneFolder() / "woodpecker.json");
  std::stringstream buffer;
  buffer << stream.rdbuf();
  const std::string original = buffer.str();
  ASSERT_GT(original.size(), 100u);
  int refused = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    std::string text = original;
    for (int change = random.integer(1, 4); change > 0; --change) {
      testing::damage(text, 0, random);
      if (text.empty()) text.assign(1, '{');
    }
    try {
      parseScene(text, "damaged.json");
    } catch (const InputError& error) {
      ++refused;
      const std::string what = error.what();
      ASSERT_EQ(what.find('\n'), std::string::npos) << what;
      ASSERT_EQ(what.rfind("damaged.json", 0), 0u) << what;
    }
  }
  EXPECT_GT(refused, 2000);
}

}  // namespace
}  // namespace stickslip
